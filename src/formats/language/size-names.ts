/** Finds the numbers to which the expressions of a format refer, such as a number that gives the length of an array. */
import { fieldNamesInExpression, isExpression, isExpressionCount } from './expression.js';
import { countsOfField, fieldsAtAnyDepthOf, recordsOfLayout } from './shapes.js';
import type { Expression, Field, Layout, RecordTree } from './tree.js';

/** Returns the names in the counts of all arrays, lists, grids and tables of a layout. */
export function collectSizeNames(layout: Layout): ReadonlySet<string> {
  return namesInCounts(recordsOfLayout(layout));
}

/** Returns the names in the counts of all arrays, lists, grids and tables of these records. */
export function namesInCounts(records: readonly RecordTree[]): ReadonlySet<string> {
  return new Set(
    fieldsAtAnyDepthOf(records).flatMap(({ field }) => knownCountsOf(field).flatMap(fieldNamesInExpression)),
  );
}

/**
 * Returns the names of ints and bigints in all expressions of a layout: in counts, bounds, totals and the terminator's
 * condition.
 */
export function collectNamesInExpressions(layout: Layout): ReadonlySet<string> {
  const totals = layout.total.map(({ expression }) => expression);
  return new Set([...expressionsOfLayout(layout), ...totals].flatMap(fieldNamesInExpression));
}

/** Returns all expressions that are needed to read an input: counts, bounds, and the condition of a terminator. */
export function expressionsOfLayout(layout: Layout): Expression[] {
  const fields = fieldsAtAnyDepthOf(recordsOfLayout(layout));
  return [...fields.flatMap(({ field }) => expressionsOfField(field)), ...terminatorOperands(layout)];
}

/** Returns the expressions of a field, such as counts and bounds. Fields inside it are left out. */
export function expressionsOfField(field: Field): Expression[] {
  return Object.values(field).filter(isExpression);
}

/** Returns the counts of a field that are known before its elements are read. */
export function knownCountsOf(field: Field): Expression[] {
  return countsOfField(field).filter(isExpressionCount);
}

/** Returns the two sides of the condition that is true for the terminator; empty if there is no such condition. */
export function terminatorOperands({ ending }: Pick<Layout, 'ending'>): Expression[] {
  if (ending.kind !== 'until-terminator' || ending.when === null) return [];
  return [ending.when.left, ending.when.right];
}

/** Returns the numbers of a record whose names are among these names. */
export function numbersWithNames(
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
