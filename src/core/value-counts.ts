/**
 * The distribution of many numbers in bounded memory. Up to MAX_VALUES different numbers are counted exactly. If there are
 * more, the numbers are counted in buckets: 1 to 9, 10 to 99, 100 to 999, and so on.
 *
 * The result does not depend on the order of the numbers, nor on how they were divided among several distributions that
 * were added later.
 */

/** Number of different values above which only buckets are kept. A share in thousandths has fewer values. */
const MAX_VALUES = 1024;

/** A range of values, both ends included, and how many numbers are in it. */
interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A distribution as plain data, to be sent to another thread. */
export interface PlainValueCounts {
  readonly count: number;
  readonly sum: number;
  /** The smallest number; null if the distribution has no numbers. */
  readonly min: number | null;
  readonly max: number | null;
  readonly isExact: boolean;
  /** Pairs of a value and its count, or of a bucket's key and its count. */
  readonly entries: readonly (readonly [number, number])[];
}

export class ValueCounts {
  #count = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #isExact = true;
  /** The count of each value, or of each bucket by its key. */
  #counts = new Map<number, number>();

  get count(): number {
    return this.#count;
  }

  get min(): number | null {
    return this.#min <= this.#max ? this.#min : null;
  }

  get max(): number | null {
    return this.#min <= this.#max ? this.#max : null;
  }

  /** The mean, rounded to nine digits, so that it does not depend on the order of the numbers. Null without numbers. */
  get mean(): number | null {
    return this.#count === 0 ? null : Number((this.#sum / this.#count).toPrecision(9));
  }

  /** The number of different values; null if there are too many to count. */
  get different(): number | null {
    return this.#isExact ? this.#counts.size : null;
  }

  /**
   * Adds a number `times` times. A number that is not finite is left out. The bars count it as `rounded`, if that is given; the
   * range and the mean do not.
   */
  add(value: number, times = 1, rounded = value): void {
    if (!Number.isFinite(value)) return;
    this.#count += times;
    this.#sum += value * times;
    this.widen(value, value);
    this.#increment(this.#isExact ? rounded : bucketOf(rounded), times);
  }

