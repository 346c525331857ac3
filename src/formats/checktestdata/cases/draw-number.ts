/** Draws random numbers of any size, and texts that match a regular expression. */
import type { Random } from '../../../core/random.js';
import { drawRandomInteger } from '../../cases/draw-numbers.js';
import { normalizeExactInteger } from '../../language/exact.js';
import type { Regex, RegexNode } from '../language/regex.js';
import {
  compareNumbers,
  floorDivide,
  type GrammarValue,
  parseFraction,
  toFraction,
} from '../language/values.js';
import type { FloatRange } from '../reading/machine.js';

const MAX_DECIMALS = 30;

/** A random integer from `min` to `max`. */
export function drawInteger(random: Random, min: number | bigint, max: number | bigint): number | bigint {
  if (typeof min === 'number' && typeof max === 'number')
    return drawRandomInteger(random, { low: min, high: max });
  return normalizeExactInteger(BigInt(drawRandomInteger(random, { low: BigInt(min), high: BigInt(max) })));
}

/** Draws a number of the range, as text. Returns null if no number of the range can be written in the required notation. */
export function drawFloat(random: Random, range: FloatRange, maxDecimals: number): string | null {
  const fewest = range.decimals?.min ?? 0;
  const most = Math.min(range.decimals?.max ?? MAX_DECIMALS, Math.max(fewest, MAX_DECIMALS));
  let decimals = fewest + random.below(Math.min(most, Math.max(fewest, maxDecimals)) - fewest + 1);
  for (; decimals <= most; decimals++) {
    const [min, max] = scaledBounds(range.min, range.max, decimals);
    if (min > max) continue;
    const scaled = BigInt(drawRandomInteger(random, { low: min, high: max }));
    return range.notation === 'scientific'
      ? scientificText(scaled, decimals, range)
      : fixedText(scaled, decimals);
  }
  return null;
}

/** Returns the smallest and the largest number of the range, multiplied by 10^decimals. */
function scaledBounds(min: GrammarValue, max: GrammarValue, decimals: number): [bigint, bigint] {
  const scale = 10n ** BigInt(decimals);
  const low = toFraction(min as number);
  const high = toFraction(max as number);
  return [-floorDivide(-low.top * scale, low.bottom), floorDivide(high.top * scale, high.bottom)];
}

function fixedText(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? '-' : '';
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** Returns a number in scientific notation; null if no number with the decimals that FLOATP allows was found. */
function scientificText(scaled: bigint, decimals: number, range: FloatRange): string | null {
  const sign = scaled < 0n ? '-' : '';
  const digits = (scaled < 0n ? -scaled : scaled).toString();
  if (scaled === 0n) return range.decimals === null ? '0E0' : null;
  const fewest = Math.max(range.decimals?.min ?? 1, 1);
  const most = range.decimals?.max ?? digits.length;
  const fraction = digits.slice(1).padEnd(fewest, '0').slice(0, most);
  const mantissa = fraction === '' ? digits[0] : `${digits[0]}.${fraction}`;
  const text = `${sign}${mantissa}E${digits.length - 1 - decimals}`;
  return isInRange(text, range) ? text : null;
}

/** Whether the number that the text denotes is within the bounds. */
export function isInRange(text: string, { min, max }: FloatRange): boolean {
  const value = parseFraction(text);
  return compareNumbers(value, min as number) >= 0 && compareNumbers(value, max as number) <= 0;
}

/** If a repetition has no upper limit, at most this many are made beyond its minimum. */
const MAX_REPETITIONS = 10;
/** If a drawn text is longer than this, each further repetition is made as often as its minimum says. */
const MAX_TEXT = 4096;
/** The longest text of a given length that is drawn, in bytes. To draw longer texts would take seconds and often fail. */
export const MAX_DRAWN_TEXT_BYTES = 1 << 20;
const ATTEMPTS = 100;
const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;

/** Returns how often to repeat a part of an expression that may be repeated from `min` to `max` times. */
type DrawCount = (min: number, max: number) => number;

/** Draws a text that the expression matches as a whole; null if none was found. */
export function drawTextOfRegex(random: Random, regex: Regex, drawCount: DrawCount): string | null {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = drawNode(random, regex.node, drawCount, '');
    if (isWholeMatch(regex, text)) return text;
  }
  return null;
}

/** Draws a text of this length that the expression matches as a whole; null if none was found. */
export function drawMatchOfLength(random: Random, regex: Regex, length: number): string | null {
  if (length > MAX_DRAWN_TEXT_BYTES || !mayHaveLength(lengthsOf(regex.node), length)) return null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const out: string[] = [];
    drawOfLength(random, regex.node, length, out);
    const text = out.join('');
    if (text.length === length && isWholeMatch(regex, text)) return text;
  }
  return null;
}

/** Bounds on the lengths of the texts that a part of an expression matches. Some lengths between them may be impossible. */
interface Lengths {
  readonly min: number;
  readonly max: number;
}

export function matchLengthBounds(regex: Regex): Lengths {
  return lengthsOf(regex.node);
}

const NO_LENGTH: Lengths = { min: 0, max: 0 };
const lengthsOfNodes = new WeakMap<RegexNode, Lengths>();

