/** Builds trees of fields for tests, and draws random ones with values that fit them. */
import fc from 'fast-check';
import type {
  Bound,
  Count,
  EitherField,
  Ending,
  Expression,
  Field,
  Layout,
  NumberField,
  NumbersField,
  RecordTree,
  Shape,
} from '../../src/formats/tree.js';

export const constant = (value: number): Expression => ({ kind: 'constant', value });
export const named = (name: string): Expression => ({ kind: 'name', name });
export const binary = (
  left: Expression,
  operator: (Expression & { kind: 'binary' })['operator'],
  right: Expression,
): Expression => ({ kind: 'binary', operator, left, right });

const bound = (value: number | Bound | undefined): Bound =>
  typeof value === 'number' ? constant(value) : (value ?? null);
const count = (value: number | string | Count): Count => {
  if (typeof value === 'number') return constant(value);
  return typeof value === 'string' ? named(value) : value;
};

export const scalar = (
  of: NumberField['of'],
  min?: number | Bound,
  max?: number | Bound,
  decimals: number | null = null,
): NumberField => ({ kind: 'scalar', of, min: bound(min), max: bound(max), decimals, description: null });
export const int = (min?: number | Bound, max?: number | Bound) => scalar('int', min, max);
export const numbers = (
  of: NumbersField['of'],
  length: number | string | Count,
  min?: number | Bound,
  max?: number | Bound,
): NumbersField => ({
  kind: 'numbers',
  of,
  count: count(length),
  min: bound(min),
  max: bound(max),
  decimals: null,
});
export const ints = (length: number | string | Count, min?: number | Bound, max?: number | Bound) =>
  numbers('int32', length, min, max);
export const word = (letters: string | null = null): Field => ({ kind: 'word', letters });
export const words = (length: number | string | Count, letters: string | null = null): Field => ({
  kind: 'words',
  count: count(length),
  letters,
});
export const line = (mayBeEmpty = false): Field => ({ kind: 'line', mayBeEmpty });
export const lines = (length: number | string | Count): Field => ({ kind: 'lines', count: count(length) });
export const grid = (
  rows: number | string | Count,
  cols: number | string | Count,
  ...letters: string[]
): Field => ({ kind: 'grid', rows: count(rows), cols: count(cols), letters });
export const table = (
  rows: number | string | Count,
  cols: number | string | Count,
  min?: number,
  max?: number,
): Field => ({ kind: 'table', rows: count(rows), cols: count(cols), min: bound(min), max: bound(max) });
export const list = (length: number | string | Count, of: Fields | EitherField): Field => ({
  kind: 'list',
  count: count(length),
  of: isEither(of) ? of : record(of),
});
export const either = (tag: string, variants: Record<string, Fields>): EitherField => ({
  kind: 'either',
  tag,
  variants: Object.entries(variants).map(([tags, fields]) => ({
    tags: tags.split(' '),
    record: record(fields),
  })),
});

export type Fields = Readonly<Record<string, Field>>;

function isEither(of: Fields | EitherField): of is EitherField {
  return typeof of.kind === 'string';
}

export const record = (fields: Fields): RecordTree => ({
  kind: 'record',
  fields: Object.entries(fields).map(([name, field]) => ({ name, field })),
});
/** One record, or (as an array) a record for each line. */
export const shape = (fields: Fields | readonly Fields[]): Shape =>
  Array.isArray(fields)
    ? { kind: 'lines', records: fields.map(record) }
    : { kind: 'record', records: [record(fields as Fields)] };

const layout = (
  ending: Ending,
  fields: Fields | readonly Fields[],
  head?: Fields | readonly Fields[],
): Layout => ({
  ending,
  head: head === undefined ? null : shape(head),
  shape: shape(fields),
  total: [],
});

type Part = Fields | readonly Fields[];
export const counted = (fields: Part, head?: Part, name: string | null = null): Layout =>
  layout({ kind: 'counted', name, min: null, max: null }, fields, head);
export const untilEnd = (fields: Part, head?: Part): Layout => layout({ kind: 'until-end' }, fields, head);
export const untilTerminator = (
  text: string,
  fields: Part,
  when: (Ending & { kind: 'until-terminator' })['when'] = null,
): Layout => layout({ kind: 'until-terminator', text, when }, fields);
export const single = (fields: Part, head?: Part): Layout => layout({ kind: 'single' }, fields, head);

