/** All that a comparison found out, and the machine it holds for. */
import { availableParallelism, cpus } from 'node:os';
import type { SolverChoice } from '../problems/problem.js';
import type { Breakdown } from './breakdown.js';
import type { Bucket, TimedCase } from './case-times.js';
import type { BenchInput } from './input.js';
import type { Summary } from './race.js';

export interface Report {
  readonly problem: string;
  readonly version: string;
  readonly date: string;
  readonly machine: Machine;
  readonly input: BenchInput & { readonly cases: number };
  readonly runs: number;
  readonly summaries: readonly Summary[];
  /** One for each way that boardmill itself took part. */
  readonly breakdowns: readonly Breakdown[];
  readonly coordinator: Breakdown;
  readonly caseTimes: CaseTimesReport | null;
}

export interface CaseTimesReport {
  readonly solver: SolverChoice;
  readonly cases: number;
  readonly meanNanoseconds: number;
  readonly buckets: readonly Bucket[];
  readonly slowest: readonly TimedCase[];
}

export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly system: string;
  readonly node: string;
}

export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    processors: availableParallelism(),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

/** Speed-up over one worker with the same solver, a worker; null where that was not measured. */
export function efficiency(summary: Summary, summaries: readonly Summary[]): number | null {
  const { setting } = summary.contender;
  const single = summaries.find(
    ({ contender }) => contender.setting?.jobs === 1 && contender.setting.solver === setting?.solver,
  );
  if (setting === null || single === undefined) return null;
  return single.median / summary.median / setting.jobs;
}

/** Workers of this kind that the coordinator can keep busy. */
export function workersFed({ stages, cases }: Breakdown, coordinator: Breakdown): number {
  const work = (stages.parse + stages.solve + stages.print) / cases;
  return work / (coordinator.busySeconds / coordinator.cases);
}
