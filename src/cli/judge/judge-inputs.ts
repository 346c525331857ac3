/** Judges programs on several inputs, and reports the results in the order of the inputs. */

import pLimit from 'p-limit';
import { KIB } from '../../core/bytes.js';
import { BoardmillError, Interrupted } from '../../core/errors.js';
import { FileGuard } from '../../core/files/file-guard.js';
import { formatQuantity } from '../../core/format-count.js';
import { forEachConcurrently } from '../../core/overlap.js';
import { assertNotStopped, type GracefulStop } from '../../core/stop.js';
import { comparatorThatNamesInput, type OpenedComparator } from '../../engine/comparators.js';
import { type Dispatcher, DispatcherWrapper } from '../../engine/dispatcher.js';
import { CaseReadingDispatcher } from '../../engine/exec/case-reader.js';
import { JudgedExternalProgram } from '../../engine/exec/judged-program.js';
import { openSolver } from '../../engine/exec/open-solver.js';
import type { SandboxLauncher } from '../../engine/exec/sandbox.js';
import { answerFileOf } from '../../engine/input/file-names.js';
import { openRegularSource } from '../../engine/input/read.js';
import { type Source, sourceOfBytes } from '../../engine/input/source.js';
import { TRUSTED_SOLVER_RETRIES } from '../../engine/limits.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import { solveInput as runEngine } from '../../engine/run.js';
import { RunTally } from '../../engine/tally.js';
import { assembleInput } from '../../formats/assemble-input.js';
import { RightAnswersInFile } from '../../tools/compare/answers-in-file.js';
import { type AnswerComparisonOptions, openComparator } from '../../tools/compare/comparator.js';
import { type JudgedRow, JudgingSink } from '../../tools/judge/judge.js';
import { type SmallestFailure, textOfAnswer } from '../../tools/judge/report/case-results.js';
import type { FailingExample } from '../../tools/judge/report/page.js';
import { type CasesAsBytes, shrinkCases } from '../../tools/stress/shrink.js';
import { usageError } from '../arguments/usage-error.js';
import { notePrinter, printError } from '../exit.js';
import { throwMostSerious } from '../file-failures.js';
import { withRunSource } from '../inputs/with-input.js';
import { runWithSignals } from '../signals.js';
import { type ChosenCasesInput, type JudgeReport, type ReportPlan, withJudgeReport } from './judge-report.js';

/** The command line of `boardmill judge` after it was parsed and checked. */
export interface JudgePlan extends ReportPlan {
  /** The programs to judge: the name that the user typed, and the words of the program's command line. */
  readonly programs: readonly { readonly name: string; readonly argv: readonly string[] }[];
  /** The program that finds the right answers; null if boardmill's own solver finds them. */
  readonly reference: readonly string[] | null;
  readonly answerOptions: AnswerComparisonOptions;
  readonly casesPerRun: number;
  /** The limit on the address space of each run, in bytes; null if there is no limit. */
  readonly memoryBytes: number | null;
  /** Runs the programs in sandboxes; null if the programs run with the rights of boardmill. */
  readonly sandbox: SandboxLauncher | null;
  /** The errors of inputs that cannot be read, one for each. The other inputs are judged. */
  readonly unusableInputs: readonly BoardmillError[];
}

/** The default time limit of a program for one case, in seconds. The reference or the solver has at least this time. */
export const DEFAULT_JUDGE_TIMEOUT = 10;

/** The solvers, programs and files that are needed to judge inputs. */
interface Tools {
  readonly programs: readonly JudgedExternalProgram[];
  readonly comparator: OpenedComparator['comparator'];
  /** Finds the right answers to inputs without an answer file. */
  readonly trusted: Dispatcher | null;
  /** For each answer file, by its path, notices whether the file was changed. A program that is judged could overwrite it. */
  readonly answerGuards: ReadonlyMap<string, FileGuard>;
  readonly stop: AbortSignal;
  close(): Promise<void>;
}

