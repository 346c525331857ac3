/** A comparison from its input to its report. */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { BoardmillError, pluralize } from '../core/errors.js';
import type { Problem, SolverChoice } from '../problems/problem.js';
import { type Breakdown, type BreakdownRequest, measureBreakdown, measureCoordinator } from './breakdown.js';
import { boardmillContenders, type Contender } from './contender.js';
import { type BenchInput, generatedInput, givenInput } from './input.js';
import { type ContenderRuns, race, type Summary, summarize } from './race.js';
import { type Report, thisMachine } from './report.js';
import { slowestInput, timeEachCase } from './slowest.js';
import { formatDifference, formatSeconds } from './tables.js';

/** Below it, an interval of the median is not sure to 95 %. */
export const ENOUGH_RUNS = 6;

export interface BenchRequest {
  readonly problem: Problem;
  /** A file, `-`; null: make one. */
  readonly input: string | null;
  readonly jobs: readonly number[];
  readonly solvers: readonly SolverChoice[];
  /** Other programs. */
  readonly others: readonly Contender[];
  readonly runs: number;
  readonly warmup: number;
  /** Which cases are timed one by one. */
  readonly timed: 'none' | 'some' | 'all';
  /** An empty one. */
  readonly folder: string;
  readonly version: string;
  readonly stop: AbortSignal;
  /** Told what is being done, and what speaks against the numbers. */
  readonly note: (message: string) => void;
  /** Told of wrong answers. */
  readonly complain: (message: string) => void;
  readonly onRun: (progress: RaceProgress) => void;
}

export interface RaceProgress {
  /** Null before all have made a run that counts. */
  readonly summaries: readonly Summary[] | null;
  readonly last: ContenderRuns;
  /** Below 0: warming up. */
  readonly round: number;
  readonly isOver: boolean;
}

export interface BenchResult {
  readonly report: Report;
  /** The slowest cases as an input; null where not all were timed. */
  readonly slowest: Uint8Array | null;
}

export async function runBench(comparison: BenchRequest): Promise<BenchResult> {
  const { problem, solvers, jobs, folder, stop, runs } = comparison;
  noteConditions(comparison);
  const input = await prepareInput(comparison);
  const statsFile = join(folder, 'stats.json');
  const own = boardmillContenders(problem, input.path, statsFile, solvers, jobs);
  const request = { problem, input: input.path, folder, stop };
  // Before the race: a bad input is told as `solve` tells it.
  const breakdowns = await measureBreakdowns(request, own, comparison);
  const { cases } = breakdowns[0];
  const coordinator = await measureCoordinator(request, breakdowns[0]);
  const contenders = [...own, ...comparison.others];
  const summaries = await raceAll(comparison, contenders, input, cases, statsFile);
  noteShortRun(summaries, breakdowns, comparison);
  noteDoubts(summaries, comparison);
  const caseTimes = await timeCases(request, breakdowns[0], comparison);
  const report: Report = {
    problem: problem.name,
    version: comparison.version,
    date: new Date().toISOString(),
    machine: thisMachine(),
    input: { ...input, cases },
    runs,
    summaries,
    breakdowns,
    coordinator,
    caseTimes,
  };
  const wanted = comparison.timed === 'all' ? report.caseTimes : null;
  return { report, slowest: wanted && (await slowestInput(input.path, problem.inputFormat, wanted.slowest)) };
}

const BUSY_LOAD = 0.5;

function noteConditions({ jobs, runs, note }: BenchRequest): void {
  const processors = availableParallelism();
  const [load] = loadavg();
  if (load > BUSY_LOAD * processors) {
    const where = `load ${load.toFixed(1)} on ${pluralize(processors, 'processor')}`;
    note(`this machine is busy (${where}): times will be off`);
  }
  const most = Math.max(...jobs);
  if (most > processors) note(`${most} workers on ${pluralize(processors, 'processor')} gain nothing`);
  if (runs < ENOUGH_RUNS) note(`use --runs ${ENOUGH_RUNS} or more for a reliable confidence interval`);
}

