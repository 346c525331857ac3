/**
 * Searches for the case on which a program takes longest, by hill climbing: the slowest case so far is changed at random,
 * and a change stays if the program does not become faster. Some cases are drawn afresh, because a climb may end on a small
 * hill.
 */
import { type Deadline, DeadlinePassedError } from '../../core/deadline.js';
import { Seed } from '../../core/random.js';
import type { Problem } from '../../problems/problem.js';
import { CaseMutator } from '../cases/case-mutator.js';
import { median } from './statistics.js';
import type { CaseTiming, CaseWithHead, ProgramStopwatch, TimingFailure } from './stopwatch.js';

export interface SlowestCaseSearchOptions {
  readonly problem: Problem;
  readonly stopwatch: Pick<ProgramStopwatch, 'measureStartUp' | 'time'>;
  /** A tiny case, on which the start-up of the program is measured. */
  readonly tiny: CaseWithHead;
  /** Draws the case with this index, counted from 0. */
  readonly draw: (index: number) => Promise<CaseWithHead>;
  /** Draws random cases that are as large as the given case, or nearly as large. */
  readonly drawLike: (slowest: CaseWithHead) => Promise<readonly CaseWithHead[]>;
  /** Returns whether a case has the properties that its input format cannot express, such as "the graph is connected". */
  readonly isValid: (input: CaseWithHead) => Promise<boolean>;
  readonly seed: string;
  /** Number of cases to try. */
  readonly rounds: number;
  /** Seconds that the search may take, including the measurements at its end. */
  readonly searchSeconds: number;
  /** The end of the search, after `searchSeconds` or at a signal. After it, the stopwatch fails with DeadlinePassedError. */
  readonly deadline: Deadline;
  readonly onRound: (round: number, slowestSeconds: number) => void;
}

export interface SlowestCaseSearchResult {
  /** Number of cases that were tried. */
  readonly rounds: number;
  /** The slowest case; null if the program has failed on all cases. */
  readonly slowest: CaseWithHead | null;
  /** The program's time for the slowest case, measured after the search; a failure of kind `timeout` if it has not ended. */
  readonly timing: CaseTiming | TimingFailure | null;
  /** The median time of the program for random cases of the size of the slowest case. Null if that was not measured. */
  readonly random: CaseTiming | TimingFailure | null;
  /** Number of cases on which the program has crashed, and the reason of its first crash. */
  readonly crashes: number;
  readonly crashReason: string | null;
}

/** Number of cases that are drawn before the climb begins. After that, every FRESH_ROUNDS-th case is drawn. */
const SAMPLE_ROUNDS = 12;
const FRESH_ROUNDS = 6;
/** Number of runs and seconds to measure a case: during the search, then the slowest case and each random case at its end. */
const SEARCH_RUNS = { runs: 3, seconds: 2 };
const FINAL_RUNS = { runs: 7, seconds: 3 };
const RANDOM_RUNS = { runs: 3, seconds: 0.5 };
/** The time that is reserved for the measurements at the end: at most that many seconds and this share of the search. */
const FINAL_SECONDS = 6;
const FINAL_SHARE = 0.25;
/** Seconds after which no further random case is measured at the end. */
const RANDOM_SECONDS = 3;

export function searchSlowestCase(options: SlowestCaseSearchOptions): Promise<SlowestCaseSearchResult> {
  return new SlowSearch(options).run();
}

class SlowSearch {
  readonly #options: SlowestCaseSearchOptions;
  readonly #mutator: CaseMutator;
  readonly #seed: Seed;
  /** When the climb ends. After that, the slowest case is measured anew. */
  readonly #climbDeadline: Deadline;
  #rounds = 0;
  #drawn = 0;
  #crashes = 0;
  #crashReason: string | null = null;
  #slowest: CaseWithHead | null = null;
  #slowestSeconds = -1;
  /** Random cases of the size of the slowest case, from which changes take text. */
  #donors: readonly CaseWithHead[] = [];

