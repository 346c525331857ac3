/**
 * Tests a solver with random boards of growing size until it fails; then looks for the smallest boards on which it
 * fails.
 */
import type { Board } from '../../problems/problem.js';
import { BoardSource } from './generate.js';
import { shrink } from './shrink.js';
import { compareSolvers, type SolverPair, type TrialFailure } from './trial.js';

export interface StressOptions extends SolverPair {
  readonly seed: string;
  /** Number of rounds; Infinity if only the time limits the search. */
  readonly rounds: number;
  /** Number of batches that are tried at the same time. */
  readonly jobs: number;
  /** Number of boards in a batch; a batch is one input of the tested solver. */
  readonly boardsPerBatch: number;
  /** Seconds that the search for a failure may take; Infinity if only the rounds limit the search. */
  readonly searchSeconds: number;
  /** Seconds that shrinking may take. */
  readonly shrinkSeconds: number;
  /** When this signal is aborted, the search or the shrinking stops. */
  readonly stop: AbortSignal;
  readonly onRound: (round: number, cases: number) => void;
}

export interface Counterexample {
  readonly failure: TrialFailure;
  /**
   * The round in which the failure was found, counted from 1; the boards of the failing batch; and the shrunk
   * boards.
   */
  readonly round: number;
  readonly foundBoards: readonly Board[];
  readonly shrunkBoards: readonly Board[];
}

export interface StressResult {
  readonly rounds: number;
  readonly cases: number;
  readonly counterexample: Counterexample | null;
}

/** Number of rounds after which boards may have one more row and one more column. */
const ROUNDS_PER_SIDE = 3;
const MAX_SIDE_OF_FIRST_ROUND = 2;
/**
 * Smallest number of boards in a round. Without this minimum, a program that solves one case per run would get few
 * small boards.
 */
const MIN_BOARDS_OF_ROUND = 40;

export async function stress(options: StressOptions): Promise<StressResult> {
  let cases = 0;
  const isTimeUp = createDeadlineCheck(options.searchSeconds, options.stop);
  for (let round = 1; round <= options.rounds; round++) {
    if (isTimeUp()) return { rounds: round - 1, cases, counterexample: null };
    const batches = drawBatches(options, round);
    const failures = await Promise.all(batches.map((boards) => compareSolvers(options, boards)));
    cases += batches.length * options.boardsPerBatch;
    options.onRound(round, cases);
    const index = failures.findIndex((failure) => failure !== null);
    if (index >= 0) {
      const counterexample = await shrinkFailure(
        options,
        round,
        batches[index],
        failures[index] as TrialFailure,
      );
      return { rounds: round, cases, counterexample };
    }
  }
  return { rounds: options.rounds, cases, counterexample: null };
}

/** Returns a function that says whether the seconds have passed or the run must stop. */
function createDeadlineCheck(seconds: number, stop: AbortSignal): () => boolean {
  const begin = performance.now();
  return () => stop.aborted || performance.now() - begin > seconds * 1000;
}

/** Draws the boards of a round, divided into batches. */
function drawBatches({ problem, seed, jobs, boardsPerBatch }: StressOptions, round: number): Board[][] {
  const { minRows, maxRows, minCols, maxCols } = problem.contestLimits;
  const maxSide = MAX_SIDE_OF_FIRST_ROUND + Math.floor((round - 1) / ROUNDS_PER_SIDE);
  const source = new BoardSource({
    problem,
    seed: `${seed}/${round}`,
    profile: 'random',
    density: null,
    rows: { from: minRows, to: Math.max(minRows, Math.min(maxRows, maxSide)) },
    cols: { from: minCols, to: Math.max(minCols, Math.min(maxCols, maxSide)) },
  });
  const batches = Math.max(jobs, Math.ceil(MIN_BOARDS_OF_ROUND / boardsPerBatch));
  return Array.from({ length: batches }, (_, batch) =>
    Array.from({ length: boardsPerBatch }, (_, i) => copyBoard(source.boardAt(batch * boardsPerBatch + i))),
  );
}

/** BoardSource returns the same object for every board, so each board is copied. */
function copyBoard({ rows, cols, cells }: Board): Board {
  return { rows, cols, cells: cells.slice() };
}

/**
 * Shrinks the failing boards. A smaller list counts only if it fails in the same way: a crash must not become a
 * wrong answer.
 */
async function shrinkFailure(
  options: StressOptions,
  round: number,
  foundBoards: readonly Board[],
  failure: TrialFailure,
): Promise<Counterexample> {
  const isFailing = async (boards: readonly Board[]) =>
    (await compareSolvers(options, boards))?.kind === failure.kind;
  const suspectBoards = failure.index === null ? foundBoards : [foundBoards[failure.index]];
  // A program that keeps state from case to case may fail only on the whole batch.
  const startBoards =
    suspectBoards.length < foundBoards.length && (await isFailing(suspectBoards))
      ? suspectBoards
      : foundBoards;
  const { problem, jobs, shrinkSeconds, stop } = options;
  const shrunkBoards = await shrink(startBoards, {
    problem,
    isFailing,
    jobs,
    isTimeUp: createDeadlineCheck(shrinkSeconds, stop),
  });
  return {
    failure: (await compareSolvers(options, shrunkBoards)) ?? failure,
    round,
    foundBoards,
    shrunkBoards,
  };
}