/**
 * Judges the programs, and prints the report. Returns whether every program was right on every case. If an input is invalid,
 * the other inputs are still judged, and then the most serious error is thrown.
 */
export async function judgeInputs(plan: JudgePlan): Promise<boolean> {
  const note = notePrinter(plan.quiet);
  return runWithSignals('finishing the cases that are being judged', note, (signals) =>
    judgeWith(plan, signals),
  );
}

async function judgeWith(plan: JudgePlan, signals: GracefulStop): Promise<boolean> {
  const tools = await openTools(plan, signals);
  signals.giveUp.addEventListener('abort', () => {
    for (const each of [...tools.programs, tools.trusted]) each?.giveUp();
  });
  const again = {
    repeat: (cases: ChosenCasesInput) => repeatJudging(plan, tools, cases),
    shrink: (failure: SmallestFailure) => shrinkFailure(plan, tools, failure),
  };
  const { inputs, unusableInputs } = plan;
  return withJudgeReport(plan, again, async (report) => {
    for (const error of unusableInputs) report.addError('inputs that could not be read', error);
    const failures = [...unusableInputs, ...(await judgeAllOrReport(plan, tools, report))];
    await report.finish();
    const failed = formatQuantity(failures.length, 'input');
    const all = inputs.length + unusableInputs.length;
    throwMostSerious(failures, `${failed} of ${all} could not be judged to the end`);
    return report.isAllAccepted;
  }).finally(() => tools.close());
}

/** Judges all inputs. If an error stops that early, the results so far are reported. */
async function judgeAllOrReport(
  plan: JudgePlan,
  tools: Tools,
  report: JudgeReport,
): Promise<BoardmillError[]> {
  try {
    return await judgeAll(plan, tools, report);
  } catch (error) {
    if (error instanceof BoardmillError) await report.finishEarly(error);
    throw error;
  }
}

async function openTools(plan: JudgePlan, { stop, giveUp }: GracefulStop): Promise<Tools> {
  const { problem, programs, answerOptions, jobs, casesPerRun, timeoutSeconds, memoryBytes, sandbox } = plan;
  const limitRuns = pLimit(jobs);
  const limits = { problem, casesPerRun, timeoutSeconds, memoryBytes, sandbox, limitRuns, stop };
  const opened = await Promise.all(
    programs.map((program) => JudgedExternalProgram.open({ ...program, ...limits })),
  );
  const trusted = await openTrusted(plan);
  const answerGuards = guardAnswers(plan.inputs);
  const matchLimits = { timeoutSeconds, stop, giveUp };
  const { comparator, close } = await openComparator(problem, answerOptions, jobs, matchLimits);
  return {
    programs: opened,
    comparator,
    trusted,
    answerGuards,
    stop,
    async close() {
      for (const program of opened) program.close();
      await Promise.all([close(), trusted?.close()]);
    },
  };
}

/** Notes the state of the answer files before the first program runs. */
function guardAnswers(inputs: readonly string[]): Map<string, FileGuard> {
  const guards = new Map<string, FileGuard>();
  for (const input of inputs) {
    const path = answerFileOf(input);
    if (path !== null) guards.set(path, FileGuard.of([path]));
  }
  return guards;
}

/** Fails with kind `worker` if the answer file was changed after the first program was started. */
function assertUnchanged(path: string | null, { answerGuards }: Tools): void {
  const changed = path === null ? null : answerGuards.get(path)?.findChanged();
  if (typeof changed === 'string')
    throw new BoardmillError(
      'worker',
      `${changed} was changed while programs were judged, perhaps by one of them`,
    );
}

/**
 * Opens the reference or the solver that finds the right answers. Returns null if every input has an answer file, unless a page
 * is wanted: its smaller cases have no answer files.
 */
