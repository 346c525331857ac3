/** Random whole numbers of any size, single ones and arrays of them. The same seed gives the same numbers on every machine. */
import type { Random } from '../../core/random.js';
import type { ExactInteger } from '../language/exact.js';
import type { WholeNumberRange } from './number-range.js';

/** The profile of random cases, which says how large they are. */
export type RandomCaseProfile = 'tiny' | 'random' | 'contest-max';

/** `Random.below` has an exactly uniform distribution for bounds up to this one. */
const MAX_EXACT_BOUND = 2 ** 20;
const WORD_BITS = 32;

/** Returns a random whole number of the range. All numbers have the same probability. */
export function drawRandomInteger(random: Random, range: WholeNumberRange): ExactInteger {
  if (typeof range.low === 'bigint' || typeof range.high === 'bigint') {
    return drawBigint(random, BigInt(range.low), BigInt(range.high));
  }
  const width = range.high - range.low + 1;
  if (width <= MAX_EXACT_BOUND) return range.low + random.below(width);
  if (!Number.isSafeInteger(width)) {
    return Number(drawBigint(random, BigInt(range.low), BigInt(range.high)));
  }
  return range.low + drawBelow(random, width);
}

/** Returns a random number below a safe integer. Draws numbers with the same number of bits until one is small enough. */
function drawBelow(random: Random, bound: number): number {
  const bits = bitLength(bound - 1);
  const highBits = Math.max(0, bits - WORD_BITS);
  const lowBits = bits - highBits;
  for (;;) {
    const high = highBits === 0 ? 0 : random.word() >>> (WORD_BITS - highBits);
    const drawn = high * 2 ** lowBits + (random.word() >>> (WORD_BITS - lowBits));
    if (drawn < bound) return drawn;
  }
}

function drawBigint(random: Random, low: bigint, high: bigint): bigint {
  const width = high - low + 1n;
  const bits = (width - 1n).toString(2).length;
  for (;;) {
    let drawn = 0n;
    for (let drawnBits = 0; drawnBits < bits; drawnBits += WORD_BITS) {
      drawn = (drawn << BigInt(WORD_BITS)) | BigInt(random.word());
    }
    drawn &= (1n << BigInt(bits)) - 1n;
    if (drawn < width) return low + drawn;
  }
}

/** Number of bits of a positive safe integer. */
function bitLength(value: number): number {
  const high = Math.floor(value / 2 ** WORD_BITS);
  return high > 0 ? 2 * WORD_BITS - Math.clz32(high) : WORD_BITS - Math.clz32(value);
}

/** Returns a random size of the range. Small sizes are as probable as large ones. */
export function drawRandomSize(random: Random, low: number, high: number): number {
  const bits = random.below(bitLength(Math.max(1, high - low)) + 1);
  return drawRandomInteger(random, { low, high: Math.min(high, low + 2 ** bits - 1) }) as number;
}

/** A number is called small if it is at most this far from zero. */
const SMALL_DISTANCE = 10;

/** Returns the numbers of the range that are near zero, or near the end of the range that is closest to zero. */
function nearZero(range: WholeNumberRange): WholeNumberRange {
  if (typeof range.low === 'bigint' || typeof range.high === 'bigint') {
    const [low, high] = nearZeroBetween(BigInt(range.low), BigInt(range.high), 0n, BigInt(SMALL_DISTANCE));
    return { low, high };
  }
  const [low, high] = nearZeroBetween(range.low, range.high, 0, SMALL_DISTANCE);
  return { low, high };
}

function nearZeroBetween<T extends number | bigint>(low: T, high: T, zero: T, distance: T): [T, T] {
  const center = low > zero ? low : high < zero ? high : zero;
  const from = ((center as number) - (distance as number)) as T;
  const to = ((center as number) + (distance as number)) as T;
  return [from > low ? from : low, to < high ? to : high];
}