function lengthsOf(node: RegexNode): Lengths {
  let lengths = lengthsOfNodes.get(node);
  if (lengths === undefined) {
    lengths = findLengths(node);
    lengthsOfNodes.set(node, lengths);
  }
  return lengths;
}

function findLengths(node: RegexNode): Lengths {
  if (node.kind === 'set') return { min: 1, max: 1 };
  if (node.kind === 'repeat') {
    const { min, max } = lengthsOf(node.part);
    return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max };
  }
  const parts = node.parts.map(lengthsOf);
  if (node.kind === 'sequence') return parts.reduce(sumOfLengths, NO_LENGTH);
  return { min: Math.min(...parts.map(({ min }) => min)), max: Math.max(...parts.map(({ max }) => max)) };
}

function sumOfLengths(one: Lengths, other: Lengths): Lengths {
  return { min: one.min + other.min, max: one.max + other.max };
}

function mayHaveLength({ min, max }: Lengths, length: number): boolean {
  return length >= min && length <= max;
}

/** Appends a random match of the node. Its length is as wanted, unless there is no such match or the draw misses it. */
function drawOfLength(random: Random, node: RegexNode, length: number, out: string[]): void {
  if (node.kind === 'set') out.push(drawByte(random, node.set));
  else if (node.kind === 'choice') {
    const fitting = node.parts.filter((part) => mayHaveLength(lengthsOf(part), length));
    drawOfLength(random, random.pick(fitting.length > 0 ? fitting : node.parts), length, out);
  } else if (node.kind === 'sequence') drawPartsOfLength(random, node.parts, length, out);
  else {
    const count = drawRepetitions(random, node, length);
    drawPartsOfLength(random, new Array<RegexNode>(count).fill(node.part), length, out);
  }
}

/** Draws a number of repetitions with which the text can have the wanted length. */
function drawRepetitions(
  random: Random,
  node: Extract<RegexNode, { kind: 'repeat' }>,
  length: number,
): number {
  const { min, max } = lengthsOf(node.part);
  const fewest = Math.max(node.min, max === 0 ? 0 : Math.ceil(length / max));
  const most = Math.min(node.max, min === 0 ? Math.max(fewest, length) : Math.floor(length / min));
  return Number(drawInteger(random, fewest, Math.max(fewest, most)));
}

/** Divides a length between the parts, from left to right. Each part leaves at least the length that later parts need. */
function drawPartsOfLength(random: Random, parts: readonly RegexNode[], length: number, out: string[]): void {
  const lengths = parts.map(lengthsOf);
  const after: Lengths[] = new Array(parts.length);
  parts.reduceRight((sum: Lengths, _, i) => {
    after[i] = sum;
    return sumOfLengths(sum, lengths[i]);
  }, NO_LENGTH);
  let left = length;
  for (const [i, part] of parts.entries()) {
    const fewest = Math.max(lengths[i].min, left - after[i].max);
    const most = Math.min(lengths[i].max, left - after[i].min);
    const own = most > fewest ? Number(drawInteger(random, fewest, most)) : fewest;
    drawOfLength(random, part, own, out);
    left -= own;
  }
}

export function isWholeMatch(regex: Regex, text: string): boolean {
  const bytes = Buffer.from(text, 'latin1');
  return regex.match(bytes, 0, bytes.length, () => {}) === bytes.length;
}

/** Appends a random match of the node to the text. */
function drawNode(random: Random, node: RegexNode, drawCount: DrawCount, text: string): string {
  if (node.kind === 'set') return text + drawByte(random, node.set);
  if (node.kind === 'choice') return drawNode(random, random.pick(node.parts), drawCount, text);
  if (node.kind === 'sequence')
    return node.parts.reduce((longer, part) => drawNode(random, part, drawCount, longer), text);
  const max = Number.isFinite(node.max) ? node.max : node.min + MAX_REPETITIONS;
  const count = text.length > MAX_TEXT ? node.min : drawCount(node.min, max);
  let longer = text;
  for (let i = 0; i < count && (i < node.min || longer.length < MAX_TEXT); i++) {
    const before = longer.length;
    longer = drawNode(random, node.part, drawCount, longer);
    // Repetitions of empty texts may be nested, and would take very long.
    if (longer.length === before) break;
  }
  return longer;
}

/** The bytes that may be drawn from a set of bytes. */
const drawnCodes = new WeakMap<Uint8Array, readonly number[]>();

/** Returns a random byte of the set, a printable one if the set has any. */
function drawByte(random: Random, set: Uint8Array): string {
  let codes = drawnCodes.get(set);
  if (codes === undefined) {
    codes = codesOf(set);
    drawnCodes.set(set, codes);
  }
  return codes.length > 0 ? String.fromCharCode(random.pick(codes)) : '';
}

function codesOf(set: Uint8Array): readonly number[] {
  const codes = Array.from({ length: 256 }, (_, code) => code).filter((code) => set[code] === 1);
  const printable = codes.filter((code) => code >= FIRST_PRINTABLE && code <= LAST_PRINTABLE);
  return printable.length > 0 ? printable : codes;
}
