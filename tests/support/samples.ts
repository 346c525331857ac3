/** Layouts for tests, with random values that fit them. */
import fc from 'fast-check';
import { formats } from '../../src/formats/language/formats.js';
import type { Layout } from '../../src/formats/language/tree.js';
import { blocks } from './blocks.js';

const { counted, untilEnd, untilTerminator } = formats;
const { int, bigint, word, line, ints, safeInts, numbers, bigints, words, lines } = formats;
const { grid, table, list, either, until, many } = formats;

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
    layout: untilEnd({ n: int(), a: safeInts('n') }),
    value: sized(manyOf(fc.maxSafeInteger()), Float64Array.from.bind(Float64Array)),
  },
  {
    name: 'numbers',
    layout: untilTerminator('-1', { n: int(0), a: numbers('n') }),
    value: sized(
      manyOf(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
      Float64Array.from.bind(Float64Array),
    ),
  },
  {
    name: 'bigints',
    layout: counted({ n: int(), b: bigint(), a: bigints('n') }),
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
    layout: counted({ s: line({ empty: true }), k: int(), t: line({ empty: true }) }),
    value: fc.record({
      s: fc.oneof(fc.constant(''), sentence),
      k: digit,
      t: fc.oneof(fc.constant(''), sentence),
    }),
  },
  {
    name: 'lists that may take no line, before a line that may be empty',
    layout: counted([
      { n: int(), m: int() },
      { e: list('n', { x: int() }) },
      { l: lines('m') },
      { s: line({ empty: true }) },
    ]),
    value: fc
      .tuple(manyOf(digit), manyOf(text), fc.constantFrom('', 'a b'))
      .map(([e, l, s]) => ({ n: e.length, m: l.length, e: e.map((x) => ({ x })), l, s })),
  },
  {
    name: 'only empty lines',
    layout: untilEnd({ s: line({ empty: true }) }),
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
    layout: untilEnd({ r: int(1, 4), c: int(1, 4), g: blocks('r', 'c', 'AB', 'LR') }),
    value: gridOf('AB', 2).map((g) => ({ r: g.rows, c: g.cols, g })),
  },
  {
    name: 'grid of unknown size',
    layout: untilEnd({ g: grid(until('\n\n'), many, '.#') }),
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
    layout: counted({ q: int(), e: list('q', queryFields), k: ints('count(e, ?)') }),
    value: fc.tuple(queries, digit).map(([e, k]) => ({
      q: e.length,
      e,
      k: new Int32Array(e.filter(({ type }) => type === '?').length).fill(k),
    })),
  },
  {
    name: 'until a token',
    layout: counted({
      a: ints(until('9')),
      b: words(until('end')),
      c: lines(until(']')),
      e: list(until('#'), { u: int() }),
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
    layout: counted({ n: int(), a: ints(until('\n')) }),
    value: manyOf(digit).map((a) => ({ n: a.length, a: Int32Array.from(a) })),
  },
  {
    name: 'a line of numbers first',
    layout: counted({ a: ints(until('\n')), b: int() }),
    value: fc.tuple(manyOf(digit), digit).map(([a, b]) => ({ a: Int32Array.from(a), b })),
  },
  {
    name: 'a line of words first, up to the end',
    layout: untilEnd({ a: words(until('\n')), b: words(until('\n')), k: int() }),
    value: fc.record({ a: manyOf(text), b: manyOf(text), k: digit }),
  },
  {
    name: 'nothing but lines of words, up to the end',
    layout: untilEnd({ a: words(until('\n')), b: words(until('\n')) }),
    value: fc.record({ a: manyOf(text, 1), b: manyOf(text) }),
  },
  {
    name: 'words at the end of a line, up to the end',
    layout: untilEnd([{ w: word(), a: words(until('\n')) }, { b: words(until('\n')) }]),
    value: fc.record({ w: text, a: manyOf(text), b: manyOf(text) }),
  },
  {
    name: 'a list of lines of numbers',
    layout: counted({ m: int(), e: list('m', { a: ints(until('\n')) }), k: int() }),
    value: fc
      .tuple(manyOf(manyOf(digit)), digit)
      .map(([e, k]) => ({ m: e.length, e: e.map((a) => ({ a: Int32Array.from(a) })), k })),
  },
  {
    name: 'lines of numbers and words, up to a terminator',
    layout: untilTerminator('#', {
      e: list(2, { a: ints(until('\n')), b: words(until('\n')) }),
      w: word('ab'),
    }),
    value: fc.record({
      e: fc.array(fc.record({ a: manyOf(digit).map((a) => Int32Array.from(a)), b: manyOf(text) }), {
        minLength: 2,
        maxLength: 2,
      }),
      w: fc.constantFrom('a', 'ab'),
    }),
  },
  {
    name: 'lines of words up to a token',
    layout: counted({ e: list(until('#'), { a: words(until('\n')) }), b: words(until('\n')) }),
    value: fc.record({ e: manyOf(fc.record({ a: manyOf(text, 1) })), b: manyOf(text) }),
  },
  {
    name: 'a line of pairs',
    layout: counted({ p: list(until('\n'), { u: int(), w: word() }), k: int() }),
    value: fc.record({ p: edges, k: digit }),
  },
  {
    name: 'until a blank line',
    layout: untilEnd({ n: int(), a: words(until('\n\n')) }),
    value: manyOf(text, 1).map((a) => ({ n: a.length, a })),
  },
  {
    name: 'many',
    layout: untilEnd({ s: word(), a: ints(many) }),
    value: fc.tuple(text, manyOf(digit)).map(([s, a]) => ({ s, a: Int32Array.from(a) })),
  },
  {
    name: 'many records, up to a word',
    layout: untilTerminator('end', { w: word('ab'), e: list(many, { t: word('xy'), k: int() }) }),
    value: fc.record({
      w: fc.constantFrom('a', 'ab'),
      e: manyOf(fc.record({ t: fc.constantFrom('x', 'yx'), k: digit })),
    }),
  },
  {
    name: 'many alternatives',
    layout: counted({ e: list(many, queryFields), w: word('x') }),
    value: fc.record({ e: queries, w: fc.constant('x') }),
  },
  {
    name: 'either',
    layout: counted({ e: queryFields }),
    value: queries.filter((all) => all.length > 0).map(([e]) => ({ e })),
  },
  {
    name: 'a bound by a name',
    layout: counted({ n: int(1, 9), k: int(1, 'n+1') }),
    value: fc
      .integer({ min: 1, max: 9 })
      .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 1, max: n + 1 }) })),
  },
];
