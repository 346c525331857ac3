/** The steps of `boardmill bench`, from preparing the input to the report. */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { BoardmillError, pluralize } from '../../core/errors.js';
import { formatQuantity } from '../../core/format-count.js';
import type { GracefulStop } from '../../core/stop.js';
import type { ComparisonCancellation, OpenedComparator } from '../../engine/comparators.js';
import { maxOutputBytes } from '../../engine/exec/program-cases.js';
import type { Problem, SolverChoice } from '../../problems/problem.js';
import { findFirstTokenDifference } from './answers.js';
import {
  type BreakdownRequest,
  measureCoordinator,
  measureTimeBreakdown,
  type TimeBreakdown,
} from './breakdown.js';
import { findDifferentCase } from './case-answers.js';
import { type BenchInput, prepareGeneratedInput, prepareGivenInput } from './input.js';
import { boardmillCommands, type MeasuredCommand, type NamedSolvingProgram } from './measured-command.js';
import { formatOutputDifference, formatSeconds } from './numbers.js';
import {
  type CommandRuns,
  type CommandSummary,
  type RaceOptions,
  raceCommands,
  summarizeRuns,
} from './race.js';
import { type BenchReport, currentMachine } from './report.js';
import { buildSlowestInput, timeEachCase } from './slowest.js';

/** Smallest number of runs with which the confidence interval of a median reaches 95 %. */
export const RUNS_FOR_CONFIDENCE_INTERVAL = 6;

export interface BenchRequest extends GracefulStop {
  readonly problem: Problem;
  /** Path of the input, or `-` for standard input. If null, bench generates an input. */
  readonly input: string | null;
  /** Numbers of workers to compare. */
  readonly jobs: readonly number[];
  readonly solvers: readonly SolverChoice[];
  /** The program of `--exec`, which solves in place of boardmill's solver; null if the solver does. */
  readonly program: NamedSolvingProgram | null;
  /** Programs to compare with boardmill. */
  readonly otherPrograms: readonly MeasuredCommand[];
  /** Opens what decides whether answers agree; null if they agree when their tokens are equal. */
  readonly openComparator: ((limits: ComparisonCancellation) => Promise<OpenedComparator>) | null;
  /** Number of measured runs of each command. */
  readonly runs: number;
  /** Number of runs of each command before the measured ones. */
  readonly warmup: number;
  /** Which cases are solved and timed one by one. With `some`, bench times as many cases as it can in a few seconds. */
  readonly casesToTime: 'none' | 'some' | 'all';
  /** An empty folder for temporary files. */
  readonly folder: string;
  /** The version of boardmill. */
  readonly version: string;
  /** Prints what bench is doing, or why its results may be unreliable. */
  readonly printNote: (message: string) => void;
  /** Prints a message about wrong answers. */
  readonly printError: (message: string) => void;
  /** Called after each run of a command. */
  readonly onRun: (progress: RaceProgress) => void;
}

/** The state of a comparison after a run of one command. */
export interface RaceProgress {
  /** A summary for each command. Null until each command has finished its first measured run. */
  readonly summaries: readonly CommandSummary[] | null;
  /** The command that has just run. */
  readonly lastCommand: CommandRuns;
  /** Number of the round. Measured rounds are counted from 0; rounds of the warm-up have negative numbers. */
  readonly round: number;
  /** True after the last measured run of the last command. */
  readonly isOver: boolean;
}

interface BenchResult {
  readonly report: BenchReport;
  /** The bytes of an input with the slowest cases. Null if bench did not time all cases. */
  readonly slowest: Uint8Array | null;
}

