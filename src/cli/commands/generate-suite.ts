/** `boardmill generate --suite DIR`: writes a named set of tests with their answers. */

import { dirname, join } from 'node:path';
import type { OpenedProblem } from '../../catalog/open-problem.js';
import { Interrupted } from '../../core/errors.js';
import { makeDurableFolders } from '../../core/files/files.js';
import { formatQuantity } from '../../core/format-count.js';
import { escapeUnprintable } from '../../core/printable.js';
import { assertNotStopped, interruptionError } from '../../core/stop.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { ANSWER_ENDING, INPUT_ENDING } from '../../engine/input/file-names.js';
import { sourceOfBytes } from '../../engine/input/source.js';
import { assertDistinctFiles } from '../../engine/output/distinct-files.js';
import { assertReplaceable, type WrittenFileKind } from '../../engine/output/ledger.js';
import { openSinkAtAutomaticName, streamSink } from '../../engine/output/open-sink.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { solveInput as runEngine } from '../../engine/run.js';
import type { FailedCase } from '../../engine/run-options.js';
import type { Sink } from '../../engine/sink.js';
import { RunTally } from '../../engine/tally.js';
import type { SolveRequest } from '../../library/solve-request.js';
import { AuthorFunctionPool } from '../../tools/cases/author-pool.js';
import { drawRandomTestInput, planTestSuite, type SuiteTest } from '../../tools/cases/suite.js';
import { openDispatcher, prepareSolving, type SolvingValues } from '../arguments/solving-options.js';
import { notePrinter, printError } from '../exit.js';
import { saveFailedCase } from '../save-case.js';
import { withSignals } from '../signals.js';

interface SuiteRequest {
  readonly chosen: OpenedProblem;
  readonly folder: string;
  readonly seed: string;
  /** The number of cases in each random test; null if the contest decides it. */
  readonly cases: number | null;
  readonly force: boolean;
  readonly quiet: boolean;
  /** The options for the solver that finds the answers. */
  readonly solving: SolvingValues;
}

/** A file of the suite. */
interface SuiteFile {
  readonly path: string;
  readonly kind: WrittenFileKind;
}

/** The data that is needed to write a test. */
interface SuiteWriter {
  readonly request: SuiteRequest;
  /** The way to solve the tests; null if neither boardmill nor a program solves the problem. */
  readonly solving: SolveRequest | null;
  readonly dispatcher: Dispatcher | null;
  readonly author: AuthorFunctionPool;
  readonly stop: AbortSignal;
}

/** Writes the suite, and prints a line for each test that was written. */
export async function writeTestSuite(request: SuiteRequest): Promise<void> {
  const { chosen, folder, seed, cases, quiet } = request;
  const tests = planTestSuite(chosen.problem, { seed, cases });
  const solving = await planSolving(request);
  await assertWritable(
    tests.flatMap((test) => filesOf(test, folder, solving !== null)),
    request,
    solving,
  );
  const author = new AuthorFunctionPool(chosen.problem, 1);
  const dispatcher = solving === null ? null : await openDispatcher(solving);
  const stdout = streamSink(process.stdout);
  try {
    await withSignals(async (stop) => {
      for (const test of tests) {
        const line = await writeTest(test, { request, solving, dispatcher, author, stop });
        if (!quiet) await stdout.write(Buffer.from(`${escapeUnprintable(line)}\n`), null);
      }
    });
  } finally {
    await Promise.all([author.close(), dispatcher?.close()]);
  }
}

/** Returns the way to solve the problem. Returns null, with a message, if there is neither a solver nor a program for it. */
async function planSolving({ chosen, solving, quiet }: SuiteRequest): Promise<SolveRequest | null> {
  const note = notePrinter(quiet);
  const { name, solvers } = chosen.problem;
  if (solvers !== null || solving.exec !== null) return prepareSolving(solving, note);
  note(`${name} has no solver, so the tests get no answers; --exec CMD names a program that solves it`);
  return null;
}

