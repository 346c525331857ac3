/** Derives the time limit of a package from its submissions, by the rules of the package formats. */
import { BoardmillError } from '../../../core/errors.js';
import type { Expectation } from './read/expectations.js';
import type { PackageSettings } from './read/settings.js';

export interface TimeLimit {
  readonly seconds: number;
  /** The source of the time limit: a file, an option, or the submission from which the limit is derived. */
  readonly origin: string;
}

/** How long a submission took on a test. */
interface TestTime {
  readonly submission: string;
  readonly testName: string;
  readonly seconds: number;
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
export function isLowerBound({ rules }: Expectation, testName: string): boolean {
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
  const slowest = times.reduce((one, other) => (other.seconds > one.seconds ? other : one));
  const steps = Math.max(1, Math.ceil((slowest.seconds * acToTimeLimit) / timeResolution));
  // A product such as 3 * 0.1 is 0.30000000000000004, which no user wants to read.
  const seconds = Number((steps * timeResolution).toPrecision(12));
  return { seconds, origin: `${acToTimeLimit} x the time of ${slowest.submission}` };
}
