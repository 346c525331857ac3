/** Answers questions about the fields of a shape. */
import type { Count, Field, NamedField, RecordTree, Shape } from './tree.js';

export function allFields(shape: Shape): NamedField[] {
  return shape.records.flatMap((record) => record.fields);
}

export function firstField(shape: Shape): Field | undefined {
  return allFields(shape)[0]?.field;
}

export function lastField(shape: Shape): Field | undefined {
  return allFields(shape).at(-1)?.field;
}

export function isNumber(field: Field | undefined): boolean {
  return field?.kind === 'scalar';
}

/** Returns the numbers at the start of a case. */
export function leadingNumbers(shape: Shape): NamedField[] {
  const fields = allFields(shape);
  const others = fields.findIndex(({ field }) => !isNumber(field));
  return fields.slice(0, others < 0 ? fields.length : others);
}

export function startOf(shape: Shape): Shape {
  const numbers = leadingNumbers(shape);
  const fields = numbers.length > 0 ? numbers : allFields(shape).slice(0, 1);
  return { kind: 'record', records: [{ kind: 'record', fields }] };
}

/** How the start of a case lies to the blanks before it. */
export type CaseStart =
  /** A case begins with its first token. */
  | 'token'
  /** A case begins with a line, whose leading blanks belong to it. */
  | 'line'
  /** A case begins with a line that may be empty. */
  | 'any-line';

export function findCaseStart(shape: Shape): CaseStart {
  const first = firstField(shape);
  if (first?.kind === 'line') return first.mayBeEmpty ? 'any-line' : 'line';
  return first?.kind === 'lines' ? 'line' : 'token';
}

/** Whether every case of this shape has a token. */
export function hasToken(shape: Shape): boolean {
  return allFields(shape).some(
    ({ field }) =>
      field.kind === 'scalar' ||
      field.kind === 'word' ||
      field.kind === 'either' ||
      (field.kind === 'line' && !field.mayBeEmpty),
  );
}

/** Whether a field of the shape, or of a record in it, is a line or several lines. */
export function hasLines(shape: Shape): boolean {
  return shape.records.some(recordHasLines);
}

function recordHasLines(record: RecordTree): boolean {
  return record.fields.some(
    ({ field }) => field.kind === 'line' || field.kind === 'lines' || recordsOf(field).some(recordHasLines),
  );
}

/** Returns the records that a field consists of, such as the variants of an `either`. */
export function recordsOf(field: Field): readonly RecordTree[] {
  if (field.kind === 'either') return field.variants.map(({ record }) => record);
  if (field.kind === 'list') return field.of.kind === 'record' ? [field.of] : recordsOf(field.of);
  return [];
}

/** Whether an empty line in a case may be more than a blank: a line that may be empty, or the end of an array. */
export function mindsEmptyLines(shape: Shape): boolean {
  return shape.records.some(recordMindsEmptyLines);
}

function recordMindsEmptyLines(record: RecordTree): boolean {
  return record.fields.some(
    ({ field }) =>
      (field.kind === 'line' && field.mayBeEmpty) ||
      countsOf(field).some((count) => count.kind === 'until-blank-line') ||
      recordsOf(field).some(recordMindsEmptyLines),
  );
}

export function countsOf(field: Field): Count[] {
  if (field.kind === 'grid' || field.kind === 'table') return [field.rows, field.cols];
  return 'count' in field ? [field.count] : [];
}
