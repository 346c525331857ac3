/**
 * Gives batches of cases to a solver until it has failed in as many different ways as are wanted, and looks for the smallest
 * cases on which it fails. Two failures are equal if the solver fails in the same way (a wrong answer, a crash, too much
 * time) on the same smallest cases.
 */
import { type Deadline, DeadlinePassedError } from '../../core/deadline.js';
import { digestOfText } from '../../core/digest.js';
import { awaitAllThenThrow } from '../../core/settle-all.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { BatchGroups, CaseBatch } from '../cases/batches.js';
import { type LargestSizes, LargestSizeTracker } from '../cases/case-sizes.js';
import { isCompleteInput } from '../cases/complete-input.js';
import { type CasesAsBytes, shrinkCases } from './shrink.js';
import { compareSolvers, NoTrustedAnswerError, type SolverPair, type TrialFailure } from './trial.js';

export interface StressOptions extends SolverPair {
  /** The batches to try. */
  readonly groups: BatchGroups;
  /** Number of different failures after which the search ends. */
  readonly failuresWanted: number;
  /** Number of candidates that are tried at the same time while a failing batch is shrunk. */
  readonly jobs: number;
  /** Whether all cases have the properties that the input format cannot say. */
  readonly areValid: (head: InputHeadOfTask, cases: CasesAsBytes) => Promise<boolean>;
  /**
   * When the search ends. After that, no run of a program starts, also none for shrinking: the solvers and the comparator fail
   * with DeadlinePassedError instead.
   */
  readonly deadline: Deadline;
  /** Seconds that a run may take after the deadline: the time limit for one case. What takes longer is given up. */
  readonly caseSeconds: number;
  /** Seconds that shrinking a failing batch may take, unless the deadline comes first. */
  readonly shrinkSeconds: number;
  /** Called after each group. */
  readonly onProgress: (progress: StressProgress) => void;
  /** Called once for each different failure, as soon as its smallest cases are found. */
  readonly onFailure: (counterexample: Counterexample) => Promise<void>;
}

export interface Counterexample {
  /** How the solver fails on the shrunk cases. */
  readonly failure: TrialFailure;
  readonly batch: CaseBatch;
  /** The smallest cases that were found on which the solver fails. */
  readonly shrunkCases: CasesAsBytes;
}

export interface StressProgress {
  /** Number of rounds that were tried completely. */
  readonly rounds: number;
  /** Number of cases that were tried in these rounds, and in a round that was not tried completely. */
  readonly cases: number;
  /** Number of cases that were tried in the round that was begun last. */
  readonly lastRoundCases: number;
  /** Number of cases that were saved before and tried again. */
  readonly regressionCases: number;
  /** Number of different failures. */
  readonly failures: number;
  readonly largest: LargestSizes;
}

export interface StressResult extends StressProgress {
  readonly ending: StressEnding;
}

/** Why a search has ended. */
export type StressEnding =
  /** As many failures were found as are wanted, or all batches were tried. */
  | { readonly kind: 'found' | 'tried-all' }
  /** The time was up, or the run was stopped. */
  | { readonly kind: 'time-up' }
  /** A group was given up, because it was still running long after the time was up. */
  | { readonly kind: 'cut-off' }
  /** The trusted solver has no answer to a case. */
  | { readonly kind: 'undecided'; readonly error: NoTrustedAnswerError };

/** How the tested solver did on a batch. */
interface Outcome {
  readonly batch: CaseBatch;
  /** Null: all its answers are right. An error: nobody knows. */
  readonly verdict: TrialFailure | NoTrustedAnswerError | DeadlinePassedError | null;
}

export async function stressSolver(options: StressOptions): Promise<StressResult> {
  const search = new Search(options);
  try {
    return { ending: await search.run(), ...search.progress };
  } catch (error) {
    if (!(error instanceof NoTrustedAnswerError)) throw error;
    return { ending: { kind: 'undecided', error }, ...search.progress };
  }
}

