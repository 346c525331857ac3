/** Answers questions about the fields of a shape. */
import { isExpressionCount } from './expression.js';
import type { EitherField, ElementCount, Field, Layout, NamedField, RecordTree, Shape } from './tree.js';

/** Returns the records of a layout: those of its head, and those of its cases. */
export function recordsOfLayout({ head, shape }: Pick<Layout, 'head' | 'shape'>): RecordTree[] {
  return [...(head?.records ?? []), ...shape.records];
}

/** Returns the fields of a shape, without the fields of records inside them. */
export function outermostFieldsOf(shape: Shape): NamedField[] {
  return shape.records.flatMap((record) => record.fields);
}

/** Returns all fields of these records, and all fields inside them. Each field comes before the fields inside it. */
export function fieldsAtAnyDepthOf(records: readonly RecordTree[]): NamedField[] {
  return records
    .flatMap(({ fields }) => fields)
    .flatMap((named) => [named, ...fieldsAtAnyDepthOf(recordsOfField(named.field))]);
}

export function firstField(shape: Shape): Field | undefined {
  return outermostFieldsOf(shape)[0]?.field;
}

export function lastField(shape: Shape): Field | undefined {
  return outermostFieldsOf(shape).at(-1)?.field;
}

export function isNumberField(field: Field | undefined): boolean {
  return field?.kind === 'scalar';
}

/** Returns the numbers at the start of a case. */
export function leadingNumbers(shape: Shape): NamedField[] {
  const fields = outermostFieldsOf(shape);
  const others = fields.findIndex(({ field }) => !isNumberField(field));
  return fields.slice(0, others < 0 ? fields.length : others);
}

export function shapeOfCaseStart(shape: Shape): Shape {
  const numbers = leadingNumbers(shape);
  const fields = numbers.length > 0 ? numbers : outermostFieldsOf(shape).slice(0, 1);
  return { kind: 'record', records: [{ kind: 'record', fields }] };
}

/** With what a case begins, which decides to what the whitespace before it belongs. */
export type CaseStartKind =
  /** A case begins with its first token. */
  | 'token'
  /** A case begins with a line. Whitespace at the start of the line belongs to the case. */
  | 'line'
  /** A case begins with a line that may be empty. */
  | 'any-line';

export function kindOfCaseStart(shape: Shape, neverEmpty: NeverEmptyArrays): CaseStartKind {
  const first = firstInLine(outermostFieldsOf(shape)[0]);
  if (first === undefined) return 'token';
  const { field } = first;
  if (mayBeEmptyLine(first, neverEmpty)) return 'any-line';
  if (field.kind === 'line') return field.mayBeEmpty ? 'any-line' : 'line';
  return field.kind === 'lines' ? 'line' : 'token';
}

/** Returns the number of empty lines (`{}`) with which a case begins. */
export function countLeadingEmptyLines({ kind, records }: Shape): number {
  const first = records.findIndex(({ fields }) => fields.length > 0);
  return kind === 'lines' ? Math.max(0, first) : 0;
}

/** Returns the field with which the first line of a field begins. For a list, this is the first field of its first record. */
function firstInLine(named: NamedField | undefined): NamedField | undefined {
  if (named?.field.kind !== 'list' || readsToLineEnd(named.field)) return named;
  const { count, of } = named.field;
  return of.kind === 'record' && isExpressionCount(count) ? firstInLine(of.fields[0]) : named;
}

/** Whether the field is an array or a list that ends at the end of its line. */
export function readsToLineEnd(field: Field): boolean {
  return 'count' in field && field.kind !== 'lines' && field.count.kind === 'until-line-end';
}

/** Whether the next field begins a new line. A list in a record of a list shares the line of that record. */
export function endsLine(field: Field, isInList: boolean): boolean {
  if (field.kind === 'list') return !isInList || readsToLineEnd(field);
  if (field.kind === 'numbers' || field.kind === 'words')
    return readsToLineEnd(field) || field.count.kind === 'until-blank-line';
  return ['line', 'lines', 'grid', 'table'].includes(field.kind);
}

/**
 * Whether a record that is one line of the input has this line even without tokens. A record whose last field has lines of its
 * own has only these, and none if that field is empty.
 */
export function takesLineWithoutTokens({ fields }: RecordTree): boolean {
  const last = fields.at(-1)?.field;
  if (last?.kind === 'list') return readsToLineEnd(last);
  return last === undefined || !['lines', 'grid', 'table'].includes(last.kind);
}

/** Returns the records that are an empty line if they have no tokens; none if empty lines do not matter. */
export function recordsThatMayBeEmptyLines(shape: Shape): ReadonlySet<RecordTree> {
  const isMinded = shape.kind === 'lines' && hasMeaningfulEmptyLines(shape);
  return new Set(isMinded ? shape.records.filter(takesLineWithoutTokens) : []);
}

/** Where an array or a list begins that ends at the end of its line. */
export type ArrayStart =
  /** It begins on the line of the field before. It is empty if nothing is left on that line. */
  | 'same-line'
  /** It begins on the line of the field before, or on exactly the next line, which may be empty, if nothing is left there. */
  | 'next-line'
  /** It begins at the next token, so it is never empty. */
  | 'next-token';

/** How the fields of a record are divided into lines. */
export type RecordLayout =
  /** Each array of the record begins a new line. */
  | 'lines'
  /** The record is one line of the input. */
  | 'line'
  /** The record is one line of a list. */
  | 'element'
  /** The record continues on the line of its tag. */
  | 'variant';