async function openTrusted(plan: JudgePlan): Promise<Dispatcher | null> {
  const { problem, reference, inputs, jobs, casesPerRun } = plan;
  const timeoutSeconds = Math.max(plan.timeoutSeconds, DEFAULT_JUDGE_TIMEOUT);
  const input = inputs.find((path) => answerFileOf(path) === null);
  if (input === undefined && (plan.html === null || (reference === null && problem.solvers === null)))
    return null;
  if (reference !== null) {
    const program = { argv: reference, casesPerRun, calledAs: 'the reference' };
    return openSolver({ problem, jobs, timeoutSeconds, program });
  }
  if (problem.solvers === null) {
    throw usageError(
      `${problem.name} has no solver, and ${input} has no file with the right answers beside it; --reference CMD names a program that knows them`,
    );
  }
  return openSolver({ problem, jobs, timeoutSeconds, program: null });
}

/**
 * Judges all inputs, several at the same time. Their results are reported in the order of the inputs. Returns the errors of
 * inputs that are invalid or cannot be read.
 */
async function judgeAll(plan: JudgePlan, tools: Tools, report: JudgeReport): Promise<BoardmillError[]> {
  const failures: BoardmillError[] = [];
  let lastTurn = Promise.resolve();
  const bounds = { maxCount: plan.jobs + 1, maxWeight: Number.POSITIVE_INFINITY, weightOf: () => 0 };
  await forEachConcurrently(plan.inputs, bounds, async (input) => {
    const turn = lastTurn;
    const { promise, resolve } = promiseToResolve();
    lastTurn = promise;
    try {
      const onCase = async (row: JudgedRow) => {
        await turn;
        await report.add(input, row);
      };
      await judgeFile(plan, tools, input, report, onCase);
    } catch (error) {
      await turn;
      if (!isErrorOfInput(error)) throw error;
      report.addError(input, error);
      failures.push(error);
    } finally {
      void turn.then(resolve);
    }
  });
  return failures;
}

/** Returns a promise, and the function that resolves it. */
function promiseToResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Whether the error concerns only one input, so that the others can still be judged. */
function isErrorOfInput(error: unknown): error is BoardmillError {
  return error instanceof BoardmillError && (error.kind === 'input' || error.kind === 'file');
}

/** Judges the programs on the cases of one input. */
async function judgeFile(
  plan: JudgePlan,
  tools: Tools,
  input: string,
  report: JudgeReport,
  onCase: (row: JudgedRow) => Promise<void>,
): Promise<void> {
  assertNotStopped(tools.stop, ` before ${input}`);
  await withRunSource(input, plan.problem, tools.stop, async (source) => {
    const answerFile = answerFileOf(input);
    const answerSource = answerFile === null ? null : await openRegularSource(answerFile);
    const tally = new RunTally();
    tally.inputBytes = source.size;
    report.follow(tally);
    try {
      await judgeSource(plan, tools, source, answerSource, tally, onCase);
      assertUnchanged(answerFile, tools);
    } finally {
      await answerSource?.close();
    }
  });
}

async function judgeSource(
  { problem, jobs, casesPerRun, quiet }: JudgePlan,
  { programs, comparator: anyInput, trusted, stop }: Tools,
  source: Source,
  answerSource: Source | null,
  tally: RunTally,
  onCase: (row: JudgedRow) => Promise<void>,
): Promise<void> {
  const answers = answerSource === null ? null : new RightAnswersInFile(answerSource, problem.answerFormat);
  const comparator = comparatorThatNamesInput(anyInput, source.name);
  const judge = new JudgingSink({ problem, programs, comparator, answers, maxRunning: jobs + 1, onCase });
  const dispatcher =
    answers === null
      ? new SmallChunksDispatcher(trusted!, casesPerRun)
      : new CaseReadingDispatcher(problem, casesPerRun);
  const settings = PLAIN_SETTINGS;
  const options = {
    problem,
    settings,
    retries: TRUSTED_SOLVER_RETRIES,
    warn: printError,
    note: notePrinter(quiet),
    stop,
  };
  try {
    await runEngine(source, judge, dispatcher, options, tally);
    await answers?.finish();
  } finally {
    // If there is an error, the cases before it are still judged.
    await judge.finish();
  }
}

