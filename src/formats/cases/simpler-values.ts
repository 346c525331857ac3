/** Simpler numbers, words, lines and letters: nearer to zero, shorter, earlier in the alphabet. */

import type { WholeNumber } from '../language/exact.js';
import { evaluateRange, type NameScope } from '../language/expression-values.js';
import type { Bound } from '../language/tree.js';
import { DEFAULT_DECIMALS, LOWER_CASE_LETTERS } from './draw-values.js';
import { elementRanges } from './remove-elements.js';

/** How the numbers of a field become simpler. */
export interface NumberRule {
  /** The simplest allowed number: zero, or the bound that is nearest to zero. */
  readonly simplest: WholeNumber;
  /** Number of decimals; 0 for whole numbers. */
  readonly decimals: number;
}

type Bounded = { readonly min: Bound; readonly max: Bound };

/** Returns the rule for numbers with these bounds; null if the bounds allow no number. */
export function numberRule(
  { min, max }: Bounded,
  isDecimal: boolean,
  decimals: number | null,
  scope: NameScope,
): NumberRule | null {
  const range = evaluateRange(min, max, scope);
  if (range === null || range.low > range.high) return null;
  const simplest = range.low > 0 ? range.low : range.high < 0 ? range.high : 0;
  return { simplest, decimals: isDecimal ? (decimals ?? DEFAULT_DECIMALS) : 0 };
}

/** Returns the simplest number, of the same type as `value`. */
export function simplestNumber<T extends WholeNumber>(value: T, { simplest }: NumberRule): T {
  return (typeof value === 'bigint' ? BigInt(simplest) : Number(simplest)) as T;
}

/** Yields simpler numbers than `value`: the simplest, then half way there, and so on down to the next number. */
export function* simplerNumbers<T extends WholeNumber>(value: T, rule: NumberRule): Generator<T> {
  const simplest = simplestNumber(value, rule);
  if (value === simplest) return;
  yield simplest;
  if (typeof value === 'bigint') yield* halfWays(value, simplest) as Generator<T>;
  else yield* simplerDecimals(value, simplest as number, rule.decimals) as Generator<T>;
}

/** Yields numbers with at most `decimals` decimals: first the next whole number, then numbers nearer to `value`. */
function* simplerDecimals(value: number, simplest: number, decimals: number): Generator<number> {
  const whole = Math.trunc(value);
  const isNearer = Math.abs(whole - simplest) < Math.abs(value - simplest);
  if (whole !== value && isNearer) yield whole + 0;
  const scale = 10 ** decimals;
  const scaled = Math.round(value * scale);
  if (!Number.isSafeInteger(scaled)) return;
  if (scaled / scale !== value) yield scaled / scale;
  for (const nearer of halfWays(scaled, Math.round(simplest * scale))) yield (nearer as number) / scale;
}

/** Yields the whole number half way from `value` to `target`, then those at a quarter, and so on to the next one. */
function* halfWays<T extends WholeNumber>(value: T, target: T): Generator<T> {
  if (typeof value === 'bigint') {
    for (let step = (value - (target as bigint)) / 2n; step !== 0n; step /= 2n) yield (value - step) as T;
  } else {
    const start = value as number;
    const distance = start - (target as number);
    for (let step = Math.trunc(distance / 2); step !== 0; step = Math.trunc(step / 2))
      yield (start - step) as T;
  }
}

const LETTER_RULE: NumberRule = { simplest: 0, decimals: 0 };

/** Yields simpler words: shorter ones, then words with earlier letters. */
export function* simplerWords(word: string, letters: string | null): Generator<string> {
  const symbols = Array.from(word);
  const alphabet = Array.from(letters ?? LOWER_CASE_LETTERS);
  for (const { from, count } of elementRanges(symbols.length, 1))
    yield symbols.toSpliced(from, count).join('');
  if (symbols.some((symbol) => symbol !== alphabet[0])) yield alphabet[0].repeat(symbols.length);
  for (const [at, symbol] of symbols.entries()) {
    for (const earlier of earlierLetters(symbol, alphabet)) yield symbols.with(at, earlier).join('');
  }
}

function* earlierLetters(symbol: string, alphabet: readonly string[]): Generator<string> {
  const index = alphabet.indexOf(symbol);
  if (index < 0) yield alphabet[0];
  else for (const earlier of simplerNumbers(index, LETTER_RULE)) yield alphabet[earlier];
}

/** Yields simpler lines: an empty one if that is allowed, lines of fewer words, then lines of simpler words. */
export function* simplerLines(line: string, mayBeEmpty: boolean): Generator<string> {
  const words = line.split(/\s+/).filter((word) => word !== '');
  if (mayBeEmpty && line !== '') yield '';
  if (words.join(' ') !== line && words.length > 0) yield words.join(' ');
  for (const { from, count } of elementRanges(words.length, 1)) yield words.toSpliced(from, count).join(' ');
  for (const [at, word] of words.entries()) {
    for (const simpler of simplerWords(word, null)) yield words.with(at, simpler).join(' ');
  }
}

/**
 * Yields simpler arrays: with a range of elements replaced by the simplest one, then with one element replaced by one of
 * `simplerElements`.
 */
export function* simplerArrays<T>(
  elements: readonly T[],
  simplest: (element: T) => T,
  simplerElements: (element: T) => Iterable<T>,
): Generator<T[]> {
  for (const { from, count } of elementRanges(elements.length, 0)) {
    yield elements.map((element, at) => (at >= from && at < from + count ? simplest(element) : element));
  }
  yield* arraysWithSimplerElement(elements, simplerElements);
}

/** Yields arrays in which one element is replaced by one of `simplerElements`. */
export function* arraysWithSimplerElement<T>(
  elements: readonly T[],
  simplerElements: (element: T) => Iterable<T>,
): Generator<T[]> {
  for (const [at, element] of elements.entries()) {
    for (const simpler of simplerElements(element)) {
      yield elements.map((other, index) => (index === at ? simpler : other));
    }
  }
}
