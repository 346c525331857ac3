/** The time of every case of an input, in bounded memory: how they are distributed, and which are the slowest. */

/** Buckets from one power of two to the next. */
const BUCKETS_PER_DOUBLING = 4;

export interface Bucket {
  /** Nanoseconds, half open. */
  readonly from: number;
  readonly to: number;
  readonly cases: number;
}

export interface TimedCase {
  readonly case: number;
  readonly seconds: number;
}

export class CaseTimes {
  cases = 0;
  totalNanoseconds = 0;
  readonly #counts = new Map<number, number>();
  readonly #kept: number;
  /** The slowest so far, slowest first. */
  readonly #slowest: TimedCase[] = [];

  /** Keeps so many of the slowest. */
  constructor(kept: number) {
    this.#kept = kept;
  }

  /** Cases come in order; a time of 0 is one that the clock did not see. */
  add(nanoseconds: number): void {
    this.cases++;
    this.totalNanoseconds += nanoseconds;
    const bucket = Math.floor(Math.log2(Math.max(1, nanoseconds)) * BUCKETS_PER_DOUBLING);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#keep({ case: this.cases, seconds: nanoseconds / 1e9 });
  }

  get buckets(): Bucket[] {
    return [...this.#counts]
      .sort(([one], [other]) => one - other)
      .map(([bucket, cases]) => ({ from: edge(bucket), to: edge(bucket + 1), cases }));
  }

  get slowest(): readonly TimedCase[] {
    return this.#slowest;
  }

  #keep(timed: TimedCase): void {
    const slowest = this.#slowest;
    if (slowest.length === this.#kept && timed.seconds <= slowest[slowest.length - 1].seconds) return;
    let at = slowest.length;
    while (at > 0 && slowest[at - 1].seconds < timed.seconds) at--;
    slowest.splice(at, 0, timed);
    if (slowest.length > this.#kept) slowest.pop();
  }
}

function edge(bucket: number): number {
  return 2 ** (bucket / BUCKETS_PER_DOUBLING);
}
