/** The results of a comparison as data, with the machine on which they were measured. */
import { availableParallelism, cpus } from 'node:os';
import type { SolverChoice } from '../../problems/problem.js';
import type { TimeBreakdown } from './breakdown.js';
import type { TimeBucket, TimedCase } from './case-times.js';
import type { BenchInput } from './input.js';
import type { CommandSummary } from './race.js';

export interface BenchReport {
  readonly problem: string;
  /** The version of boardmill. */
  readonly version: string;
  /** When the comparison ended, in ISO 8601 and UTC. */
  readonly date: string;
  readonly machine: Machine;
  readonly input: BenchInput & { readonly cases: number };
  /** Number of measured runs of each command. */
  readonly runs: number;
  /** One summary for each command. */
  readonly summaries: readonly CommandSummary[];
  /** One breakdown for each setting of boardmill that was compared. */
  readonly breakdowns: readonly TimeBreakdown[];
  /** The breakdown of a run in which the worker solved nothing. It shows the cost of the coordinator alone. */
  readonly coordinator: TimeBreakdown;
  /** The times of single cases. Null if bench timed no cases one by one. */
  readonly caseTimes: CaseTimesReport | null;
}

/** The times of cases that were solved one by one. */
export interface CaseTimesReport {
  readonly solver: SolverChoice;
  /** Number of cases that were timed. */
  readonly cases: number;
  readonly meanNanoseconds: number;
  readonly buckets: readonly TimeBucket[];
  /** The slowest cases, slowest first. */
  readonly slowest: readonly TimedCase[];
}

interface Machine {
  /** The model of the processor. */
  readonly processor: string;
  /** Number of processors that Node may use. */
  readonly processors: number;
  /** Operating system and architecture, such as `linux x64`. */
  readonly system: string;
  /** The version of Node. */
  readonly node: string;
}

export function currentMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    processors: availableParallelism(),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
  };
}

/** Returns the summary of the runs with the setting of a breakdown. */
export function summaryWithSameSetting(
  { setting }: TimeBreakdown,
  summaries: readonly CommandSummary[],
): CommandSummary {
  return summaries.find(({ measuredCommand }) => measuredCommand.setting === setting) as CommandSummary;
}

/**
 * Returns the speed-up over one worker with the same solver, divided by the number of workers: 1 is perfect scaling.
 * Returns null for other programs, and if no run with one worker was measured.
 */
export function parallelEfficiency(
  summary: CommandSummary,
  summaries: readonly CommandSummary[],
): number | null {
  const { setting } = summary.measuredCommand;
  const single = summaries.find(
    ({ measuredCommand }) =>
      measuredCommand.setting?.jobs === 1 && measuredCommand.setting.solver === setting?.solver,
  );
  if (setting === null || single === undefined) return null;
  return single.median / summary.median / setting.jobs;
}

/** Returns how many workers one coordinator can keep busy, if workers need as much time per case as in `breakdown`. */
export function workersPerCoordinator({ stages, cases }: TimeBreakdown, coordinator: TimeBreakdown): number {
  const workSecondsPerCase = (stages.parse + stages.solve + stages.print) / cases;
  return workSecondsPerCase / (coordinator.busySeconds / coordinator.cases);
}
