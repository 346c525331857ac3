/** `boardmill solve`: solves every test case of the inputs and writes the answers. */

import { Interrupted, OutageError } from '../../core/errors.js';
import { printJson } from '../../core/printable.js';
import type { GracefulStop } from '../../core/stop.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import { ChangedFileError } from '../../engine/guarded-dispatcher.js';
import { totalInputBytes } from '../../engine/input/process-files.js';
import { bytesOfShard, type Shard, type ShardOfInput } from '../../engine/input/shard.js';
import type { AnswerFileOptions } from '../../engine/output/answer-file.js';
import { stampOfInput } from '../../engine/output/checkpoint.js';
import { assertDistinct } from '../../engine/output/distinct-files.js';
import { assertSinkUsable, openSink, streamSink } from '../../engine/output/open-sink.js';
import { openReportFile, type ReportFile } from '../../engine/output/report-file.js';
import { shardRecordPath } from '../../engine/output/shard-record.js';
import { fingerprintOf, type OutputSettings } from '../../engine/output-settings.js';
import { run as runEngine } from '../../engine/run.js';
import type { RunOptions } from '../../engine/run-options.js';
import { fillSink, type Sink } from '../../engine/sink.js';
import { Tally } from '../../engine/tally.js';
import {
  columnsOfRequest,
  filesOfRequest,
  outputSettingsOf,
  type SolveRequest,
} from '../../library/solve-request.js';
import { COLUMNS } from '../../problems/output-columns.js';
import { OUTPUT_FORMATS } from '../../problems/output-formats.js';
import { alsoCompareOption, noteOnImports } from '../arguments/also-compare.js';
import type { CommandSyntax, ValuesOf } from '../arguments/option.js';
import { QUEUE_URL_HELP, queueOption } from '../arguments/queue-options.js';
import * as row from '../arguments/rows.js';
import { assertShardFiles, SHARD_OPTION } from '../arguments/shard-options.js';
import { openDispatcher, prepareSolving, SOLVING_OPTIONS } from '../arguments/solving-options.js';
import { usageError } from '../arguments/usage-error.js';
import { assertGiven, parseAnyText } from '../arguments/values.js';
import { openQueue, planQueue, QUIET_WAIT_SECONDS, type QueueUse } from '../cluster/queue-use.js';
import { EXIT_CODE, notePrinter, type PrintNote, printMessage, reportError } from '../exit.js';
import { locateShard } from '../inputs/shard-input.js';
import { withRunSource } from '../inputs/with-input.js';
import { saveFailedCase } from '../save-case.js';
import { withGrace } from '../signals.js';
import { isBarWanted } from '../status/progress.js';
import { printAboveStatus } from '../status/terminal.js';
import { withDispatcher } from '../with-dispatcher.js';
import {
  chooseFiles,
  type FilePair,
  type FilePlan,
  type FilesToSolve,
  filesOfPlan,
  planFiles,
  reportOutcome,
  solveFiles,
} from './solve-files.js';