async function prepareInput({ input, problem, solvers, folder, note }: BenchRequest): Promise<BenchInput> {
  if (input !== null) return givenInput(input, folder);
  const made = await generatedInput(problem, solvers, folder);
  note(`no input was given; this one was made: ${made.made}`);
  return made;
}

async function measureBreakdowns(
  request: BreakdownRequest,
  contenders: readonly Contender[],
  { note }: BenchRequest,
): Promise<Breakdown[]> {
  note('measuring where the time goes, one run of each setting');
  const breakdowns: Breakdown[] = [];
  for (const { setting } of contenders)
    if (setting !== null) breakdowns.push(await measureBreakdown(request, setting));
  if (breakdowns[0].cases > 0) return breakdowns;
  throw new BoardmillError('usage', 'the input has no cases: there is nothing to measure');
}

async function raceAll(
  { folder, runs, warmup, stop, onRun }: BenchRequest,
  contenders: readonly Contender[],
  input: BenchInput,
  cases: number,
  statsFile: string,
): Promise<readonly Summary[]> {
  const lanes = await race({
    contenders,
    input: input.path,
    folder,
    statsFile,
    runs,
    warmup,
    stop,
    onRun(lanes, { lane, round }) {
      const isOver = lanes.every((each) => each.runs.length === runs);
      onRun({ summaries: summarize(lanes, cases, input.bytes), last: lane, round, isOver });
    },
  });
  return summarize(lanes, cases, input.bytes) as readonly Summary[];
}

/** A run whose solving takes less measures start-up. */
const SHORT_SOLVING_SECONDS = 0.05;
/** In a shorter run start-up is a large part. */
const SHORT_RUN_SECONDS = 0.5;

/** What to say of runs that are too short to measure how fast cases are solved; null: they are not. */
export function describeShortRun(runSeconds: number, solvingSeconds: number): string | null {
  const isShort = runSeconds < SHORT_RUN_SECONDS;
  const isStartUp = solvingSeconds < SHORT_SOLVING_SECONDS;
  if (!isShort && !isStartUp) return null;
  const what = isStartUp ? 'this measures start-up, not solving' : 'start-up is a large part of this';
  const times = `a run takes ${formatSeconds(runSeconds)}, solving takes ${formatSeconds(solvingSeconds)}`;
  return `${what} (${times}): use a larger input`;
}

function noteShortRun(
  summaries: readonly Summary[],
  breakdowns: readonly Breakdown[],
  { note }: BenchRequest,
): void {
  const own = summaries.filter(({ contender }) => contender.setting !== null);
  const run = Math.min(...own.map(({ median }) => median));
  const solving = Math.min(...breakdowns.map(({ stages }) => stages.parse + stages.solve + stages.print));
  const message = describeShortRun(run, solving);
  if (message !== null) note(message);
}

/** What speaks against trusting the numbers. */
function noteDoubts(summaries: readonly Summary[], { note, complain }: BenchRequest): void {
  for (const { contender, outliers, times, difference } of summaries) {
    const { label } = contender;
    if (difference !== null) complain(`${label} answers differently, ${formatDifference(difference)}`);
    if (outliers.length === 0) continue;
    const far = `${outliers.length} of ${pluralize(times.length, 'run')} took much more or less time than the others`;
    note(`${label}: ${far} (${outliers.map(formatSeconds).join(', ')}); was the machine quiet?`);
  }
}

/** Only for who wants to see it: alone, a case takes a kernel longer than among others. */
async function timeCases(
  request: BreakdownRequest,
  { setting }: Breakdown,
  { timed, note }: BenchRequest,
): Promise<Report['caseTimes']> {
  if (timed === 'none') return null;
  note('timing cases one by one');
  return timeEachCase(request, setting.solver, timed === 'all');
}
