/** A comparison from its input to its report. */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { BoardmillError, counted } from '../core/errors.js';
import type { Problem, SolverChoice } from '../problems/problem.js';
import { boardmillContenders, type Contender } from './contender.js';
import { formatDifference, formatSeconds } from './format.js';
import { type BenchInput, generatedInput, givenInput } from './input.js';
import { type Profile, type ProfileRequest, profile, profileCoordinator } from './profile.js';
import { type Lane, race, type Summary, summarize } from './race.js';
import { type Report, thisMachine } from './report.js';
import { slowestInput, timeEachCase } from './slowest.js';

/** Below it, an interval of the median is not sure to 95 %. */
export const ENOUGH_RUNS = 6;

export interface Comparison {
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
  readonly last: Lane;
  /** Below 0: warming up. */
  readonly round: number;
  readonly isOver: boolean;
}

export interface Found {
  readonly report: Report;
  /** The slowest cases as an input; null where not all were timed. */
  readonly slowest: Uint8Array | null;
}

export async function compare(comparison: Comparison): Promise<Found> {
  const { problem, solvers, jobs, folder, stop, runs } = comparison;
  noteConditions(comparison);
  const input = await prepareInput(comparison);
  const statsFile = join(folder, 'stats.json');
  const own = boardmillContenders(problem, input.path, statsFile, solvers, jobs);
  const request = { problem, input: input.path, folder, stop };
  // Before the race: a bad input is told as `solve` tells it.
  const profiles = await profileAll(request, own, comparison);
  const { cases } = profiles[0];
  const coordinator = await profileCoordinator(request, profiles[0]);
  const contenders = [...own, ...comparison.others];
  const summaries = await raceAll(comparison, contenders, input, cases, statsFile);
  noteShortRun(summaries, profiles, comparison);
  noteDoubts(summaries, comparison);
  const caseTimes = await timeCases(request, profiles[0], comparison);
  const report: Report = {
    problem: problem.name,
    version: comparison.version,
    date: new Date().toISOString(),
    machine: thisMachine(),
    input: { ...input, cases },
    runs,
    summaries,
    profiles,
    coordinator,
    caseTimes,
  };
  const wanted = comparison.timed === 'all' ? report.caseTimes : null;
  return { report, slowest: wanted && (await slowestInput(input.path, problem.format, wanted.slowest)) };
}

const BUSY_LOAD = 0.5;

function noteConditions({ jobs, runs, note }: Comparison): void {
  const processors = availableParallelism();
  const [load] = loadavg();
  if (load > BUSY_LOAD * processors) {
    const where = `load ${load.toFixed(1)} on ${counted(processors, 'processor')}`;
    note(`this machine is busy (${where}): times will be off`);
  }
  const most = Math.max(...jobs);
  if (most > processors) note(`${most} workers on ${counted(processors, 'processor')} gain nothing`);
  if (runs < ENOUGH_RUNS) note(`use --runs ${ENOUGH_RUNS} or more for a reliable confidence interval`);
}

async function prepareInput({ input, problem, solvers, folder, note }: Comparison): Promise<BenchInput> {
  if (input !== null) return givenInput(input, folder);
  const made = await generatedInput(problem, solvers, folder);
  note(`no input was given; this one was made: ${made.made}`);
  return made;
}

async function profileAll(
  request: ProfileRequest,
  contenders: readonly Contender[],
  { note }: Comparison,
): Promise<Profile[]> {
  note('profiling one run of each setting');
  const profiles: Profile[] = [];
  for (const { setting } of contenders) if (setting !== null) profiles.push(await profile(request, setting));
  if (profiles[0].cases > 0) return profiles;
  throw new BoardmillError('usage', 'the input has no cases: there is nothing to measure');
}

async function raceAll(
  { folder, runs, warmup, stop, onRun }: Comparison,
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
  profiles: readonly Profile[],
  { note }: Comparison,
): void {
  const own = summaries.filter(({ contender }) => contender.setting !== null);
  const run = Math.min(...own.map(({ median }) => median));
  const solving = Math.min(...profiles.map(({ stages }) => stages.parse + stages.solve + stages.print));
  const message = describeShortRun(run, solving);
  if (message !== null) note(message);
}

/** What speaks against trusting the numbers. */
function noteDoubts(summaries: readonly Summary[], { note, complain }: Comparison): void {
  for (const { contender, outliers, times, difference } of summaries) {
    const { label } = contender;
    if (difference !== null) complain(`${label} answers differently, ${formatDifference(difference)}`);
    if (outliers.length === 0) continue;
    const far = `${outliers.length} of ${counted(times.length, 'run')} took much more or less time than the others`;
    note(`${label}: ${far} (${outliers.map(formatSeconds).join(', ')}); was the machine quiet?`);
  }
}

/** Only for who wants to see it: alone, a case takes a kernel longer than among others. */
async function timeCases(
  request: ProfileRequest,
  { setting }: Profile,
  { timed, note }: Comparison,
): Promise<Report['caseTimes']> {
  if (timed === 'none') return null;
  note('timing cases one by one');
  return timeEachCase(request, setting.solver, timed === 'all');
}
