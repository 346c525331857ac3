/**
 * The changes that make a case simpler: fewer elements, then numbers nearer to zero, shorter words and earlier letters. The
 * biggest steps come first (A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002).
 *
 * Each change lowers one number, text or range of elements. Later values of the case are adapted to the change. Each change
 * makes the case smaller, so a search by repeated changes ends.
 */
import { splitIntoWords } from '../../core/words.js';
import type { ExactInteger } from '../language/exact.js';
import { LOWER_CASE_LETTERS } from './chooser.js';
import type { DerivationItem, ElementsItem, NumberItem, NumbersItem, TextItem } from './derivation.js';
import { DEFAULT_DECIMALS, type NumberRange } from './number-range.js';

/** A change to be made when a case is made again. */
export interface CaseChange {
  /** The values that replace the numbers of some items. */
  readonly answers?: ReadonlyMap<DerivationItem, ExactInteger | readonly ExactInteger[] | string>;
  /** Whether every number of the case is replaced by the simplest one. */
  readonly isSimplest?: true;
  /** Where elements are left out of an array or a list that becomes shorter: 0 is its start, 1 (the default) its end. */
  readonly position?: number;
  /** The elements that are left out of a list whose length is not given by a number. */
  readonly leftOut?: { readonly item: ElementsItem; readonly range: ElementRange };
}

/** Yields the changes that make a case with these items simpler. */
export function* simplifyingChanges(items: readonly DerivationItem[]): Generator<CaseChange> {
  yield { isSimplest: true };
  yield* fewerElements(items);
  yield* simplerValues(items);
}

/** Yields changes that lower numbers of elements. Numbers outside all lists come first. */
function* fewerElements(items: readonly DerivationItem[]): Generator<CaseChange> {
  for (const item of items) if (isLength(item)) yield* lowerLength(item);
  for (const item of items) {
    if (item.kind !== 'elements') continue;
    if (item.conditions !== null) yield* leaveOutElements(item);
    for (const element of item.elements) yield* fewerElements(element);
  }
}

function* leaveOutElements(item: ElementsItem): Generator<CaseChange> {
  for (const range of elementRanges(item.elements.length, 0)) yield { leftOut: { item, range } };
}

function isLength(item: DerivationItem): item is NumberItem {
  return item.kind === 'number' && item.purpose !== 'value' && item.purpose !== 'tag';
}

/** Yields changes that lower a number of elements and leave out a range of the elements that it counts. */
function* lowerLength(item: NumberItem): Generator<CaseChange> {
  const length = Number(item.value);
  const least = Math.max(0, Math.ceil(Number(item.range.low)));
  for (const { from, count } of elementRanges(length, least)) {
    yield { answers: new Map([[item, likeValue(item.value, length - count)]]), position: from / length };
  }
}

/** Yields changes that make values simpler and leave the numbers of elements as they are. */
function* simplerValues(items: readonly DerivationItem[]): Generator<CaseChange> {
  for (const item of items) {
    if (isLength(item)) continue;
    for (const answer of simplerAnswers(item)) yield { answers: new Map([[item, answer]]) };
    if (item.kind === 'elements') yield* simplerElements(item);
  }
}

function simplerAnswers(item: DerivationItem): Iterable<ExactInteger | readonly ExactInteger[] | string> {
  switch (item.kind) {
    case 'number':
      return item.purpose === 'tag'
        ? earlierTags(item)
        : simplerNumbers(item.value, ruleOf(item.range, [item.value]));
    case 'numbers':
      return simplerArrays(item);
    case 'text':
      return simplerTexts(item);
    case 'elements':
    case 'decision':
      return [];
  }
}

function* simplerElements({ elements }: ElementsItem): Generator<CaseChange> {
  const simplest = elements.map(simplestAnswers);
  if (simplest.some((answers) => answers.length > 0)) {
    for (const { from, count } of elementRanges(elements.length, 0)) {
      yield { answers: new Map(simplest.slice(from, from + count).flat()) };
    }
  }
  for (const element of elements) yield* simplerValues(element);
}

/** Returns the simplest numbers for the items of one element. */
function simplestAnswers(element: readonly DerivationItem[]): [DerivationItem, ExactInteger][] {
  const numbers = element
    .filter((item) => item.kind === 'number')
    .filter(({ purpose }) => purpose === 'value');
  return numbers.map((item) => [item, simplestNumber(item.value, item.range)]);
}

function* earlierTags({ value }: NumberItem): Generator<number> {
  for (let tag = 0; tag < value; tag++) yield tag;
}

/** The largest number of positions at which ranges of one length begin. */
const MAX_POSITIONS = 10_000;

/** A range of consecutive elements, with the indices `from` to `from + count - 1`. */
interface ElementRange {
  readonly from: number;
  readonly count: number;
}

/**
 * Yields ranges of indices below `length` that leave at least `min` indices: the longest ranges, then halves, quarters and
 * so on down to single indices.
 */
