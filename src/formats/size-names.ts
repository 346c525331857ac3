/** Finds the numbers of a format that say how long something is. */
import { isExpression, usedNames } from './expression.js';
import type { Count, Field, Layout, RecordTree } from './tree.js';

/** Returns the names in the counts of all arrays, lists, grids and tables of a layout. */
export function collectSizeNames(layout: Layout): ReadonlySet<string> {
  const names = new Set<string>();
  for (const record of [...(layout.head?.records ?? []), ...layout.shape.records])
    addSizeNames(record, names);
  return names;
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
export function countsOf(tree: Field | RecordTree): readonly Count[] {
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
    if (typeof value === 'number') numbers.set(name, value);
  }
  return numbers;
}
