/** Finds the names in a format that mean fields outside it. */
import { type NameInExpression, namesIn } from './expression.js';
import { recordsOfField } from './shapes.js';
import { expressionsOfField } from './size-names.js';
import type { RecordTree } from './tree.js';

/** Returns the names in the counts and bounds of the record that are not the names of earlier fields of the record. */
export function freeNames(
  { fields }: RecordTree,
  known: ReadonlySet<string> = new Set(),
): NameInExpression[] {
  const inner = new Set(known);
  return fields.flatMap(({ name, field }) => {
    const own = expressionsOfField(field)
      .flatMap(namesIn)
      .filter((used) => !inner.has(nameOf(used)));
    const free = [...own, ...recordsOfField(field).flatMap((record) => freeNames(record, inner))];
    inner.add(name);
    return free;
  });
}

function nameOf(used: NameInExpression): string {
  return used.kind === 'name' ? used.name : used.list;
}
