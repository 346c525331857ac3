/** Runs all contenders in turn, over and over, and compares what they answer. */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stats } from '../engine/tally.js';
import { digestAnswers, firstDifference, type TokenDifference } from './answers.js';
import type { Contender } from './contender.js';
import { type Measurement, measure } from './measure.js';
import { mean, median, outliers, type Ratio, speedRatio, spread, standardDeviation } from './statistics.js';

export interface RaceOptions {
  readonly contenders: readonly Contender[];
  readonly input: string;
  /** For answers; nothing else may lie there. */
  readonly folder: string;
  readonly statsFile: string;
  readonly runs: number;
  /** Rounds before those that count: caches and clocks settle. */
  readonly warmup: number;
  readonly stop: AbortSignal;
  /** Told after each run, with all that have been made so far. */
  readonly onRun: (runs: readonly ContenderRuns[], last: { lane: ContenderRuns; round: number }) => void;
}

/** A contender and the runs that count. */
export interface ContenderRuns {
  readonly contender: Contender;
  readonly runs: Measurement[];
  /** Null before its first run: which answers it gives. */
  digest: string | null;
  /** From the first contender's answers; null: none. */
  difference: TokenDifference | null;
}

/**
 * The order turns round after every round (A B, B A, ...), so that a machine which grows slower or faster does
 * so for all alike.
 */
export async function race(plan: RaceOptions): Promise<readonly ContenderRuns[]> {
  const lanes = plan.contenders.map(
    (contender): ContenderRuns => ({ contender, runs: [], digest: null, difference: null }),
  );
  for (let round = -plan.warmup; round < plan.runs; round++) {
    const order = (round + plan.warmup) % 2 === 0 ? lanes : [...lanes].reverse();
    for (const lane of order) {
      const measurement = await runOnce(lane.contender, plan);
      await compareAnswers(lane, lanes[0], plan.folder);
      if (round >= 0) lane.runs.push(measurement);
      plan.onRun(lanes, { lane, round });
    }
  }
  return lanes;
}

async function runOnce(
  { argv, setting }: Contender,
  { input, folder, statsFile, stop }: RaceOptions,
): Promise<Measurement> {
  const output = join(folder, 'answers');
  const measurement = await measure(argv, { input: setting === null ? input : null, output }, stop);
  if (setting === null) return measurement;
  const stats = JSON.parse(await readFile(statsFile, 'utf8')) as Stats;
  const peakBytes = Math.max(measurement.peakBytes ?? 0, stats.peakRssBytes);
  return { ...measurement, peakBytes };
}

/** The first contender's first answers are kept; all others, in all rounds, are held against them. */
async function compareAnswers(lane: ContenderRuns, first: ContenderRuns, folder: string): Promise<void> {
  const answers = join(folder, 'answers');
  const reference = join(folder, 'reference');
  const digest = await digestAnswers(answers);
  if (lane === first && lane.digest === null) await rename(answers, reference);
  else if (digest !== first.digest) lane.difference ??= await firstDifference(reference, answers);
  lane.digest ??= digest;
}

/** What the runs of one contender come to. Times in seconds. */
export interface Summary {
  readonly contender: Contender;
  readonly times: readonly number[];
  readonly median: number;
  readonly mean: number;
  readonly stddev: number;
  readonly min: number;
  readonly max: number;
  /** Of the inner half of the runs, as a standard deviation. */
  readonly spread: number;
  readonly outliers: readonly number[];
  readonly user: number | null;
  readonly system: number | null;
  /** Processors in use, on average. */
  readonly processors: number | null;
  readonly peakBytes: number | null;
  readonly casesPerSecond: number;
  readonly bytesPerSecond: number;
  /** To the first contender. */
  readonly speed: Ratio;
  readonly difference: TokenDifference | null;
}

/** Of the rounds that all contenders have finished; null before the first. */
export function summarize(
  lanes: readonly ContenderRuns[],
  cases: number,
  inputBytes: number,
): readonly Summary[] | null {
  const rounds = Math.min(...lanes.map(({ runs }) => runs.length));
  if (rounds === 0) return null;
  const first = lanes[0].runs.slice(0, rounds).map(({ seconds }) => seconds);
  return lanes.map(({ contender, runs, difference }): Summary => {
    const counted = runs.slice(0, rounds);
    const times = counted.map(({ seconds }) => seconds);
    const typical = median(times);
    const user = averageOf(counted.map(({ userSeconds }) => userSeconds));
    const system = averageOf(counted.map(({ systemSeconds }) => systemSeconds));
    return {
      contender,
      times,
      median: typical,
      mean: mean(times),
      stddev: standardDeviation(times),
      min: Math.min(...times),
      max: Math.max(...times),
      spread: spread(times),
      outliers: outliers(times),
      user,
      system,
      processors: user === null || system === null ? null : (user + system) / mean(times),
      peakBytes: largestOf(counted.map(({ peakBytes }) => peakBytes)),
      casesPerSecond: cases / typical,
      bytesPerSecond: inputBytes / typical,
      speed: speedRatio(first, times),
      difference,
    };
  });
}

function averageOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}

function largestOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
