/**
 * Adapts values to their fields after something before them has changed: numbers are moved into their bounds, and elements
 * that are no longer counted are dropped from the end.
 */

import type { WholeNumber } from '../language/exact.js';
import { isExpression } from '../language/expression.js';
import { evaluateCount, evaluateRange, type NameScope, recordOfTag } from '../language/expression-values.js';
import type {
  Bound,
  Count,
  EitherField,
  Field,
  GridField,
  RecordTree,
  RecordValue,
  TableField,
} from '../language/tree.js';
import type { Table } from '../language/types.js';
import { TreeGrid } from '../tree/grid.js';

/** Returns the record with values that fit; null if there is none. The scope is that around the record. */
export function fitRecord(tree: RecordTree, record: RecordValue, scope: NameScope): RecordValue | null {
  return fitFields(tree, record, {}, scope);
}

function fitFields(
  { fields }: RecordTree,
  record: RecordValue,
  fitted: Record<string, unknown>,
  scope: NameScope,
): RecordValue | null {
  const inner = scope.within(fitted);
  for (const { name, field } of fields) {
    const value = fitField(field, record[name], inner);
    if (value === null) return null;
    fitted[name] = value;
  }
  return fitted;
}

function fitEither(field: EitherField, record: RecordValue, scope: NameScope): RecordValue | null {
  const tag = record[field.tag];
  const tree = recordOfTag(field, tag);
  return tree === null ? null : fitFields(tree, record, { [field.tag]: tag }, scope);
}

function fitField(field: Field, value: unknown, scope: NameScope): unknown {
  switch (field.kind) {
    case 'scalar':
      return clampAll(field, [value as WholeNumber], scope)?.[0] ?? null;
    case 'word':
    case 'line':
      return value;
    case 'numbers': {
      const kept = keepCounted(field.count, value as Float64Array, scope);
      // The values of all three kinds of arrays are numbers or bigints that keep their type.
      return kept && clampAll(field, kept as ArrayLike<number> as Float64Array, scope);
    }
    case 'words':
    case 'lines':
      return withoutEndToken(field.count, keepCounted(field.count, value as string[], scope));
    case 'grid':
      return fitGrid(field, value as TreeGrid, scope);
    case 'table':
      return fitTable(field, value as Table, scope);
    case 'list': {
      const kept = keepCounted(field.count, value as RecordValue[], scope);
      const fitted = kept?.map((element) => fitElement(field.of, element, scope)) ?? [null];
      return fitted.includes(null) ? null : fitted;
    }
    case 'either':
      return fitEither(field, value as RecordValue, scope);
  }
}

function fitElement(
  tree: RecordTree | EitherField,
  element: RecordValue,
  scope: NameScope,
): RecordValue | null {
  return tree.kind === 'record' ? fitRecord(tree, element, scope) : fitEither(tree, element, scope);
}

/** Something with elements that can be cut off: an array or a typed array. */
interface Sliceable<Kept> {
  readonly length: number;
  slice(from: number, to: number): Kept;
}

/** Returns the first elements, as many as `count` says. Null if there are fewer. */
function keepCounted<Kept>(count: Count, elements: Sliceable<Kept>, scope: NameScope): Kept | null {
  const length = lengthOf(count, elements.length, scope);
  return length === null ? null : elements.slice(0, length);
}

function lengthOf(count: Count, length: number, scope: NameScope): number | null {
  if (!isExpression(count)) return length;
  const counted = evaluateCount(count, scope);
  return counted !== null && counted <= length ? counted : null;
}

/** Returns null if a text would be read as the end of its array. */
function withoutEndToken(count: Count, texts: string[] | null): string[] | null {
  return count.kind === 'until-token' && texts?.includes(count.token) ? null : texts;
}

type Bounded = { readonly min: Bound; readonly max: Bound };

/** Moves all numbers into the bounds of the field. Returns null if the bounds allow no value. */
function clampAll<Numbers extends WholeNumber[] | Float64Array>(
  { min, max }: Bounded,
  numbers: Numbers,
  scope: NameScope,
): Numbers | null {
  const range = evaluateRange(min, max, scope);
  if (range === null || range.low > range.high) return null;
  const clamp = (value: WholeNumber) => {
    const end = value < range.low ? range.low : value > range.high ? range.high : value;
    return typeof value === 'bigint' ? BigInt(end) : Number(end);
  };
  return numbers.map(clamp as (value: WholeNumber) => number) as Numbers;
}

function fitGrid(field: GridField, grid: TreeGrid, scope: NameScope): TreeGrid | null {
  const rows = lengthOf(field.rows, grid.rows, scope);
  const cols = lengthOf(field.cols, grid.cols, scope);
  if (rows === null || cols === null) return null;
  return new TreeGrid(
    rows,
    cols,
    cropCells(grid.cells, grid.cols, rows, cols, field.letters.length),
    field.letters,
  );
}

function fitTable(field: TableField, table: Table, scope: NameScope): Table | null {
  const rows = lengthOf(field.rows, table.rows, scope);
  const cols = lengthOf(field.cols, table.cols, scope);
  if (rows === null || cols === null) return null;
  const cells = clampAll(field, cropCells(table.cells, table.cols, rows, cols, 1), scope);
  return cells && { rows, cols, cells };
}

/** Returns the first rows and columns of cells that stand in rows of `oldCols` cells. */
function cropCells<Cells extends Uint8Array | Float64Array>(
  cells: Cells,
  oldCols: number,
  rows: number,
  cols: number,
  size: number,
): Cells {
  if (oldCols === cols) return cells.slice(0, rows * cols * size) as Cells;
  return cells.filter((_, at) => {
    const cell = Math.floor(at / size);
    return cell % oldCols < cols && cell < rows * oldCols;
  }) as Cells;
}
