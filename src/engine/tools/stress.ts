/** Random boards, growing in size, until the solver on trial fails; then the smallest that it fails on. */
import type { Board } from '../../problems/problem.js';
import { BoardSource } from './generate.js';
import { shrink } from './shrink.js';
import { type Contestants, type TrialFailure, tryBoards } from './trial.js';

export interface StressOptions extends Contestants {
  readonly seed: string;
  /** Rounds to go; Infinity: until time is up. */
  readonly rounds: number;
  /** Batches that are tried at a time. */
  readonly jobs: number;
  /** Boards of a batch, which is one input of the solver on trial. */
  readonly batchBoards: number;
  /** What looking is worth; Infinity: until the rounds are over. */
  readonly seconds: number;
  /** What shrinking is worth at the most. */
  readonly shrinkSeconds: number;
  /** Aborted: stop whatever is being done. */
  readonly stop: AbortSignal;
  readonly onRound: (round: number, cases: number) => void;
}

export interface Counterexample {
  readonly failure: TrialFailure;
  /** The round it was found in, from 1, and the boards found, before and after shrinking. */
  readonly round: number;
  readonly found: readonly Board[];
  readonly shrunk: readonly Board[];
}

export interface StressResult {
  readonly rounds: number;
  readonly cases: number;
  readonly counterexample: Counterexample | null;
}

/** Rounds after which boards may have one more row and column. */
const ROUNDS_PER_SIDE = 3;
const FIRST_SIDE = 2;
/** Programs that take one case a run are to see as many small boards as others. */
const MIN_BOARDS_OF_ROUND = 40;

export async function stress(options: StressOptions): Promise<StressResult> {
  let cases = 0;
  const isOver = deadline(options.seconds, options.stop);
  for (let round = 1; round <= options.rounds; round++) {
    if (isOver()) return { rounds: round - 1, cases, counterexample: null };
    const batches = drawBatches(options, round);
    const failures = await Promise.all(batches.map((boards) => tryBoards(options, boards)));
    cases += batches.length * options.batchBoards;
    options.onRound(round, cases);
    const index = failures.findIndex((failure) => failure !== null);
    if (index >= 0) {
      const counterexample = await narrow(options, round, batches[index], failures[index] as TrialFailure);
      return { rounds: round, cases, counterexample };
    }
  }
  return { rounds: options.rounds, cases, counterexample: null };
}

function deadline(seconds: number, stop: AbortSignal): () => boolean {
  const begin = performance.now();
  return () => stop.aborted || performance.now() - begin > seconds * 1000;
}

function drawBatches({ problem, seed, jobs, batchBoards }: StressOptions, round: number): Board[][] {
  const { minRows, maxRows, minCols, maxCols } = problem.contestLimits;
  const side = FIRST_SIDE + Math.floor((round - 1) / ROUNDS_PER_SIDE);
  const source = new BoardSource({
    problem,
    seed: `${seed}/${round}`,
    profile: 'random',
    density: null,
    rows: { from: minRows, to: Math.max(minRows, Math.min(maxRows, side)) },
    cols: { from: minCols, to: Math.max(minCols, Math.min(maxCols, side)) },
  });
  const batches = Math.max(jobs, Math.ceil(MIN_BOARDS_OF_ROUND / batchBoards));
  return Array.from({ length: batches }, (_, batch) =>
    Array.from({ length: batchBoards }, (_, i) => copyOf(source.board(batch * batchBoards + i))),
  );
}

/** The source uses its board again. */
function copyOf({ rows, cols, cells }: Board): Board {
  return { rows, cols, cells: cells.slice() };
}

/** A smaller form counts only if it fails in the same way: a crash must not become a wrong answer. */
async function narrow(
  options: StressOptions,
  round: number,
  found: readonly Board[],
  failure: TrialFailure,
): Promise<Counterexample> {
  const fails = async (boards: readonly Board[]) => (await tryBoards(options, boards))?.kind === failure.kind;
  const suspect = failure.index === null ? found : [found[failure.index]];
  // A program that carries something over from case to case fails on the whole batch only.
  const start = suspect.length < found.length && (await fails(suspect)) ? suspect : found;
  const { problem, jobs, shrinkSeconds, stop } = options;
  const shrunk = await shrink(start, { problem, fails, jobs, isOver: deadline(shrinkSeconds, stop) });
  return { failure: (await tryBoards(options, shrunk)) ?? failure, round, found, shrunk };
}