/** The arguments and options of `boardmill solve`. */
export const syntax = {
  arguments: { problem: row.PROBLEM_ARGUMENT, inputs: row.INPUTS_ARGUMENT },
  options: {
    output: row.outputOption(
      'file for the answers; - is standard output, which is the default for one input',
      {
        excludes: ['ext'],
      },
    ),
    ext: row.valueOption(
      parseAnyText('an ending such as .ans'),
      'write the answers to NAME.in into NAME + EXT, in the same folder (default for several inputs: .ans, or .ndjson or .csv with that format)',
    ),
    force: row.forceOption(
      '; also solve inputs again whose answers are up to date, and start an interrupted run over',
    ),
    'on-error': row.choiceOption(
      ['stop', 'mark'],
      'stop',
      'what to do if a case is invalid or fails; stop: end the run; mark: answer ERROR and continue',
    ),
    resume: row.flagOption('continue an interrupted run from its checkpoint', {
      excludes: [['force', 'one continues a run, the other starts it over']],
    }),
    format: row.choiceOption(
      OUTPUT_FORMATS,
      'text',
      'format of the answers; text: as the contest wants them; ndjson: one JSON object per case; csv: a table',
    ),
    columns: row.valueOption(
      parseColumns,
      `with ndjson or csv, what to add to each answer, separated by commas: ${COLUMNS.join(', ')} (rows, cols and board: board games, and modules whose cases have exactly one grid; nimber: bacterial-tactics, darkraft, and modules that state it)`,
    ),
    stats: row.fileOption(
      'file for statistics of the run as JSON, such as its speed and its slowest cases; - is standard error',
    ),
    queue: queueOption(
      `let worker processes (boardmill worker) solve, which get the chunks through this Redis server: ${QUEUE_URL_HELP}`,
    ),
    'shared-input': row.flagOption(
      'with --queue: the worker processes read the inputs themselves, from the same paths; only places in them are sent',
      { needs: 'queue' },
    ),
    'wait-workers': row.secondsOption(
      `with --queue: seconds to wait for the first worker process, and then end with exit code 4 (default: without end; with -q ${QUIET_WAIT_SECONDS})`,
      { needs: 'queue' },
    ),
    'also-compare': alsoCompareOption(
      'with --exec: a file or folder that answers depend on, as they do on the program: if it changes, --resume and worker processes refuse; may be given several times',
    ),
    shard: SHARD_OPTION,
    ...SOLVING_OPTIONS,
  },
  examples: [
    ['boardmill solve bacterial-tactics big.in -o big.ans', 'solve a file on all processors'],
    ['boardmill solve ./sums.mjs big.in -o big.ans', 'solve a problem of your own, which a module defines'],
    [
      "boardmill solve ./sums.ctd big.in --exec './mine'",
      'run ./mine on all processors; a grammar describes the input',
    ],
    ['xzcat big.in.xz | boardmill solve darkraft -j 4 > big.ans', 'read from a pipe, with four workers'],
    ['boardmill solve zu secret/*.in --ext .ans', 'solve many files; each answer file goes beside its input'],
    [
      'boardmill solve darkraft big.in --format csv --columns nimber',
      'print a table with the nimber of each board',
    ],
    [
      'boardmill solve zu big.in -o big.ans --queue redis://queue.local',
      'let all worker processes solve that wait on this Redis server',
    ],
    [
      'boardmill solve bt mixed.in --on-error mark --stats -',
      'answer ERROR to invalid cases, and print statistics',
    ],
    [
      'boardmill solve bt big.in --shard 3/8 -o big.ans.3',
      'solve the third of eight shards; boardmill merge big.ans.* -o big.ans joins them',
    ],
  ],
} satisfies CommandSyntax;

type SolveArguments = ValuesOf<typeof syntax>;

export async function run(args: SolveArguments): Promise<number> {
  const note = notePrinter(args.quiet);
  const request = await prepareSolving(args, note);
  const { shard, stats: statsFile } = args;
  const plan = await planFiles(args);
  const queue = await planQueue(args, plan, request.jobs);
  if (shard !== null) await assertShardable(plan);
  await assertFilesDistinct(plan, request, shard, statsFile);
  noteImports(request, isCheckpointed(plan) || queue !== null, note);
  return withGrace('finishing the cases that are being solved', note, async ({ stop, giveUp }) => {
    const settings = await settingsOf(args, request, shard, isCheckpointed(plan));
    const context = { args, plan, request, settings, shard, queue, stop, giveUp, note };
    const chosen = await chooseFilesToSolve(context);
    const shardOfInput = shard === null ? undefined : await findShard(context, shard, chosen.toSolve[0]);
    const tally = new Tally();
    tally.inputBytes =
      shardOfInput === undefined ? totalInputBytes(chosen.toSolve) : bytesOfShard(shardOfInput);
    const stats = statsFile === null ? null : await openReportFile(statsFile, 'report', args.force);
    const code = await solveAndReport(context, chosen, shardOfInput, tally).catch(reportError);
    return await writeStats(stats, tally, request, code);
  });
}

