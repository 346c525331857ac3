/**
 * Random numbers that are the same on every machine and Node version: xoroshiro128+ (D. Blackman, S. Vigna,
 * "Scrambled linear pseudorandom number generators", 2021) from pure-rand, and integer arithmetic on top.
 */
import { createHash } from 'node:crypto';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** How many words of 32 bits there are. */
const WORDS = 2 ** 32;

/** A seed, and the sequences it stands for: one for each index, none a part of another's neighbourhood. */
export class Seed {
  readonly #words: readonly number[];

  /** Any text is a seed: "7" and "007" are two. */
  constructor(readonly text: string) {
    const digest = createHash('sha256').update(text).digest();
    this.#words = [0, 4, 8, 12].map((offset) => digest.readInt32LE(offset));
  }

  /** The sequence of this index, up to 2^53 - 1. Different indices never start from the same state. */
  random(index: number): Random {
    const low = index | 0;
    const high = Math.floor(index / WORDS);
    return Random.fromState(this.#words.map((word) => scatter(scatter(word ^ low) ^ high)));
  }
}

/** Murmur3's finalizer: one to one, and every bit of the outcome depends on every bit of the word. */
function scatter(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

export class Random {
  readonly #generator: RandomGenerator;

  private constructor(generator: RandomGenerator) {
    this.#generator = generator;
  }

  /** From the generator's four 32-bit words: high and low half of the one, then of the other. */
  static fromState(words: readonly number[]): Random {
    return new Random(xoroshiro128plusFromState(words));
  }

  /** The next 32 bits, unsigned. */
  word(): number {
    return this.#generator.next() >>> 0;
  }

  /** A whole number of at least 0 and below `bound`, which is at most 2^20: even to one part in 2^12. */
  below(bound: number): number {
    return Math.floor((this.word() * bound) / WORDS);
  }

  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True with this probability, exact to 2^-32. */
  chance(probability: number): boolean {
    return this.word() < probability * WORDS;
  }

  pick<T>(from: ArrayLike<T>): T {
    return from[this.below(from.length)];
  }
}
