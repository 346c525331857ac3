import { SeenHashes } from '../../core/seen-hashes.js';

/** Counts the cases that are equal to an earlier case, by their hashes. */
export class RepeatedCaseCounter {
  /** Number of cases that are equal to an earlier one. */
  repeated = 0;
  /** Number of cases that may be equal to an earlier case that was not remembered. */
  unknown = 0;
  readonly #seen: SeenHashes;

  /** `maxRemembered` is the number of different cases that are remembered. */
  constructor(maxRemembered: number) {
    this.#seen = new SeenHashes(maxRemembered);
  }

  /** Adds cases by their hashes: two integers for each case, the low half first. */
  addAll(hashes: Uint32Array): void {
    for (let at = 0; at < hashes.length; at += 2) {
      const wasSeen = this.#seen.add(hashes[at], hashes[at + 1]);
      if (wasSeen === null) this.unknown++;
      else if (wasSeen) this.repeated++;
    }
  }
}
