/** What a handful of noisy times can tell. Medians throughout: a disturbed run moves them least. */

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of a sample; 0 for a single value. */
export function standardDeviation(values: readonly number[]): number {
  const center = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
}

export function median(values: readonly number[]): number {
  const sorted = sort(values);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Makes the median absolute deviation of a normal sample its standard deviation. */
const MAD_TO_DEVIATION = 1.4826;

/** The standard deviation that the inner half of the values speaks for, whatever the outer half does. */
export function spread(values: readonly number[]): number {
  const center = median(values);
  return MAD_TO_DEVIATION * median(values.map((value) => Math.abs(value - center)));
}

/** Spreads from the median at which a value is no chance any more. */
const OUTLIER_SPREADS = 5;
/** A spread below this part of the median is no more than the clock's and the system's own. */
const LEAST_SPREAD = 0.01;

export function outliers(values: readonly number[]): number[] {
  const center = median(values);
  const far = OUTLIER_SPREADS * Math.max(spread(values), LEAST_SPREAD * center);
  return values.filter((value) => Math.abs(value - center) > far);
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const CONFIDENCE = 0.95;

/**
 * Where the true median lies with 95 %, whatever the distribution: between two of the sorted values (W. R.
 * Thompson, "On confidence ranges for the median", 1936). Below six values not even the range is that sure.
 */
export function medianInterval(values: readonly number[]): Interval {
  const sorted = sort(values);
  const count = sorted.length;
  let skipped = 0;
  // The chance that at most `skipped` values fall on one side of the median.
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

export interface Ratio extends Interval {
  readonly ratio: number;
}

/**
 * How many times `other` is as fast as `base`. Both were measured in turn, and what disturbs a round disturbs
 * both: each round's own ratio is taken first.
 */
export function speedRatio(base: readonly number[], other: readonly number[]): Ratio {
  const ratios = base.map((seconds, round) => seconds / other[round]);
  return { ratio: median(ratios), ...medianInterval(ratios) };
}

/** Slope of the line through (log x, log y): the exponent of a power law. */
export function growthExponent(points: readonly { readonly x: number; readonly y: number }[]): number {
  const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  const x = mean(logs.map((point) => point.x));
  const y = mean(logs.map((point) => point.y));
  const rise = logs.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return rise / logs.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
}

function sort(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