/** Draws a single number of the range: usually any number, sometimes an end of the range or a small number. */
export function drawRandomNumber(
  random: Random,
  range: WholeNumberRange,
  profile: RandomCaseProfile,
): ExactInteger {
  if (random.chance(0.1)) return drawEnd(random, range);
  const isSmall = random.chance(profile === 'tiny' ? 1 : profile === 'random' ? 0.2 : 0);
  return drawRandomInteger(random, isSmall ? nearZero(range) : range);
}

function drawEnd(random: Random, { low, high }: WholeNumberRange): ExactInteger {
  return random.chance(0.5) ? low : high;
}

type ArrayStyle = 'any' | 'few' | 'ascending' | 'descending' | 'equal' | 'ends' | 'small' | 'permutation';

/** The styles of random arrays. A style that is listed twice is twice as probable. */
const STYLES: readonly ArrayStyle[] = [
  'any',
  'any',
  'any',
  'any',
  'few',
  'few',
  'ascending',
  'descending',
  'equal',
  'ends',
  'small',
];

/** Draws an array of numbers of the range, in a random style. */
export function drawRandomNumbers(
  random: Random,
  count: number,
  range: WholeNumberRange,
  profile: RandomCaseProfile,
): ExactInteger[] {
  const wide = profile === 'tiny' && !random.chance(0.1) ? nearZero(range) : range;
  const style = hasLength(range, count) && random.chance(0.4) ? 'permutation' : random.pick(STYLES);
  switch (style) {
    case 'any':
      return callRepeatedly(count, () => drawRandomInteger(random, wide));
    case 'small':
      return callRepeatedly(count, () => drawRandomInteger(random, nearZero(range)));
    case 'ends':
      return callRepeatedly(count, () => drawEnd(random, range));
    case 'equal':
      return new Array<ExactInteger>(count).fill(drawRandomNumber(random, range, profile));
    case 'few': {
      const pool = callRepeatedly(2 + random.below(4), () => drawRandomInteger(random, wide));
      return callRepeatedly(count, () => random.pick(pool));
    }
    case 'ascending':
      return sorted(callRepeatedly(count, () => drawRandomInteger(random, wide)));
    case 'descending':
      return sorted(callRepeatedly(count, () => drawRandomInteger(random, wide))).reverse();
    case 'permutation':
      return shuffle(
        random,
        Array.from({ length: count }, (_, i) => (range.low as number) + i),
      );
  }
}

/** Whether the range has exactly `count` numbers, so that an array of this length can hold each of them once. */
function hasLength({ low, high }: WholeNumberRange, count: number): boolean {
  return typeof low === 'number' && typeof high === 'number' && count > 1 && high - low + 1 === count;
}

/** Sorts numbers or bigints. Numbers are sorted as a typed array, because that is many times faster. */
function sorted(wholes: ExactInteger[]): ExactInteger[] {
  if (wholes.every((whole) => typeof whole === 'number')) return Array.from(Float64Array.from(wholes).sort());
  return wholes.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
}

/** Draws `count` indices of letters, from alphabets of these sizes in turn. One letter is more probable than the others. */
export function drawRandomLetterIndices(random: Random, count: number, sizes: readonly number[]): number[] {
  const drawers = sizes.map((size) => letterDrawer(random, size));
  return Array.from({ length: count }, (_, index) => drawers[index % drawers.length]());
}

function letterDrawer(random: Random, size: number): () => number {
  const favourite = random.chance(0.6) ? 0 : random.below(size);
  const density = random.pick([0, 0, 0.3, 0.6, 0.9, 1]);
  return () => (random.chance(density) ? favourite : random.below(size));
}

/** Calls `draw` `count` times and returns the results. */
export function callRepeatedly<T>(count: number, draw: () => T): T[] {
  const drawn: T[] = [];
  while (drawn.length < count) drawn.push(draw());
  return drawn;
}

/** Puts the elements into a random order (R. Durstenfeld, "Random permutation", 1964). */
function shuffle<T>(random: Random, elements: T[]): T[] {
  for (let left = elements.length; left > 1; left--) {
    const other = drawRandomInteger(random, { low: 0, high: left - 1 }) as number;
    [elements[left - 1], elements[other]] = [elements[other], elements[left - 1]];
  }
  return elements;
}
