/** Finds the numbers and lists that a format names but does not contain itself. */
import { isExpression, type NameInExpression, namesIn } from './expression.js';
import { countsOf, recordsOf } from './shapes.js';
import type { Bound, Field, RecordTree } from './tree.js';

/** Returns what the counts and bounds in the record name that is not read earlier in it. */
export function freeNames(
  { fields }: RecordTree,
  known: ReadonlySet<string> = new Set(),
): NameInExpression[] {
  const inner = new Set(known);
  return fields.flatMap(({ name, field }) => {
    const own = namesInField(field).filter((used) => !inner.has(nameOf(used)));
    const free = [...own, ...recordsOf(field).flatMap((record) => freeNames(record, inner))];
    inner.add(name);
    return free;
  });
}

function nameOf(used: NameInExpression): string {
  return used.kind === 'name' ? used.name : used.list;
}

function namesInField(field: Field): NameInExpression[] {
  const bounds: Bound[] = 'min' in field ? [field.min, field.max] : [];
  return [
    ...countsOf(field).filter(isExpression).flatMap(namesIn),
    ...bounds.flatMap((bound) => (bound === null || bound.kind === 'large-constant' ? [] : namesIn(bound))),
  ];
}
