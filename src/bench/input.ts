/** Prepares the input of a comparison: the user's input, or a generated one that takes a few seconds to solve. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { kindOf } from '../core/files.js';
import { compressionOf } from '../engine/decompress.js';
import { openSource } from '../engine/read.js';
import { BoardSource, generateInput } from '../engine/tools/generate.js';
import { chooseSolver } from '../problems/choose-solver.js';
import type { Board, Problem, SolverChoice } from '../problems/problem.js';

export interface BenchInput {
  readonly path: string;
  readonly bytes: number;
  /** The command that generates this input. Null if the user gave the input. */
  readonly generatedBy: string | null;
}

/**
 * Returns an input that can be read several times. Standard input, pipes and decompressed inputs are copied to a file in
 * `folder`.
 */
export async function prepareGivenInput(path: string, folder: string): Promise<BenchInput> {
  const isFile = path !== '-' && compressionOf(path) === null && (await kindOf(path, 'open')) === 'regular';
  const copy = isFile ? path : join(folder, 'input.in');
  const source = await openSource(path);
  if (!isFile) await pipeline(source.pieces, createWriteStream(copy));
  await source.close();
  return { path: copy, bytes: (await stat(copy)).size, generatedBy: null };
}

const GENERATED_PROFILE = 'contest-max';
const GENERATED_SEED = 'bench';
/** Time that one worker with the fastest of the compared solvers should need for a generated input. */
const FASTEST_SOLVER_SECONDS = 2;
/** Longest time that one worker with the slowest of the compared solvers should need for a generated input. */
const SLOWEST_SOLVER_MAX_SECONDS = 10;

/** Generates boards of the contest's largest size, so many that solving them takes a few seconds on this machine. */
export async function prepareGeneratedInput(
  problem: Problem,
  solvers: readonly SolverChoice[],
  folder: string,
): Promise<BenchInput> {
  const request = {
    problem,
    seed: GENERATED_SEED,
    profile: GENERATED_PROFILE,
    rows: null,
    cols: null,
    density: null,
  } as const;
  const boards = copyBoards(new BoardSource(request), problem.inputFormat.cellBytes);
  const rates = solvers.map((solver) => boardsPerSecond(problem, solver, boards));
  const cases = roundDownToRoundNumber(
    Math.min(Math.max(...rates) * FASTEST_SOLVER_SECONDS, Math.min(...rates) * SLOWEST_SOLVER_MAX_SECONDS),
  );
  const path = join(folder, 'input.in');
  await pipeline(Readable.from(generateInput(request, cases)), createWriteStream(path));
  return {
    path,
    bytes: (await stat(path)).size,
    generatedBy: `boardmill generate ${problem.name} --cases ${cases} --seed ${GENERATED_SEED} --profile ${GENERATED_PROFILE}`,
  };
}

/**
 * Number of boards with which the speed of a solver is estimated. The number is as large as a worker's batches, and
 * large enough for a stable average.
 */
const SAMPLE_BOARDS = 512;
/** Duration of one measurement of a solver's speed. */
const SAMPLE_MS = 300;

function copyBoards(source: BoardSource, cellBytes: number): Board[] {
  return Array.from({ length: SAMPLE_BOARDS }, (_, index) => {
    const { rows, cols, cells } = source.boardAt(index);
    return { rows, cols, cells: cells.slice(0, rows * cols * cellBytes) };
  });
}

/**
 * Measures how many boards a solver solves per second. The first of two equally long measurements is a warm-up for the
 * compiler and does not count.
 */
function boardsPerSecond(problem: Problem, choice: SolverChoice, boards: readonly Board[]): number {
  const solver = chooseSolver(problem, choice);
  const batch = solver.name === 'portable' ? 1 : SAMPLE_BOARDS;
  const answers: unknown[] = [];
  let solved = 0;
  const solveFor = (ms: number) => {
    const begin = performance.now();
    const before = solved;
    while (performance.now() - begin < ms) {
      const start = solved % SAMPLE_BOARDS;
      solver.solve(boards.slice(start, start + batch), batch, answers);
      solved += batch;
    }
    return ((solved - before) * 1000) / (performance.now() - begin);
  };
  solveFor(SAMPLE_MS);
  return solveFor(SAMPLE_MS);
}

/** Rounds a number down to 1, 2 or 5 times a power of ten. The result is at least 1. */
function roundDownToRoundNumber(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  const step = [5, 2, 1].find((digit) => digit * power <= count) ?? 1;
  return step * power;
}