/** The settings that all files of a run share. */
interface SolvingContext extends GracefulStop {
  readonly args: SolveArguments;
  readonly plan: FilePlan;
  readonly request: SolveRequest;
  readonly settings: OutputSettings;
  readonly shard: Shard | null;
  /** The queue through which worker processes get the chunks; null if this process solves the chunks. */
  readonly queue: QueueUse | null;
  readonly note: PrintNote;
}

/** Notes once that the program may import other files, if the run compares the program with that of another run or machine. */
function noteImports({ program }: SolveRequest, isCompared: boolean, note: PrintNote): void {
  if (program === null || !isCompared || program.files.compared.length !== 0) return;
  const text = noteOnImports(program.argv);
  if (text !== null) note(text);
}

/** Whether the answers go to a file. Such a run writes a checkpoint beside the file. */
function isCheckpointed({ pairs }: FilePlan): boolean {
  return pairs.some(({ output }) => output !== '-');
}

/** Fails if the run has several inputs, or if its files are not suitable for a shard. */
async function assertShardable({ isBesideInputs, pairs: [{ input, output }] }: FilePlan): Promise<void> {
  if (isBesideInputs) throw usageError('--shard takes one input, and --output FILE for its answers');
  await assertShardFiles(input, output);
}

/** Fails if a file has two roles, for example if it is both an input and an output. */
async function assertFilesDistinct(
  plan: FilePlan,
  request: SolveRequest,
  shard: Shard | null,
  stats: string | null,
): Promise<void> {
  const { reads, writes } = filesOfPlan(plan);
  const records = shard === null ? [] : plan.pairs.map(({ output }) => shardRecordPath(output));
  await assertDistinct({
    reads: [...reads, ...filesOfRequest(request)],
    writes: [
      ...writes,
      ...records.map((path) => ({ path, role: 'the record of the shard' })),
      ...(stats === null || stats === '-' ? [] : [{ path: stats, role: '--stats' }]),
    ],
    compared: request.program?.files.compared ?? [],
  });
}

function parseColumns(text: string, option: string): string[] {
  const names = assertGiven(text, option, 'names of columns, separated by commas').split(',');
  return names.map((name) => name.trim());
}

/** Collects the settings on which the output depends. */
async function settingsOf(
  args: SolveArguments,
  request: SolveRequest,
  shard: Shard | null,
  isCompared: boolean,
): Promise<OutputSettings> {
  const { format: outputFormat, onError } = args;
  const columns = columnsOfRequest('--columns', args.columns ?? [], outputFormat, request);
  return outputSettingsOf(request, { outputFormat, columns, onError, shard }, isCompared);
}

/** Returns the options for writing the answers to a file. */
function answerFileOptions(
  { args, plan: { isBesideInputs }, request, settings, shard, note }: SolvingContext,
  { input }: FilePair,
): AnswerFileOptions {
  return {
    force: args.force,
    resume: args.resume,
    settingsFingerprint: fingerprintOf(settings, input),
    // A program may print other answers in another run.
    isRepeatable: request.program === null,
    inputStamp: stampOfInput(input),
    dropsStaleRun: isBesideInputs,
    ...(shard === null
      ? {}
      : { shard: { settingsFingerprint: fingerprintOf({ ...settings, shard: null }, input), shard } }),
    note: isBesideInputs ? () => {} : note,
  };
}

/** Finds the cases of a shard in its input. Before that, it checks that the shard's answers may be written. */
async function findShard(context: SolvingContext, shard: Shard, file: FilePair): Promise<ShardOfInput> {
  await assertSinkUsable(file.output, answerFileOptions(context, file));
  return locateShard(shard, file.input, context.stop);
}

/** Returns the files to solve. If there are several, files that cannot be solved are reported and left out. */
async function chooseFilesToSolve(context: SolvingContext): Promise<FilesToSolve> {
  const { pairs, isBesideInputs, unusableInputs } = context.plan;
  if (!isBesideInputs) return { toSolve: pairs, upToDate: 0, refusals: [] };
  const chosen = await chooseFiles(pairs, (file) => answerFileOptions(context, file));
  const refusals = [...unusableInputs, ...chosen.refusals];
  for (const refusal of refusals) reportError(refusal);
  return { ...chosen, refusals };
}

