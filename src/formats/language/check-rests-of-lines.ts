/**
 * Refuses an array until the end of its line if the format does not say which line that is, because that depends on the case.
 * Such an array could be read from the line before, or from the line after. The same holds for a line that may be empty at the
 * start of a case, which could be taken for a blank line between cases.
 */
import type { AuthorPlace } from './author-error.js';
import { FieldScope } from './scope.js';
import {
  endsLine,
  isOnSameLine,
  layoutInside,
  outermostFieldsOf,
  type RecordLayout,
  readsToLineEnd,
  recordsOfField,
} from './shapes.js';
import { fieldTakesToken } from './takes-token.js';
import type { Field, NamedField, RecordTree, Shape } from './tree.js';

/** Checks the fields of a shape. `scope` has all names of the shape. */
export function checkRestsOfLines({ kind, records }: Shape, scope: FieldScope, place: AuthorPlace): void {
  for (const record of records) checkRecord(record, kind === 'lines' ? 'line' : 'lines', scope, place);
}

/** Checks how cases begin: a line that may be empty is their first field, or comes after a field that is never empty. */
export function refuseAmbiguousEmptyLine(shape: Shape, scope: FieldScope, place: AuthorPlace): void {
  const fields = outermostFieldsOf(shape);
  const index = fields.findIndex(({ field }) => mayBeEmptyText(field) || fieldTakesToken(field, scope));
  if (index <= 0 || !mayBeEmptyText(fields[index].field)) return;
  throw place
    .field(fields[index].name)
    .error(
      'a line that may be empty needs a field before it that is never empty, unless cases begin with it',
    );
}

function mayBeEmptyText(field: Field): boolean {
  return readsToLineEnd(field) || (field.kind === 'line' && field.mayBeEmpty);
}

function checkRecord(record: RecordTree, layout: RecordLayout, scope: FieldScope, place: AuthorPlace): void {
  for (const [index, { name, field }] of record.fields.entries()) {
    for (const inner of recordsOfField(field))
      checkRecord(inner, layoutInside(field), scopeOf(inner, scope), place.field(name));
    if (!readsToLineEnd(field) || !isOnSameLine(record.fields, index, layout)) continue;
    const before = fieldsBefore(record.fields.slice(0, index), layout);
    const mayEnd = before.findLastIndex((one) => endsLineForSomeTag(one.field));
    const isAfterTag = layout === 'variant' && before.length === index && mayEnd < 0;
    if (isAfterTag || before.slice(mayEnd + 1).some((one) => fieldTakesToken(one.field, scope))) continue;
    const between = mayEnd < 0 ? '' : `, after the either(...) of which some tags end their lines`;
    throw place
      .field(name)
      .error(`until('\\n') needs a field before it on its line that is never empty${between}`);
  }
}

/** Returns the fields that share a line with the field that follows them. */
function fieldsBefore(fields: readonly NamedField[], layout: RecordLayout): readonly NamedField[] {
  const end = fields.findLastIndex(({ field }) => endsLine(field, layout !== 'line'));
  return fields.slice(end + 1);
}

function endsLineForSomeTag(field: Field): boolean {
  if (field.kind !== 'either') return false;
  return recordsOfField(field).some(({ fields }) => {
    const last = fields.at(-1);
    return last !== undefined && endsLine(last.field, true);
  });
}

function scopeOf(record: RecordTree, outer: FieldScope): FieldScope {
  const scope = new FieldScope([record], outer);
  for (const { name } of record.fields) scope.add(name);
  return scope;
}