class Search {
  readonly #options: StressOptions;
  readonly #failures = new Set<string>();
  readonly #sizes: LargestSizeTracker;
  #rounds = 0;
  #cases = 0;
  #lastRoundCases = 0;
  #regressionCases = 0;

  constructor(options: StressOptions) {
    this.#options = options;
    this.#sizes = new LargestSizeTracker(options.problem);
  }

  get progress(): StressProgress {
    return {
      rounds: this.#rounds,
      cases: this.#cases,
      lastRoundCases: this.#lastRoundCases,
      regressionCases: this.#regressionCases,
      failures: this.#failures.size,
      largest: this.#sizes,
    };
  }

  async run(): Promise<StressEnding> {
    while (!this.#options.deadline.isOver) {
      const outcomes = await this.#endInTime(this.#tryNextGroup());
      if (outcomes === null) return { kind: 'cut-off' };
      if (outcomes.length === 0) return { kind: 'tried-all' };
      this.#count(outcomes);
      if (await this.#recordFailures(outcomes)) return { kind: 'found' };
      const error = outcomes
        .map(({ verdict }) => verdict)
        .find((each) => each instanceof NoTrustedAnswerError);
      if (error !== undefined) return { kind: 'undecided', error };
      this.#options.onProgress(this.progress);
    }
    return { kind: 'time-up' };
  }

  /** Waits for work that may have begun before the deadline. Returns null if it is not done long after the deadline. */
  #endInTime<Result>(work: Promise<Result>): Promise<Result | null> {
    const { deadline, caseSeconds } = this.#options;
    return endWithin(deadline.msLeft + caseSeconds * 1000, work);
  }

