/** Finds out whether a format names numbers or lists that it does not contain itself. */
import { isExpression, usedNames } from './expression.js';
import type { Bound, Count, Field, RecordTree } from './tree.js';

/** Whether a count or a bound in the tree names something that is not read earlier in the tree. */
export function hasFreeNames(tree: Field | RecordTree): boolean {
  return namesSomethingOutside(tree, new Set());
}

function namesSomethingOutside(tree: Field | RecordTree, known: ReadonlySet<string>): boolean {
  const isOutside = (name: string) => !known.has(name);
  switch (tree.kind) {
    case 'record':
      return recordNamesSomethingOutside(tree, known);
    case 'list':
      return namesInFields([tree.count], []).some(isOutside) || namesSomethingOutside(tree.of, known);
    case 'either':
      return tree.variants.some(({ record }) => recordNamesSomethingOutside(record, known));
    case 'grid':
      return namesInFields([tree.rows, tree.cols], []).some(isOutside);
    case 'table':
      return namesInFields([tree.rows, tree.cols], [tree.min, tree.max]).some(isOutside);
    case 'numbers':
      return namesInFields([tree.count], [tree.min, tree.max]).some(isOutside);
    case 'scalar':
      return namesInFields([], [tree.min, tree.max]).some(isOutside);
    case 'words':
    case 'lines':
      return namesInFields([tree.count], []).some(isOutside);
    case 'word':
    case 'line':
      return false;
  }
}

function recordNamesSomethingOutside({ fields }: RecordTree, known: ReadonlySet<string>): boolean {
  const inner = new Set(known);
  return fields.some(({ name, field }) => {
    const isOutside = namesSomethingOutside(field, inner);
    inner.add(name);
    return isOutside;
  });
}

function namesInFields(counts: readonly Count[], bounds: readonly Bound[]): string[] {
  return [
    ...counts.filter(isExpression).flatMap(usedNames),
    ...bounds.flatMap((bound) => (bound === null || bound.kind === 'large-constant' ? [] : usedNames(bound))),
  ];
}
