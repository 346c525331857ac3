/**
 * Measures how long a program takes for one case. The time of the program on a tiny input, which is mostly its start-up, is
 * subtracted. A fast program gets many copies of the case in one input, so that the case takes long enough to be measured.
 */
import { type Deadline, DeadlinePassedError } from '../../core/deadline.js';
import { CaseSums } from '../../engine/cut/case-sums.js';
import { ProgramRunner } from '../../engine/exec/program.js';
import { maxOutputBytes } from '../../engine/exec/program-cases.js';
import type { SandboxSettings } from '../../engine/exec/sandbox-command.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import { median, robustDeviation } from './statistics.js';

/** A case, and the head of its input. */
export interface CaseWithHead {
  readonly head: InputHeadOfTask;
  readonly bytes: Uint8Array;
}

/** How long a program takes for a case. */
export interface CaseTiming {
  /** The median over several runs, without the start-up; at least 0. */
  readonly seconds: number;
  /** A time that cannot be told from 0, because runs differ by so much. */
  readonly noiseSeconds: number;
}

/** How a program has failed on a case. */
export interface TimingFailure {
  readonly kind: 'crash' | 'timeout';
  readonly reason: string;
}

interface StopwatchOptions {
  readonly problem: Problem;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** The sandbox of the program; null or missing if it runs with the rights of boardmill. */
  readonly sandbox?: SandboxSettings | null;
  /** Largest number of copies of a case in one input. */
  readonly maxCopies: number;
  /** Seconds that a run may take. */
  readonly timeoutSeconds: number;
  /** After it, no run starts. */
  readonly deadline: Deadline;
}

/**
 * Seconds that the copies of a case should take together, also as a share of the start-up, so that the differences between
 * runs hardly matter.
 */
const WANTED_SECONDS = 0.03;
const WANTED_SHARE_OF_START_UP = 0.5;
/** If a case takes less than this share of the time to beat in its first run, it is not measured again. */
const HOPELESS_SHARE = 0.8;
/** Number of runs whose median is the start-up, and the seconds after which there are no more of these runs. */
const START_UP_RUNS = 7;
const START_UP_SECONDS = 1.5;

/** The outcome of one run: its time, or how the program has failed. */
type RunOutcome = number | TimingFailure;

export class ProgramStopwatch {
  /** The median time of the program on a tiny input. */
  startUpSeconds = 0;
  #startUpSpread = 0;
  readonly #options: StopwatchOptions;
  readonly #program: ProgramRunner;
  #isGivenUp = false;
  /** Number of copies with which the last case took long enough to be measured. */
  #copies = 1;

  constructor(options: StopwatchOptions) {
    this.#options = options;
    this.#program = new ProgramRunner(options.argv, { sandbox: options.sandbox ?? null });
  }

  /**
   * Measures the start-up on a tiny input. Returns how the program has failed on it; null if it has not failed. Fails with
   * DeadlinePassedError if the time is up before the measurement ends.
   */
  async measureStartUp(tiny: CaseWithHead): Promise<TimingFailure | null> {
    const times = await this.#runAgain(tiny, 1, [], { runs: START_UP_RUNS, seconds: START_UP_SECONDS });
    if (!Array.isArray(times)) return times;
    this.startUpSeconds = median(times);
    this.#startUpSpread = robustDeviation(times);
    return null;
  }

