/** An average in which the latest value counts most, so that it follows values that change. */
export class RunningAverage {
  readonly #latestWeight: number;
  #value: number | null = null;

  /** `latestWeight` is the weight of the latest value, from 0 to 1. */
  constructor(latestWeight: number) {
    this.#latestWeight = latestWeight;
  }

  /** The average of the values so far; null if there was none. */
  get value(): number | null {
    return this.#value;
  }

  /** Adds a value, and returns the new average. */
  add(latest: number): number {
    const before = this.#value ?? latest;
    this.#value = this.#latestWeight * latest + (1 - this.#latestWeight) * before;
    return this.#value;
  }
}
