/** Makes the heads and cases of a layout. It walks over the fields and asks a chooser for each value. */
import type { ExactInteger } from '../language/exact.js';
import { isExpressionCount } from '../language/expression.js';
import {
  collectTagPropertyNames,
  evaluateCount,
  evaluateRange,
  NameScope,
  type TagPropertyNames,
} from '../language/expression-values.js';
import {
  findNeverEmptyArrays,
  mayBeEmptyLine,
  type NeverEmptyArrays,
  tagsOfEither,
} from '../language/shapes.js';
import { collectSizeNames } from '../language/size-names.js';
import type {
  Bound,
  EitherField,
  ElementCount,
  Field,
  GridField,
  Layout,
  LinesField,
  ListField,
  NamedField,
  NumberField,
  NumbersField,
  RecordTree,
  RecordValue,
  Shape,
  TableField,
  WordsField,
} from '../language/tree.js';
import type { Table } from '../language/types.js';
import { compileTextTest, elementsBeginWithNumber } from '../tree/counts.js';
import { TreeGrid } from '../tree/grid.js';
import { compileTerminatorTest, type TerminatorTest, tokensOfValue } from '../tree/value-tokens.js';
import { ChoiceFailure, type Chooser, type GridSize, type NumberPurpose, type TextRule } from './chooser.js';
import type { NumberRange } from './number-range.js';

/** Facts about a whole layout that making its cases needs. */
class Facts {
  /** The names of the numbers that give the length of something. */
  readonly sizeNames: ReadonlySet<string>;
  readonly neverEmpty: NeverEmptyArrays;
  readonly #tags = new Map<EitherField, Tags>();

  constructor(layout: Layout) {
    this.sizeNames = collectSizeNames(layout);
    this.neverEmpty = findNeverEmptyArrays(layout);
  }

  tagsOf(field: EitherField): Tags {
    let tags = this.#tags.get(field);
    if (tags === undefined) {
      tags = listTags(field);
      this.#tags.set(field, tags);
    }
    return tags;
  }
}

/** The tags of an alternative, in order, and the record that follows each tag. */
interface Tags {
  readonly tag: string;
  readonly tags: readonly string[];
  readonly records: readonly RecordTree[];
  readonly range: NumberRange;
}

function listTags(field: EitherField): Tags {
  const tags = tagsOfEither(field);
  const records = field.variants.flatMap((variant) => variant.tags.map(() => variant.record));
  return { tag: field.tag, tags, records, range: indexRange(tags.length) };
}

/** Makes the heads and cases of one layout. */
export class LayoutCaseMaker {
  readonly tagNames: TagPropertyNames;
  readonly #layout: Layout;
  readonly #facts: Facts;
  readonly #isTerminator: TerminatorTest;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#isTerminator = compileTerminatorTest(layout);
    this.tagNames = collectTagPropertyNames(layout);
    this.#facts = new Facts(layout);
  }

  /** Makes a case. Fields that `given` has are not chosen. Throws a `ChoiceFailure` if the choices do not lead to a case. */
  makeCase(chooser: Chooser, head: RecordValue, given: RecordValue = {}): RecordValue {
    const value: Record<string, unknown> = { ...given };
    return this.#make(this.#layout.shape, chooser, value, this.scopeOf(value, head));
  }

  /** Makes a head in the way in which `makeCase` makes a case. */
  makeHead(chooser: Chooser, given: RecordValue = {}): RecordValue {
    const value: Record<string, unknown> = { ...given };
    return this.#make(this.#layout.head!, chooser, value, new NameScope([value], this.tagNames));
  }

  #make({ records }: Shape, chooser: Chooser, value: Record<string, unknown>, scope: NameScope): RecordValue {
    const walk = new TreeWalk(this.#facts, chooser);
    for (const record of records) walk.fill(record, value, scope);
    return value;
  }

  scopeOf(value: RecordValue, head: RecordValue): NameScope {
    return new NameScope([value, head], this.tagNames);
  }

  /** Whether the case would be read as the terminator of the input. */
  isTerminator(value: RecordValue, head: RecordValue): boolean {
    return this.#isTerminator(value, this.scopeOf(value, head));
  }
}

type Bounded = { readonly min: Bound; readonly max: Bound };

const KINDS = { int: 'safe-int', bigint: 'bigint', number: 'number' } as const;
const ELEMENT_KINDS = { int32: 'int32', 'safe-int': 'safe-int', number: 'number', bigint: 'int64' } as const;

/** One walk over the fields of a case or a head. */
class TreeWalk {
  readonly #facts: Facts;
  readonly #chooser: Chooser;

  constructor(facts: Facts, chooser: Chooser) {
    this.#facts = facts;
    this.#chooser = chooser;
  }

