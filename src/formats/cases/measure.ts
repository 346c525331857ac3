/**
 * What `stats` measures in a case: its numbers, such as the number of rows, and which of them reach their smallest or largest
 * allowed value.
 */
import type { ExactInteger } from '../language/exact.js';

/** A number that `stats` measures. Every case has it once, or, as the elements of an array, any number of times. */
export interface MeasuredNumber {
  readonly name: string;
  /**
   * `size`: every case has this number, and it says how large the case is. `value`: every case has this number. `elements`:
   * a case may have any number of these values.
   */
  readonly role: 'size' | 'value' | 'elements';
  /** The smallest and the largest allowed value, as a text such as `1` or `n-1`; null if there is no such limit. */
  readonly min: string | null;
  readonly max: string | null;
}

/** Measures the cases of a problem one after another. */
export interface CaseMeasure<Case = unknown> {
  readonly numbers: readonly MeasuredNumber[];
  /** Measures a case. `head` is the value of the head of the input. The next call overwrites the returned measurement. */
  measure(value: Case, head: unknown): CaseMeasurement;
}

/** The numbers of one case, in the order of `CaseMeasure.numbers`. */
export class CaseMeasurement {
  /** The smallest and the largest value of each number in the case; NaN if the case does not have the number. */
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  /** 1 if the number reaches the limit in this case, else 0. */
  readonly isAtMin: Uint8Array;
  readonly isAtMax: Uint8Array;
  /** The share of the board's cells that the problem counts as dense, from 0 to 1; null if the problem has no density. */
  density: number | null = null;

  constructor(numbers: number) {
    this.lows = new Float64Array(numbers);
    this.highs = new Float64Array(numbers);
    this.isAtMin = new Uint8Array(numbers);
    this.isAtMax = new Uint8Array(numbers);
  }

  /** Forgets the last case. */
  clear(): void {
    // There are few numbers, so a loop is faster than `fill`.
    for (let index = 0; index < this.lows.length; index++) {
      this.lows[index] = Number.NaN;
      this.highs[index] = Number.NaN;
      this.isAtMin[index] = 0;
      this.isAtMax[index] = 0;
    }
  }

  /** Adds values of the number with this index, of which `low` is the smallest and `high` the largest. */
  add(index: number, low: ExactInteger, high: ExactInteger, limits: ValueLimits): void {
    // Comparisons with NaN are false, so the first values always replace NaN.
    if (!(this.lows[index] <= Number(low))) this.lows[index] = Number(low);
    if (!(this.highs[index] >= Number(high))) this.highs[index] = Number(high);
    if (isEqual(low, limits.low)) this.isAtMin[index] = 1;
    if (isEqual(high, limits.high)) this.isAtMax[index] = 1;
  }
}

/** The smallest and the largest allowed value; null or infinite if there is no limit. */
export interface ValueLimits {
  readonly low: ExactInteger | null;
  readonly high: ExactInteger | null;
}

export const NO_LIMITS: ValueLimits = { low: null, high: null };

/** Whether a value equals a limit. One of them may be a bigint and the other a number. */
function isEqual(value: ExactInteger, limit: ExactInteger | null): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: `==` compares a bigint with a number by value.
  return limit !== null && value == limit;
}
