/** Which cases of an input take longest, and those as an input of their own. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ByteWriter, LF } from '../core/bytes.js';
import { BENCH_SLOWEST_CASES, READ_BYTES } from '../engine/limits.js';
import { openSource } from '../engine/read.js';
import { scan } from '../engine/scan.js';
import type { InputFormat } from '../problems/input-format.js';
import type { SolverChoice } from '../problems/problem.js';
import { type BreakdownRequest, timeCases } from './breakdown.js';
import { CaseTimes, type TimedCase } from './case-times.js';
import type { CaseTimesReport } from './report.js';

/** So many are candidates: the clock runs on while the system does something else, and a quick case looks slow. */
const CANDIDATES = 10 * BENCH_SLOWEST_CASES;
const TIMES_AGAIN = 5;

/** Longest that cases are timed where not all of them need be. */
const ENOUGH_SECONDS = 5;

/** Times cases one by one, all of them or the first ones; the slowest several times. */
export async function timeEachCase(
  request: BreakdownRequest,
  solver: SolverChoice,
  wantsAll: boolean,
): Promise<CaseTimesReport> {
  const times = new CaseTimes(CANDIDATES);
  const setting = { solver, jobs: availableParallelism() };
  const seconds = wantsAll ? Number.POSITIVE_INFINITY : ENOUGH_SECONDS;
  await timeCases(request, setting, seconds, (nanoseconds) => times.add(nanoseconds));
  const { cases, buckets, totalNanoseconds } = times;
  const slowest = await timeAgain(request, solver, times.slowest);
  return { solver, cases, meanNanoseconds: totalNanoseconds / cases, buckets, slowest };
}

/** The slowest of the candidates by the best of several times each. */
async function timeAgain(
  request: BreakdownRequest,
  solver: SolverChoice,
  candidates: readonly TimedCase[],
): Promise<TimedCase[]> {
  const input = join(request.folder, 'candidates.in');
  await writeFile(input, await slowestInput(request.input, request.problem.inputFormat, candidates));
  const best = candidates.map(() => Number.POSITIVE_INFINITY);
  for (let time = 0; time < TIMES_AGAIN; time++) {
    let index = 0;
    await timeCases({ ...request, input }, { solver, jobs: 1 }, Number.POSITIVE_INFINITY, (nanoseconds) => {
      best[index] = Math.min(best[index], nanoseconds);
      index++;
    });
  }
  return candidates
    .map((candidate, i) => ({ case: candidate.case, seconds: best[i] / 1e9 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, BENCH_SLOWEST_CASES);
}

/** Slowest first, as `cases` has them. Reads the input once more; holds no more of it than those cases. */
export async function slowestInput(
  path: string,
  inputFormat: InputFormat,
  cases: readonly TimedCase[],
): Promise<Uint8Array> {
  const found = await findCases(path, inputFormat, new Set(cases.map((timed) => timed.case)));
  const out = new ByteWriter();
  for (const timed of cases) {
    const bytes = found.get(timed.case) as Uint8Array;
    out.append(bytes);
    if (bytes[bytes.length - 1] !== LF) out.byte(LF);
  }
  return inputFormat.assembleInput(out.take(), cases.length, null);
}

/** The bytes of the cases of these numbers, in an input that was read before and is good. */
async function findCases(
  path: string,
  inputFormat: InputFormat,
  wanted: ReadonlySet<number>,
): Promise<Map<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  const source = await openSource(path);
  const options = {
    inputFormat,
    onError: 'stop',
    chunkBytes: () => READ_BYTES,
    hash: null,
    from: null,
  } as const;
  for await (const item of scan(source.pieces, options)) {
    if (item.kind === 'end') break;
    const { bytes, starts, firstCase } = item;
    for (let i = 0; i + 1 < starts.length; i++) {
      if (wanted.has(firstCase + i)) found.set(firstCase + i, bytes.slice(starts[i], starts[i + 1]));
    }
  }
  await source.close();
  return found;
}