export const untilToken = (token: string): Count => ({ kind: 'until-token', token });
export const UNTIL_LINE_END: Count = { kind: 'until-line-end' };
export const UNTIL_BLANK_LINE: Count = { kind: 'until-blank-line' };
export const MANY: Count = { kind: 'many' };

/** Cases of a layout with random values, as text in several layouts. */
export interface Sample {
  readonly name: string;
  readonly layout: Layout;
  /** Draws the values of one case. */
  readonly value: fc.Arbitrary<Record<string, unknown>>;
}

const small = fc.integer({ min: 0, max: 4 });
const digit = fc.integer({ min: -5, max: 5 });
const text = fc.stringMatching(/^[a-z]{1,4}$/);
const sentence = fc.stringMatching(/^[a-z]{1,3}( [a-z]{1,3}){0,2}$/);
const manyOf = <T>(value: fc.Arbitrary<T>, min = 0) => fc.array(value, { minLength: min, maxLength: 4 });
const gridOf = (letters: string, perCell = 1) =>
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })).chain(([rows, cols]) =>
    fc
      .array(fc.nat({ max: letters.length - 1 }), {
        minLength: rows * cols * perCell,
        maxLength: rows * cols * perCell,
      })
      .map((cells) => ({ rows, cols, cells: Uint8Array.from(cells) })),
  );
const sized = <T>(values: fc.Arbitrary<T[]>, convert: (values: T[]) => unknown) =>
  values.map((a) => ({ n: a.length, a: convert(a) }));

const edges = fc.array(fc.record({ u: digit, w: text }), { maxLength: 3 });
const queries = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('1'), l: digit, r: digit }),
    fc.record({ type: fc.constantFrom('?', 'get'), x: text }),
  ),
  { maxLength: 4 },
);
const queryFields = either('type', { '1': { l: int(), r: int() }, '? get': { x: word() } });