function* elementRanges(length: number, min: number): Generator<ElementRange> {
  const most = length - min;
  if (most > 0) yield { from: 0, count: most };
  if (most > 0 && most < length) yield { from: min, count: most };
  for (let count = Math.floor(length / 2); count >= 1; count = Math.floor(count / 2)) {
    if (count > most) continue;
    const step = Math.max(count, Math.ceil(length / MAX_POSITIONS));
    for (let from = 0; from < length; from += step) yield { from: Math.min(from, length - count), count };
  }
}

/** Returns the simplest number of a range, of the same type as `value`: zero, or the bound that is nearest to zero. */
export function simplestNumber(value: ExactInteger, { low, high }: NumberRange): ExactInteger {
  return likeValue(value, low > 0 ? low : high < 0 ? high : 0);
}

function likeValue(value: ExactInteger, number: ExactInteger): ExactInteger {
  return typeof value === 'bigint' ? BigInt(number) : Number(number);
}

/** The rule by which numbers become simpler: their range and their decimals. */
interface NumberRule {
  readonly range: NumberRange;
  /** Number of decimals; 0 for whole numbers. */
  readonly decimals: number;
}

function ruleOf(range: NumberRange, values: readonly ExactInteger[]): NumberRule {
  // A table may hold numbers with decimals, although its range does not say so.
  const isDecimal =
    range.kind === 'number' || values.some((value) => typeof value === 'number' && !Number.isInteger(value));
  return { range, decimals: isDecimal ? (range.decimals ?? DEFAULT_DECIMALS) : 0 };
}

/** Yields simpler numbers than `value`: the simplest, then numbers ever closer to `value`, then `value` without its sign. */
function* simplerNumbers(value: ExactInteger, { range, decimals }: NumberRule): Generator<ExactInteger> {
  const simplest = simplestNumber(value, range);
  if (value === simplest) return;
  yield simplest;
  if (typeof value === 'bigint') yield* halfWays(value, simplest as bigint);
  else yield* simplerDecimals(value, simplest as number, decimals);
  if (value < 0 && range.high >= -value) yield -value;
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
  for (const nearer of halfWays(BigInt(scaled), BigInt(Math.round(simplest * scale))))
    yield Number(nearer) / scale;
}

/** Yields the whole numbers at half of the way from `value` to `target`, at a quarter, and so on to the one next to `value`. */
function* halfWays(value: bigint, target: bigint): Generator<bigint> {
  for (let step = (value - target) / 2n; step !== 0n; step /= 2n) yield value - step;
}

/** Yields arrays with a range of elements replaced by the simplest one, then with one element replaced by a simpler one. */
function* simplerArrays({ values, ranges }: NumbersItem): Generator<readonly ExactInteger[]> {
  const rules = ranges.map((range) => ruleOf(range, values));
  for (const { from, count } of elementRanges(values.length, 0)) {
    yield values.map((value, at) =>
      at >= from && at < from + count ? simplestNumber(value, ranges[at % ranges.length]) : value,
    );
  }
  for (const [at, value] of values.entries()) {
    for (const simpler of simplerNumbers(value, rules[at % rules.length])) yield values.with(at, simpler);
  }
}

function simplerTexts({ text, rule }: TextItem): Iterable<string> {
  switch (rule.kind) {
    case 'word':
      return simplerWords(text, rule.letters);
    case 'line':
      return simplerLines(text, rule.mayBeEmpty);
    case 'regex':
      return shorterTexts(text);
    case 'float':
      return shorterFloats(text);
  }
}

function* shorterTexts(text: string): Generator<string> {
  for (const { from, count } of elementRanges(text.length, 0))
    yield text.slice(0, from) + text.slice(from + count);
}

function* shorterFloats(text: string): Generator<string> {
  const whole = /^-?[0-9]+/.exec(text)![0];
  for (const shorter of ['0', '1', whole, text.slice(0, -1)])
    if (shorter.length < text.length && /^-?[0-9]+(\.[0-9]+)?$/.test(shorter)) yield shorter;
}

/** Yields simpler words: shorter ones, then words with earlier letters. */
function* simplerWords(word: string, letters: string | null): Generator<string> {
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
  if (index !== 0) yield alphabet[0];
  for (const earlier of halfWays(BigInt(Math.max(0, index)), 0n)) yield alphabet[Number(earlier)];
}

/** Yields simpler lines: an empty one if that is allowed, lines of fewer words, then lines of simpler words. */
function* simplerLines(line: string, mayBeEmpty: boolean): Generator<string> {
  const words = splitIntoWords(line);
  if (mayBeEmpty && line !== '') yield '';
  if (words.join(' ') !== line && words.length > 0) yield words.join(' ');
  for (const { from, count } of elementRanges(words.length, 1)) yield words.toSpliced(from, count).join(' ');
  for (const [at, word] of words.entries()) {
    for (const simpler of simplerWords(word, null)) yield words.with(at, simpler).join(' ');
  }
}