/** Solves the files, prints a summary if there are several, and returns the exit code. */
async function solveAndReport(
  context: SolvingContext,
  { toSolve, upToDate, refusals }: FilesToSolve,
  shard: ShardOfInput | undefined,
  tally: Tally,
): Promise<number> {
  const { args, plan, request, queue, stop, giveUp, note } = context;
  const dispatcher =
    queue === null
      ? await openDispatcher(request, tally.inputBytes)
      : await openQueue(queue, request, { note, stop });
  const solve = (file: FilePair) => solveFile(file, dispatcher, context, shard, tally);
  const solveAll = async () => {
    if (plan.isBesideInputs) return solveFiles(toSolve, request.jobs, stop, solve);
    await solve(toSolve[0]);
    return null;
  };
  const frame = { giveUp, tally, isBarShown: isBarWanted(args) };
  const result = await withDispatcher(dispatcher, frame, solveAll).finally(() => {
    tally.workers = dispatcher.mostWorkers;
  });
  if (result !== null) {
    const { solved, failures } = result;
    reportOutcome({ solved, failures: [...refusals, ...failures] }, upToDate, args.quiet);
  }
  return tally.failedCases > 0 ? EXIT_CODE.differs : EXIT_CODE.ok;
}

/** Solves one input and writes its answers. If this fails, a checkpoint may remain. */
async function solveFile(
  file: FilePair,
  dispatcher: Dispatcher,
  context: SolvingContext,
  shard: ShardOfInput | undefined,
  tally: Tally,
): Promise<void> {
  const { args, request, settings, stop, note } = context;
  const { problem, chunkBytes, retries } = request;
  const { outputFormat, columns, onError } = settings;
  const options: RunOptions = {
    problem,
    settings: { outputFormat, columns, onError },
    chunkBytes,
    retries,
    ...(shard === undefined ? {} : { shard }),
    // With `-q --stats -`, the statistics are the only text on standard error. They include the number of marked cases.
    warn: args.quiet && args.stats === '-' ? () => {} : printMessage,
    note,
    saveCase: (failed) => saveFailedCase(request, file.input, failed, columns),
    stop,
  };
  await withRunSource(file.input, problem, stop, async (source) => {
    const sink = await openAnswers(file.output, answerFileOptions(context, file));
    await fillSink(
      sink,
      () => runEngine(source, sink, dispatcher, options, tally),
      (error, isResumable) => (isResumable ? adviseResume(error) : error),
    );
  });
}

/** Returns the error of a run that has written answers. If the run itself is fine, its message says how to continue it. */
function adviseResume(error: unknown): unknown {
  const advice = 'the same command with --resume continues';
  if (error instanceof Interrupted) return new Interrupted(error.signal, `${error.message}; ${advice}`);
  if (error instanceof OutageError) return new OutageError(`${error.message}; ${advice}`, { cause: error });
  if (error instanceof ChangedFileError)
    return new ChangedFileError(error.path, '--resume continues once it is as it was, --force starts over');
  return error;
}

/**
 * Opens the file or stream for the answers. If standard output is the terminal with the progress bar, the bar moves below the
 * answers.
 */
async function openAnswers(path: string, options: AnswerFileOptions): Promise<Sink> {
  const isAboveBar = path === '-' && process.stdout.isTTY;
  return isAboveBar ? streamSink(process.stdout, printAboveStatus) : openSink(path, options);
}

/** Writes the statistics of `--stats`. Returns the exit code of the run, or that of a failed write if that is more serious. */
async function writeStats(
  file: ReportFile | null,
  tally: Tally,
  { problem, jobs }: SolveRequest,
  code: number,
): Promise<number> {
  if (file === null) return code;
  // If a run fails before it has answered a case, the file of `--stats` is removed.
  const isWanted = !file.isFile || code < EXIT_CODE.usage || tally.cases > 0;
  try {
    if (isWanted) await file.write(`${printJson(tally.createStats(problem.name, jobs), 2)}\n`);
    else await file.discard();
    return code;
  } catch (error) {
    return Math.max(code, reportError(error));
  }
}
