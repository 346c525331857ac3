/** Draws the values of fields at random, within their bounds. */

import type { Random } from '../../core/random.js';
import type { WholeNumber } from '../language/exact.js';
import { isExpression } from '../language/expression.js';
import { evaluateCount, evaluateRange, type NameScope } from '../language/expression-values.js';
import { mayBeEmptyLine, type NeverEmptyArrays, withoutElements } from '../language/shapes.js';
import type {
  Bound,
  Count,
  EitherField,
  Field,
  GridField,
  ListField,
  NamedBounds,
  NamedField,
  NumberField,
  NumbersField,
  RecordTree,
  RecordValue,
  TableField,
} from '../language/tree.js';
import type { Table } from '../language/types.js';
import { TreeGrid } from '../tree/grid.js';
import { tokensOfValue } from '../tree/value-tokens.js';
import {
  type DrawProfile,
  drawNumber,
  drawNumbers,
  drawSize,
  drawWhole,
  repeat,
  type WholeRange,
} from './draw-numbers.js';

/** What is the same for all draws of a source. */
export interface DrawPlan {
  readonly profile: DrawProfile;
  /** The largest number that a size may be; null if only the bounds of the fields limit it. */
  readonly maxSize: number | null;
  readonly bounds: NamedBounds;
  /** The names of the numbers that say how long an array or a list is. */
  readonly sizeNames: ReadonlySet<string>;
  /** The names that some expression uses. A bigint with such a name is a safe integer. */
  readonly namedNames: ReadonlySet<string>;
  readonly neverEmpty: NeverEmptyArrays;
  /** Largest values of numbers whose sum over all cases is limited, by their names. */
  readonly shares: ReadonlyMap<string, number>;
}

/** Why a draw must be repeated. */
export class FailedDraw {
  constructor(
    readonly kind: 'empty-range' | 'too-large' | 'terminator',
    readonly reason: string,
  ) {}
}

/** The largest size of the values of a draw, in bytes. */
export const MAX_DRAWN_BYTES = 16 << 20;
/** What a value takes in memory, apart from its elements. A rough number is enough. */
const VALUE_BYTES = 32;
const NUMBER_BYTES = 8;

/** The letters of words whose field allows any. */
export const LOWER_CASE_LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** How often a line that may be empty is empty. */
const EMPTY_LINE_CHANCE = 0.1;
/** The largest absolute value of a number without bounds. */
const MAX_UNBOUNDED = { int: 1e9, number: 1e6, bigint: 10n ** 18n } as const;
/** Number of decimals of a number whose field does not limit them. */
export const DEFAULT_DECIMALS = 6;
const MAX_UNBOUNDED_SIZE = { tiny: 4, random: 10, 'contest-max': 1000 } as const;
const MAX_WORD_LENGTH = { tiny: 3, random: 8, 'contest-max': 20 } as const;
/** A size of the profile `tiny` is at most this much above its smallest value. */
const TINY_SIZE_SPAN = 3;

const INT32_RANGE = { low: -(2 ** 31), high: 2 ** 31 - 1 };
const SAFE_RANGE = { low: Number.MIN_SAFE_INTEGER, high: Number.MAX_SAFE_INTEGER };
const INT64_RANGE = { low: -(2n ** 63n), high: 2n ** 63n - 1n };

/** One attempt to draw a case or a head. */
export class ValueDraw {
  /** The largest size that was drawn. */
  largestSize = 0;
  /** Number of bytes that the values take. */
  drawnBytes = 0;

  /** No size is drawn above `sizeCap`, unless its bounds demand it. */
  constructor(
    readonly plan: DrawPlan,
    readonly random: Random,
    readonly sizeCap: number,
  ) {}

  /** Draws the fields of a record into `record`. `scope` includes the record. */
  drawFields({ fields }: RecordTree, record: Record<string, unknown>, scope: NameScope): void {
    this.#spend(VALUE_BYTES * (1 + fields.length), 'a record');
    for (const named of fields) {
      const { name } = named;
      // Some fields are given: the number of cases, and what `generate` of a module has made.
      if (!Object.hasOwn(record, name))
        record[name] = this.#drawField(name, this.#sometimesEmpty(named), scope);
    }
  }

