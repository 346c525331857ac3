/**
 * Lists every case of a layout. A case is a sequence of choices, one for each number, array, grid and tag. A number on which
 * a count or a bound of another field depends decides what follows; all other choices are independent of each other.
 */

import { isExpression, namesIn } from '../language/expression.js';
import {
  collectTagNames,
  evaluateCount,
  evaluateRange,
  NameScope,
  type TagNames,
} from '../language/expression-values.js';
import { leadingNumbers } from '../language/shapes.js';
import { conditionsOf, expressionsOf } from '../language/size-names.js';
import type {
  Bound,
  Count,
  EitherField,
  Field,
  GridField,
  Layout,
  ListField,
  NumberField,
  NumbersField,
  RecordTree,
  RecordValue,
  TableField,
} from '../language/tree.js';
import { TreeGrid } from '../tree/grid.js';
import { isTerminator } from '../tree/value-tokens.js';
import {
  type Choice,
  ChoiceTree,
  countArrays,
  DEAD_END,
  digitsOf,
  EnumerationError,
  type Step,
} from './choices.js';

type TreeStep = Step<RecordValue | null>;
type Then<Value> = (value: Value) => TreeStep;
type Bounded = { readonly min: Bound; readonly max: Bound };

/** The cases of a layout. */
interface TreeCases {
  /** The value of the head, without the number of cases. */
  readonly head: RecordValue;
  readonly count: bigint;
  /** Whether every candidate is a case. If not, some are the terminator of the input. */
  readonly isExact: boolean;
  /** Yields the candidates from this index on; null if a candidate is no case. */
  candidatesFrom(index: bigint): Iterable<RecordValue | null>;
}

/** Lists the cases of a layout. Fails with an `EnumerationError` that names the field because of which that is impossible. */
export function enumerateTree(layout: Layout): TreeCases {
  const walker = new TreeWalker(layout);
  const head = walker.onlyHead();
  const tree = new ChoiceTree(walker.startCase(head));
  return {
    head,
    count: tree.count,
    isExact: walker.knowsTerminator,
    candidatesFrom: (index) => tree.madeFrom(index),
  };
}

/** Makes the choices of one layout. */
class TreeWalker {
  readonly #layout: Layout;
  readonly #tagNames: TagNames;
  /** The names on whose values other fields, or the end of the input, depend. */
  readonly #deciding: ReadonlySet<string>;
  /** The lists whose tags are counted by expressions. */
  readonly #countedLists: ReadonlySet<string>;
  /** Whether the numbers that decide tell the terminator from a case. */
  readonly knowsTerminator: boolean;

  constructor(layout: Layout) {
    this.#layout = layout;
    const records = [...(layout.head?.records ?? []), ...layout.shape.records];
    this.#tagNames = collectTagNames(records);
    const used = [...records.flatMap(expressionsOf), ...conditionsOf(layout)].flatMap(namesIn);
    const { names, isEnough } = namesOfTerminator(layout);
    const byName = used.flatMap((use) => (use.kind === 'name' ? [use.name] : []));
    this.#deciding = new Set([...byName, ...names]);
    this.#countedLists = new Set(used.flatMap((use) => (use.kind === 'count' ? [use.list] : [])));
    this.knowsTerminator = isEnough;
  }

  /** Returns the value that every head has. Fails if heads may differ, because an input has only one. */
  onlyHead(): RecordValue {
    const { head, ending } = this.#layout;
    const countName = ending.kind === 'counted' ? ending.name : null;
    if (countName !== null && this.#deciding.has(countName)) {
      throw new EnumerationError(`the cases depend on "${countName}", which is the number of cases`);
    }
    const records = (head?.records ?? []).map((record) => without(record, countName));
    const start = this.#records(
      records,
      (value) => new NameScope([value], this.#tagNames),
      (value) => ({
        kind: 'end',
        make: () => resolved(value),
      }),
    );
    let made: RecordValue | null = {};
    for (let step = start; ; step = step.take(0n)) {
      if (step.kind === 'end') made = step.make();
      if (step.kind !== 'choice') break;
      if (step.size !== 1n) {
        throw new EnumerationError(
          `${step.name} of the head has ${step.size} values, but all cases of an input have the same head; bounds that allow one value, such as those of a set (--set), help`,
        );
      }
    }
    return made!;
  }

