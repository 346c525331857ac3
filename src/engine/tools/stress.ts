/**
 * Gives batches of cases to a solver until it has failed in as many different ways as are wanted, and looks for the smallest
 * cases on which it fails. Two failures are equal if the solver fails in the same way (a wrong answer, a crash, too much
 * time) on the same smallest cases.
 */
import { digestOfText } from '../../core/digest.js';
import { settleAll } from '../../core/settle-all.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { TaskHead } from '../messages.js';
import type { Batch, BatchGroups } from './batches.js';
import { CaseSizes, type LargestSizes } from './case-sizes.js';
import { type CaseList, shrink } from './shrink.js';
import {
  answersOf,
  compareSolvers,
  createTask,
  type SolverPair,
  type TrialFailure,
  UndecidedError,
} from './trial.js';

export interface StressOptions extends SolverPair {
  /** The batches to try. */
  readonly groups: BatchGroups;
  /** Number of different failures after which the search ends. */
  readonly failuresWanted: number;
  /** Number of candidates that are tried at the same time while a failing batch is shrunk. */
  readonly jobs: number;
  /** Whether all cases have the properties that the input format cannot say. */
  readonly areValid: (head: TaskHead, cases: CaseList) => Promise<boolean>;
  /** Seconds that the search may take; Infinity if only the batches limit the search. */
  readonly searchSeconds: number;
  /** Seconds that a group may take after the time for the search is up: the time limit for one case. */
  readonly caseSeconds: number;
  /** Seconds that shrinking a failing batch may take. */
  readonly shrinkSeconds: number;
  /** When this signal is aborted, the search or the shrinking stops. */
  readonly stop: AbortSignal;
  /** Called after each group. */
  readonly onProgress: (progress: StressProgress) => void;
  /** Called once for each different failure, as soon as its smallest cases are found. */
  readonly onFailure: (counterexample: Counterexample) => Promise<void>;
}

export interface Counterexample {
  readonly failure: TrialFailure;
  readonly batch: Batch;
  /** The smallest cases that were found on which the solver fails. */
  readonly shrunkCases: CaseList;
  /** The right answers to the shrunk cases. */
  readonly expectedAnswers: Uint8Array;
}

export interface StressProgress {
  /** Number of rounds that were tried completely. */
  readonly rounds: number;
  /** Number of cases in these rounds. */
  readonly cases: number;
  /** Number of cases that were saved before and tried again. */
  readonly savedCases: number;
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
  /**
   * A group was given up, because it was still running long after the time was up. `isTrustedSolverBusy` says whether the
   * trusted solver was running then.
   */
  | { readonly kind: 'cut-off'; readonly isTrustedSolverBusy: boolean }
  /** The trusted solver has no answer to a case. */
  | { readonly kind: 'undecided'; readonly error: UndecidedError };

/** How the tested solver did on a batch. */
interface Outcome {
  readonly batch: Batch;
  /** Null: all its answers are right. An UndecidedError: nobody knows. */
  readonly verdict: TrialFailure | UndecidedError | null;
}

export async function stress(options: StressOptions): Promise<StressResult> {
  const search = new Search(options);
  try {
    return { ending: await search.run(), ...search.progress };
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
    return { ending: { kind: 'undecided', error }, ...search.progress };
  }
}

class Search {
  readonly #options: StressOptions;
  readonly #pair: SolverPair;
  readonly #isTimeUp: () => boolean;
  /** The moment of `performance.now()` at which a group is given up. */
  readonly #lastMoment: number;
  readonly #failures = new Set<string>();
  readonly #sizes: CaseSizes;
  #rounds = 0;
  #cases = 0;
  #savedCases = 0;
  /** Number of calls of the trusted solver that have not returned yet. */
  #trustedCalls = 0;

  constructor(options: StressOptions) {
    this.#options = options;
    this.#isTimeUp = createDeadlineCheck(options.searchSeconds, options.stop);
    this.#lastMoment = performance.now() + (options.searchSeconds + options.caseSeconds) * 1000;
    this.#sizes = new CaseSizes(options.problem);
    this.#pair = { ...options, trustedSolver: { solve: (task) => this.#solveTrusted(task) } };
  }

  get progress(): StressProgress {
    return {
      rounds: this.#rounds,
      cases: this.#cases,
      savedCases: this.#savedCases,
      failures: this.#failures.size,
      largest: this.#sizes,
    };
  }

