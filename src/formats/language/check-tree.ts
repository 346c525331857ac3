/**
 * Finds mistakes in a format that the compiler cannot find, such as a count that names an `int` which is read later.
 * `defineProblem` calls these functions, so an author sees a mistake before any input is read. The first mistake is thrown as
 * an AuthorError.
 */
import { type AuthorPlace, showValue } from './author-error.js';
import { checkEndOfCases } from './check-end-of-cases.js';
import { checkRestsOfLines, refuseAmbiguousEmptyLine } from './check-rests-of-lines.js';
import {
  checkBounds,
  checkBoundsFitInt64,
  checkCount,
  checkDecimals,
  checkLetters,
  checkNames,
  refusePlaceholder,
} from './check-values.js';
import { FieldScope } from './scope.js';
import { countsOfField } from './shapes.js';
import { hasTokenInEveryCase } from './takes-token.js';
import type {
  AnswerTree,
  EitherField,
  Field,
  GridField,
  Layout,
  ListField,
  NumberField,
  NumbersField,
  RecordTree,
  TableField,
  TotalBound,
  WordField,
  WordsField,
} from './tree.js';

/** The largest depth of records inside records. Code that walks a tree calls itself once for each level. */
const MAX_DEPTH = 16;
/** The largest number of fields of a format. A record that is used in several places counts each time. */
const MAX_FIELDS = 10_000;

/**
 * Checks the format of an input. Returns the scope for the answer: all names of the head and of the case. `place` and
 * `headPlace` are the places of the cases and of the head, which messages show.
 */
export function checkLayoutTree(layout: Layout, place: AuthorPlace, headPlace: AuthorPlace): FieldScope {
  refusePlaceholder(layout, place);
  const checker = new TreeChecker();
  const head = new FieldScope(layout.head?.records ?? [], null);
  for (const record of layout.head?.records ?? []) checker.checkRecord(record, head, headPlace);
  const scope = new FieldScope(layout.shape.records, head);
  for (const record of layout.shape.records) checker.checkRecord(record, scope, place);
  if (layout.head !== null) checkRestsOfLines(layout.head, head, headPlace);
  checkRestsOfLines(layout.shape, scope, place);
  refuseAmbiguousEmptyLine(layout.shape, scope, place);
  checkCaseSize(layout, scope, place);
  checkEndOfCases(layout, head, scope, place);
  for (const total of layout.total) checkTotal(total, scope, place);
  return scope;
}

/** Checks the format of an answer. `scope` has all names of the head and of the case. */
export function checkAnswerTree(answer: AnswerTree, scope: FieldScope, place: AuthorPlace): void {
  checkLabel(answer.label, place);
  if (answer.body === null) return;
  const checker = new TreeChecker();
  if (answer.body.kind !== 'record') checker.checkField(answer.body, scope, place);
  else {
    checker.checkRecord(answer.body, new FieldScope([answer.body], scope), place);
    if (answer.body.fields.length === 0) throw place.error('an answer needs at least one field');
  }
}

function checkLabel(label: unknown, place: AuthorPlace): void {
  if (label === null) return;
  if (
    typeof label === 'string' &&
    label.trim() !== '' &&
    label.trimStart() === label &&
    !/[\r\n]/.test(label)
  ) {
    return;
  }
  throw place.error(
    `labelled(...) expects the text before the case's number, such as "Case #", got ${showValue(label)}`,
  );
}

/** Walks over records and their fields. `depth` is the number of records around a field. */
class TreeChecker {
  #fields = 0;

  checkRecord(record: RecordTree, scope: FieldScope, place: AuthorPlace, depth = 1): void {
    refusePlaceholder(record, place);
    if (depth > MAX_DEPTH)
      throw place.error(`records may stand inside each other ${MAX_DEPTH} times at most`);
    for (const { name, field } of record.fields) {
      checkName(name, place);
      if (scope.has(name)) throw place.error(`the name "${name}" is given twice`);
      this.checkField(field, scope, place.field(name), depth);
      scope.add(name);
    }
  }

