/** Prepares the input of a comparison: the user's input, or a generated one that takes a few seconds to solve. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatCommandLine } from '../../core/command-line.js';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { fileKindOf } from '../../core/files/files.js';
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import { ChunkFailure } from '../../engine/dispatcher.js';
import { openSolver } from '../../engine/exec/open-solver.js';
import { compressionOf } from '../../engine/input/decompress.js';
import { openSource } from '../../engine/input/read.js';
import type { ChunkTask } from '../../engine/messages.js';
import {
  ANY_BOARDS,
  type Problem,
  type RandomCasesRequest,
  type SolverChoice,
} from '../../problems/problem.js';
import { createRandomCaseGenerator, generateInput, type RandomCaseGenerator } from '../cases/draw.js';
import { createChunkTask } from '../stress/trial.js';
import type { NamedSolvingProgram } from './measured-command.js';

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
  const isFile =
    path !== '-' && compressionOf(path) === null && (await fileKindOf(path, 'open')) === 'regular';
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

/** Generates cases of the contest's largest size, so many that solving them takes a few seconds on this machine. */
export async function prepareGeneratedInput(
  problem: Problem,
  solvers: readonly SolverChoice[],
  program: NamedSolvingProgram | null,
  folder: string,
): Promise<BenchInput> {
  const request: RandomCasesRequest = {
    seed: GENERATED_SEED,
    profile: GENERATED_PROFILE,
    cases: SAMPLE_CASES,
    maxSize: null,
    set: null,
    boards: ANY_BOARDS,
  };
  const drawer = createRandomCaseGenerator(problem, request);
  const sample = createChunkTask(copyHeadToSharedMemory(drawer.head), await drawSample(drawer));
  const rates: number[] = [];
  for (const solver of solvers) rates.push(await casesPerSecond(problem, solver, program, sample));
  const wantedCases = roundDownToRoundNumber(
    Math.min(Math.max(...rates) * FASTEST_SOLVER_SECONDS, Math.min(...rates) * SLOWEST_SOLVER_MAX_SECONDS),
  );
  const cases = problem.inputFormat.ending === 'single' ? 1 : wantedCases;
  const path = join(folder, 'input.in');
  const generated = generateInput(problem, createRandomCaseGenerator(problem, { ...request, cases }), cases);
  await pipeline(Readable.from(generated), createWriteStream(path));
  return {
    path,
    bytes: (await stat(path)).size,
    generatedBy: `boardmill generate ${formatCommandLine(problem.words)} --cases ${cases} --seed ${GENERATED_SEED} --profile ${GENERATED_PROFILE}`,
  };
}

/**
 * Number of cases with which the speed of a solver is estimated. The number is as large as a worker's batches, and
 * large enough for a stable average.
 */
const SAMPLE_CASES = 512;
/** Duration of one measurement of a solver's speed. */
const SAMPLE_MS = 300;

/** Largest size of the cases of a sample. */
const SAMPLE_BYTES = 1 << 20;

/** Draws SAMPLE_CASES cases, or fewer if they are large. */
async function drawSample(drawer: RandomCaseGenerator): Promise<Uint8Array[]> {
  const sample: Uint8Array[] = [];
  for (let size = 0; sample.length < SAMPLE_CASES && size < SAMPLE_BYTES; ) {
    const { bytes, starts } = await drawer.draw(sample.length, SAMPLE_CASES - sample.length);
    for (let i = 0; i + 1 < starts.length; i++) sample.push(bytes.slice(starts[i], starts[i + 1]));
    size += bytes.length;
  }
  return sample;
}

/**
 * Measures how many cases a worker solves per second. The first of two equally long measurements is a warm-up for the
 * compiler and does not count. Fails with kind `worker` if the sample is not solved.
 */
async function casesPerSecond(
  problem: Problem,
  solver: SolverChoice,
  program: NamedSolvingProgram | null,
  sample: ChunkTask,
): Promise<number> {
  const pool = await openSolver({ problem, jobs: 1, solver, program });
  const solveFor = async (ms: number) => {
    let solveMs = 0;
    let solved = 0;
    for (const begin = performance.now(); performance.now() - begin < ms; ) {
      const { times, answeredCases } = await pool.solve(sample);
      solveMs += times.solve;
      solved += answeredCases;
    }
    return (solved * 1000) / solveMs;
  };
  try {
    await solveFor(SAMPLE_MS);
    return await solveFor(SAMPLE_MS);
  } catch (error) {
    if (!(error instanceof ChunkFailure)) throw error;
    const cases = pluralize(sample.starts.length - 1, 'random case');
    throw new BoardmillError('worker', `on ${cases} with which bench measures the speed: ${error.reason}`, {
      cause: error,
    });
  } finally {
    await pool.close();
  }
}

/** Rounds a number down to 1, 2 or 5 times a power of ten. The result is at least 1. */
function roundDownToRoundNumber(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  const step = [5, 2, 1].find((digit) => digit * power <= count) ?? 1;
  return step * power;
}