export async function runBench(request: BenchRequest): Promise<BenchResult> {
  const { problem, solvers, jobs, program, folder, stop, giveUp, runs } = request;
  noteUnreliableConditions(request);
  const input = await prepareInput(request);
  const statsFile = join(folder, 'stats.json');
  const ownCommands = boardmillCommands(problem, input.path, statsFile, solvers, jobs, program);
  const breakdownRequest = { problem, program, input: input.path, folder, stop, giveUp };
  // The breakdowns are measured before the race, so a fault in the input is reported in the same way as by `solve`.
  const breakdowns = await measureBreakdowns(breakdownRequest, ownCommands, request);
  const { cases } = breakdowns[0];
  const coordinator = await measureCoordinator(breakdownRequest, breakdowns[0]);
  const measuredCommands = [...ownCommands, ...request.otherPrograms];
  const findDifference = differenceFinder(request, breakdownRequest, breakdowns[0]);
  const summaries = await raceAll(request, measuredCommands, input, { cases, statsFile, findDifference });
  noteShortRuns(summaries, breakdowns, request);
  noteOutliersAndWrongAnswers(summaries, request);
  const caseTimes = await timeCases(breakdownRequest, breakdowns[0], request);
  const report: BenchReport = {
    problem: problem.name,
    version: request.version,
    date: new Date().toISOString(),
    machine: currentMachine(),
    input: { ...input, cases },
    runs,
    summaries,
    breakdowns,
    coordinator,
    caseTimes,
  };
  if (request.casesToTime !== 'all' || caseTimes === null) return { report, slowest: null };
  return { report, slowest: await buildSlowestInput(input.path, problem.inputFormat, caseTimes.slowest) };
}

/** If the load average per processor is larger than this number, bench notes that the machine is busy. */
const BUSY_LOAD_PER_PROCESSOR = 0.5;

function noteUnreliableConditions({ jobs, runs, printNote }: BenchRequest): void {
  const processors = availableParallelism();
  const [load] = loadavg();
  if (load > BUSY_LOAD_PER_PROCESSOR * processors) {
    const details = `load average ${load.toFixed(1)} with ${pluralize(processors, 'processor')}`;
    printNote(`this machine is busy (${details}): the times will be unreliable`);
  }
  const maxJobs = Math.max(...jobs);
  if (maxJobs > processors) {
    const limit = pluralize(processors, 'processor');
    printNote(`this machine has ${limit}: ${maxJobs} workers cannot be faster than ${processors}`);
  }
  if (runs < RUNS_FOR_CONFIDENCE_INTERVAL)
    printNote(`use --runs ${RUNS_FOR_CONFIDENCE_INTERVAL} or more for a reliable confidence interval`);
}

async function prepareInput({
  input,
  problem,
  solvers,
  program,
  folder,
  printNote,
}: BenchRequest): Promise<BenchInput> {
  if (input !== null) return prepareGivenInput(input, folder);
  const generated = await prepareGeneratedInput(problem, solvers, program, folder);
  printNote(`no input was given, so bench generated one: ${generated.generatedBy}`);
  return generated;
}

async function measureBreakdowns(
  request: BreakdownRequest,
  measuredCommands: readonly MeasuredCommand[],
  { printNote }: BenchRequest,
): Promise<TimeBreakdown[]> {
  printNote('measuring where the time goes: one run of boardmill with each setting');
  const breakdowns: TimeBreakdown[] = [];
  for (const { setting } of measuredCommands)
    if (setting !== null) breakdowns.push(await measureTimeBreakdown(request, setting));
  if (breakdowns[0].cases > 0) return breakdowns;
  throw new BoardmillError('usage', 'the input has no cases: there is nothing to measure');
}

/** Returns how the race compares the answers of a command with those of the first one. */
function differenceFinder(
  { openComparator }: BenchRequest,
  request: BreakdownRequest,
  { setting }: TimeBreakdown,
): RaceOptions['findDifference'] {
  if (openComparator === null) return findFirstTokenDifference;
  const { stop, giveUp } = request;
  return async (_reference, answers) =>
    findDifferentCase(answers, request, setting, await openComparator({ stop, giveUp }));
}