  /** Extends the range from the smallest to the largest number, without counting a number. */
  widen(low: number, high: number): void {
    if (low < this.#min) this.#min = low;
    if (high > this.#max) this.#max = high;
  }

  addAll({ count, sum, min, max, isExact, entries }: PlainValueCounts): void {
    this.#count += count;
    this.#sum += sum;
    if (min !== null && max !== null) this.widen(min, max);
    if (!isExact) this.#useBuckets();
    for (const [key, times] of entries)
      this.#increment(isExact && !this.#isExact ? bucketOf(key) : key, times);
  }

  toPlain(): PlainValueCounts {
    const { min, max } = this;
    const [count, sum, isExact] = [this.#count, this.#sum, this.#isExact];
    return { count, sum, min, max, isExact, entries: [...this.#counts] };
  }

  /** Returns the distribution as at most about `maxBars` bars, from the smallest value to the largest. */
  bars(maxBars: number): Bar[] {
    if (!this.#isExact) return this.#barsOfBuckets(this.#counts);
    if (this.#counts.size <= maxBars) return barsOf(this.#counts, (value) => ({ from: value, to: value }));
    const leastWidth = (this.#max - this.#min) / (maxBars - 1);
    if (leastWidth < MIN_WIDTH || leastWidth > MAX_WIDTH) return this.#barsOfBuckets(bucketsOf(this.#counts));
    return this.#barsOfWidth(niceWidth(leastWidth));
  }

  #barsOfBuckets(buckets: ReadonlyMap<number, number>): Bar[] {
    return barsOf(buckets, (key) => rangeOfBucket(key, this.#min, this.#max));
  }

  /** Joins exact counts to bars of the same width. Bars of whole numbers end before the next bar begins. */
  #barsOfWidth(width: number): Bar[] {
    const gap = [...this.#counts.keys()].every(Number.isInteger) && width >= 1 ? 1 : 0;
    const joined = new Map<number, number>();
    for (const [value, count] of this.#counts) {
      const index = Math.floor(value / width);
      joined.set(index, (joined.get(index) ?? 0) + count);
    }
    return barsOf(joined, (index) => ({
      from: this.#clamp(roundOff(index * width)),
      to: this.#clamp(roundOff((index + 1) * width - gap)),
    }));
  }

  /** Returns the number from the smallest to the largest value that is nearest to `value`. */
  #clamp(value: number): number {
    return Math.min(Math.max(value, this.#min), this.#max);
  }

  #increment(key: number, times: number): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + times);
    if (this.#isExact && this.#counts.size > MAX_VALUES) this.#useBuckets();
  }

  /** Replaces the counts of values by the counts of their buckets. */
  #useBuckets(): void {
    if (!this.#isExact) return;
    this.#isExact = false;
    this.#counts = bucketsOf(this.#counts);
  }
}

/** Returns the counts of the buckets, by their keys, from the counts of single values. */
function bucketsOf(counts: ReadonlyMap<number, number>): Map<number, number> {
  const buckets = new Map<number, number>();
  for (const [value, count] of counts) {
    const key = bucketOf(value);
    buckets.set(key, (buckets.get(key) ?? 0) + count);
  }
  return buckets;
}

function barsOf(
  counts: ReadonlyMap<number, number>,
  rangeOf: (key: number) => { readonly from: number; readonly to: number },
): Bar[] {
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([key, count]) => ({ ...rangeOf(key), count }));
}

/** Widths of bars beyond which a calculation would overflow, or round to 0. */
const MIN_WIDTH = 1e-300;
const MAX_WIDTH = 1e300;

/** The exponent of the bucket of the smallest numbers, which goes down to 0: smaller powers of ten are not exact. */
const MIN_EXPONENT = -308;

/** Added to the power of ten of a bucket, so that the keys of the buckets of positive numbers are positive. */
const EXPONENT_OFFSET = 400;

/** Returns the key of the bucket of a value: 0 for 0, and otherwise a number that grows with the value. */
function bucketOf(value: number): number {
  if (value === 0) return 0;
  return Math.sign(value) * (exponentOf(Math.abs(value)) + EXPONENT_OFFSET);
}

/** Returns the largest power of ten that is at most the value, as its exponent, which is at least MIN_EXPONENT. */
function exponentOf(value: number): number {
  if (value < 10 ** (MIN_EXPONENT + 1)) return MIN_EXPONENT;
  const estimate = Math.floor(Math.log10(value));
  if (10 ** estimate > value) return estimate - 1;
  return 10 ** (estimate + 1) <= value ? estimate + 1 : estimate;
}

/** Returns the range of a bucket, as far as there are values: from 10^k to the last whole number below 10^(k+1). */
function rangeOfBucket(key: number, min: number, max: number): { from: number; to: number } {
  if (key === 0) return { from: 0, to: 0 };
  const exponent = Math.abs(key) - EXPONENT_OFFSET;
  const near = exponent === MIN_EXPONENT ? 0 : 10 ** exponent;
  const far = exponent >= 0 && exponent < 15 ? near * 10 - 1 : 10 ** (exponent + 1);
  const [from, to] = key > 0 ? [near, far] : [-far, -near];
  return { from: Math.max(from, min), to: Math.min(to, max) };
}

const NICE_FACTORS = [1, 2, 5, 10];

/** Returns the smallest of the numbers 1, 2, 5, 10, 20, 50, ... (and 0.5, 0.2, ...) that is at least `width`. */
function niceWidth(width: number): number {
  const power = 10 ** exponentOf(width);
  return power * NICE_FACTORS.find((factor) => power * factor >= width)!;
}

/** Removes the rounding error of a product such as 3 * 0.1. */
function roundOff(value: number): number {
  return Number(value.toPrecision(12));
}
