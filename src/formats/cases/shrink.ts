/**
 * Makes simpler cases from a case, for finding the simplest case on which a program fails: fewer elements, then numbers
 * nearer to zero, shorter words and earlier letters. The biggest steps come first (A. Zeller, R. Hildebrandt,
 * "Simplifying and isolating failure-inducing input", 2002).
 *
 * Each step changes one number, text or range of elements. Then the rest of the case is fitted to that change. A step
 * lowers what it changes, and fitting changes only what is read later, so repeated steps come to an end.
 */

import { isDeepStrictEqual } from 'node:util';
import { isExpression } from '../language/expression.js';
import { collectTagNames, evaluateRange, NameScope, recordOfTag } from '../language/expression-values.js';
import { isWhole } from '../language/scope.js';
import { countsOf, findNeverEmptyArrays, mayBeEmptyLine, type NeverEmptyArrays } from '../language/shapes.js';
import { collectSizeNames } from '../language/size-names.js';
import type {
  Count,
  EitherField,
  Field,
  GridField,
  Layout,
  ListField,
  NamedField,
  NumbersField,
  RecordTree,
  RecordValue,
  TableField,
} from '../language/tree.js';
import type { Table } from '../language/types.js';
import { TreeGrid } from '../tree/grid.js';
import { isTerminator } from '../tree/value-tokens.js';
import { fitRecord } from './fit-values.js';
import { elementRanges, removeCounted, removeElements, removeRows } from './remove-elements.js';
import {
  arraysWithSimplerElement,
  type NumberRule,
  numberRule,
  simplerArrays,
  simplerLines,
  simplerNumbers,
  simplerWords,
  simplestNumber,
} from './simpler-values.js';

/**
 * Yields cases that are one step simpler than `value`, the biggest steps first. They are within their bounds, as far as
 * fields say, and differ from `value`.
 */
export function* simplerCases(layout: Layout, value: RecordValue, head: RecordValue): Generator<RecordValue> {
  const { head: headShape, shape, ending } = layout;
  const tree: RecordTree = { kind: 'record', fields: shape.records.flatMap(({ fields }) => fields) };
  const tagNames = collectTagNames([...(headShape?.records ?? []), tree]);
  const scope = new NameScope([head], tagNames);
  const shrinker = new Shrinker(collectSizeNames(layout), findNeverEmptyArrays(layout));
  for (const steps of [
    shrinker.smallerRecords(tree, value, scope),
    shrinker.simplerRecords(tree, value, scope),
  ]) {
    for (const step of steps) {
      const fitted = fitRecord(tree, step, scope);
      if (fitted === null || isDeepStrictEqual(fitted, value)) continue;
      if (!isTerminator(ending, [tree], fitted, scope.within(fitted))) yield fitted;
    }
  }
}

type Records = Generator<RecordValue>;

class Shrinker {
  /** The names of the numbers that say how long something is. */
  readonly #sizeNames: ReadonlySet<string>;
  readonly #neverEmpty: NeverEmptyArrays;

  constructor(sizeNames: ReadonlySet<string>, neverEmpty: NeverEmptyArrays) {
    this.#sizeNames = sizeNames;
    this.#neverEmpty = neverEmpty;
  }

  /** Yields records with fewer elements. `scope` is that around the record. */
  *smallerRecords(tree: RecordTree, record: RecordValue, scope: NameScope): Records {
    const inner = scope.within(record);
    for (const named of tree.fields) if (this.#isSize(named)) yield* lowerSize(tree, record, named, scope);
    for (const named of tree.fields) {
      const { name, field } = named;
      const least = canSayNone(field) || mayBeEmptyLine(named, this.#neverEmpty) ? 0 : 1;
      for (const value of fewerElements(field, record[name], least)) yield { ...record, [name]: value };
    }
    for (const { name, field } of tree.fields) {
      for (const value of this.#smallerInside(field, record[name], inner)) yield { ...record, [name]: value };
    }
  }

  /** Yields the values of lists and alternatives with fewer elements inside their records. */
  *#smallerInside(field: Field, value: unknown, scope: NameScope): Generator<unknown> {
    if (field.kind === 'list') {
      const smaller = (element: RecordValue) => this.#smallerElements(field.of, element, scope);
      yield* arraysWithSimplerElement(value as RecordValue[], smaller);
    } else if (field.kind === 'either') yield* this.#smallerElements(field, value as RecordValue, scope);
  }

  *#smallerElements(of: RecordTree | EitherField, element: RecordValue, scope: NameScope): Records {
    const tree = treeOf(of, element);
    if (tree !== null) yield* this.smallerRecords(tree, element, scope);
  }

  /** Yields records with simpler values and as many elements. `scope` is that around the record. */
  *simplerRecords(tree: RecordTree, record: RecordValue, scope: NameScope): Records {
    const inner = scope.within(record);
    for (const named of tree.fields) {
      if (this.#isSize(named)) continue;
      const { name, field } = named;
      for (const value of this.#simplerValues(field, record[name], inner)) yield { ...record, [name]: value };
    }
  }

  #simplerValues(field: Field, value: unknown, scope: NameScope): Iterable<unknown> {
    switch (field.kind) {
      case 'scalar': {
        const rule = numberRule(field, field.of === 'number', field.decimals, scope);
        return rule === null ? [] : simplerNumbers(value as number | bigint, rule);
      }
      case 'word':
        return simplerWords(value as string, field.letters);
      case 'line':
        return simplerLines(value as string, field.mayBeEmpty);
      case 'numbers':
        return simplerNumberArrays(field, value as Float64Array, scope);
      case 'words':
        return arraysWithSimplerElement(value as string[], (word) => simplerWords(word, field.letters));
      case 'lines':
        return arraysWithSimplerElement(value as string[], (line) => simplerLines(line, false));
      case 'grid':
        return simplerGrids(field, value as TreeGrid);
      case 'table':
        return simplerTables(field, value as Table, scope);
      case 'list':
        return this.#simplerLists(field, value as RecordValue[], scope);
      case 'either':
        return this.#simplerElements(field, value as RecordValue, scope);
    }
  }

  #simplerLists(
    { of }: ListField,
    elements: readonly RecordValue[],
    scope: NameScope,
  ): Iterable<RecordValue[]> {
    return simplerArrays(
      elements,
      (element) => this.#simplestElement(of, element, scope),
      (element) => this.#simplerElements(of, element, scope),
    );
  }

  *#simplerElements(of: RecordTree | EitherField, element: RecordValue, scope: NameScope): Records {
    if (of.kind === 'either') yield* earlierVariants(of, element);
    const tree = treeOf(of, element);
    if (tree !== null) yield* this.simplerRecords(tree, element, scope);
  }