/** Passes chunks on to another dispatcher, in chunks that have at most as many cases as one run of a program. */
class SmallChunksDispatcher extends DispatcherWrapper {
  readonly #casesPerRun: number;

  constructor(inner: Dispatcher, casesPerRun: number) {
    super(inner);
    this.#casesPerRun = casesPerRun;
  }

  override get maxCasesPerChunk(): number {
    return this.#casesPerRun;
  }

  protected override around<Result>(solve: () => Promise<Result>): Promise<Result> {
    return solve();
  }
}

/** How long it may take to make the failing case of one program smaller, and the largest case with which that is tried. */
const SHRINK_MS = 5_000;
const MAX_SHRUNK_BYTES = 64 * KIB;

/** Makes the case on which a program fails smaller, as long as the program fails on it in the same way. */
async function shrinkFailure(
  plan: JudgePlan,
  tools: Tools,
  failure: SmallestFailure,
): Promise<FailingExample> {
  const { problem, jobs } = plan;
  const { program, origin, verdict, head, bytes } = failure;
  const inputOf = (cases: CasesAsBytes) => assembleInput(problem.inputFormat, cases, head.bytes);
  const chosen = { ...tools, programs: tools.programs.filter(({ name }) => name === program) };
  const judged = new Map<CasesAsBytes, JudgedRow>();
  const deadline = performance.now() + SHRINK_MS;
  const shrunk =
    tools.trusted === null || bytes.length > MAX_SHRUNK_BYTES
      ? [bytes]
      : await shrinkCases([bytes], {
          problem,
          head: head.bytes,
          jobs,
          isTimeUp: () => performance.now() > deadline || tools.stop.aborted,
          async isFailing(cases) {
            const [row] = await judgeSmallInput(plan, chosen, inputOf(cases)).catch(noRows);
            if (row !== undefined) judged.set(cases, row);
            return row?.results[0].verdict === verdict;
          },
        });
  const row = judged.get(shrunk);
  if (row === undefined)
    return { ...failure, input: inputOf([bytes]), got: bytesOf(failure.got), isShrunk: false };
  const [{ got, reason }] = row.results;
  const expected = row.expected.bytes.subarray(row.expected.start, row.expected.end);
  const shown = bytesOf(got === null ? null : textOfAnswer(got));
  return {
    program,
    origin,
    verdict,
    message: reason,
    input: inputOf(shrunk),
    expected,
    got: shown,
    isShrunk: true,
  };
}

function bytesOf(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text);
}

/** A reference that fails on a case that it was not made for says nothing about the programs. */
function noRows(error: unknown): readonly JudgedRow[] {
  if (error instanceof BoardmillError && !(error instanceof Interrupted)) return [];
  throw error;
}

/** Judges programs on an input without an answer file. */
async function judgeSmallInput(
  plan: JudgePlan,
  tools: Tools,
  input: Uint8Array,
): Promise<readonly JudgedRow[]> {
  const rows: JudgedRow[] = [];
  const onCase = async (row: JudgedRow) => void rows.push(row);
  await judgeSource(plan, tools, sourceOfBytes('a smaller case', input), null, new RunTally(), onCase);
  return rows;
}

/** Judges the programs again, on an input made of chosen cases. Returns the results for these cases. */
async function repeatJudging(
  { problem, jobs }: JudgePlan,
  { programs, comparator }: Tools,
  { cases, expected }: ChosenCasesInput,
): Promise<readonly JudgedRow[]> {
  const rows: JudgedRow[] = [];
  const remaining = [...expected];
  const answers = { next: async () => remaining.shift()! };
  const onCase = async (row: JudgedRow) => void rows.push(row);
  const judge = new JudgingSink({ problem, programs, comparator, answers, maxRunning: jobs, onCase });
  await judge.write(new Uint8Array(0), null, cases);
  await judge.finish();
  return rows;
}