  startCase(head: RecordValue): TreeStep {
    const { shape, ending } = this.#layout;
    const scopeOf = (value: RecordValue) => new NameScope([value, head], this.#tagNames);
    return this.#records(shape.records, scopeOf, (value) => {
      const isEnd = (made: RecordValue) => isTerminator(ending, shape.records, made, scopeOf(made));
      if (!this.knowsTerminator) return { kind: 'end', make: () => caseOrNull(resolved(value), isEnd) };
      // The numbers that tell the terminator are not lazy.
      return isEnd(value) ? DEAD_END : { kind: 'end', make: () => resolved(value) };
    });
  }

  /** Chooses the fields of all records. They belong to one value. */
  #records(
    records: readonly RecordTree[],
    scopeOf: (value: RecordValue) => NameScope,
    then: Then<RecordValue>,
  ): TreeStep {
    const fields = records.flatMap((record) => record.fields);
    return this.#fields({ kind: 'record', fields }, 0, {}, scopeOf, '', then);
  }

  /** Chooses the fields from the one with the index `at` on. `value` has the fields before it. */
  #fields(
    record: RecordTree,
    at: number,
    value: RecordValue,
    scopeOf: (value: RecordValue) => NameScope,
    path: string,
    then: Then<RecordValue>,
  ): TreeStep {
    if (at === record.fields.length) return then(value);
    const { name, field } = record.fields[at];
    const place = new FieldPlace(name, `${path}/${name}`, scopeOf(value));
    return this.#field(field, place, (chosen) =>
      this.#fields(record, at + 1, { ...value, [name]: chosen }, scopeOf, path, then),
    );
  }

  #field(field: Field, place: FieldPlace, then: Then<unknown>): TreeStep {
    switch (field.kind) {
      case 'scalar':
        return this.#scalar(field, place, then);
      case 'numbers':
        return this.#numbers(field, place, then);
      case 'grid':
        return this.#grid(field, place, then);
      case 'table':
        return this.#table(field, place, then);
      case 'list':
        return this.#list(field, place, then);
      case 'either':
        return this.#either(field, place, then);
      case 'word':
      case 'words':
        throw place.error('may have words of any length');
      case 'line':
      case 'lines':
        throw place.error('may have lines of any length');
    }
  }

  #scalar(field: NumberField, place: FieldPlace, then: Then<unknown>): TreeStep {
    const values = valuesOf(field.of, field, field.decimals, place);
    if (values === null) return DEAD_END;
    return this.#choice(place, values.size, this.#deciding.has(place.name), (index) =>
      then(values.at(index)),
    );
  }

  #numbers(field: NumbersField, place: FieldPlace, then: Then<unknown>): TreeStep {
    const values = valuesOf(NUMBER_KIND[field.of], field, field.decimals, place, LIMITS[field.of]);
    const make = (chosen: (number | bigint)[]) => toTypedArray(field.of, chosen);
    return this.#array(values, lengthOf(field.count, place), place, make, then);
  }

  #table(field: TableField, place: FieldPlace, then: Then<unknown>): TreeStep {
    const [rows, cols] = [lengthOf(field.rows, place), lengthOf(field.cols, place)];
    const values = valuesOf('int', field, null, place);
    const make = (chosen: (number | bigint)[]) => ({
      rows,
      cols,
      cells: Float64Array.from(chosen as number[]),
    });
    return this.#array(values, cellsOf(rows, cols), place, make, then);
  }

  /** Chooses an array of independent values at once. `length` is null if the array can have no length. */
  #array(
    values: Values | null,
    length: number | null,
    place: FieldPlace,
    make: (chosen: (number | bigint)[]) => unknown,
    then: Then<unknown>,
  ): TreeStep {
    if (length === null || (values === null && length > 0)) return DEAD_END;
    const { size, at } = values ?? NO_VALUES;
    return this.#choice(place, countArrays(place.quoted, size, length), false, (index) =>
      then(new Lazy(() => make(digitsOf(index, size, length).map(at)))),
    );
  }

  #grid(field: GridField, place: FieldPlace, then: Then<unknown>): TreeStep {
    const [rows, cols] = [lengthOf(field.rows, place), lengthOf(field.cols, place)];
    const length = cellsOf(rows, cols);
    if (length === null) return DEAD_END;
    const letters = field.letters.map((alphabet) => BigInt(alphabet.length));
    const perCell = letters.reduce((product, size) => product * size, 1n);
    return this.#choice(place, countArrays(place.quoted, perCell, length), false, (index) => {
      const cells = () => digitsOf(index, perCell, length).flatMap((cell) => lettersOf(cell, letters));
      return then(new Lazy(() => new TreeGrid(rows!, cols!, Uint8Array.from(cells()), field.letters)));
    });
  }

  #list({ count, of }: ListField, place: FieldPlace, then: Then<unknown>): TreeStep {
    const length = lengthOf(count, place);
    if (length === null) return DEAD_END;
    return this.#elements(of, length, [], place, then);
  }

  #elements(
    of: ListField['of'],
    length: number,
    before: readonly RecordValue[],
    place: FieldPlace,
    then: Then<unknown>,
  ): TreeStep {
    if (before.length === length) return then(before);
    const element = place.inside(`[${before.length}${this.#tagsOf(place.name, before)}]`);
    const next = (record: RecordValue) => this.#elements(of, length, [...before, record], place, then);
    if (of.kind === 'either') return this.#either(of, element, next as Then<unknown>);
    const scopeOf = (value: RecordValue) => place.scope.within(value);
    return this.#fields(of, 0, {}, scopeOf, element.path, next);
  }

  /** How many elements of a list have each tag, if an expression counts them, as a part of a key. */
  #tagsOf(list: string, elements: readonly RecordValue[]): string {
    const tagName = this.#tagNames.get(list);
    if (tagName === undefined || !this.#countedLists.has(list)) return '';
    return `:${elements.map((element) => element[tagName]).sort()}`;
  }

  #either({ tag, variants }: EitherField, place: FieldPlace, then: Then<unknown>): TreeStep {
    const tags = variants.flatMap((variant) =>
      variant.tags.map((text) => ({ text, record: variant.record })),
    );
    return this.#choice(place, BigInt(tags.length), true, (index) => {
      const { text, record } = tags[Number(index)];
      const scopeOf = (value: RecordValue) => place.scope.within(value);
      return this.#fields(record, 0, { [tag]: text }, scopeOf, `${place.path}=${text}`, then);
    });
  }

  #choice(
    place: FieldPlace,
    size: bigint,
    isDeciding: boolean,
    take: (index: bigint) => TreeStep,
  ): Choice<RecordValue | null> {
    return { kind: 'choice', key: this.#keyOf(place), name: place.quoted, size, isDeciding, take };
  }

  /** The place, and all values so far on which something may depend. */
  #keyOf({ path, scope }: FieldPlace): string {
    const values = [...this.#deciding].map((name) => scope.wholeOf(name));
    const tags = [...this.#countedLists].map((list) => this.#tagsOf(list, elementsOf(scope, list)));
    return `${path} ${values.join()} ${tags.join()}`;
  }
}

/** The value of an array, which is made only if its case is listed: to count cases, it does not matter. */
class Lazy {
  constructor(readonly make: () => unknown) {}
}

/** Makes the lazy values in a record. */
function resolved(record: RecordValue): RecordValue {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, resolvedValue(value)]));
}