  /** Makes the fields that the record does not have yet. The scope knows the record. */
  fill({ fields }: RecordTree, record: Record<string, unknown>, scope: NameScope): void {
    for (const named of fields) {
      if (!Object.hasOwn(record, named.name)) record[named.name] = this.#field(named, record, scope);
    }
  }

  #field(named: NamedField, record: Record<string, unknown>, scope: NameScope): unknown {
    const { name, field } = named;
    switch (field.kind) {
      case 'scalar':
        return this.#scalar(name, field, scope);
      case 'word':
      case 'line':
        return this.#chooser.text(field, { name, purpose: 'value' });
      case 'words':
      case 'lines':
        return this.#texts(named, field, scope);
      case 'numbers':
        return this.#numbers(named, field, scope);
      case 'grid':
        return this.#grid(named, field, scope);
      case 'table':
        return this.#table(named, field, scope);
      case 'list':
        return this.#list(named, field, record, scope);
      case 'either': {
        this.#chooser.enter(name, 1);
        this.#chooser.beforeElement(0);
        const made = this.#either(field, scope);
        this.#chooser.leave();
        return made;
      }
    }
  }

  #scalar(name: string, field: NumberField, scope: NameScope): ExactInteger {
    const range = rangeOf(name, field, KINDS[field.of], field.decimals, scope);
    const purpose = field.of !== 'number' && this.#facts.sizeNames.has(name) ? 'size' : 'value';
    return this.#chooser.number(range, { name, purpose }, scope);
  }

  #texts(named: NamedField, field: WordsField | LinesField, scope: NameScope): string[] {
    const rule: TextRule =
      field.kind === 'words' ? { kind: 'word', letters: field.letters } : { kind: 'line', mayBeEmpty: false };
    const question = { name: named.name, purpose: 'value' } as const;
    const texts = this.#elements(named, field.count, scope, [], () => this.#chooser.text(rule, question));
    return withoutEndToken(field, field.count, texts, firstWord);
  }

  #list(
    named: NamedField,
    field: ListField,
    record: Record<string, unknown>,
    scope: NameScope,
  ): RecordValue[] {
    const { count, of } = field;
    const make =
      of.kind === 'either'
        ? () => this.#either(of, scope)
        : () => {
            const element = {};
            this.fill(of, element, scope.within(element));
            return element;
          };
    // The record gets the array now, because choosers look at the elements that were made so far.
    const elements: RecordValue[] = [];
    record[named.name] = elements;
    this.#elements(named, count, scope, elements, make);
    const firstOf = (element: RecordValue) => tokensOfValue(of, element).next().value as string;
    return withoutEndToken(field, count, elements, firstOf);
  }

  /** Makes elements one by one and appends them to `elements`. */
  #elements<T>(named: NamedField, count: ElementCount, scope: NameScope, elements: T[], make: () => T): T[] {
    const length = this.#length(named, count, scope);
    this.#chooser.enter(named.name, length);
    for (let index = 0; index < length; index++) {
      this.#chooser.beforeElement(index);
      elements.push(make());
    }
    this.#chooser.leave();
    return elements;
  }

  #either(field: EitherField, scope: NameScope): RecordValue {
    const { tag, tags, records, range } = this.#facts.tagsOf(field);
    const index = Number(this.#chooser.number(range, { name: tag, purpose: 'tag', tags }, scope));
    const made = { [tag]: tags[index] };
    this.fill(records[index], made, scope.within(made));
    return made;
  }

  #numbers(named: NamedField, field: NumbersField, scope: NameScope): unknown {
    const rows = this.#length(named, field.count, scope);
    const range = () => [rangeOf(named.name, field, ELEMENT_KINDS[field.of], field.decimals, scope)];
    const numbers = this.#cells(named, { rows, cols: 1 }, range, scope);
    return toTypedArray(field.of, withoutEndToken(field, field.count, numbers, String));
  }

  #table(named: NamedField, field: TableField, scope: NameScope): Table {
    const size = this.#sizeOf(named, field, scope);
    const range = () => [rangeOf(named.name, field, 'safe-int', null, scope)];
    const cells = Float64Array.from(this.#cells(named, size, range, scope) as readonly number[]);
    return keptRows(field, { ...size, cells }, (row) => String(row[0]));
  }

  #grid(named: NamedField, field: GridField, scope: NameScope): TreeGrid {
    const { letters } = field;
    const size = this.#sizeOf(named, field, scope);
    const ranges = () => letters.map((alphabet) => lettersRange(named.name, alphabet));
    const cells = Uint8Array.from(this.#cells(named, size, ranges, scope, 'letter') as readonly number[]);
    const firstOf = (row: Uint8Array) => firstWord(new TreeGrid(1, size.cols, row, letters).lines[0]);
    const kept = keptRows(field, { ...size, cells }, firstOf);
    return new TreeGrid(kept.rows, kept.cols, kept.cells, letters);
  }

  #cells(
    { name }: NamedField,
    size: GridSize,
    ranges: () => readonly NumberRange[],
    scope: NameScope,
    purpose: NumberPurpose = 'value',
  ): readonly ExactInteger[] {
    // An array without elements is possible even if its bounds allow no number.
    if (size.rows * size.cols === 0) return [];
    return this.#chooser.numbers(size, ranges(), { name, purpose }, scope);
  }

  #sizeOf(named: NamedField, field: GridField | TableField, scope: NameScope): GridSize {
    const rows = this.#length(named, field.rows, scope);
    return { rows, cols: this.#length(named, field.cols, scope, 'width') };
  }

  /** Returns the number of elements. In most places an array needs at least one, because a reader would skip an empty line. */
  #length(
    named: NamedField,
    count: ElementCount,
    scope: NameScope,
    purpose: 'length' | 'width' = 'length',
  ): number {
    const { name } = named;
    if (isExpressionCount(count)) {
      const length = evaluateCount(count, scope);
      if (length !== null) return length;
      throw new ChoiceFailure('empty-range', `the count of "${name}" is no number of elements`);
    }
    const mayBeNone = count.kind === 'until-token' || mayBeEmptyLine(named, this.#facts.neverEmpty);
    const range = { low: mayBeNone ? 0 : 1, high: Number.POSITIVE_INFINITY } as const;
    return Number(
      this.#chooser.number({ ...range, kind: 'safe-int', decimals: null }, { name, purpose }, scope),
    );
  }
}

