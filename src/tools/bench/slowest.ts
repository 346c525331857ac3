/** Finds the cases of an input that take longest to solve, and builds an input of these cases. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { assembleInput } from '../../formats/assemble-input.js';
import type { InputFormat } from '../../formats/input-format.js';
import type { SolverChoice } from '../../problems/problem.js';
import { type BreakdownRequest, streamCaseTimes } from './breakdown.js';
import { CaseTimes, type TimedCase } from './case-times.js';
import type { CaseTimesReport } from './report.js';
import { singleCases } from './single-cases.js';

/** Number of slowest cases that `bench` lists. */
export const BENCH_SLOWEST_CASES = 10;

/**
 * Number of slow cases that are timed again. More cases are timed again than are reported, because a quick case looks
 * slow if the system interrupts its solver.
 */
const SLOWEST_CANDIDATES = 10 * BENCH_SLOWEST_CASES;
/** How often each candidate for the slowest case is timed again. */
export const RUNS_PER_CANDIDATE = 5;

/** Time limit for timing cases one by one, if not all cases must be timed. */
const MAX_SAMPLE_SECONDS = 5;

/**
 * Solves and times cases one by one: all cases, or as many as a few seconds allow. The slowest cases are timed several
 * times, and reported with their best times.
 */
export async function timeEachCase(
  request: BreakdownRequest,
  solver: SolverChoice,
  mustTimeAll: boolean,
): Promise<CaseTimesReport> {
  const times = new CaseTimes(SLOWEST_CANDIDATES);
  const setting = { solver, jobs: availableParallelism() };
  const seconds = mustTimeAll ? Number.POSITIVE_INFINITY : MAX_SAMPLE_SECONDS;
  await streamCaseTimes(request, setting, seconds, (nanoseconds) => times.add(nanoseconds));
  const { cases, buckets, totalNanoseconds } = times;
  const slowest = await timeCandidatesAgain(request, solver, times.slowest);
  return { solver, cases, meanNanoseconds: totalNanoseconds / cases, buckets, slowest };
}

/** Times each candidate several times, and returns the candidates whose best times are the slowest. */
async function timeCandidatesAgain(
  request: BreakdownRequest,
  solver: SolverChoice,
  candidates: readonly TimedCase[],
): Promise<TimedCase[]> {
  const input = join(request.folder, 'candidates.in');
  await writeFile(input, await buildSlowestInput(request.input, request.problem.inputFormat, candidates));
  const bestNanoseconds = candidates.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < RUNS_PER_CANDIDATE; run++) {
    let index = 0;
    await streamCaseTimes(
      { ...request, input },
      { solver, jobs: 1 },
      Number.POSITIVE_INFINITY,
      (nanoseconds) => {
        bestNanoseconds[index] = Math.min(bestNanoseconds[index], nanoseconds);
        index++;
      },
    );
  }
  return candidates
    .map((candidate, i) => ({ case: candidate.case, seconds: bestNanoseconds[i] / 1e9 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, BENCH_SLOWEST_CASES);
}

/**
 * Builds an input that contains the given cases in the given order. It reads the original input once more, and keeps
 * only the bytes of these cases in memory.
 */
export async function buildSlowestInput(
  path: string,
  inputFormat: InputFormat,
  cases: readonly TimedCase[],
): Promise<Uint8Array> {
  const { head, bytesByCase } = await readCases(path, inputFormat, new Set(cases.map((timed) => timed.case)));
  const chosen = cases.map((timed) => bytesByCase.get(timed.case) as Uint8Array);
  return assembleInput(inputFormat, chosen, head);
}

/** Returns the head and the bytes of the cases with the given numbers. */
async function readCases(
  path: string,
  inputFormat: InputFormat,
  wanted: ReadonlySet<number>,
): Promise<{ head: Uint8Array | null; bytesByCase: Map<number, Uint8Array> }> {
  const bytesByCase = new Map<number, Uint8Array>();
  let headOfInput: Uint8Array | null = null;
  for await (const { number, bytes, head } of singleCases(path, inputFormat)) {
    headOfInput = head;
    if (wanted.has(number)) bytesByCase.set(number, bytes.slice());
  }
  return { head: headOfInput, bytesByCase };
}
