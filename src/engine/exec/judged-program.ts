/**
 * Runs a program that `judge` tests, and finds out for each case whether the program answered it in time. A program gets
 * several cases in one run. If the run fails or takes longer than one case may take, boardmill runs the program again on each
 * half of the cases, and so on down to the single case that is to blame.
 */
import type { LimitFunction } from 'p-limit';
import { BoardmillError } from '../../core/errors.js';
import { assertNotStopped, interruptionError } from '../../core/stop.js';
import { assertCasesSeparable } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import type { ChunkTask } from '../messages.js';
import { PLAIN_SETTINGS } from '../output-settings.js';
import { relabelAnswer } from '../printed-answer.js';
import type { CasesWithoutAnswers } from '../sink.js';
import type { CaseOutcome, JudgedFailure, JudgedProgram } from '../verdict.js';
import { failureOfProgramRun, OutOfMemoryKills } from './failure-of-run.js';
import { findExecutable, ProgramRunner } from './program.js';
import {
  canFormInput,
  describeSharedAnswer,
  divideIntoProgramRuns,
  inputOfCases,
  maxOutputBytes,
  type ParsedCase,
  type ProgramAnswer,
  parseCases,
  readProgramAnswers,
} from './program-cases.js';
import type { ProgramOutcome } from './program-shell.js';
import { type PreparedProgram, prepareProgram, type SandboxLauncher } from './sandbox.js';

interface JudgedProgramOptions {
  readonly problem: Problem;
  /** The program as the user named it. */
  readonly name: string;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Largest number of cases that one run of the program gets. */
  readonly casesPerRun: number;
  /** Time limit for one case, in seconds. */
  readonly timeoutSeconds: number;
  /** Address space that each run may use, in bytes; null if there is no limit. */
  readonly memoryBytes: number | null;
  /** Runs the program in a sandbox; null if it runs with the rights of boardmill. */
  readonly sandbox: SandboxLauncher | null;
  /** Limits the number of runs at the same time, counted over all judged programs. */
  readonly limitRuns: LimitFunction;
  /** When this signal is aborted, no further run starts, and judging fails with Interrupted. */
  readonly stop: AbortSignal;
}

/** What one run of the program has returned. */
interface Run {
  readonly cases: readonly ParsedCase[];
  readonly outcome: ProgramOutcome;
  readonly answers: readonly ProgramAnswer[];
  readonly failure: JudgedFailure | null;
  /** Whether the program has ended well with only one answer to several cases, as if they were one case. */
  readonly isOneAnswer: boolean;
}

export class JudgedExternalProgram implements JudgedProgram {
  readonly name: string;
  readonly #options: JudgedProgramOptions;
  readonly #program: ProgramRunner;
  readonly #memoryKills = new OutOfMemoryKills();
  #isGivenUp = false;
  #isClosed = false;

  /** Prepares to run a program. Fails with kind `usage` if the program does not exist or cannot be run. */
  static async open(options: JudgedProgramOptions): Promise<JudgedExternalProgram> {
    assertCasesSeparable(options.problem.inputFormat);
    await findExecutable(options.argv);
    return new JudgedExternalProgram(options, await prepareProgram(options.argv, options.sandbox));
  }

  private constructor(options: JudgedProgramOptions, { argv, sandbox }: PreparedProgram) {
    const { name, memoryBytes } = options;
    this.name = name;
    this.#options = options;
    this.#program = new ProgramRunner(argv, { memoryBytes, isMeasured: true, sandbox });
  }

  /** Ends the runs of the program. Those that have not begun fail: nobody would end their shells. */
  close(): void {
    this.#isClosed = true;
    this.#program.close();
  }