function resolvedValue(value: unknown): unknown {
  if (value instanceof Lazy) return value.make();
  if (Array.isArray(value)) return value.map(resolved);
  return typeof value === 'object' ? resolved(value as RecordValue) : value;
}

function caseOrNull(made: RecordValue, isEnd: (made: RecordValue) => boolean): RecordValue | null {
  return isEnd(made) ? null : made;
}

function elementsOf(scope: NameScope, list: string): readonly RecordValue[] {
  const elements = scope.valueOf(list);
  return Array.isArray(elements) ? elements : [];
}

/** A field, and where its value will stand. */
class FieldPlace {
  constructor(
    readonly name: string,
    /** The names around the field and the indices in lists. It tells apart all places of a case. */
    readonly path: string,
    readonly scope: NameScope,
  ) {}

  get quoted(): string {
    return `"${this.name}"`;
  }

  inside(part: string): FieldPlace {
    return new FieldPlace(this.name, this.path + part, this.scope);
  }

  error(reason: string): EnumerationError {
    return new EnumerationError(`${this.quoted} ${reason}`);
  }
}

/** The values of a number, in ascending order. */
interface Values {
  readonly size: bigint;
  at(index: bigint): number | bigint;
}

const NO_VALUES: Values = { size: 0n, at: Number };

const NUMBER_KIND = { int32: 'int', 'safe-int': 'int', number: 'number', bigint: 'bigint' } as const;