function rangeOf(
  name: string,
  { min, max }: Bounded,
  kind: NumberRange['kind'],
  decimals: number | null,
  scope: NameScope,
): NumberRange {
  const range = evaluateRange(min, max, scope);
  if (range === null) throw new ChoiceFailure('empty-range', `the bounds of "${name}" have no value`);
  return { low: range.low, high: range.high, kind, decimals };
}

function lettersRange(name: string, letters: string): NumberRange {
  if (letters.length === 0) throw new ChoiceFailure('empty-range', `"${name}" has no letters`);
  return indexRange(letters.length);
}

function indexRange(length: number): NumberRange {
  return { low: 0, high: length - 1, kind: 'safe-int', decimals: null };
}

function toTypedArray(of: NumbersField['of'], numbers: readonly ExactInteger[]): unknown {
  if (of === 'bigint') return BigInt64Array.from(numbers as bigint[]);
  return of === 'int32' ? Int32Array.from(numbers as number[]) : Float64Array.from(numbers as number[]);
}

/** Leaves out elements whose first token would be read as the end of the array. */
function withoutEndToken<Elements extends readonly unknown[]>(
  field: Field,
  count: ElementCount,
  elements: Elements,
  firstTokenOf: (element: Elements[number]) => string,
): Elements {
  if (count.kind !== 'until-token') return elements;
  const isEnd = compileTextTest(count.token, elementsBeginWithNumber(field));
  return elements.filter((element) => !isEnd(firstTokenOf(element))) as unknown as Elements;
}

/** Leaves out rows whose first token would be read as the end of the rows. */
function keptRows<Cells extends Uint8Array | Float64Array>(
  field: GridField | TableField,
  all: GridSize & { readonly cells: Cells },
  firstTokenOf: (row: Cells) => string,
): GridSize & { readonly cells: Cells } {
  const { rows, cols, cells } =
    field.rows.kind === 'until-token' ? withoutEndRows(field, all, firstTokenOf) : all;
  // If there are no rows, the input does not show a number of columns unless an expression gives it.
  return { rows, cols: rows === 0 && !isExpressionCount(field.cols) ? 0 : cols, cells };
}

function withoutEndRows<Cells extends Uint8Array | Float64Array>(
  field: GridField | TableField,
  { rows, cols, cells }: GridSize & { readonly cells: Cells },
  firstTokenOf: (row: Cells) => string,
): GridSize & { readonly cells: Cells } {
  const width = cells.length / rows;
  const rowAt = (row: number) => cells.slice(row * width, (row + 1) * width) as Cells;
  const indices = Array.from({ length: rows }, (_, row) => row);
  const kept = new Set(withoutEndToken(field, field.rows, indices, (row) => firstTokenOf(rowAt(row))));
  return { rows: kept.size, cols, cells: cells.filter((_, at) => kept.has(Math.floor(at / width))) as Cells };
}

function firstWord(text: string): string {
  return text.split(' ')[0];
}