  /** Returns the record with the simplest numbers. */
  #simplestElement(of: RecordTree | EitherField, element: RecordValue, scope: NameScope): RecordValue {
    const inner = scope.within(element);
    const simplest: Record<string, unknown> = { ...element };
    for (const named of treeOf(of, element)?.fields ?? []) {
      const { name, field } = named;
      if (field.kind !== 'scalar' || this.#isSize(named)) continue;
      const rule = numberRule(field, field.of === 'number', field.decimals, inner);
      if (rule !== null) simplest[name] = simplestNumber(element[name] as number, rule);
    }
    return simplest;
  }

  #isSize({ name, field }: NamedField): boolean {
    return isWhole(field) && this.#sizeNames.has(name);
  }
}

function treeOf(of: RecordTree | EitherField, element: RecordValue): RecordTree | null {
  return of.kind === 'record' ? of : recordOfTag(of, element[of.tag]);
}

/** Yields records in which a size is lower, and a range of all elements that it counts is removed. */
function* lowerSize(
  tree: RecordTree,
  record: RecordValue,
  { name, field }: NamedField,
  scope: NameScope,
): Records {
  if (field.kind !== 'scalar') return;
  const range = evaluateRange(field.min, field.max, scope.within(record));
  if (range === null) return;
  const min = Math.max(0, Math.ceil(Number(range.low)));
  for (const removed of elementRanges(Number(record[name]), min)) {
    yield removeCounted(tree, record, name, removed, scope);
  }
}

/** Whether a token says where the elements end. Elsewhere an empty line, or nothing at all, may be skipped. */
function canSayNone(field: Field): boolean {
  return countsOf(field).some(({ kind }) => kind === 'until-token');
}

/** Yields values with fewer elements, but at least `least`, of a field whose elements no number counts. */
function* fewerElements(field: Field, value: unknown, least: number): Generator<unknown> {
  switch (field.kind) {
    case 'numbers':
    case 'words':
    case 'lines':
    case 'list':
      for (const range of uncountedRanges(field.count, (value as unknown[]).length, least)) {
        yield removeElements(value as unknown[], range);
      }
      break;
    case 'grid':
    case 'table': {
      const table = value as TreeGrid | Table;
      for (const range of uncountedRanges(field.rows, table.rows, least))
        yield removeRows(field, table, range);
      break;
    }
  }
}

function uncountedRanges(
  count: Count,
  length: number,
  least: number,
): Iterable<{ from: number; count: number }> {
  return isExpression(count) ? [] : elementRanges(length, least);
}

/** Yields the records with earlier tags, if the fields of the record are those of the earlier tag or more. */
function* earlierVariants({ tag, variants }: EitherField, element: RecordValue): Records {
  const present = recordOfTag({ kind: 'either', tag, variants }, element[tag])?.fields ?? [];
  for (const { tags, record } of variants) {
    const isPossible = record.fields.every((wanted) =>
      present.some((field) => isDeepStrictEqual(field, wanted)),
    );
    for (const earlier of tags) {
      if (earlier === element[tag]) return;
      const kept = record.fields.map(({ name }) => [name, element[name]]);
      if (isPossible) yield { [tag]: earlier, ...Object.fromEntries(kept) };
    }
  }
}

/** Yields simpler arrays of the same type. */
function* simplerNumberArrays(
  field: NumbersField,
  numbers: Float64Array,
  scope: NameScope,
): Generator<unknown> {
  const rule = numberRule(field, field.of === 'number', field.decimals, scope);
  if (rule === null) return;
  for (const simpler of simplerWholeArrays(Array.from(numbers), rule)) {
    const copy = numbers.slice();
    // For bigints, both arrays hold bigints.
    for (let at = 0; at < copy.length; at++) copy[at] = simpler[at];
    yield copy;
  }
}

function simplerWholeArrays(numbers: readonly number[], rule: NumberRule): Iterable<number[]> {
  return simplerArrays(
    numbers,
    (value) => simplestNumber(value, rule),
    (value) => simplerNumbers(value, rule),
  );
}

function* simplerTables(field: TableField, { rows, cols, cells }: Table, scope: NameScope): Generator<Table> {
  const isDecimal = !cells.every(Number.isInteger);
  const rule = numberRule(field, isDecimal, null, scope);
  if (rule === null) return;
  for (const simpler of simplerWholeArrays(Array.from(cells), rule)) {
    yield { rows, cols, cells: Float64Array.from(simpler) };
  }
}

/** Yields grids with earlier letters. */
function* simplerGrids(field: GridField, { rows, cols, cells }: TreeGrid): Generator<TreeGrid> {
  for (const simpler of simplerWholeArrays(Array.from(cells), { simplest: 0, decimals: 0 })) {
    yield new TreeGrid(rows, cols, Uint8Array.from(simpler), field.letters);
  }
}
