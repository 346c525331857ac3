/** The input of a comparison: given, or made so that it takes a few seconds. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { kindOf } from '../core/files.js';
import { openSource } from '../engine/read.js';
import { BoardSource, generateInput } from '../engine/tools/generate.js';
import { chooseSolver } from '../problems/choose-solver.js';
import type { Board, Problem, SolverChoice } from '../problems/problem.js';

export interface BenchInput {
  readonly path: string;
  readonly bytes: number;
  /** What made it, to be typed; null: the user gave it. */
  readonly made: string | null;
}

/** Something that can be read over and over: standard input and pipes are copied to `folder`. */
export async function givenInput(path: string, folder: string): Promise<BenchInput> {
  const isFile = path !== '-' && (await kindOf(path, 'open')) === 'regular';
  const copy = isFile ? path : join(folder, 'input.in');
  const source = await openSource(path);
  if (!isFile) await pipeline(source.pieces, createWriteStream(copy));
  await source.close();
  return { path: copy, bytes: (await stat(copy)).size, made: null };
}

const PROFILE = 'contest-max';
const SEED = 'bench';
/** Seconds of work for one worker with the fastest solver, and the most for the slowest. */
const FAST_SECONDS = 2;
const SLOW_SECONDS = 10;

/** Boards of the contest's largest size, as many as take a few seconds here. */
export async function generatedInput(
  problem: Problem,
  solvers: readonly SolverChoice[],
  folder: string,
): Promise<BenchInput> {
  const request = { problem, seed: SEED, profile: PROFILE, rows: null, cols: null, density: null } as const;
  const boards = takeBoards(new BoardSource(request), problem.inputFormat.cellBytes);
  const rates = solvers.map((solver) => boardsPerSecond(problem, solver, boards));
  const cases = roundDown(Math.min(Math.max(...rates) * FAST_SECONDS, Math.min(...rates) * SLOW_SECONDS));
  const path = join(folder, 'input.in');
  await pipeline(Readable.from(generateInput(request, cases)), createWriteStream(path));
  return {
    path,
    bytes: (await stat(path)).size,
    made: `boardmill generate ${problem.name} --cases ${cases} --seed ${SEED} --profile ${PROFILE}`,
  };
}

/** Boards to measure with: as many as a worker solves together, and of which the mean is steady. */
const SAMPLE_BOARDS = 512;
const SAMPLE_MS = 300;

function takeBoards(source: BoardSource, cellBytes: number): Board[] {
  return Array.from({ length: SAMPLE_BOARDS }, (_, index) => {
    const { rows, cols, cells } = source.board(index);
    return { rows, cols, cells: cells.slice(0, rows * cols * cellBytes) };
  });
}

/** After the compiler has settled: the second of two equal spans. */
function boardsPerSecond(problem: Problem, choice: SolverChoice, boards: readonly Board[]): number {
  const solver = chooseSolver(problem, choice);
  const batch = solver.name === 'portable' ? 1 : SAMPLE_BOARDS;
  const answers: unknown[] = [];
  let solved = 0;
  const solveFor = (ms: number) => {
    const begin = performance.now();
    const before = solved;
    while (performance.now() - begin < ms) {
      const at = solved % SAMPLE_BOARDS;
      solver.solve(boards.slice(at, at + batch), batch, answers);
      solved += batch;
    }
    return ((solved - before) * 1000) / (performance.now() - begin);
  };
  solveFor(SAMPLE_MS);
  return solveFor(SAMPLE_MS);
}

/** To 1, 2 or 5 times a power of ten; at least 1. */
function roundDown(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  const step = [5, 2, 1].find((digit) => digit * power <= count) ?? 1;
  return step * power;
}
