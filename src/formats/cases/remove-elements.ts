/** Removes elements from arrays, lists, grids and tables, and from all that are counted by the same number. */

import { isExpression } from '../language/expression.js';
import { evaluateCount, type NameScope, recordOfTag } from '../language/expression-values.js';
import type { Count, Field, GridField, RecordTree, RecordValue, TableField } from '../language/tree.js';
import type { Table } from '../language/types.js';
import { TreeGrid } from '../tree/grid.js';

/** The elements with the indices `from` to `from + count - 1`. */
interface ElementRange {
  readonly from: number;
  readonly count: number;
}

/**
 * Yields ranges of indices below `length` that leave at least `min` indices: the longest ranges, then halves, quarters and
 * so on down to single indices.
 */
export function* elementRanges(length: number, min: number): Generator<ElementRange> {
  const most = length - min;
  if (most > 0) yield { from: 0, count: most };
  if (most > 0 && most < length) yield { from: min, count: most };
  for (let count = Math.floor(length / 2); count >= 1; count = Math.floor(count / 2)) {
    if (count > most) continue;
    for (let from = 0; from < length; from += count) yield { from: Math.min(from, length - count), count };
  }
}

/** A number that counts elements, and the range of elements that is removed. */
interface Removal {
  readonly name: string;
  readonly size: number;
  readonly range: ElementRange;
}

/**
 * Returns the record with the number `name` lowered by the length of the range, and without the elements of the range in
 * all fields that the number counts. If a field has more or fewer elements than the number says, such as `2*n`, a range of
 * it is removed that begins at the same proportion.
 */
export function removeCounted(
  tree: RecordTree,
  record: RecordValue,
  name: string,
  range: ElementRange,
  scope: NameScope,
): RecordValue {
  const size = Number(record[name]);
  const left = size - range.count;
  const lowered = { ...record, [name]: typeof record[name] === 'bigint' ? BigInt(left) : left };
  const before = scope.within(record);
  const after = scope.within(lowered);
  return removeInFields(tree, lowered, { name, size, range }, before, after);
}

function removeInFields(
  { fields }: RecordTree,
  record: RecordValue,
  removal: Removal,
  before: NameScope,
  after: NameScope,
): RecordValue {
  const changed: Record<string, unknown> = { ...record };
  for (const { name, field } of fields) {
    changed[name] = removeInField(field, record[name], removal, before, after);
  }
  return changed;
}

function removeInField(
  field: Field,
  value: unknown,
  removal: Removal,
  before: NameScope,
  after: NameScope,
): unknown {
  const rangeIn = (count: Count) => scaleRange(count, removal, before, after);
  switch (field.kind) {
    case 'scalar':
    case 'word':
    case 'line':
      return value;
    case 'numbers':
    case 'words':
    case 'lines':
      return removeElements(value as unknown[], rangeIn(field.count));
    case 'list': {
      const kept = removeElements(value as RecordValue[], rangeIn(field.count));
      return kept.map((element) => removeInElement(field.of, element, removal, before, after));
    }
    case 'either':
      return removeInElement(field, value as RecordValue, removal, before, after);
    case 'grid':
      return removeFromGrid(field, value as TreeGrid, rangeIn(field.rows), rangeIn(field.cols));
    case 'table':
      return removeFromTable(value as Table, rangeIn(field.rows), rangeIn(field.cols));
  }
}

function removeInElement(
  of: RecordTree | Extract<Field, { kind: 'either' }>,
  element: RecordValue,
  removal: Removal,
  before: NameScope,
  after: NameScope,
): RecordValue {
  const tree = of.kind === 'record' ? of : recordOfTag(of, element[of.tag]);
  // In a record with a number of the same name, expressions mean that number.
  if (tree === null || Object.hasOwn(element, removal.name)) return element;
  return removeInFields(tree, element, removal, before.within(element), after.within(element));
}

/** Returns the range to remove from a field with this count; null if the count does not become smaller. */
function scaleRange(
  count: Count,
  { size, range }: Removal,
  before: NameScope,
  after: NameScope,
): ElementRange | null {
  if (!isExpression(count)) return null;
  const length = evaluateCount(count, before);
  const kept = evaluateCount(count, after);
  if (length === null || kept === null || kept >= length) return null;
  return { from: Math.min(Math.floor((range.from * length) / size), kept), count: length - kept };
}

/** Returns the elements of an array without those of the range. A typed array stays a typed array. */
export function removeElements<T>(elements: readonly T[], range: ElementRange | null): T[] {
  if (range === null) return elements as T[];
  const { from, count } = range;
  return elements.filter((_, index) => index < from || index >= from + count);
}

function removeFromGrid(
  field: GridField,
  { rows, cols, cells }: TreeGrid,
  rowRange: ElementRange | null,
  colRange: ElementRange | null,
): TreeGrid {
  const kept = cells.filter(keepsCell(cols, field.letters.length, rowRange, colRange));
  return new TreeGrid(rows - (rowRange?.count ?? 0), cols - (colRange?.count ?? 0), kept, field.letters);
}

function removeFromTable(
  { rows, cols, cells }: Table,
  rowRange: ElementRange | null,
  colRange: ElementRange | null,
): Table {
  const kept = cells.filter(keepsCell(cols, 1, rowRange, colRange));
  return { rows: rows - (rowRange?.count ?? 0), cols: cols - (colRange?.count ?? 0), cells: kept };
}

function keepsCell(
  cols: number,
  size: number,
  rowRange: ElementRange | null,
  colRange: ElementRange | null,
): (value: number, at: number) => boolean {
  const isIn = (index: number, range: ElementRange | null) =>
    range !== null && index >= range.from && index < range.from + range.count;
  return (_, at) => {
    const cell = Math.floor(at / size);
    return !isIn(Math.floor(cell / cols), rowRange) && !isIn(cell % cols, colRange);
  };
}

/** Returns a grid or table without a range of its rows. */
export function removeRows(
  field: GridField | TableField,
  value: TreeGrid | Table,
  range: ElementRange,
): TreeGrid | Table {
  return field.kind === 'grid'
    ? removeFromGrid(field, value as TreeGrid, range, null)
    : removeFromTable(value as Table, range, null);
}
