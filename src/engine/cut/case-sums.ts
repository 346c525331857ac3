/** Computes sums over all cases of a file that a contest bounds, such as the sum of n. */
import type { SumConstraints } from '../../problems/problem.js';

/** A sum over the cases of a file that is larger than the contest allows. */
interface LargeSum {
  /** What is summed up. */
  readonly text: string;
  readonly max: number;
  readonly sum: bigint;
}

export class CaseSums {
  readonly #totals: SumConstraints;
  readonly #sums: bigint[];

  constructor(totals: SumConstraints) {
    this.#totals = totals;
    this.#sums = totals.bounds.map(() => 0n);
  }

  /** Adds what a case contributes to the sums. */
  add(value: unknown, head: unknown): void {
    for (const [i, part] of this.#totals.of(value, head).entries()) this.#sums[i] += part;
  }

  /** Returns the sums that are larger than the contest allows. */
  findLarge(): LargeSum[] {
    return this.#totals.bounds.flatMap(({ text, max }, i) =>
      this.#sums[i] > max ? [{ text, max, sum: this.#sums[i] }] : [],
    );
  }
}
