/** Finds the numbers and lists that a format names but does not contain itself. */
import { type NameInExpression, namesIn } from './expression.js';
import { recordsOf } from './shapes.js';
import { expressionsOfField } from './size-names.js';
import type { RecordTree } from './tree.js';

/** Returns what the counts and bounds in the record name that is not read earlier in it. */
export function freeNames(
  { fields }: RecordTree,
  known: ReadonlySet<string> = new Set(),
): NameInExpression[] {
  const inner = new Set(known);
  return fields.flatMap(({ name, field }) => {
    const own = expressionsOfField(field)
      .flatMap(namesIn)
      .filter((used) => !inner.has(nameOf(used)));
    const free = [...own, ...recordsOf(field).flatMap((record) => freeNames(record, inner))];
    inner.add(name);
    return free;
  });
}

function nameOf(used: NameInExpression): string {
  return used.kind === 'name' ? used.name : used.list;
}