  /** Kills all running processes of the program, after a signal. Judging the cases of these runs fails with Interrupted. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#program.close();
  }

  async run(
    { bytes, starts, head }: CasesWithoutAnswers,
    firstCase: number,
  ): Promise<readonly CaseOutcome[]> {
    const { problem, casesPerRun } = this.#options;
    const task = {
      bytes,
      starts,
      firstCase,
      head,
      settings: PLAIN_SETTINGS,
      origin: null,
      isSolvedOneByOne: false,
    };
    const runs = divideIntoProgramRuns(parseCases(problem, task), casesPerRun, problem.totals ?? null);
    const outcomes = await Promise.all(runs.map((cases) => this.#judge(task, cases)));
    return outcomes.flat();
  }

  /** Runs the program on the given cases, and if that run fails, on each half of the cases. */
  async #judge(task: ChunkTask, cases: readonly ParsedCase[]): Promise<CaseOutcome[]> {
    const run = await this.#options.limitRuns(() => this.#runOnce(task, cases));
    if (run.failure === null) return run.answers.map((answer, i) => this.#answered(run, answer, task, i));
    if (cases.length === 1) return [failedOutcome(run, run.failure)];
    const middle = cases.length >> 1;
    const halves = [cases.slice(0, middle), cases.slice(middle)];
    const failAll = () => cases.map(() => failedOutcome(run, run.failure!));
    if (!halves.every((half) => canFormInput(this.#options.problem, task, half))) return failAll();
    const outcomes = (await Promise.all(halves.map((half) => this.#judge(task, half)))).flat();
    if (outcomes.some(({ failure }) => failure !== null)) return outcomes;
    // Alone, each case has an answer, but a program that answers once for several cases has answered none of them.
    return run.isOneAnswer ? failAll() : blameOne(run, outcomes);
  }

  async #runOnce(task: ChunkTask, cases: readonly ParsedCase[]): Promise<Run> {
    const { problem, timeoutSeconds, memoryBytes, stop } = this.#options;
    assertNotStopped(stop);
    if (this.#isClosed) throw new Error('the program is closed');
    const input = inputOfCases(problem, task, cases);
    const outcome = await this.#program.run(input, {
      timeoutMs: timeoutSeconds * 1000,
      outputBytes: maxOutputBytes(problem, input.length),
    });
    if (this.#isGivenUp) throw interruptionError(stop);
    if (outcome.failure?.kind === 'no-start')
      throw new BoardmillError('worker', `${this.name}: the program ${outcome.failure.reason}`);
    const printed = readProgramAnswers(problem, outcome.stdout, cases);
    const { answers, mistake } = printed;
    const ownFailure = failureOfProgramRun(outcome, { timeoutSeconds, memoryBytes }, this.#memoryKills);
    // A program that was stopped or has crashed after its first answer would have printed more.
    const oneAnswer = ownFailure === null ? describeSharedAnswer(problem, printed, cases) : null;
    const failure =
      ownFailure ??
      (mistake && { verdict: 'WA' as const, reason: `the program ${oneAnswer ?? mistake.reason}` });
    return { cases, outcome, answers, failure, isOneAnswer: oneAnswer !== null };
  }

  #answered(
    { cases, outcome }: Run,
    answer: ProgramAnswer,
    { firstCase }: ChunkTask,
    index: number,
  ): CaseOutcome {
    const caseNumber = firstCase + cases[index].index;
    const label = this.#options.problem.answerFormat.label(caseNumber);
    return {
      answer: relabelAnswer({ ...answer, bytes: outcome.stdout }, label),
      failure: null,
      ...shareOf(outcome, cases.length),
    };
  }
}

/** Returns the share of one case in the time and processor time of a run with `cases` cases. */
function shareOf({ usage }: ProgramOutcome, cases: number): Pick<CaseOutcome, 'seconds' | 'cpuSeconds'> {
  const { seconds = 0, cpuSeconds = null } = usage ?? {};
  return { seconds: seconds / cases, cpuSeconds: cpuSeconds === null ? null : cpuSeconds / cases };
}

/**
 * Returns the outcome of a case on which a run of its own has failed. The outcome keeps the output of the run, which may show
 * the mistake.
 */
function failedOutcome({ outcome }: Run, failure: JudgedFailure): CaseOutcome {
  const { stdout } = outcome;
  return { answer: { bytes: stdout, from: 0, to: stdout.length }, failure, ...shareOf(outcome, 1) };
}

/**
 * Returns the outcomes of the cases of a run that failed although the runs with its two halves succeeded. A program that takes
 * too long for several cases together may be fast enough for each of them. For any other failure, the case after the last
 * answer is to blame: the program fails on that case only after the cases before it.
 */
function blameOne({ cases, answers, failure }: Run, outcomes: CaseOutcome[]): CaseOutcome[] {
  if (failure === null || failure.verdict === 'TLE') return outcomes;
  const index = Math.min(answers.length, cases.length - 1);
  const reason = `${failure.reason}, but only in one run with other cases`;
  return outcomes.with(index, { ...outcomes[index], answer: null, failure: { ...failure, reason } });
}
