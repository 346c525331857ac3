/** Lets `stress` try every case of a problem, in the order in which they are listed. */
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import { type BatchGroups, batchesPerRound, type CaseBatch, type RoundOptions } from './batches.js';
import type { CaseListing } from './list-cases.js';

interface ListedRoundOptions extends Omit<RoundOptions, 'seed'> {
  /** Number of cases in a batch. */
  readonly casesPerBatch: number;
}

/** A case, and a lower bound on its index among all candidates for a case. */
interface ListedCase {
  readonly bytes: Uint8Array;
  readonly index: bigint;
}

export class ListedRounds {
  readonly #listing: CaseListing;
  readonly #options: ListedRoundOptions;
  /** Number of candidates for a case that were passed before the round that was begun last, and after that round. */
  #before = 0n;
  #after = 0n;
  /** Number of cases in the round that was begun last. */
  #cases = 0;

  constructor(listing: CaseListing, options: ListedRoundOptions) {
    this.#listing = listing;
    this.#options = options;
  }

  /** Yields the rounds. */
  async *groups(): BatchGroups {
    const head = copyHeadToSharedMemory(this.#listing.head);
    const { rounds, casesPerBatch } = this.#options;
    const casesPerRound = casesPerBatch * batchesPerRound(this.#options);
    let cases: ListedCase[] = [];
    let round = 1;
    const endRound = () => {
      const batches: CaseBatch[] = [];
      for (let at = 0; at < cases.length; at += casesPerBatch) {
        const texts = cases.slice(at, at + casesPerBatch).map(({ bytes }) => bytes);
        batches.push({ origin: `round ${round}`, round, head, cases: texts, savedAs: null });
      }
      this.#cases = cases.length;
      this.#before = this.#after;
      this.#after = (cases.at(-1)?.index ?? this.#listing.candidates - 1n) + 1n;
      cases = [];
      round++;
      return batches;
    };
    for await (const each of this.#walk()) {
      cases.push(each);
      if (cases.length < casesPerRound) continue;
      yield endRound();
      if (round > rounds) return;
    }
    if (cases.length > 0) yield endRound();
    // No candidate after the last case is a valid case, so none of them is left to try.
    this.#after = this.#listing.candidates;
  }

  /**
   * Returns how many cases were not tried, or an upper bound of that number if `isExact` is false. `lastRoundCases` is the
   * number of cases that were tried in the round that was begun last.
   */
  left(lastRoundCases: number): { readonly count: bigint; readonly isExact: boolean } {
    const isLastTried = lastRoundCases === this.#cases;
    const tried = isLastTried ? this.#after : this.#before + BigInt(lastRoundCases);
    return { count: this.#listing.candidates - tried, isExact: this.#listing.count !== null };
  }

  /** Yields the cases, each with a lower bound on its index among the candidates. */
  async *#walk(): AsyncGenerator<ListedCase> {
    let index = 0n;
    for await (const { bytes, starts, next } of this.#listing.walk(0n)) {
      for (let i = 0; i + 1 < starts.length; i++) {
        yield { bytes: bytes.slice(starts[i], starts[i + 1]), index: index + BigInt(i) };
      }
      index = next;
    }
  }
}