  async run(): Promise<StressEnding> {
    for (;;) {
      if (this.#isTimeUp()) return { kind: 'time-up' };
      const outcomes = await endBefore(this.#lastMoment, this.#tryNextGroup());
      if (outcomes === null) return { kind: 'cut-off', isTrustedSolverBusy: this.#trustedCalls > 0 };
      if (outcomes.length === 0) return { kind: 'tried-all' };
      this.#count(outcomes);
      if (await this.#recordFailures(outcomes)) return { kind: 'found' };
      const error = outcomes.map(({ verdict }) => verdict).find((each) => each instanceof UndecidedError);
      if (error !== undefined) return { kind: 'undecided', error };
      this.#options.onProgress(this.progress);
    }
  }

  /** Tries the batches of the next group. Returns no outcomes if all batches were tried. */
  async #tryNextGroup(): Promise<readonly Outcome[]> {
    const { done, value } = await this.#options.groups.next();
    return done ? [] : settleAll(value.map((batch) => this.#tryBatch(batch)));
  }

  async #tryBatch(batch: Batch): Promise<Outcome> {
    try {
      return { batch, verdict: await compareSolvers(this.#pair, batch.head, batch.cases) };
    } catch (error) {
      if (error instanceof UndecidedError) return { batch, verdict: error };
      throw error;
    }
  }

  async #solveTrusted(...[task]: Parameters<SolverPair['trustedSolver']['solve']>) {
    this.#trustedCalls++;
    try {
      return await this.#options.trustedSolver.solve(task);
    } finally {
      this.#trustedCalls--;
    }
  }

  #count(outcomes: readonly Outcome[]): void {
    for (const { batch, verdict } of outcomes) {
      const { round, head, cases } = batch;
      if (verdict instanceof UndecidedError) continue;
      if (round === null) this.#savedCases += cases.length;
      else {
        this.#rounds = round;
        this.#cases += cases.length;
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
      if (verdict === null || verdict instanceof UndecidedError) continue;
      // The first failure is shrunk even if the search has taken all of its time.
      if (this.#failures.size > 0 && this.#isTimeUp()) return false;
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
  #tryOthers(batch: Batch, { kind, index }: TrialFailure): Promise<readonly Outcome[]> {
    const { cases } = batch;
    const isRest = kind === 'wrong' && index !== null;
    const others = isRest ? [cases.slice(index + 1)] : cases.length > 1 ? cases.map((each) => [each]) : [];
    const batches = others.filter(({ length }) => length > 0);
    return settleAll(batches.map((list) => this.#tryBatch({ ...batch, cases: list })));
  }

  /** Reports a counterexample unless it is equal to an earlier one. */
  async #record(counterexample: Counterexample): Promise<void> {
    const { failure, batch, shrunkCases } = counterexample;
    const { inputFormat } = this.#options.problem;
    const bytes = Buffer.concat(shrunkCases);
    const input = assembleInput(inputFormat, bytes, shrunkCases.length, batch.head.bytes);
    const identity = digestOfText(`${failure.kind} ${Buffer.from(input).toString('latin1')}`);
    if (this.#failures.has(identity)) return;
    this.#failures.add(identity);
    await this.#options.onFailure(counterexample);
  }

  /** Returns the smallest cases with a failure. Cases that were saved before are small already. */
  async #counterexampleOf(batch: Batch, failure: TrialFailure): Promise<Counterexample> {
    const { head, cases } = batch;
    const shrunkCases = batch.savedAs === null ? await this.#shrink(batch, failure) : cases;
    return {
      batch,
      failure:
        shrunkCases === cases ? failure : ((await compareSolvers(this.#pair, head, shrunkCases)) ?? failure),
      shrunkCases,
      expectedAnswers: await answersOf(this.#options.trustedSolver, createTask(head, shrunkCases)),
    };
  }

  async #shrink({ head, cases }: Batch, failure: TrialFailure): Promise<CaseList> {
    const { problem, jobs, shrinkSeconds, stop } = this.#options;
    const isFailing = (smaller: CaseList) => this.#isFailing(head, smaller, failure.kind);
    const suspects = failure.index === null ? cases : [cases[failure.index]];
    // A program that keeps state from case to case may fail only on the whole batch.
    const startCases = suspects.length < cases.length && (await isFailing(suspects)) ? suspects : cases;
    return shrink(startCases, {
      problem,
      head: head.bytes,
      isFailing,
      jobs,
      isTimeUp: createDeadlineCheck(shrinkSeconds, stop),
    });
  }

  /**
   * Whether the tested solver fails on valid cases in the same way: a crash must not become a wrong answer. Cases on which
   * the trusted solver fails do not count.
   */
  async #isFailing(head: TaskHead, cases: CaseList, kind: TrialFailure['kind']): Promise<boolean> {
    try {
      if (!(await this.#options.areValid(head, cases))) return false;
      return (await compareSolvers(this.#pair, head, cases))?.kind === kind;
    } catch (error) {
      if (error instanceof UndecidedError) return false;
      throw error;
    }
  }
}

/** The longest time that Node can wait, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for the result until a moment of `performance.now()`. If it is not there by then, returns null. */
async function endBefore<Result>(moment: number, work: Promise<Result>): Promise<Result | null> {
  const ms = Math.max(0, moment - performance.now());
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

/** Returns a function that says whether the seconds have passed or the run must stop. */
function createDeadlineCheck(seconds: number, stop: AbortSignal): () => boolean {
  const begin = performance.now();
  return () => stop.aborted || performance.now() - begin > seconds * 1000;
}