  /** Tries the batches of the next group. Returns no outcomes if all batches were tried. */
  async #tryNextGroup(): Promise<readonly Outcome[]> {
    const { done, value } = await this.#options.groups.next();
    if (done) return [];
    this.#lastRoundCases = 0;
    return awaitAllThenThrow(value.map((batch) => this.#tryBatch(batch)));
  }

  async #tryBatch(batch: CaseBatch): Promise<Outcome> {
    try {
      return { batch, verdict: await compareSolvers(this.#options, batch.head, batch.cases) };
    } catch (error) {
      if (error instanceof NoTrustedAnswerError || error instanceof DeadlinePassedError)
        return { batch, verdict: error };
      throw error;
    }
  }

  #count(outcomes: readonly Outcome[]): void {
    const cut = outcomes.find(({ verdict }) => verdict instanceof DeadlinePassedError);
    for (const { batch, verdict } of outcomes) {
      const { round, head, cases } = batch;
      if (verdict instanceof Error) continue;
      if (round === null) this.#regressionCases += cases.length;
      else {
        if (round !== cut?.batch.round) this.#rounds = round;
        this.#cases += cases.length;
        this.#lastRoundCases += cases.length;
      }
      this.#sizes.add(head, cases);
    }
  }

  /**
   * Shrinks the failures of a group, in order. If more failures are wanted, the other cases of their batches are tried
   * after them. Returns true when as many were found as are wanted.
   */
  async #recordFailures(outcomes: readonly Outcome[]): Promise<boolean> {
    const queue = [...outcomes];
    // A loop over an array also visits the elements that are added during the loop.
    for (const { batch, verdict } of queue) {
      if (verdict === null || verdict instanceof Error) continue;
      await this.#record(await this.#counterexampleOf(batch, verdict));
      if (this.#failures.size === this.#options.failuresWanted) return true;
      queue.push(...(await this.#tryOthers(batch, verdict)));
    }
    return false;
  }

  /**
   * Tries the cases of a failing batch that the failure has kept from being compared: those after a wrong answer, and
   * each case alone after any other failure, for which no case has an answer.
   */
  #tryOthers(batch: CaseBatch, { kind, index }: TrialFailure): Promise<readonly Outcome[]> {
    const { cases } = batch;
    const isRest = kind === 'wrong' && index !== null;
    const others = isRest ? [cases.slice(index + 1)] : cases.length > 1 ? cases.map((each) => [each]) : [];
    const batches = others.filter(
      (list) => list.length > 0 && isCompleteInput(this.#options.problem, batch.head, list),
    );
    return awaitAllThenThrow(batches.map((list) => this.#tryBatch({ ...batch, cases: list })));
  }

  /**
   * Reports a counterexample unless it is equal to an earlier one. If there was no time to find its smallest cases, it may be
   * equal to any earlier one.
   */
  async #record(counterexample: Counterexample): Promise<void> {
    const { failure, batch, shrunkCases } = counterexample;
    const isShrunk = batch.savedAs !== null || !this.#options.deadline.isOver;
    if (!isShrunk && this.#failures.size > 0) return;
    const { inputFormat } = this.#options.problem;
    const input = assembleInput(inputFormat, shrunkCases, batch.head.bytes);
    const identity = digestOfText(`${failure.kind} ${Buffer.from(input).toString('latin1')}`);
    if (this.#failures.has(identity)) return;
    this.#failures.add(identity);
    await this.#options.onFailure(counterexample);
  }

  /** Returns the smallest cases with a failure. Cases that were saved before are small already. */
  async #counterexampleOf(batch: CaseBatch, failure: TrialFailure): Promise<Counterexample> {
    if (batch.savedAs !== null) return { batch, failure, shrunkCases: batch.cases };
    const failures = new Map([[batch.cases, failure]]);
    const shrunkCases = await this.#shrink(batch, failures);
    return { batch, failure: failures.get(shrunkCases) ?? failure, shrunkCases };
  }

  /** Returns the smallest failing cases. Adds to `failures`, which has the failure of the batch, those of smaller cases. */
  async #shrink(
    { head, cases }: CaseBatch,
    failures: Map<CasesAsBytes, TrialFailure>,
  ): Promise<CasesAsBytes> {
    const { problem, jobs, shrinkSeconds } = this.#options;
    const deadline = this.#options.deadline.within(shrinkSeconds);
    const { kind, index } = failures.get(cases) as TrialFailure;
    const isFailing = async (smaller: CasesAsBytes) => {
      if (this.#options.deadline.isOver) return false;
      const failure = await this.#endInTime(this.#failureOf(head, smaller));
      // A crash must not become a wrong answer.
      if (failure?.kind !== kind) return false;
      failures.set(smaller, failure);
      return true;
    };
    const suspects = index === null ? cases : [cases[index]];
    // A program that keeps state from case to case may fail only on the whole batch.
    const startCases = suspects.length < cases.length && (await isFailing(suspects)) ? suspects : cases;
    return shrinkCases(startCases, {
      problem,
      head: head.bytes,
      isFailing,
      jobs,
      isTimeUp: () => deadline.isOver,
    });
  }

  /**
   * Returns how the tested solver fails on valid cases. Cases on which the trusted solver fails, and those for which there is
   * no time, do not count.
   */
  async #failureOf(head: InputHeadOfTask, cases: CasesAsBytes): Promise<TrialFailure | null> {
    if (!isCompleteInput(this.#options.problem, head, cases)) return null;
    try {
      return (await this.#options.areValid(head, cases))
        ? await compareSolvers(this.#options, head, cases)
        : null;
    } catch (error) {
      if (error instanceof NoTrustedAnswerError || error instanceof DeadlinePassedError) return null;
      throw error;
    }
  }
}

/** The longest time that Node can wait, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for the result for some milliseconds. If it is not there by then, returns null. */
async function endWithin<Result>(ms: number, work: Promise<Result>): Promise<Result | null> {
  if (ms > MAX_TIMER_MS) return work;
  // After this function has returned, nobody waits for the work, so its failure is of no interest.
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const wait = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([work, wait]);
  } finally {
    clearTimeout(timer);
  }
}