const SAFE = { low: BigInt(Number.MIN_SAFE_INTEGER), high: BigInt(Number.MAX_SAFE_INTEGER) };
/** The numbers that an array can hold, apart from its bounds. */
const LIMITS = {
  int32: { low: -(2n ** 31n), high: 2n ** 31n - 1n },
  'safe-int': SAFE,
  number: SAFE,
  bigint: { low: -(2n ** 63n), high: 2n ** 63n - 1n },
} as const;

/** Returns the values between the bounds of a field; null if there are none. Fails if there is no end to them. */
function valuesOf(
  of: NumberField['of'],
  { min, max }: Bounded,
  decimals: number | null,
  place: FieldPlace,
  limits: { readonly low: bigint; readonly high: bigint } | null = of === 'bigint' ? null : SAFE,
): Values | null {
  if (min === null || max === null) throw place.error('has no smallest or no largest value');
  const range = evaluateRange(min, max, place.scope);
  if (range === null) return null;
  if (of === 'number') return decimalValues(Number(range.low), Number(range.high), decimals, place);
  const low = maxOf(wholeFrom(range.low), limits?.low ?? null);
  const high = minOf(-wholeFrom(-range.high), limits?.high ?? null);
  if (low > high) return null;
  const toValue = of === 'bigint' ? (value: bigint) => value : Number;
  return { size: high - low + 1n, at: (index) => toValue(low + index) };
}

/** The smallest whole number that is not below the value. */
function wholeFrom(value: number | bigint): bigint {
  return typeof value === 'bigint' ? value : BigInt(Math.ceil(value));
}

function maxOf(value: bigint, limit: bigint | null): bigint {
  return limit !== null && limit > value ? limit : value;
}

function minOf(value: bigint, limit: bigint | null): bigint {
  return limit !== null && limit < value ? limit : value;
}

/** The multiples of 10^-decimals between the bounds. They are calculated as readers do, so that they read back as listed. */
function decimalValues(low: number, high: number, decimals: number | null, place: FieldPlace): Values | null {
  if (decimals === null) throw place.error('may have any number of decimals');
  const scale = 10 ** decimals;
  if (Math.max(Math.abs(low), Math.abs(high)) * scale > Number.MAX_SAFE_INTEGER || decimals > MAX_DECIMALS) {
    throw place.error(`has too many digits to list its values`);
  }
  let first = Math.floor(low * scale) - 1;
  while (first / scale < low) first++;
  let last = Math.ceil(high * scale) + 1;
  while (last / scale > high) last--;
  if (first > last) return null;
  return { size: BigInt(last - first + 1), at: (index) => (first + Number(index)) / scale + 0 };
}

/** Powers of ten up to this exponent are exact. */
const MAX_DECIMALS = 15;

function toTypedArray(of: NumbersField['of'], values: readonly (number | bigint)[]): unknown {
  if (of === 'bigint') return BigInt64Array.from(values as bigint[]);
  return of === 'int32' ? Int32Array.from(values as number[]) : Float64Array.from(values as number[]);
}

/** Returns the number of elements; null if it has no possible value. Fails if there is no end to it. */
function lengthOf(count: Count, place: FieldPlace): number | null {
  if (!isExpression(count)) throw place.error('may have any number of elements');
  return evaluateCount(count, place.scope);
}

function cellsOf(rows: number | null, cols: number | null): number | null {
  return rows === null || cols === null ? null : rows * cols;
}

/** The indices of the letters of a cell, of which each has its own alphabet. */
function lettersOf(cell: bigint, sizes: readonly bigint[]): number[] {
  let rest = cell;
  const letters = sizes.toReversed().map((size) => {
    const letter = Number(rest % size);
    rest /= size;
    return letter;
  });
  return letters.reverse();
}

function without(record: RecordTree, name: string | null): RecordTree {
  return { ...record, fields: record.fields.filter((field) => field.name !== name) };
}

/** Returns the numbers at the start of a case that the text of a terminator is compared with, and whether they are enough. */
function namesOfTerminator({ ending, shape }: Layout): { names: readonly string[]; isEnough: boolean } {
  if (ending.kind !== 'until-terminator' || ending.when !== null) return { names: [], isEnough: true };
  const tokens = ending.text.split(/\s+/).filter((token) => token !== '').length;
  const names = leadingNumbers(shape).map(({ name }) => name);
  return { names: names.slice(0, tokens), isEnough: names.length >= tokens };
}
