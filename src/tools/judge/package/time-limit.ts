/**
 * The time limit of a package: whether a run exceeds it, and how it follows from the submissions if the package states none.
 *
 * A time limit limits processor time, as the format 2025-09 says and problemtools does with all formats. So the limit does not
 * depend on what else the machine does. A submission that sleeps or waits uses no processor time, so there is a wall limit,
 * too.
 */
import { BoardmillError } from '../../../core/errors.js';
import type { Expectation } from './read/expectations.js';
import type { PackageSettings } from './read/settings.js';

export interface TimeLimit {
  readonly seconds: number;
  /** The source of the time limit: a file, an option, or the submission from which the limit is derived. */
  readonly origin: string;
}

/** How long a run took. */
export interface RunTimeUsage {
  /** Seconds from the start to the end of the run. */
  readonly seconds: number;
  /** Processor seconds of the run; null if the system does not report them. */
  readonly cpuSeconds: number | null;
  /** Seconds in which the program waited for a processor that other processes had. */
  readonly waitingSeconds: number;
}

/** How long a submission took on a test. */
interface TestTime extends RunTimeUsage {
  readonly submission: string;
}

/** Returns the wall limit that belongs to a time limit, both in seconds. */
export function wallTimeLimitOf(seconds: number): number {
  return 2 * seconds + 1;
}

/** Returns the seconds of a run that count: those of the processor, or if the system does not report them, all seconds. */
export function countedSecondsOf({ seconds, cpuSeconds }: RunTimeUsage): number {
  return cpuSeconds ?? seconds;
}

/** Returns the reason why a run exceeds the time limit; null if it does not. */
export function describeSlowness(times: RunTimeUsage, limitSeconds: number): string | null {
  const counted = countedSecondsOf(times);
  const limit = `time limit ${limitSeconds} s`;
  if (counted > limitSeconds) return `used ${counted.toFixed(2)} s of processor time; ${limit}`;
  const wallSeconds = times.seconds - times.waitingSeconds;
  if (wallSeconds <= wallTimeLimitOf(limitSeconds)) return null;
  return `ran for ${wallSeconds.toFixed(2)} s, of which it used ${counted.toFixed(2)} s of processor time; ${limit}, wall limit ${wallTimeLimitOf(limitSeconds)} s`;
}

/** Returns the time limit that the user or the package states; null if it must be derived. */
export function statedTimeLimit(
  { timeLimit, timeLimitSource }: PackageSettings,
  timeoutSeconds: number | null,
): TimeLimit | null {
  if (timeoutSeconds !== null) return { seconds: timeoutSeconds, origin: '--timeout' };
  return timeLimit === null ? null : { seconds: timeLimit, origin: timeLimitSource };
}

/** Whether the time of a submission on a test bounds the time limit from below. */
export function isTimeLimitLowerBound({ rules }: Expectation, testName: string): boolean {
  return rules.some(
    ({ timeBound, scope }) => timeBound === 'lower' && (scope === null || scope.test(testName)),
  );
}

/** Whether a submission bounds the time limit on any test, from below or from above. */
export function boundsTimeLimit(expectation: Expectation | null, bound: 'lower' | 'upper'): boolean {
  return expectation?.rules.some(({ timeBound }) => timeBound === bound) === true;
}

/** Derives the time limit: the least multiple of the resolution that is long enough for the slowest of these times. */
export function deriveTimeLimit(
  { acToTimeLimit, timeResolution }: PackageSettings,
  times: readonly TestTime[],
): TimeLimit {
  if (times.length === 0)
    throw new BoardmillError(
      'usage',
      'no submission that could be run gives a time limit, and the package states none; state one with --timeout',
    );
  const slowest = times.reduce((one, other) =>
    countedSecondsOf(other) > countedSecondsOf(one) ? other : one,
  );
  const steps = Math.max(1, Math.ceil((countedSecondsOf(slowest) * acToTimeLimit) / timeResolution));
  // A product such as 3 * 0.1 is 0.30000000000000004, which no user wants to read.
  const seconds = Number((steps * timeResolution).toPrecision(12));
  return { seconds, origin: `${acToTimeLimit} x the processor time of ${slowest.submission}` };
}