  constructor(options: SlowestCaseSearchOptions) {
    this.#options = options;
    this.#mutator = new CaseMutator(options.problem);
    this.#seed = new Seed(`${options.seed}/slowest`);
    const { searchSeconds, deadline } = options;
    this.#climbDeadline = deadline.within(
      searchSeconds - Math.min(FINAL_SECONDS, FINAL_SHARE * searchSeconds),
    );
  }

  async run(): Promise<SlowestCaseSearchResult> {
    const { tiny, stopwatch } = this.#options;
    const failure = await orOutOfTime(stopwatch.measureStartUp(tiny));
    if (failure instanceof DeadlinePassedError) return this.#resultOf(null, null, null);
    if (failure?.kind === 'timeout') return this.#resultOf(tiny, failure, null);
    if (failure !== null) this.#countCrash(failure);
    const timeout = failure === null ? await this.#climb() : null;
    if (this.#slowest === null) return this.#resultOf(null, null, null);
    const timing = timeout ?? (await this.#timeAgain(this.#slowest));
    return this.#resultOf(this.#slowest, timing, await this.#timeRandomCases(this.#slowest));
  }

  /** Tries cases until the rounds or the time are over. Returns the failure if a case has timed out. */
  async #climb(): Promise<TimingFailure | null> {
    while (this.#rounds < this.#options.rounds && !this.#climbDeadline.isOver) {
      const input = await this.#nextCase();
      const { stopwatch } = this.#options;
      const timing = await orOutOfTime(stopwatch.time(input, this.#slowestSeconds, SEARCH_RUNS));
      if (timing instanceof DeadlinePassedError) return null;
      this.#rounds++;
      if ('kind' in timing) {
        if (timing.kind === 'crash') this.#countCrash(timing);
        else {
          this.#slowest = input;
          return timing;
        }
      } else if (timing.seconds >= this.#slowestSeconds) await this.#accept(input, timing.seconds);
      this.#options.onRound(this.#rounds, this.#slowestSeconds);
    }
    return null;
  }

  async #accept(input: CaseWithHead, seconds: number): Promise<void> {
    const hasNewSize = this.#slowest?.bytes.length !== input.bytes.length;
    this.#slowest = input;
    this.#slowestSeconds = seconds;
    if (hasNewSize || this.#donors.length === 0) this.#donors = await this.#options.drawLike(input);
  }

  #countCrash({ reason }: TimingFailure): void {
    this.#crashes++;
    this.#crashReason ??= reason;
  }

  async #nextCase(): Promise<CaseWithHead> {
    const round = this.#rounds + 1;
    const isFresh = round <= SAMPLE_ROUNDS || round % FRESH_ROUNDS === 0;
    const changed = isFresh || this.#slowest === null ? null : await this.#change(this.#slowest);
    return changed ?? this.#options.draw(this.#drawn++);
  }

  /** Changes a case at random. Returns a valid case that differs from the given one; null if none was found. */
  async #change({ head, bytes }: CaseWithHead): Promise<CaseWithHead | null> {
    const random = this.#seed.random(this.#rounds + 1);
    const donors = this.#donors.map((donor) => donor.bytes);
    const changed = this.#mutator.mutate(head.bytes, bytes, donors, random);
    if (changed === null) return null;
    const input = { head, bytes: changed };
    return (await this.#options.isValid(input)) ? input : null;
  }

  /** Measures the slowest case anew, because the search prefers cases whose measurements were disturbed. */
  async #timeAgain(slowest: CaseWithHead): Promise<CaseTiming | TimingFailure> {
    const timing = await orOutOfTime(this.#options.stopwatch.time(slowest, 0, FINAL_RUNS));
    return timing instanceof DeadlinePassedError
      ? { seconds: this.#slowestSeconds, noiseSeconds: 0 }
      : timing;
  }

  /** Returns the median of the times of random cases; if most of them fail, the failure. */
  async #timeRandomCases(slowest: CaseWithHead): Promise<CaseTiming | TimingFailure | null> {
    const { stopwatch, drawLike } = this.#options;
    const deadline = this.#options.deadline.within(RANDOM_SECONDS);
    if (deadline.isOver) return null;
    const timings: CaseTiming[] = [];
    for (const input of await drawLike(slowest)) {
      if (deadline.isOver) break;
      const timing = await orOutOfTime(stopwatch.time(input, 0, RANDOM_RUNS));
      if (timing instanceof DeadlinePassedError) break;
      if ('seconds' in timing) timings.push(timing);
      else if (timing.kind === 'timeout') return timing;
    }
    if (timings.length === 0) return null;
    return {
      seconds: median(timings.map(({ seconds }) => seconds)),
      noiseSeconds: median(timings.map(({ noiseSeconds }) => noiseSeconds)),
    };
  }

  #resultOf(
    slowest: CaseWithHead | null,
    timing: SlowestCaseSearchResult['timing'],
    random: SlowestCaseSearchResult['random'],
  ): SlowestCaseSearchResult {
    const [rounds, crashes, crashReason] = [this.#rounds, this.#crashes, this.#crashReason];
    return { rounds, slowest, timing, random, crashes, crashReason };
  }
}

/** Waits for a measurement. Returns the error if there was no time for it. */
async function orOutOfTime<Result>(measurement: Promise<Result>): Promise<Result | DeadlinePassedError> {
  try {
    return await measurement;
  } catch (error) {
    if (error instanceof DeadlinePassedError) return error;
    throw error;
  }
}
