/** Collects the solving time of every case of an input, in bounded memory: a histogram, and the slowest cases. */

/** Number of buckets of the histogram for each doubling of the time. Each bucket ends at 2^(1/4) times its start. */
const BUCKETS_PER_DOUBLING = 4;

/** A bucket of the histogram: the number of cases that took at least `from` and less than `to` nanoseconds. */
export interface TimeBucket {
  readonly from: number;
  readonly to: number;
  readonly cases: number;
}

export interface TimedCase {
  /** Number of the case in the input, counted from 1. */
  readonly case: number;
  readonly seconds: number;
}

export class CaseTimes {
  cases = 0;
  totalNanoseconds = 0;
  /** Number of cases in each bucket. Bucket b starts at 2^(b / BUCKETS_PER_DOUBLING) nanoseconds. */
  readonly #casesByBucket = new Map<number, number>();
  readonly #maxSlowestCases: number;
  /** The slowest cases so far, slowest first. */
  readonly #slowestCases: TimedCase[] = [];

  /** Creates an empty collection that keeps the `maxSlowest` slowest cases. */
  constructor(maxSlowest: number) {
    this.#maxSlowestCases = maxSlowest;
  }

  /** Adds the time of the next case of the input. A time of 0 (below the clock's resolution) is counted as 1 ns. */
  add(nanoseconds: number): void {
    this.cases++;
    this.totalNanoseconds += nanoseconds;
    const bucket = Math.floor(Math.log2(Math.max(1, nanoseconds)) * BUCKETS_PER_DOUBLING);
    this.#casesByBucket.set(bucket, (this.#casesByBucket.get(bucket) ?? 0) + 1);
    this.#insertIfSlow({ case: this.cases, seconds: nanoseconds / 1e9 });
  }

  /** The buckets of the histogram that contain cases, by ascending time. */
  get buckets(): TimeBucket[] {
    return [...this.#casesByBucket]
      .sort(([one], [other]) => one - other)
      .map(([bucket, cases]) => ({ from: bucketStart(bucket), to: bucketStart(bucket + 1), cases }));
  }

  get slowest(): readonly TimedCase[] {
    return this.#slowestCases;
  }

  #insertIfSlow(timed: TimedCase): void {
    const slowest = this.#slowestCases;
    if (slowest.length === this.#maxSlowestCases && timed.seconds <= slowest[slowest.length - 1].seconds)
      return;
    let index = slowest.length;
    while (index > 0 && slowest[index - 1].seconds < timed.seconds) index--;
    slowest.splice(index, 0, timed);
    if (slowest.length > this.#maxSlowestCases) slowest.pop();
  }
}

function bucketStart(bucket: number): number {
  return 2 ** (bucket / BUCKETS_PER_DOUBLING);
}
