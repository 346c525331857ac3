/** Reports of comparisons that were never made: what is drawn from them does not depend on a machine. */
import type { Breakdown } from '../../src/bench/breakdown.js';
import type { ContenderSummary } from '../../src/bench/race.js';
import type { BenchReport } from '../../src/bench/report.js';
import type { SolverChoice } from '../../src/problems/problem.js';

export interface ReportWish {
  readonly jobs?: readonly number[];
  readonly solvers?: readonly SolverChoice[];
  /** Seconds of a run with one worker. */
  readonly seconds?: number;
  /** Other programs: name and seconds of a run. */
  readonly others?: Readonly<Record<string, number>>;
  /** The other programs answer differently. */
  readonly areOthersWrong?: boolean;
  readonly runs?: number;
  /** Nanoseconds of the quickest and of the slowest case. */
  readonly caseTimes?: readonly [number, number];
}

const CASES = 300_000;

export function reportOf(wish: ReportWish = {}): BenchReport {
  const { jobs = [1, 2], solvers = ['auto'], seconds = 2, others = {}, runs = 6 } = wish;
  const own = solvers.flatMap((solver) =>
    jobs.map((count) => {
      const words = solver === 'auto' ? '' : ` --solver ${solver}`;
      return summaryOf(`boardmill -j ${count}${words}`, { jobs: count, solver }, seconds / count, runs);
    }),
  );
  const difference = wish.areOthersWrong ? { token: 6, expected: '0', got: '1' } : null;
  const programs = Object.entries(others).map(([label, taken]) => ({
    ...summaryOf(label, null, taken, runs),
    difference,
  }));
  const breakdowns = own.map(({ contender, median }) => profileOf(contender.setting as Setting, median));
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
    caseTimes: caseTimesOf(wish.caseTimes ?? [1000, 100_000]),
  };
}

type Setting = NonNullable<ContenderSummary['contender']['setting']>;

function summaryOf(label: string, setting: Setting | null, seconds: number, runs: number): ContenderSummary {
  const times = Array.from({ length: runs }, (_, i) => seconds * (1 + (i % 3) / 20));
  return {
    contender: { label, argv: [label], setting },
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
    casesPerSecond: CASES / seconds,
    bytesPerSecond: 7e7 / seconds,
    speed: { ratio: 1234, low: 1200, high: 1300 },
    difference: null,
  };
}

function profileOf(setting: Setting, seconds: number): Breakdown {
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

/** Four buckets to each doubling. */
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
