/**
 * Tests a solver with random cases of growing size until it fails; then looks for the smallest cases on which it
 * fails.
 */
import { settleAll } from '../../core/settle-all.js';
import { type DrawRequest, NO_BOARD_WISHES } from '../../problems/problem.js';
import type { TaskHead } from '../messages.js';
import { shareHead } from '../task-head.js';
import { type CaseDrawer, drawCases } from './draw.js';
import { type CaseList, shrink } from './shrink.js';
import { answersOf, compareSolvers, createTask, type SolverPair, type TrialFailure } from './trial.js';

export interface StressOptions extends SolverPair {
  readonly seed: string;
  /** Number of rounds; Infinity if only the time limits the search. */
  readonly rounds: number;
  /** Number of batches that are tried at the same time. */
  readonly jobs: number;
  /** Number of cases in a batch; a batch is one input of the tested solver. */
  readonly casesPerBatch: number;
  /** Opens the source of the cases of a round. */
  readonly openDrawer: (request: DrawRequest) => CaseDrawer | Promise<CaseDrawer>;
  /** Whether all cases have the properties that the input format cannot say. */
  readonly areValid: (head: TaskHead, cases: CaseList) => Promise<boolean>;
  /** Seconds that the search for a failure may take; Infinity if only the rounds limit the search. */
  readonly searchSeconds: number;
  /** Seconds that a round may take after the time for the search is up: the time limit for one case. */
  readonly caseSeconds: number;
  /** Seconds that shrinking may take. */
  readonly shrinkSeconds: number;
  /** When this signal is aborted, the search or the shrinking stops. */
  readonly stop: AbortSignal;
  readonly onRound: (round: number, cases: number) => void;
}

export interface Counterexample {
  readonly failure: TrialFailure;
  /** The round in which the failure was found, counted from 1. */
  readonly round: number;
  readonly head: TaskHead;
  /** The cases of the failing batch, and the smallest cases on which the solver still fails. */
  readonly foundCases: CaseList;
  readonly shrunkCases: CaseList;
  /** The right answers to the shrunk cases. */
  readonly expectedAnswers: Uint8Array;
}

export interface StressResult {
  readonly rounds: number;
  readonly cases: number;
  readonly counterexample: Counterexample | null;
  /** Whether another round was given up, because it was still running long after the time for the search was up. */
  readonly isCutOff: boolean;
}

/** The cases of a round, and how the tested solver failed on each batch of them; null for a batch without a failure. */
interface Round {
  readonly head: TaskHead;
  readonly batches: readonly CaseList[];
  readonly failures: readonly (TrialFailure | null)[];
}

/** Number of rounds after which cases may be larger by one: a board by a row and a column, a list by an element. */
const ROUNDS_PER_SIZE = 3;
const MAX_SIZE_OF_FIRST_ROUND = 2;
/**
 * Smallest number of cases in a round. Without this minimum, a program that solves one case per run would get few
 * small cases.
 */
const MIN_CASES_OF_ROUND = 40;

export async function stress(options: StressOptions): Promise<StressResult> {
  let cases = 0;
  const isTimeUp = createDeadlineCheck(options.searchSeconds, options.stop);
  const lastMoment = performance.now() + (options.searchSeconds + options.caseSeconds) * 1000;
  for (let round = 1; round <= options.rounds; round++) {
    if (isTimeUp()) return { rounds: round - 1, cases, counterexample: null, isCutOff: false };
    const tried = await endBefore(lastMoment, tryRound(options, round));
    if (tried === null) return { rounds: round - 1, cases, counterexample: null, isCutOff: true };
    const { head, batches, failures } = tried;
    cases += batches.length * options.casesPerBatch;
    options.onRound(round, cases);
    const index = failures.findIndex((failure) => failure !== null);
    if (index >= 0) {
      const counterexample = await shrinkFailure(
        options,
        { round, head, foundCases: batches[index] },
        failures[index] as TrialFailure,
      );
      return { rounds: round, cases, counterexample, isCutOff: false };
    }
  }
  return { rounds: options.rounds, cases, counterexample: null, isCutOff: false };
}

async function tryRound(options: StressOptions, round: number): Promise<Round> {
  const { head, batches } = await drawBatches(options, round);
  const failures = await settleAll(batches.map((batch) => compareSolvers(options, head, batch)));
  return { head, batches, failures };
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

/** Draws the cases of a round, divided into batches. */
async function drawBatches(
  { seed, jobs, casesPerBatch, openDrawer }: StressOptions,
  round: number,
): Promise<{ head: TaskHead; batches: CaseList[] }> {
  const drawer = await openDrawer({
    seed: `${seed}/${round}`,
    profile: 'random',
    cases: casesPerBatch,
    maxSize: MAX_SIZE_OF_FIRST_ROUND + Math.floor((round - 1) / ROUNDS_PER_SIZE),
    set: null,
    boards: NO_BOARD_WISHES,
  });
  const batches: CaseList[] = [];
  const count = Math.max(jobs, Math.ceil(MIN_CASES_OF_ROUND / casesPerBatch));
  for (let batch = 0; batch < count; batch++)
    batches.push(await drawCases(drawer, batch * casesPerBatch, casesPerBatch));
  return { head: shareHead(drawer.head), batches };
}

/**
 * Shrinks the failing cases. A smaller list counts only if it fails in the same way: a crash must not become a
 * wrong answer.
 */
async function shrinkFailure(
  options: StressOptions,
  found: Pick<Counterexample, 'round' | 'head' | 'foundCases'>,
  failure: TrialFailure,
): Promise<Counterexample> {
  const { head, foundCases } = found;
  const isFailing = async (cases: CaseList) =>
    (await options.areValid(head, cases)) &&
    (await compareSolvers(options, head, cases))?.kind === failure.kind;
  const suspects = failure.index === null ? foundCases : [foundCases[failure.index]];
  // A program that keeps state from case to case may fail only on the whole batch.
  const startCases =
    suspects.length < foundCases.length && (await isFailing(suspects)) ? suspects : foundCases;
  const { problem, jobs, shrinkSeconds, stop } = options;
  const shrunkCases = await shrink(startCases, {
    problem,
    head: head.bytes,
    isFailing,
    jobs,
    isTimeUp: createDeadlineCheck(shrinkSeconds, stop),
  });
  return {
    ...found,
    failure: (await compareSolvers(options, head, shrunkCases)) ?? failure,
    shrunkCases,
    expectedAnswers: await answersOf(options.trustedSolver, createTask(head, shrunkCases)),
  };
}