/** The files of a test: its input, and its answers if they are known. */
function filesOf(test: SuiteTest, folder: string, isSolved: boolean): SuiteFile[] {
  const files: SuiteFile[] = [{ path: join(folder, test.name + INPUT_ENDING), kind: 'generated input' }];
  if (!isSolved && !('answers' in test)) return files;
  return [...files, { path: join(folder, test.name + ANSWER_ENDING), kind: 'answers' }];
}

/** Fails if a file of the suite must not be written. Called before anything is written. */
async function assertWritable(
  files: readonly SuiteFile[],
  { chosen, force }: SuiteRequest,
  solving: SolveRequest | null,
): Promise<void> {
  assertDistinctFiles({
    reads: [...chosen.paths, ...(solving?.program?.files.paths ?? [])].map((path) => ({
      path,
      role: 'problem or program',
    })),
    writes: files.map(({ path }) => ({ path, role: 'test' })),
  });
  if (!force) for (const { path, kind } of files) await assertReplaceable(path, kind);
}

/** Writes the files of a test, and returns a line about it for the user. If a signal stops this, the error names the test. */
async function writeTest(test: SuiteTest, writer: SuiteWriter): Promise<string> {
  const files = filesOf(test, writer.request.folder, writer.dispatcher !== null);
  const name = files[0].path;
  try {
    assertNotStopped(writer.stop);
    return `${name}: ${await writeTestFiles(test, files, writer)}`;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw interruptionError(writer.stop, ` before ${name} was written`);
  }
}

/** Writes the files of a test, and returns their contents. */
async function writeTestFiles(
  test: SuiteTest,
  files: readonly SuiteFile[],
  writer: SuiteWriter,
): Promise<string> {
  const { request, author, dispatcher, stop } = writer;
  if ('answers' in test) {
    await writeFiles(files, request.force, async ([input, answers]) => {
      await input.write(test.input, null);
      await answers.write(test.answers, null);
    });
    return 'sample of the statement';
  }
  const { problem } = request.chosen;
  const drawer = await author.openDrawer(test.request);
  const { bytes, cases } = await drawRandomTestInput(problem, test, drawer, () => assertNotStopped(stop));
  await writeFiles(files, request.force, async ([input, answers]) => {
    await input.write(bytes, null);
    if (dispatcher !== null) await solve({ name: files[0].path, bytes }, answers, dispatcher, writer);
  });
  return formatQuantity(cases, 'case');
}

/** Opens the files under temporary names, and renames them after `write` has succeeded. If `write` fails, no file is left. */
async function writeFiles(
  files: readonly SuiteFile[],
  force: boolean,
  write: (sinks: Sink[]) => Promise<void>,
): Promise<void> {
  const unfinished: Sink[] = [];
  try {
    for (const { path, kind } of files) {
      await makeDurableFolders(dirname(path));
      unfinished.push(await openSinkAtAutomaticName(path, { kind, force }));
    }
    await write([...unfinished]);
    for (let sink = unfinished.shift(); sink !== undefined; sink = unfinished.shift()) await sink.finish();
  } catch (error) {
    for (const sink of unfinished) await sink.abandon();
    throw error;
  }
}

/** Solves an input in memory, and writes the answers. */
async function solve(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  answers: Sink,
  dispatcher: Dispatcher,
  { request, solving, stop }: SuiteWriter,
): Promise<void> {
  const { problem } = request.chosen;
  const { chunkBytes, retries } = solving as SolveRequest;
  const options = {
    problem,
    settings: PLAIN_SETTINGS,
    chunkBytes,
    retries,
    warn: printError,
    note: notePrinter(request.quiet),
    saveCase: (failed: FailedCase) => saveFailedCase(solving as SolveRequest, name, failed),
    stop,
  };
  await runEngine(sourceOfBytes(name, bytes), answers, dispatcher, options, new RunTally());
  assertNotStopped(stop);
}