/**
 * Returns where a field of the record begins if it is an array or a list that ends at the end of its line. In an answer, every
 * list ends its line.
 */
export function kindOfArrayStart(
  { fields }: RecordTree,
  index: number,
  layout: RecordLayout,
  neverEmpty: NeverEmptyArrays,
  isAnswer = false,
): ArrayStart {
  if (isOnSameLine(fields, index, layout, isAnswer)) return 'same-line';
  return mayBeEmptyLine(fields[index], neverEmpty) ? 'next-line' : 'next-token';
}

/** Whether the field begins on the line of the text before it. */
export function isOnSameLine(
  fields: readonly NamedField[],
  index: number,
  layout: RecordLayout,
  isAnswer = false,
): boolean {
  if (layout === 'lines') return false;
  const isInList = layout !== 'line' && !isAnswer;
  return index === 0 ? layout === 'variant' : !endsLine(fields[index - 1].field, isInList);
}

/** Whether the field ends at the end of its line, and is empty if nothing is left on that line. */
export function mayBeEmptyLine(named: NamedField, neverEmpty: NeverEmptyArrays): boolean {
  return readsToLineEnd(named.field) && !neverEmpty.has(named);
}

/** Arrays to the end of the line that have at least one element, so that blank lines before them are skipped. */
export type NeverEmptyArrays = ReadonlySet<NamedField>;
export const NO_ARRAYS: NeverEmptyArrays = new Set();

/**
 * Finds the arrays to the end of the line for which a blank line cannot be an empty array. Either a token decides whether
 * another record of a list follows, or only the array distinguishes a case from the blank lines between cases.
 */
export function findNeverEmptyArrays({ ending, head, shape }: Layout): NeverEmptyArrays {
  const found = findArraysAfterTokens(recordsOfLayout({ head, shape }));
  const isCounted = ending.kind === 'counted' || ending.kind === 'single';
  const first = outermostFieldsOf(shape).find(({ field }) => readsToLineEnd(field));
  if (!isCounted && first !== undefined && !hasToken(shape)) found.add(first);
  return found;
}

/** Finds the arrays to the end of the line that begin the records of a list, if a token decides whether a record follows. */
export function findArraysAfterTokens(records: readonly RecordTree[]): Set<NamedField> {
  const found = new Set<NamedField>();
  for (const { field } of fieldsAtAnyDepthOf(records)) {
    if (field.kind !== 'list' || field.of.kind !== 'record' || isExpressionCount(field.count)) continue;
    const [first] = field.of.fields;
    if (first !== undefined && readsToLineEnd(first.field)) found.add(first);
  }
  return found;
}

/** Whether every case of this shape has at least one token. */
export function hasToken(shape: Shape): boolean {
  return outermostFieldsOf(shape).some(({ field }) => alwaysHasToken(field));
}

function alwaysHasToken(field: Field): boolean {
  switch (field.kind) {
    case 'scalar':
    case 'word':
    case 'either':
      return true;
    case 'line':
      return !field.mayBeEmpty;
    case 'numbers':
    case 'words':
    case 'lines':
    case 'grid':
    case 'table':
    case 'list':
      return false;
  }
}

/** Whether the shape contains a line of text, several lines, or an array that is a whole line. */
export function hasLineFields(shape: Shape): boolean {
  return fieldsAtAnyDepthOf(shape.records).some(
    ({ field }) => field.kind === 'line' || field.kind === 'lines' || readsToLineEnd(field),
  );
}

/** Returns all tags of an alternative, in their order. */
export function tagsOfEither({ variants }: EitherField): string[] {
  return variants.flatMap(({ tags }) => tags);
}

/** Returns the records inside a field, such as the variants of an `either`. */
export function recordsOfField(field: Field): readonly RecordTree[] {
  if (field.kind === 'either') return field.variants.map(({ record }) => record);
  if (field.kind === 'list') return field.of.kind === 'record' ? [field.of] : recordsOfField(field.of);
  return [];
}

/**
 * Whether an empty line in a case may have a meaning: as an empty line of text, as an empty array, or as the end of an array.
 */
export function hasMeaningfulEmptyLines({ kind, records }: Shape): boolean {
  return records.some((record) => recordMindsEmptyLines(record, kind === 'lines' ? 'line' : 'lines'));
}

function recordMindsEmptyLines({ fields }: RecordTree, layout: RecordLayout): boolean {
  return fields.some(
    ({ field }, index) =>
      (field.kind === 'line' && field.mayBeEmpty) ||
      (readsToLineEnd(field) && !isOnSameLine(fields, index, layout)) ||
      countsOfField(field).some((count) => count.kind === 'until-blank-line') ||
      recordsOfField(field).some((record) => recordMindsEmptyLines(record, layoutInside(field))),
  );
}

/** Returns how the records inside a field are divided into lines. */
export function layoutInside(field: Field): RecordLayout {
  return field.kind === 'list' && field.of.kind === 'record' ? 'element' : 'variant';
}

/** Returns the counts of a field, without those of fields inside it: two for a grid or a table, none for a single value. */
export function countsOfField(field: Field): ElementCount[] {
  switch (field.kind) {
    case 'grid':
    case 'table':
      return [field.rows, field.cols];
    case 'numbers':
    case 'words':
    case 'lines':
    case 'list':
      return [field.count];
    case 'scalar':
    case 'word':
    case 'line':
    case 'either':
      return [];
  }
}