  /**
   * Measures a case with several runs. If the first run shows that the case is much faster than `secondsToBeat`, or the time
   * is up, that run is enough. Fails with DeadlinePassedError if no run could end.
   */
  async time(
    input: CaseWithHead,
    secondsToBeat: number,
    limits: { readonly runs: number; readonly seconds: number },
  ): Promise<CaseTiming | TimingFailure> {
    const first = await this.#runWithEnoughCopies(input);
    if (typeof first !== 'number') return first;
    const copies = this.#copies;
    if (this.#perCase(first, copies) < HOPELESS_SHARE * secondsToBeat) return this.#timingOf([first], copies);
    const times = await this.#runAgain(input, copies, [first], limits);
    return Array.isArray(times) ? this.#timingOf(times, copies) : times;
  }

  close(): void {
    this.#program.close();
  }

  /** Kills the program, after a signal. Its run fails with DeadlinePassedError. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.close();
  }

  #timingOf(times: readonly number[], copies: number): CaseTiming {
    const noise = Math.max(robustDeviation(times), this.#startUpSpread);
    return { seconds: this.#perCase(median(times), copies), noiseSeconds: noise / copies };
  }

  #perCase(seconds: number, copies: number): number {
    return Math.max(0, seconds - this.startUpSeconds) / copies;
  }

  /** Runs the program with as many copies of the case as it needs to take long enough. Returns the time of the last run. */
  async #runWithEnoughCopies(input: CaseWithHead): Promise<RunOutcome> {
    const most = this.#mostCopies(input);
    const wanted = Math.max(WANTED_SECONDS, WANTED_SHARE_OF_START_UP * this.startUpSeconds);
    // This case may be slower than the last one, so the first run has fewer copies.
    this.#copies = Math.min(Math.ceil(this.#copies / 8), most);
    for (;;) {
      const outcome = await this.#run(input, this.#copies);
      if (typeof outcome !== 'number') {
        if (outcome.kind === 'crash' || this.#copies === 1) return outcome;
        this.#copies = 1;
        continue;
      }
      const seconds = outcome - this.startUpSeconds;
      if (seconds >= wanted / 2 || this.#copies === most || this.#options.deadline.isOver) return outcome;
      const factor = Math.max(2, Math.min(16, wanted / Math.max(seconds, 1e-6)));
      this.#copies = Math.min(most, Math.ceil(this.#copies * factor));
    }
  }

  /** Runs the program again. Returns `times` and the further times, or the failure of a run. */
  async #runAgain(
    input: CaseWithHead,
    copies: number,
    times: readonly number[],
    limits: { readonly runs: number; readonly seconds: number },
  ): Promise<number[] | TimingFailure> {
    const all = [...times];
    const deadline = this.#options.deadline.within(limits.seconds);
    while (all.length < limits.runs && (all.length === 0 || !deadline.isOver)) {
      const outcome = await this.#run(input, copies);
      if (typeof outcome !== 'number') return outcome;
      all.push(outcome);
    }
    return all;
  }

  async #run({ head, bytes }: CaseWithHead, copies: number): Promise<RunOutcome> {
    const { problem, timeoutSeconds, deadline } = this.#options;
    deadline.assertTimeLeft();
    const repeated = Array.from({ length: copies }, () => bytes);
    const input = assembleInput(problem.inputFormat, repeated, head.bytes);
    const outputBytes = maxOutputBytes(problem, input.length);
    const begin = performance.now();
    const limit = copies === 1 ? timeoutSeconds : this.#secondsForCopies;
    const { failure } = await this.#program.run(input, { timeoutMs: limit * 1000, outputBytes });
    const seconds = (performance.now() - begin) / 1000;
    if (this.#isGivenUp) throw new DeadlinePassedError();
    if (failure === null) return seconds;
    return failure.kind === 'timeout'
      ? { kind: 'timeout', reason: `no answer within ${timeoutSeconds} s` }
      : { kind: 'crash', reason: failure.reason };
  }

  /** Time limit in seconds for several copies of a case. If they take longer, one copy takes long enough to be measured. */
  get #secondsForCopies(): number {
    return Math.min(this.#options.timeoutSeconds, 2 * this.startUpSeconds + 1);
  }

  /** The number of copies that an input may have without exceeding a sum that the contest bounds. */
  #mostCopies({ head, bytes }: CaseWithHead): number {
    const { problem, maxCopies } = this.#options;
    if (problem.inputFormat.ending === 'single') return 1;
    if (problem.totals === undefined) return maxCopies;
    const parser = problem.inputFormat.createParser();
    parser.useHead(head.bytes);
    const value = parser.parse(bytes, 0, bytes.length, null);
    const sums = new CaseSums(problem.totals);
    for (let copies = 1; copies <= maxCopies; copies++) {
      sums.add(value, parser.headValue);
      if (sums.findLarge().length > 0) return Math.max(1, copies - 1);
    }
    return maxCopies;
  }
}