/** One sample for each kind of field and count, in different layouts. */
export const SAMPLES: readonly Sample[] = [
  {
    name: 'ints',
    layout: counted({ n: int(0, 4), a: ints('n', -5, 5) }),
    value: sized(manyOf(digit), Int32Array.from.bind(Int32Array)),
  },
  {
    name: 'ints on one line',
    layout: counted([{ n: int(), a: ints('n') }]),
    value: sized(manyOf(digit), Int32Array.from.bind(Int32Array)),
  },
  {
    name: 'safe ints',
    layout: untilEnd({ n: int(), a: numbers('safe-int', 'n') }),
    value: sized(manyOf(fc.maxSafeInteger()), Float64Array.from.bind(Float64Array)),
  },
  {
    name: 'numbers',
    layout: untilTerminator('-1', { n: int(0), a: numbers('number', 'n') }),
    value: sized(
      manyOf(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
      Float64Array.from.bind(Float64Array),
    ),
  },
  {
    name: 'bigints',
    layout: counted({ n: int(), b: scalar('bigint'), a: numbers('bigint', 'n') }),
    value: fc
      .tuple(fc.bigInt(), manyOf(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })))
      .map(([b, a]) => ({ n: a.length, b, a: BigInt64Array.from(a) })),
  },
  {
    name: 'words',
    layout: counted({ n: int(), a: words('n'), w: word('abé') }),
    value: fc.tuple(manyOf(text), fc.constantFrom('a', 'éa', 'bbb')).map(([a, w]) => ({ n: a.length, a, w })),
  },
  {
    name: 'lines',
    layout: counted({ n: int(), a: lines('n'), s: line() }),
    value: fc.tuple(manyOf(sentence), sentence).map(([a, s]) => ({ n: a.length, a, s })),
  },
  {
    name: 'a line first',
    layout: untilEnd({ s: line(), k: int() }),
    value: fc.record({ s: sentence, k: digit }),
  },
  {
    name: 'empty lines',
    layout: counted({ s: line(true), k: int(), t: line(true) }),
    value: fc.record({
      s: fc.oneof(fc.constant(''), sentence),
      k: digit,
      t: fc.oneof(fc.constant(''), sentence),
    }),
  },
  {
    name: 'only empty lines',
    layout: untilEnd({ s: line(true) }),
    value: fc.record({ s: fc.oneof(fc.constant(''), sentence) }),
  },
  {
    name: 'grid',
    layout: counted({ r: int(1, 4), c: int(1, 4), g: grid('r', 'c', '.#') }),
    value: gridOf('.#').map((g) => ({ r: g.rows, c: g.cols, g })),
  },
  {
    name: 'grid and terminator',
    layout: untilTerminator('0 0', { r: int(1, 4), c: int(1, 4), g: grid('r', 'c', 'XO') }),
    value: gridOf('XO').map((g) => ({ r: g.rows, c: g.cols, g })),
  },
  {
    name: 'blocks',
    layout: untilEnd({ r: int(1, 4), c: int(1, 4), g: grid('r', 'c', 'AB', 'LR') }),
    value: gridOf('AB', 2).map((g) => ({ r: g.rows, c: g.cols, g })),
  },
  {
    name: 'grid of unknown size',
    layout: untilEnd({ g: grid(UNTIL_BLANK_LINE, MANY, '.#') }),
    value: gridOf('.#').map((g) => ({ g })),
  },
  {
    name: 'table',
    layout: counted({ r: int(), c: int(), t: table('r', 'c', -5, 5) }),
    value: fc
      .tuple(small, small)
      .chain(([r, c]) =>
        fc
          .array(digit, { minLength: r * c, maxLength: r * c })
          .map((cells) => ({ r, c, t: { rows: r, cols: c, cells: Float64Array.from(cells) } })),
      ),
  },
  {
    name: 'list',
    layout: counted({ m: int(), e: list('m', { u: int(), w: word() }) }),
    value: edges.map((e) => ({ m: e.length, e })),
  },
  {
    name: 'list of lists',
    layout: counted({ m: int(), e: list('m', { t: int(), f: list('t', { x: int() }) }) }),
    value: fc
      .array(manyOf(fc.record({ x: digit })), { maxLength: 3 })
      .map((all) => ({ m: all.length, e: all.map((f) => ({ t: f.length, f })) })),
  },
  {
    name: 'tagged list',
    layout: counted({ q: int(), e: list('q', queryFields), k: ints({ kind: 'count', list: 'e', tag: '?' }) }),
    value: fc.tuple(queries, digit).map(([e, k]) => ({
      q: e.length,
      e,
      k: new Int32Array(e.filter(({ type }) => type === '?').length).fill(k),
    })),
  },
  {
    name: 'until a token',
    layout: counted({
      a: ints(untilToken('9')),
      b: words(untilToken('end')),
      c: lines(untilToken(']')),
      e: list(untilToken('#'), { u: int() }),
    }),
    value: fc.record({
      a: manyOf(digit).map((a) => Int32Array.from(a)),
      b: manyOf(text.filter((x) => x !== 'end')),
      c: manyOf(sentence),
      e: manyOf(fc.record({ u: digit })),
    }),
  },
  {
    name: 'until the line ends',
    layout: counted({ n: int(), a: ints(UNTIL_LINE_END) }),
    value: manyOf(digit, 1).map((a) => ({ n: a.length, a: Int32Array.from(a) })),
  },
  {
    name: 'until a blank line',
    layout: untilEnd({ n: int(), a: words(UNTIL_BLANK_LINE) }),
    value: manyOf(text, 1).map((a) => ({ n: a.length, a })),
  },
  {
    name: 'many',
    layout: untilEnd({ s: word(), a: ints(MANY) }),
    value: fc.tuple(text, manyOf(digit)).map(([s, a]) => ({ s, a: Int32Array.from(a) })),
  },
  {
    name: 'either',
    layout: counted({ e: queryFields }),
    value: queries.filter((all) => all.length > 0).map(([e]) => ({ e })),
  },
  {
    name: 'a bound by a name',
    layout: counted({ n: int(1, 9), k: int(1, binary(named('n'), '+', constant(1))) }),
    value: fc
      .integer({ min: 1, max: 9 })
      .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 1, max: n + 1 }) })),
  },
];