  checkField(field: Field, scope: FieldScope, place: AuthorPlace, depth = 1): void {
    this.#fields++;
    if (this.#fields > MAX_FIELDS) throw place.error(`a format may have ${MAX_FIELDS} fields at most`);
    refusePlaceholder(field, place);
    checkCounts(field, scope, place);
    if ('min' in field) checkNumbers(field, scope, place);
    if ('letters' in field) checkAlphabets(field, place);
    if (field.kind === 'list') this.#checkElements(field, scope, place, depth);
    if (field.kind === 'either') this.#checkEither(field, scope, place, depth);
  }

  #checkElements({ of }: ListField, scope: FieldScope, place: AuthorPlace, depth: number): void {
    if (of.kind === 'either') {
      this.checkField(of, scope, place, depth);
      return;
    }
    this.checkRecord(of, new FieldScope([of], scope), place, depth + 1);
    if (of.fields.length === 0) throw place.error('the records of a list need at least one field');
  }

  #checkEither(either: EitherField, scope: FieldScope, place: AuthorPlace, depth: number): void {
    checkName(either.tag, place);
    checkTags(either, place);
    for (const { tags, record } of either.variants) {
      const variantPlace = place.variant(tags);
      if (record.fields.some(({ name }) => name === either.tag)) {
        throw variantPlace.error(`the name "${either.tag}" is that of the tag`);
      }
      this.checkRecord(record, new FieldScope([record], scope), variantPlace, depth + 1);
    }
  }
}

function checkCounts(field: Field, scope: FieldScope, place: AuthorPlace): void {
  const counts = countsOfField(field);
  const names = counts.length === 1 ? ['its count'] : ['its number of rows', 'its number of columns'];
  for (const [index, count] of counts.entries()) checkCount(count, names[index], scope, place);
}

function checkNumbers(
  field: NumberField | NumbersField | TableField,
  scope: FieldScope,
  place: AuthorPlace,
): void {
  checkBounds(field, field.kind === 'table' ? 'number' : field.of, scope, place);
  if (field.kind === 'numbers' && field.of === 'bigint') checkBoundsFitInt64(field, place);
  if (field.kind !== 'table') checkDecimals(field.decimals, place);
}

function checkAlphabets(field: WordField | WordsField | GridField, place: AuthorPlace): void {
  if (field.letters === null) return;
  for (const letters of field.kind === 'grid' ? field.letters : [field.letters]) checkLetters(letters, place);
}

/** JavaScript moves properties with integer names to the front, so such names would change the order of the fields. */
function checkName(name: string, place: AuthorPlace): void {
  if (name === '') throw place.error('a name must not be empty');
  if (name === '__proto__') throw place.error('no name may be "__proto__"');
  if (/^\d+$/.test(name)) throw place.error(`the name "${name}" looks like an integer; add a letter`);
}

function checkTags({ variants }: EitherField, place: AuthorPlace): void {
  const known = new Set<string>();
  for (const { tags } of variants) {
    if (tags.length === 0) throw place.error('a tag must not be empty');
    for (const tag of tags) {
      if (known.has(tag)) throw place.error(`the tag "${tag}" is given twice`);
      known.add(tag);
    }
  }
}

function checkCaseSize({ ending, shape }: Layout, scope: FieldScope, place: AuthorPlace): void {
  if (shape.records.every(({ fields }) => fields.length === 0)) {
    throw place.error('a case needs at least one field');
  }
  const isCounted = ending.kind === 'counted' || ending.kind === 'single';
  if (isCounted || hasTokenInEveryCase(shape, scope)) return;
  throw place.error(
    'a case of this format may take nothing from the input, so it could be repeated for ever; make one of its fields certain',
  );
}

function checkTotal(total: TotalBound, scope: FieldScope, place: AuthorPlace): void {
  refusePlaceholder(total, place);
  checkNames(total.expression, 'total: the expression', scope, place);
}
