/**
 * Made-up reports of `bench`, for tests of tables, plots and pages. Their numbers are not measured, so the tests do not
 * depend on the machine.
 */

import type { SolverChoice } from '../../src/problems/problem.js';
import type { TimeBreakdown } from '../../src/tools/bench/breakdown.js';
import type { CommandSummary } from '../../src/tools/bench/race.js';
import type { BenchReport } from '../../src/tools/bench/report.js';

/** The parts of a made-up report that tests choose. */
export interface ReportOptions {
  readonly jobs?: readonly number[];
  readonly solvers?: readonly SolverChoice[];
  /** Seconds that a run with one worker takes. */
  readonly seconds?: number;
  /** The programs other than boardmill: for each program's name, the seconds that a run takes. */
  readonly others?: Readonly<Record<string, number>>;
  /** Whether the answers of the other programs are wrong. */
  readonly areOthersWrong?: boolean;
  readonly runs?: number;
  /** Nanoseconds of the quickest and of the slowest case. */
  readonly caseTimes?: readonly [number, number];
}

const CASES = 300_000;

export function reportOf(options: ReportOptions = {}): BenchReport {
  const { jobs = [1, 2], solvers = ['auto'], seconds = 2, others = {}, runs = 6 } = options;
  const own = solvers.flatMap((solver) =>
    jobs.map((count) => {
      const solverOption = solver === 'auto' ? '' : ` --solver ${solver}`;
      return summaryOf(
        `boardmill -j ${count}${solverOption}`,
        { jobs: count, solver },
        seconds / count,
        runs,
      );
    }),
  );
  const difference = options.areOthersWrong ? { token: 6, expected: '0', got: '1' } : null;
  const programs = Object.entries(others).map(([label, secondsOfRun]) => ({
    ...summaryOf(label, null, secondsOfRun, runs),
    difference,
  }));
  const breakdowns = own.map(({ measuredCommand, median }) =>
    breakdownOf(measuredCommand.setting as Setting, median),
  );
  return {
    problem: 'bacterial-tactics',
    version: '1.2.3',
    date: '2026-01-02T03:04:05.678Z',
    machine: { processor: 'A Processor With a Long Name @ 2.80GHz', processors: 2, system: 'x', node: 'v20' },
    input: {
      path: 'big.in',
      bytes: 7e7,
      cases: CASES,
      generatedBy: 'boardmill generate bacterial-tactics --cases 9',
    },
    runs,
    summaries: [...own, ...programs],
    breakdowns,
    coordinator: breakdowns[0],
    caseTimes: caseTimesOf(options.caseTimes ?? [1000, 100_000]),
  };
}

type Setting = NonNullable<CommandSummary['measuredCommand']['setting']>;

function summaryOf(label: string, setting: Setting | null, seconds: number, runs: number): CommandSummary {
  const times = Array.from({ length: runs }, (_, i) => seconds * (1 + (i % 3) / 20));
  return {
    measuredCommand: { label, argv: [label], setting },
    times,
    median: seconds,
    mean: seconds,
    stddev: seconds / 20,
    min: seconds,
    max: seconds * 1.1,
    spread: seconds / 20,
    outliers: [],
    user: seconds,
    system: 0,
    processors: 1,
    peakBytes: 123e6,
    processes: 1,
    casesPerSecond: CASES / seconds,
    bytesPerSecond: 7e7 / seconds,
    speed: { ratio: 1234, low: 1200, high: 1300 },
    difference: null,
  };
}

function breakdownOf(setting: Setting, seconds: number): TimeBreakdown {
  const [read, scan, wait, dispatch, parse, solve, print, merge, write] = [1, 5, 60, 9, 8, 70, 4, 2, 1].map(
    (share) => (share / 100) * seconds,
  );
  return {
    setting,
    seconds,
    stages: { read, scan, wait, dispatch, parse, solve, print, merge, write },
    busySeconds: seconds / 10,
    utilization: 0.8,
    cases: CASES,
    bytes: 7e7,
    chunks: 90,
  };
}

/** Returns a histogram of case times with four buckets for each doubling of the time. */
function caseTimesOf([from, to]: readonly [number, number]): BenchReport['caseTimes'] {
  const edges = Array.from(
    { length: Math.ceil(4 * Math.log2(to / from)) + 1 },
    (_, i) => from * 2 ** (i / 4),
  );
  return {
    solver: 'auto',
    cases: CASES,
    meanNanoseconds: Math.sqrt(from * to),
    buckets: edges.slice(1).map((edge, i) => ({ from: edges[i], to: edge, cases: 10 ** (i % 6) })),
    slowest: [{ case: 7, seconds: to / 1e9 }],
  };
}
