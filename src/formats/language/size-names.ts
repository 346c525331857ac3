/** Finds the numbers of a format that say how long something is. */
import { isExpression, usedNames } from './expression.js';
import { recordsOf } from './shapes.js';
import type { Bound, Count, Expression, Field, Layout, RecordTree } from './tree.js';

/** Returns the names in the counts of all arrays, lists, grids and tables of a layout. */
export function collectSizeNames(layout: Layout): ReadonlySet<string> {
  const names = new Set<string>();
  for (const record of [...(layout.head?.records ?? []), ...layout.shape.records])
    addSizeNames(record, names);
  return names;
}

/**
 * Returns the names of ints and bigints in all expressions of a layout: counts, bounds, totals and the condition of its end.
 */
export function collectNames(layout: Layout): ReadonlySet<string> {
  const records = [...(layout.head?.records ?? []), ...layout.shape.records];
  const totals = layout.total.map(({ expression }) => expression);
  const expressions = [...records.flatMap(expressionsOf), ...conditionsOf(layout), ...totals];
  return new Set(expressions.flatMap(usedNames));
}

/** All expressions of a record: counts and bounds. */
export function expressionsOf(record: RecordTree): Expression[] {
  return record.fields.flatMap(({ field }) => [
    ...countsOf(field).filter(isExpression),
    ...('min' in field ? [field.min, field.max].filter((bound) => isExpressionBound(bound)) : []),
    ...recordsOf(field).flatMap(expressionsOf),
  ]);
}

function isExpressionBound(bound: Bound): bound is Expression {
  return bound !== null && bound.kind !== 'large-constant';
}

/** The two sides of the condition that ends the input, if there is one. */
export function conditionsOf({ ending }: Layout): Expression[] {
  if (ending.kind !== 'until-terminator' || ending.when === null) return [];
  return [ending.when.left, ending.when.right];
}

function addSizeNames(tree: Field | RecordTree, names: Set<string>): void {
  for (const count of countsOf(tree)) {
    if (isExpression(count)) for (const name of usedNames(count)) names.add(name);
  }
  if (tree.kind === 'record') for (const { field } of tree.fields) addSizeNames(field, names);
  else if (tree.kind === 'list') addSizeNames(tree.of, names);
  else if (tree.kind === 'either') for (const { record } of tree.variants) addSizeNames(record, names);
}

/** Returns the counts of a field itself, without those of fields inside it. */
function countsOf(tree: Field | RecordTree): readonly Count[] {
  switch (tree.kind) {
    case 'numbers':
    case 'words':
    case 'lines':
    case 'list':
      return [tree.count];
    case 'grid':
    case 'table':
      return [tree.rows, tree.cols];
    default:
      return [];
  }
}

/** Returns the numbers of a record that have one of these names. */
export function numbersNamed(
  names: ReadonlySet<string>,
  record: Readonly<Record<string, unknown>>,
): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? record[name] : null;
    if (typeof value === 'number' || typeof value === 'bigint') numbers.set(name, Number(value));
  }
  return numbers;
}