  /** Returns the field, or sometimes one without elements if the line of the field may be empty. */
  #sometimesEmpty(named: NamedField): Field {
    const { field } = named;
    const isEmpty = mayBeEmptyLine(named, this.plan.neverEmpty) && this.random.chance(EMPTY_LINE_CHANCE);
    return isEmpty ? withoutElements(field) : field;
  }

  #drawField(name: string, field: Field, scope: NameScope): unknown {
    switch (field.kind) {
      case 'scalar':
        return this.#drawScalar(name, field, scope);
      case 'word':
        return this.#drawWord(name, field.letters);
      case 'line':
        return field.mayBeEmpty && this.random.chance(EMPTY_LINE_CHANCE) ? '' : this.#drawLine();
      case 'numbers':
        return this.#drawNumbers(name, field, scope);
      case 'words':
        return this.#drawElements(name, field.count, scope, () => this.#drawWord(name, field.letters));
      case 'lines':
        return this.#drawElements(name, field.count, scope, () => this.#drawLine());
      case 'grid':
        return this.#drawGrid(name, field, scope);
      case 'table':
        return this.#drawTable(name, field, scope);
      case 'list':
        return this.#drawList(name, field, scope);
      case 'either':
        return this.#drawEither(field, scope);
    }
  }

  #drawScalar(name: string, field: NumberField, scope: NameScope): WholeNumber {
    if (field.of === 'number') {
      const { range, scale } = this.#decimalRangeOf(name, field, scope);
      return Number(drawNumber(this.random, range, this.plan.profile)) / scale;
    }
    if (field.of === 'bigint') return this.#drawBigint(name, field, scope);
    if (this.plan.sizeNames.has(name)) return this.#drawSize(name, field, scope);
    const { low, high } = this.#intRangeOf(name, field, scope);
    return drawNumber(this.random, { low, high: this.#limitShare(name, low, high) }, this.plan.profile);
  }

  #drawBigint(name: string, field: NumberField, scope: NameScope): bigint {
    if (this.plan.sizeNames.has(name)) return BigInt(this.#drawSize(name, field, scope));
    const range = this.#bigintRangeOf(name, field, scope);
    return BigInt(drawNumber(this.random, this.#safeIfNamed(name, range), this.plan.profile));
  }

  /** The safe integers of the range if an expression names the number, and there are some. */
  #safeIfNamed(name: string, range: WholeRange): WholeRange {
    const low = BigInt(Math.max(Number(range.low), SAFE_RANGE.low));
    const high = BigInt(Math.min(Number(range.high), SAFE_RANGE.high));
    return this.plan.namedNames.has(name) && low <= high ? { low, high } : range;
  }

  /** Draws a number that says how long something is. */
  #drawSize(name: string, field: NumberField, scope: NameScope): number {
    const { profile, maxSize } = this.plan;
    const range = this.#rangeOf(name, field, scope);
    const lowest = Number.isFinite(Number(range.low)) ? Number(range.low) : Math.min(0, Number(range.high));
    const low = Math.ceil(lowest);
    const isBounded = Number.isFinite(Number(range.high));
    const highest = Math.min(Number(range.high), SAFE_RANGE.high);
    let high = Math.floor(isBounded ? highest : Math.max(low, MAX_UNBOUNDED_SIZE[profile]));
    if (low > high) throw emptyRange(name, low, high);
    const tinyMax = profile === 'tiny' ? low + TINY_SIZE_SPAN : high;
    high = Math.min(high, Math.max(low, Math.min(tinyMax, maxSize ?? high)));
    high = this.#limitShare(name, low, high);
    const size = this.#drawSizeBetween(low, high);
    this.largestSize = Math.max(this.largestSize, size);
    return size;
  }

  #drawSizeBetween(low: number, high: number): number {
    const { profile } = this.plan;
    if (profile === 'contest-max') return high;
    if (profile === 'tiny') return drawWhole(this.random, { low, high }) as number;
    if (this.random.chance(0.1)) return this.random.chance(0.7) ? low : high;
    return drawSize(this.random, low, high);
  }

  /** Lowers the largest value of a number if the sum of the number over all cases, or the size of a case, is limited. */
  #limitShare(name: string, low: number, high: number): number {
    const { shares, sizeNames } = this.plan;
    const share = shares.get(name);
    if (share === undefined && !sizeNames.has(name)) return high;
    const limited = Math.min(high, Math.max(low, Math.min(share ?? high, this.sizeCap)));
    this.largestSize = Math.max(this.largestSize, limited);
    return limited;
  }

  /** Draws how many elements an array or a list has. */
  #drawCount(name: string, count: Count, scope: NameScope): number {
    if (isExpression(count)) return evaluateCount(count, scope) ?? this.#failCount(name);
    const { profile, maxSize } = this.plan;
    const high = Math.min(MAX_UNBOUNDED_SIZE[profile], maxSize ?? Number.POSITIVE_INFINITY);
    // In most places an empty line, or nothing at all, would be skipped. See `#sometimesEmpty` for the others.
    const low = count.kind === 'until-token' ? 0 : 1;
    return drawWhole(this.random, { low, high: Math.max(low, high) }) as number;
  }

  #failCount(name: string): never {
    throw new FailedDraw('empty-range', `the count of "${name}" is no number of elements`);
  }

  /** Draws the elements of an array or list. Elements that would be read as the end of the array are left out. */
  #drawElements<T>(
    name: string,
    count: Count,
    scope: NameScope,
    draw: () => T,
    tokenOf: (element: T) => string | undefined = firstWord,
  ): T[] {
    const length = this.#drawCount(name, count, scope);
    this.#spend(length * VALUE_BYTES, name);
    return withoutEndToken(count, repeat(length, draw), tokenOf);
  }

  #drawList(name: string, { count, of }: ListField, scope: NameScope): RecordValue[] {
    const draw = () => (of.kind === 'record' ? this.#drawRecord(of, {}, scope) : this.#drawEither(of, scope));
    const firstToken = (value: RecordValue) => tokensOfValue(of, value).next().value as string | undefined;
    return this.#drawElements(name, count, scope, draw, firstToken);
  }

  #drawEither({ tag, variants }: EitherField, scope: NameScope): RecordValue {
    const { tags, record } = this.random.pick(variants);
    return this.#drawRecord(record, { [tag]: this.random.pick(tags) }, scope);
  }

  #drawRecord(tree: RecordTree, record: Record<string, unknown>, scope: NameScope): RecordValue {
    this.drawFields(tree, record, scope.within(record));
    return record;
  }

  #drawNumbers(name: string, field: NumbersField, scope: NameScope): unknown {
    const count = this.#drawCount(name, field.count, scope);
    this.#spend(count * NUMBER_BYTES, name);
    if (field.of === 'bigint') {
      const range = this.#bigintRangeOf(name, field, scope);
      const drawn = this.#drawWholes(count, narrowBigints(range, name)).map(BigInt);
      return BigInt64Array.from(withoutEndToken(field.count, drawn, String));
    }
    if (field.of === 'number') {
      const { range, scale } = this.#decimalRangeOf(name, field, scope);
      const drawn = this.#drawWholes(count, range).map((whole) => Number(whole) / scale);
      return Float64Array.from(withoutEndToken(field.count, drawn, String));
    }
    const limits = field.of === 'int32' ? INT32_RANGE : SAFE_RANGE;
    const drawn = this.#drawWholes(count, this.#intRangeOf(name, field, scope, limits)).map(Number);
    const kept = withoutEndToken(field.count, drawn, String);
    return field.of === 'int32' ? Int32Array.from(kept) : Float64Array.from(kept);
  }

  #drawWholes(count: number, range: WholeRange): WholeNumber[] {
    return drawNumbers(this.random, count, range, this.plan.profile);
  }

  #drawWord(name: string, letters: string | null): string {
    const { profile, maxSize } = this.plan;
    const alphabet = Array.from(letters ?? LOWER_CASE_LETTERS);
    if (alphabet.length === 0) throw new FailedDraw('empty-range', `"${name}" has no letters`);
    const max = Math.max(1, Math.min(MAX_WORD_LENGTH[profile], maxSize ?? Number.POSITIVE_INFINITY));
    const length = this.random.between(1, max);
    this.#spend(length, name);
    // Words of few letters have more repetitions.
    const used = letters === null && this.random.chance(0.5) ? alphabet.slice(0, 2) : alphabet;
    return repeat(length, () => this.random.pick(used)).join('');
  }

  #drawLine(): string {
    return repeat(this.random.between(1, MAX_UNBOUNDED_SIZE.tiny), () => this.#drawWord('line', null)).join(
      ' ',
    );
  }

  #drawGrid(name: string, field: GridField, scope: NameScope): TreeGrid {
    const { rows, cols } = this.#drawDimensions(name, field, field.letters.length + 1, scope);
    const drawLetter = field.letters.map((letters) => this.#letterDrawer(name, letters));
    const drawRow = () =>
      Uint8Array.from({ length: cols * drawLetter.length }, (_, i) => drawLetter[i % drawLetter.length]());
    const textOf = (row: Uint8Array) => new TreeGrid(1, cols, row, field.letters).lines[0];
    const kept = withoutEndToken(field.rows, repeat(rows, drawRow), (row) => firstWord(textOf(row)));
    const cells = Uint8Array.from(kept.flatMap((row) => Array.from(row)));
    return new TreeGrid(kept.length, cols, cells, field.letters);
  }

  /** Returns a function that draws indices of letters. One letter, often the first, is more probable than the others. */
  #letterDrawer(name: string, letters: string): () => number {
    if (letters.length === 0) throw new FailedDraw('empty-range', `"${name}" has no letters`);
    const favourite = this.random.chance(0.6) ? 0 : this.random.below(letters.length);
    const density = this.random.pick([0, 0, 0.3, 0.6, 0.9, 1]);
    return () => (this.random.chance(density) ? favourite : this.random.below(letters.length));
  }

  #drawTable(name: string, field: TableField, scope: NameScope): Table {
    const { rows, cols } = this.#drawDimensions(name, field, NUMBER_BYTES, scope);
    const range = this.#intRangeOf(name, field, scope);
    const drawn = repeat(rows, () => this.#drawWholes(cols, range).map(Number));
    const kept = withoutEndToken(field.rows, drawn, (row) => String(row[0]));
    return { rows: kept.length, cols, cells: Float64Array.from(kept.flat()) };
  }

  #drawDimensions(
    name: string,
    field: GridField | TableField,
    cellBytes: number,
    scope: NameScope,
  ): { rows: number; cols: number } {
    const rows = this.#drawCount(name, field.rows, scope);
    const cols = this.#drawCount(name, field.cols, scope);
    this.#spend(rows * (VALUE_BYTES + cols * cellBytes), name);
    return { rows, cols };
  }

  /** The range of a field, narrowed by the bounds that the user or a contest set gives for its name. */
  #rangeOf(
    name: string,
    { min, max }: { readonly min: Bound; readonly max: Bound },
    scope: NameScope,
  ): { low: WholeNumber; high: WholeNumber } {
    const range = evaluateRange(min, max, scope);
    if (range === null) throw new FailedDraw('empty-range', `the bounds of "${name}" have no value`);
    const { bounds } = this.plan;
    const narrowed = Object.hasOwn(bounds, name) ? bounds[name] : null;
    const low = narrowed !== null && narrowed[0] > range.low ? narrowed[0] : range.low;
    const high = narrowed !== null && narrowed[1] < range.high ? narrowed[1] : range.high;
    return { low, high };
  }

  #intRangeOf(
    name: string,
    field: { readonly min: Bound; readonly max: Bound },
    scope: NameScope,
    limits = SAFE_RANGE,
  ): { low: number; high: number } {
    const range = this.#rangeOf(name, field, scope);
    const bounded = boundedRange(Number(range.low), Number(range.high), MAX_UNBOUNDED.int);
    const low = Math.max(limits.low, Math.ceil(bounded.low));
    const high = Math.min(limits.high, Math.floor(bounded.high));
    if (low > high) throw emptyRange(name, low, high);
    return { low, high };
  }

  #bigintRangeOf(
    name: string,
    field: { readonly min: Bound; readonly max: Bound },
    scope: NameScope,
  ): { low: bigint; high: bigint } {
    const range = this.#rangeOf(name, field, scope);
    const max = MAX_UNBOUNDED.bigint;
    let low = range.low === Number.NEGATIVE_INFINITY ? null : ceilBigint(range.low);
    let high = range.high === Number.POSITIVE_INFINITY ? null : floorBigint(range.high);
    low ??= high === null || high > -max ? -max : high - max;
    high ??= low < max ? max : low + max;
    if (low > high) throw emptyRange(name, low, high);
    return { low, high };
  }

  /** The numbers of a field of decimal numbers are the whole numbers of `range`, divided by `scale`. */
  #decimalRangeOf(
    name: string,
    field: NumberField | NumbersField,
    scope: NameScope,
  ): { range: { low: number; high: number }; scale: number } {
    const given = this.#rangeOf(name, field, scope);
    const { low, high } = boundedRange(Number(given.low), Number(given.high), MAX_UNBOUNDED.number);
    const largest = Math.max(1, Math.abs(low), Math.abs(high));
    let decimals = field.decimals ?? DEFAULT_DECIMALS;
    while (decimals > 0 && largest * 10 ** decimals > SAFE_RANGE.high) decimals--;
    const scale = 10 ** decimals;
    const range = { low: Math.ceil(low * scale), high: Math.floor(high * scale) };
    if (range.low > range.high) throw emptyRange(name, low, high);
    return { range, scale };
  }

  #spend(bytes: number, name: string): void {
    if (this.drawnBytes + bytes > MAX_DRAWN_BYTES) {
      throw new FailedDraw('too-large', `"${name}" makes a case larger than ${MAX_DRAWN_BYTES >> 20} MiB`);
    }
    this.drawnBytes += bytes;
  }
}

