/**
 * Boards of modules: if the format of a case has exactly one grid, this grid counts as a board. Then the output can have the
 * columns of boards, and users can choose the sizes of generated boards.
 */
import { BoardmillError } from '../../core/errors.js';
import { printRange, type Range } from '../../core/range.js';
import { constantValue, isExpressionCount, printExpression } from '../../formats/language/expression.js';
import { outermostFieldsOf, recordsOfField } from '../../formats/language/shapes.js';
import type {
  Bound,
  ElementCount,
  Field,
  GridField,
  Layout,
  NamedBounds,
  RecordValue,
} from '../../formats/language/tree.js';
import type { TreeGrid } from '../../formats/tree/grid.js';
import { assertSizesInRange } from '../board-sizes.js';
import type { CaseColumns } from '../output-columns.js';
import type { WantedBoards } from '../problem.js';

interface CaseGrid {
  readonly name: string;
  readonly field: GridField;
}

/** Returns the grid of a case; null if a case has none, several, or one in a list or an alternative. */
function findGrid({ shape }: Layout): CaseGrid | null {
  const fields = outermostFieldsOf(shape);
  const grids = fields.flatMap(({ name, field }) => (field.kind === 'grid' ? [{ name, field }] : []));
  const isOnly = grids.length === 1 && fields.every(({ field }) => field.kind === 'grid' || !hasGrid(field));
  return isOnly ? grids[0] : null;
}

function hasGrid(field: Field): boolean {
  return (
    field.kind === 'grid' ||
    recordsOfField(field).some(({ fields }) => fields.some((each) => hasGrid(each.field)))
  );
}

/** Returns the functions for the columns that describe the board of a case; undefined if the cases have no board. */
export function columnsAboutBoard(layout: Layout): CaseColumns<RecordValue> | undefined {
  const grid = findGrid(layout);
  if (grid === null) return undefined;
  const gridOf = (value: RecordValue) => value[grid.name] as TreeGrid;
  return {
    rows: (value) => gridOf(value).rows,
    cols: (value) => gridOf(value).cols,
    // The grid is copied, because `solve` may change its cells before the column is printed.
    board: (value) => gridOf(value).copy().lines,
  };
}

const SIDES = ['rows', 'cols'] as const;

/**
 * Returns bounds for the numbers of a case that make its board have the sizes that a user asks for, by the names of the
 * numbers. Fails with kind `usage` if no case can have these sizes, or if no single number says a size.
 */
export function boundsOfSizes(
  problem: string,
  layout: Layout,
  wishes: Pick<WantedBoards, 'rows' | 'cols'>,
): NamedBounds {
  const grid = findGrid(layout);
  const bounds: Record<string, readonly [number, number]> = {};
  for (const side of SIDES) {
    const wanted = wishes[side];
    if (wanted === null) continue;
    if (grid === null)
      throw usageError(`--${side} is for boards: cases with exactly one grid; ${problem} has none`);
    const count = grid.field[side];
    if (count.kind === 'name')
      bounds[count.name] = boundsWithin(`--${side}`, count.name, wanted, layout, bounds);
    else assertFixed(side, wanted, grid.name, count);
  }
  return bounds;
}

/**
 * Narrows the wanted bounds of a number to the bounds that were wanted before. Both apply if the same number is the rows and
 * the columns.
 */
function boundsWithin(
  option: string,
  name: string,
  wanted: Range,
  layout: Layout,
  before: NamedBounds,
): readonly [number, number] {
  assertSizesInRange(option, wanted, rangeOf(name, layout));
  const [low, high] = Object.hasOwn(before, name) ? before[name] : [wanted.from, wanted.to];
  const [from, to] = [Math.max(low, wanted.from), Math.min(high, wanted.to)];
  if (from <= to) return [from, to];
  throw usageError(`--rows and --cols both choose ${name}: give only one of them, or sizes in common`);
}

/** Returns the range of values that the format allows for a number, as far as its bounds are constants. */
function rangeOf(name: string, { head, shape }: Layout): Range {
  const fields = [...outermostFieldsOf(shape), ...(head === null ? [] : outermostFieldsOf(head))];
  const field = fields.find((named) => named.name === name)?.field;
  const { min, max } = field?.kind === 'scalar' ? field : { min: null, max: null };
  return {
    from: Math.max(0, constantOf(min) ?? 0),
    to: constantOf(max) ?? Number.POSITIVE_INFINITY,
  };
}

function constantOf(bound: Bound): number | null {
  const value = bound === null || bound.kind === 'large-constant' ? null : constantValue(bound);
  return value === null ? null : Number(value);
}

/** Fails unless the format fixes the size of this side to a constant, and the user wants this size. */
function assertFixed(side: (typeof SIDES)[number], wanted: Range, grid: string, count: ElementCount): void {
  const size = isExpressionCount(count) ? constantOf(count) : null;
  if (size === null) {
    const why = isExpressionCount(count) ? `are ${printExpression(count)}` : 'end where the input says';
    throw usageError(
      `--${side} needs a number that says how many ${side} there are; those of ${grid} ${why}`,
    );
  }
  if (size < wanted.from || size > wanted.to)
    throw usageError(`--${side} ${printRange(wanted)}: ${grid} always has ${size} ${side}`);
}

function usageError(message: string): BoardmillError {
  return new BoardmillError('usage', message);
}
