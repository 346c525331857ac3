/**
 * A set of 64-bit hashes in bounded memory: a hash table with linear probing.
 *
 *     table[2 * slot]      the low half of the hash
 *     table[2 * slot + 1]  the high half
 *
 * A slot with two zeros is empty, so the hash 0 is stored as 1. The hashes are good ones (XXH64), so their low bits choose
 * the slot. At most three quarters of the slots are used.
 */

const FIRST_SLOTS = 1 << 10;

export class SeenHashes {
  readonly #maxHashes: number;
  #table = new Uint32Array(2 * FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  #size = 0;

  /** Creates an empty set that keeps at most `maxHashes` hashes. */
  constructor(maxHashes: number) {
    this.#maxHashes = maxHashes;
  }

  /** Returns whether the hash was in the set before, and adds it. A set that is full adds nothing and returns null. */
  add(low: number, high: number): boolean | null {
    const stored = low === 0 && high === 0 ? 1 : low;
    const slot = this.#find(stored, high);
    if (this.#table[2 * slot] !== 0 || this.#table[2 * slot + 1] !== 0) return true;
    if (this.#size === this.#maxHashes) return null;
    this.#table[2 * slot] = stored;
    this.#table[2 * slot + 1] = high;
    this.#size++;
    if (4 * this.#size > 3 * (this.#mask + 1)) this.#grow();
    return false;
  }

  /** Returns the slot of the hash, or the empty slot in which it belongs. */
  #find(low: number, high: number): number {
    const table = this.#table;
    let slot = low & this.#mask;
    while (
      (table[2 * slot] !== low || table[2 * slot + 1] !== high) &&
      (table[2 * slot] !== 0 || table[2 * slot + 1] !== 0)
    )
      slot = (slot + 1) & this.#mask;
    return slot;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Uint32Array(2 * old.length);
    this.#mask = old.length - 1;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] === 0 && old[at + 1] === 0) continue;
      const slot = this.#find(old[at], old[at + 1]);
      this.#table[2 * slot] = old[at];
      this.#table[2 * slot + 1] = old[at + 1];
    }
  }
}
