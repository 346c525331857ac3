/** Counts and lists the texts that a regular expression matches, if they are finitely many: the paths through its automaton. */
import type { Regex, RegexState } from './regex.js';

/** The largest number of states that are looked at. Counting recurses once for each state on a path. */
const MAX_STATES = 2000;
const BYTES = 256;
/** The largest number of texts that are kept in memory. */
const MAX_KEPT = 10_000;

export class RegexTexts {
  /** The number of texts; null if there are infinitely many, or if the automaton is too large. */
  readonly size: bigint | null;
  /** 1 for each byte that occurs in some text, else 0. */
  readonly bytes = new Uint8Array(BYTES);
  readonly #regex: Regex;
  /** The number of texts that can follow each state; null while it is being counted. */
  readonly #counts = new Map<RegexState, bigint | null>();

  /** Texts that were returned before. Lists ask for the same texts again and again. */
  readonly #found = new Map<bigint, string>();

  constructor(regex: Regex) {
    this.#regex = regex;
    this.size = this.#countFrom(regex.start);
  }

  /** Returns the text with this index. Texts are in lexicographic order of their bytes. */
  at(index: bigint): string {
    let text = this.#found.get(index);
    if (text === undefined) {
      text = this.#find(index);
      if (this.#found.size < MAX_KEPT) this.#found.set(index, text);
    }
    return text;
  }

  #find(index: bigint): string {
    let text = '';
    let skipped = index;
    for (let state = this.#regex.start; ; ) {
      if (state.isMatch && skipped-- === 0n) return text;
      for (let byte = 0; ; byte++) {
        const next = this.#regex.after(state, byte);
        const count = this.#counts.get(next)!;
        if (skipped < count) {
          text += String.fromCharCode(byte);
          state = next;
          break;
        }
        skipped -= count;
      }
    }
  }

  #countFrom(state: RegexState): bigint | null {
    const known = this.#counts.get(state);
    if (known !== undefined) return known;
    if (this.#counts.size > MAX_STATES) return null;
    this.#counts.set(state, null);
    let count = state.isMatch ? 1n : 0n;
    for (let byte = 0; byte < BYTES && state.paths.length > 0; byte++) {
      const after = this.#countFrom(this.#regex.after(state, byte));
      if (after === null) return null;
      if (after > 0n) this.bytes[byte] = 1;
      count += after;
    }
    this.#counts.set(state, count);
    return count;
  }
}
