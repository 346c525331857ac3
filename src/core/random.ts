/**
 * Random numbers that are the same on every machine and Node version. The generator is xoroshiro128+ (D. Blackman,
 * S. Vigna, "Scrambled linear pseudorandom number generators", 2021) from pure-rand; the rest is integer
 * arithmetic.
 */
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { sha256 } from './sha256.js';

/** The number of different 32-bit words. */
const COUNT_OF_32_BIT_WORDS = 2 ** 32;

/** A seed, which has one independent random sequence for each index. */
export class Seed {
  readonly #seedWords: readonly number[];

  /** Any text is a seed; "7" and "007" are different seeds. */
  constructor(readonly text: string) {
    const digest = new DataView(sha256(text).buffer);
    this.#seedWords = [0, 4, 8, 12].map((offset) => digest.getInt32(offset, true));
  }

  /** The random sequence of an index from 0 to 2^53 - 1. Different indices always start from different states. */
  random(index: number): Random {
    const low = index | 0;
    const high = Math.floor(index / COUNT_OF_32_BIT_WORDS);
    return Random.fromState(this.#seedWords.map((word) => scatterBits(scatterBits(word ^ low) ^ high)));
  }
}

/**
 * Murmur3's finalizer. It maps different words to different words, and every bit of the result depends on every bit
 * of the word.
 */
function scatterBits(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

export class Random {
  readonly #generator: RandomGenerator;

  private constructor(generator: RandomGenerator) {
    this.#generator = generator;
  }

  /**
   * Creates a generator from its state of four 32-bit words: the high and low half of the first 64-bit word, then
   * of the second.
   */
  static fromState(words: readonly number[]): Random {
    return new Random(xoroshiro128plusFromState(words));
  }

  /** Returns the next random number of 32 bits, unsigned. */
  word(): number {
    return this.#generator.next() >>> 0;
  }

  /**
   * A random whole number from 0 to `bound` - 1; `bound` is at most 2^20. The probabilities of two numbers differ
   * by at most one part in 2^12.
   */
  below(bound: number): number {
    return Math.floor((this.word() * bound) / COUNT_OF_32_BIT_WORDS);
  }

  /** Returns a random whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True with the given probability, exact to 2^-32. */
  chance(probability: number): boolean {
    return this.word() < probability * COUNT_OF_32_BIT_WORDS;
  }

  /** Returns a random element of the array. */
  pick<T>(from: ArrayLike<T>): T {
    return from[this.below(from.length)];
  }
}
