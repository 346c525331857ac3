/** Runs all commands in turn, round after round, and compares their answers. */
import { statSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { GracefulStop } from '../../core/stop.js';
import type { Stats } from '../../engine/tally.js';
import type { InputFormat } from '../../formats/input-format.js';
import { digestAnswers, type OutputTokenDifference } from './answers.js';
import type { CaseDifference } from './case-answers.js';
import { measureProgram, type ProgramMeasurement } from './measure.js';
import { measureCaseByCase } from './measure-cases.js';
import type { MeasuredCommand } from './measured-command.js';
import {
  mean,
  median,
  outliers,
  robustDeviation,
  type SpeedRatio,
  speedRatio,
  standardDeviation,
} from './statistics.js';

export interface RaceOptions extends GracefulStop {
  readonly measuredCommands: readonly MeasuredCommand[];
  /** Path of the input file. */
  readonly input: string;
  /** The format of the input if programs get one case a run; null if they can read all cases at once. */
  readonly splitFormat: InputFormat | null;
  /** Returns the number of bytes that another program may print for an input of this size. */
  readonly maxOutputBytes: (inputBytes: number) => number;
  /** A folder for answers, in which the files `answers` and `reference` are overwritten. */
  readonly folder: string;
  /** The file to which runs of boardmill write their statistics. */
  readonly statsFile: string;
  /** Number of measured rounds. */
  readonly runs: number;
  /** Number of warm-up rounds before the measured rounds. They fill caches and let processor clocks settle. */
  readonly warmup: number;
  /** Finds the first difference between the reference answers and others, by their files. Null if all answers agree. */
  readonly findDifference: (reference: string, answers: string) => Promise<OutputDifference | null>;
  /** Called after each run of a command, with the measured runs of all commands so far. */
  readonly onRun: (allRuns: readonly CommandRuns[], last: LastRun) => void;
}

/** How the output of a command differs from the reference: at a token, or at a case if a comparator compares answers. */
export type OutputDifference = OutputTokenDifference | CaseDifference;

/** The command that has just run, and the round of that run. */
interface LastRun {
  readonly commandRuns: CommandRuns;
  /** Number of the round. Measured rounds are counted from 0; rounds of the warm-up have negative numbers. */
  readonly round: number;
}

/** A command with its measured runs and its answers. */
export interface CommandRuns {
  readonly measuredCommand: MeasuredCommand;
  /** One measurement for each measured round so far. */
  readonly runs: ProgramMeasurement[];
  /** Digest of the answers of the command's first run. Null before the first run. */
  digest: string | null;
  /** Digests of answers that agree with those of the first command. */
  readonly agreeingDigests: Set<string>;
  /** The first difference from the answers of the first command. Null if all answers agree. */
  difference: OutputDifference | null;
}

/**
 * Runs every command once per round. Each round reverses the order of the round before (A B, B A, ...), so a machine
 * that becomes slower or faster during the comparison affects all commands equally.
 */
export async function raceCommands(options: RaceOptions): Promise<readonly CommandRuns[]> {
  const allRuns = options.measuredCommands.map(
    (measuredCommand): CommandRuns => ({
      measuredCommand,
      runs: [],
      digest: null,
      agreeingDigests: new Set(),
      difference: null,
    }),
  );
  for (let round = -options.warmup; round < options.runs; round++) {
    const order = (round + options.warmup) % 2 === 0 ? allRuns : [...allRuns].reverse();
    for (const commandRuns of order) {
      const measurement = await runOnce(commandRuns.measuredCommand, options);
      await compareAnswers(commandRuns, allRuns[0], options);
      if (round >= 0) commandRuns.runs.push(measurement);
      options.onRun(allRuns, { commandRuns, round });
    }
  }
  return allRuns;
}

async function runOnce(
  { argv, setting }: MeasuredCommand,
  { input, splitFormat, folder, statsFile, maxOutputBytes, stop, giveUp }: RaceOptions,
): Promise<ProgramMeasurement> {
  const output = join(folder, 'answers');
  if (setting === null && splitFormat !== null)
    return measureCaseByCase(
      argv,
      { inputFormat: splitFormat, input, output, folder, maxOutputBytes },
      { stop, giveUp },
    );
  const streams =
    setting === null
      ? { input, output, maxOutputBytes: maxOutputBytes(statSync(input).size) }
      : { input: null, output, maxOutputBytes: null };
  const measurement = await measureProgram(argv, streams, { stop, giveUp });
  if (setting === null) return measurement;
  const stats = JSON.parse(await readFile(statsFile, 'utf8')) as Stats;
  const peakBytes = Math.max(measurement.peakBytes ?? 0, stats.peakRssBytes);
  return { ...measurement, peakBytes };
}

/**
 * Compares the answers of the latest run with the reference answers. The reference answers are those of the first run of
 * the first command.
 */
async function compareAnswers(
  commandRuns: CommandRuns,
  firstCommand: CommandRuns,
  { folder, findDifference }: RaceOptions,
): Promise<void> {
  const answers = join(folder, 'answers');
  const reference = join(folder, 'reference');
  const digest = await digestAnswers(answers);
  const { agreeingDigests } = commandRuns;
  if (commandRuns === firstCommand && commandRuns.digest === null) await rename(answers, reference);
  else if (digest !== firstCommand.digest && !agreeingDigests.has(digest)) {
    commandRuns.difference ??= await findDifference(reference, answers);
    if (commandRuns.difference === null) agreeingDigests.add(digest);
  }
  commandRuns.digest ??= digest;
}

/** Statistics of one command's measured runs. All times are in seconds. The JSON of a report has the numbers in this order. */
export interface CommandSummary {
  readonly measuredCommand: MeasuredCommand;
  readonly mean: number;
  readonly stddev: number;
  readonly median: number;
  /** Average processor time of a run in user mode. Null if the system does not report it. */
  readonly user: number | null;
  /** Average processor time of a run in the operating system's kernel. Null if the system does not report it. */
  readonly system: number | null;
  readonly min: number;
  readonly max: number;
  /** The time of each measured run, in the order of the rounds. */
  readonly times: readonly number[];
  /** Largest resident memory of all runs. Null if the system does not report it. */
  readonly peakBytes: number | null;
  /** Number of processes of the program that solve the input together, in each of its runs. */
  readonly processes: number;
  /** Average number of processors that a run used. Null if the system does not report processor times. */
  readonly processors: number | null;
  /** An estimate of the standard deviation that outliers do not distort. */
  readonly spread: number;
  /** The times that are unusually far from the median. */
  readonly outliers: readonly number[];
  readonly casesPerSecond: number;
  readonly bytesPerSecond: number;
  /** How many times faster this command is than the first command. */
  readonly speed: SpeedRatio;
  /** The first difference from the answers of the first command. Null if all answers agree. */
  readonly difference: OutputDifference | null;
}

/** Summarizes the rounds that all commands have finished. Returns null before the end of the first round. */
export function summarizeRuns(
  allRuns: readonly CommandRuns[],
  cases: number,
  inputBytes: number,
): readonly CommandSummary[] | null {
  const rounds = Math.min(...allRuns.map(({ runs }) => runs.length));
  if (rounds === 0) return null;
  const firstTimes = allRuns[0].runs.slice(0, rounds).map(({ seconds }) => seconds);
  return allRuns.map(({ measuredCommand, runs, difference }): CommandSummary => {
    const finished = runs.slice(0, rounds);
    const times = finished.map(({ seconds }) => seconds);
    const medianTime = median(times);
    const user = meanOfKnown(finished.map(({ userSeconds }) => userSeconds));
    const system = meanOfKnown(finished.map(({ systemSeconds }) => systemSeconds));
    return {
      measuredCommand,
      mean: mean(times),
      stddev: standardDeviation(times),
      median: medianTime,
      user,
      system,
      min: Math.min(...times),
      max: Math.max(...times),
      times,
      processes: finished[0].processes,
      peakBytes: largestKnown(finished.map(({ peakBytes }) => peakBytes)),
      processors: user === null || system === null ? null : (user + system) / mean(times),
      spread: robustDeviation(times),
      outliers: outliers(times),
      casesPerSecond: cases / medianTime,
      bytesPerSecond: inputBytes / medianTime,
      speed: speedRatio(firstTimes, times),
      difference,
    };
  });
}

/** Returns the mean of the values that are not null. Returns null if all values are null. */
function meanOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

/** Returns the largest of the values that are not null. Returns null if all values are null. */
function largestKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