function emptyRange(name: string, low: WholeNumber, high: WholeNumber): FailedDraw {
  return new FailedDraw('empty-range', `the bounds of "${name}" allow no value (${low} to ${high})`);
}

/** Replaces infinite ends of a range by ends that are at most `max` from zero, or by ends that keep it not empty. */
function boundedRange(low: number, high: number, max: number): { low: number; high: number } {
  const from = Number.isFinite(low) ? low : Math.min(-max, Number.isFinite(high) ? high - max : -max);
  const to = Number.isFinite(high) ? high : Math.max(max, from + max);
  return { low: from, high: to };
}

function narrowBigints({ low, high }: { low: bigint; high: bigint }, name: string): WholeRange {
  const narrowed = {
    low: low < INT64_RANGE.low ? INT64_RANGE.low : low,
    high: high > INT64_RANGE.high ? INT64_RANGE.high : high,
  };
  if (narrowed.low > narrowed.high) throw emptyRange(name, low, high);
  return narrowed;
}

function ceilBigint(value: WholeNumber): bigint {
  return typeof value === 'bigint' ? value : BigInt(Math.ceil(value));
}

function floorBigint(value: WholeNumber): bigint {
  return typeof value === 'bigint' ? value : BigInt(Math.floor(value));
}

/** Leaves out elements whose first token would be read as the end of the array. */
function withoutEndToken<T>(
  count: Count,
  elements: T[],
  firstTokenOf: (element: T) => string | undefined,
): T[] {
  if (count.kind !== 'until-token') return elements;
  return elements.filter((element) => firstTokenOf(element) !== count.token);
}

function firstWord(text: unknown): string {
  return String(text).split(' ')[0];
}