async function raceAll(
  { problem, otherPrograms, folder, runs, warmup, stop, giveUp, onRun, printNote }: BenchRequest,
  measuredCommands: readonly MeasuredCommand[],
  input: BenchInput,
  { cases, statsFile, findDifference }: Pick<RaceOptions, 'statsFile' | 'findDifference'> & { cases: number },
): Promise<readonly CommandSummary[]> {
  const isSplit = otherPrograms.length > 0 && problem.casesPerRun === 1 && cases > 1;
  if (isSplit)
    printNote(
      `a file of the contest has one case, so a program of --vs is started once for each of the ${formatQuantity(cases, 'case')}`,
    );
  const allRuns = await raceCommands({
    measuredCommands,
    input: input.path,
    splitFormat: isSplit ? problem.inputFormat : null,
    maxOutputBytes: (inputBytes) => maxOutputBytes(problem, inputBytes),
    folder,
    statsFile,
    runs,
    warmup,
    stop,
    giveUp,
    findDifference,
    onRun(runsSoFar, { commandRuns, round }) {
      const isOver = runsSoFar.every((each) => each.runs.length === runs);
      const summaries = summarizeRuns(runsSoFar, cases, input.bytes);
      onRun({ summaries, lastCommand: commandRuns, round, isOver });
    },
  });
  return summarizeRuns(allRuns, cases, input.bytes) as readonly CommandSummary[];
}

/** If the workers solve an input in less time than this, a run mainly measures the start-up of boardmill. */
const SHORT_SOLVING_SECONDS = 0.05;
/** If a run takes less time than this, the start-up of boardmill is a large part of the run. */
const SHORT_RUN_SECONDS = 0.5;

/**
 * Describes why the shortest run is too short to measure how fast cases are solved. Returns null if the run is long
 * enough.
 * `solvingSeconds` is the time that the workers need for parsing, solving and printing.
 */
export function describeShortRun(runSeconds: number, solvingSeconds: number): string | null {
  const isShort = runSeconds < SHORT_RUN_SECONDS;
  const isStartUp = solvingSeconds < SHORT_SOLVING_SECONDS;
  if (!isShort && !isStartUp) return null;
  const what = isStartUp
    ? 'these runs measure start-up, not solving'
    : 'start-up is a large part of each run';
  const times = `a run takes ${formatSeconds(runSeconds)}, solving takes ${formatSeconds(solvingSeconds)}`;
  return `${what} (${times}): use a larger input`;
}

function noteShortRuns(
  summaries: readonly CommandSummary[],
  breakdowns: readonly TimeBreakdown[],
  { printNote }: BenchRequest,
): void {
  const ownSummaries = summaries.filter(({ measuredCommand }) => measuredCommand.setting !== null);
  const runSeconds = Math.min(...ownSummaries.map(({ median }) => median));
  const solvingSeconds = Math.min(
    ...breakdowns.map(({ stages }) => stages.parse + stages.solve + stages.print),
  );
  const message = describeShortRun(runSeconds, solvingSeconds);
  if (message !== null) printNote(message);
}

/** Prints notes about unusually quick or slow runs, and messages about wrong answers. */
function noteOutliersAndWrongAnswers(
  summaries: readonly CommandSummary[],
  { printNote, printError }: BenchRequest,
): void {
  for (const { measuredCommand, outliers, times, difference } of summaries) {
    const { label } = measuredCommand;
    if (difference !== null) {
      const reference = summaries[0].measuredCommand.label;
      printError(`${label} answers differently from ${reference} at ${formatOutputDifference(difference)}`);
    }
    if (outliers.length === 0) continue;
    const count = `${outliers.length} of ${pluralize(times.length, 'run')}`;
    const seconds = outliers.map(formatSeconds).join(', ');
    printNote(
      `${label}: ${count} took much more or less time than the others (${seconds}): was the machine busy?`,
    );
  }
}

/**
 * Times cases one by one, if a report needs the times of single cases. bench does not compute speeds from these times,
 * because a kernel is slower if it gets one board at a time.
 */
async function timeCases(
  request: BreakdownRequest,
  { setting }: TimeBreakdown,
  { casesToTime, printNote }: BenchRequest,
): Promise<BenchReport['caseTimes']> {
  if (casesToTime === 'none') return null;
  printNote('timing cases one by one, and then the slowest ones again, alone');
  return timeEachCase(request, setting.solver, casesToTime === 'all');
}
