/**
 * Statistics of a few noisy measurements. Most functions are based on medians, because a single disturbed run moves a
 * median much less than a mean.
 */

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Returns the standard deviation of a sample (divisor n - 1), and 0 for a single value. */
export function standardDeviation(values: readonly number[]): number {
  const center = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
}

export function median(values: readonly number[]): number {
  const sorted = sortedCopy(values);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** For a normal distribution, the standard deviation is this many times the median absolute deviation (MAD). */
const MAD_TO_STANDARD_DEVIATION = 1.4826;

/**
 * Estimates the standard deviation from the median absolute deviation. Up to half of the values can be outliers
 * without distorting the estimate.
 */
export function robustDeviation(values: readonly number[]): number {
  const center = median(values);
  return MAD_TO_STANDARD_DEVIATION * median(values.map((value) => Math.abs(value - center)));
}

/** A value is an outlier if its distance from the median is more than this many spreads. */
const OUTLIER_DISTANCE_IN_SPREADS = 5;

/**
 * Smallest spread that is used to find outliers, as a share of the median. Smaller differences between runs are noise of
 * the clock and of the system.
 */
const MIN_SPREAD_OF_MEDIAN = 0.01;

/** Returns the values that are unusually far from the median, in their original order. */
export function outliers(values: readonly number[]): number[] {
  const center = median(values);
  const maxDistance =
    OUTLIER_DISTANCE_IN_SPREADS * Math.max(robustDeviation(values), MIN_SPREAD_OF_MEDIAN * center);
  return values.filter((value) => Math.abs(value - center) > maxDistance);
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

const CONFIDENCE = 0.95;

/**
 * Returns a 95 % confidence interval of the true median. The interval lies between two of the sorted values and is
 * valid for any distribution (W. R. Thompson, "On confidence ranges for the median", 1936). With fewer than six values,
 * even the range of all values has a lower confidence than 95 %. The function then returns the range of all values.
 */
export function medianInterval(values: readonly number[]): Interval {
  const sorted = sortedCopy(values);
  const count = sorted.length;
  let skipped = 0;
  // `tail` is the probability that at most `skipped` values are less than the true median.
  let binomial = 0.5 ** count;
  let tail = binomial;
  while (skipped < count >> 1) {
    binomial = (binomial * (count - skipped)) / (skipped + 1);
    if (2 * (tail + binomial) > 1 - CONFIDENCE) break;
    tail += binomial;
    skipped++;
  }
  return { low: sorted[skipped], high: sorted[count - 1 - skipped] };
}

/** A ratio of two speeds, with its 95 % confidence interval. */
export interface SpeedRatio extends Interval {
  readonly ratio: number;
}

/**
 * Computes how many times faster `other` is than `base`, from the seconds that both programs took in each round. The two
 * programs took turns, so a disturbance of the machine affects both times of a round. The function computes the ratio of
 * the two times of each round, and returns the median of these ratios.
 */
export function speedRatio(base: readonly number[], other: readonly number[]): SpeedRatio {
  const ratios = base.map((seconds, round) => seconds / other[round]);
  return { ratio: median(ratios), ...medianInterval(ratios) };
}

/** Fits y = c * x^e to the points by least squares of the logarithms, and returns the exponent e. */
export function growthExponent(points: readonly { readonly x: number; readonly y: number }[]): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const meanX = mean(logs.map((point) => point.x));
  const meanY = mean(logs.map((point) => point.y));
  const covariance = logs.reduce((sum, point) => sum + (point.x - meanX) * (point.y - meanY), 0);
  return covariance / logs.reduce((sum, point) => sum + (point.x - meanX) ** 2, 0);
}

function sortedCopy(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
