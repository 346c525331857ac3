/** Tests of simpler cases: they are valid, differ from the given case, and lead to the simplest failing case. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { TreeCaseSource } from '../../src/formats/cases/draw.js';
import { simplerTreeCases } from '../../src/formats/cases/shrink.js';
import { formats } from '../../src/formats/language/formats.js';
import type { Layout, RecordValue } from '../../src/formats/language/tree.js';
import { TreeGrid } from '../../src/formats/tree/grid.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { blocks } from '../support/blocks.js';
import { SAMPLES } from '../support/samples.js';
import { fits } from './check-value.js';

const { counted, untilEnd, untilTerminator } = formats;
const { int, bigint, number, word, line, ints, numbers, bigints, words, lines } = formats;
const { grid, table, list, either, until, many } = formats;

/** Replaces the case by its first simpler case that fails, until none fails. Returns the result and the number of tries. */
function shrink<Case extends RecordValue>(
  layout: Layout,
  value: Case,
  isFailing: (value: Case) => boolean,
  head: RecordValue = {},
): { simplest: Case; tries: number } {
  let simplest = value;
  let tries = 0;
  const next = () => {
    for (const simpler of simplerTreeCases(layout, simplest, head) as Iterable<Case>) {
      tries++;
      if (isFailing(simpler)) return simpler;
    }
    return null;
  };
  for (let simpler = next(); simpler !== null; simpler = next()) simplest = simpler;
  return { simplest, tries };
}

/** The case that is read after a case was printed. */
function readBack(layout: Layout, value: RecordValue): RecordValue | null {
  const format = new TreeInputFormat(layout);
  const out = new ByteWriter();
  format.printCase(value, out);
  const bytes = out.take();
  const parser = format.createParser();
  parser.useHead(null);
  return parser.parse(bytes, 0, bytes.length, null);
}

/** The cases of a layout that a seed gives and that fail. */
function failingCases<Case extends RecordValue>(
  layout: Layout,
  isFailing: (value: Case) => boolean,
  count = 8,
): Case[] {
  const request = { seed: 'shrink', profile: 'random', cases: 10, maxSize: null } as const;
  const source = new TreeCaseSource(layout, request, () => new Uint8Array());
  const failing: Case[] = [];
  for (let index = 0; failing.length < count && index < 2000; index++) {
    const value = source.caseAt(index) as Case;
    if (isFailing(value)) failing.push(value);
  }
  expect(failing.length).toBe(count);
  return failing;
}

test.each(SAMPLES)(
  'what is simpler than a case of the sample $name fits, and is read back',
  ({ layout, value }) => {
    for (const given of fc.sample(value, { numRuns: 3, seed: 1 })) {
      for (const simpler of take(simplerTreeCases(layout, given, {}), 20)) {
        for (const record of layout.shape.records) expect(fits(record, simpler, [])).toBe(true);
        expect(readBack(layout, simpler)).toEqual(simpler);
      }
    }
  },
);

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let taken = 0;
  for (const value of values) {
    yield value;
    if (++taken === most) return;
  }
}

test('an array with a large element shrinks to that element alone', () => {
  const layout = counted({ n: int(1, 100), a: ints('n', -1000, 1000) });
  type Case = { n: number; a: Int32Array };
  const isFailing = ({ a }: Case) => a.some((value) => value > 50);
  for (const value of failingCases<Case>(layout, isFailing, 20)) {
    const { simplest, tries } = shrink(layout, value, isFailing);
    expect(simplest).toEqual({ n: 1, a: Int32Array.of(51) });
    expect(tries).toBeLessThan(200);
  }
});

test('a graph with a loop shrinks to one vertex', () => {
  const edges = list('m', { u: int(1, 'n'), v: int(1, 'n') });
  const layout = counted({ n: int(1, 1000), m: int(0, 1000), edges });
  type Case = { n: number; m: number; edges: { u: number; v: number }[] };
  const isFailing = (value: Case) => value.edges.some(({ u, v }) => u === v);
  for (const value of failingCases<Case>(layout, isFailing)) {
    const { simplest, tries } = shrink(layout, value, isFailing);
    expect(simplest).toEqual({ n: 1, m: 1, edges: [{ u: 1, v: 1 }] });
    expect(tries).toBeLessThan(200);
  }
});

test('all that one number counts loses the same elements', () => {
  const layout = counted({
    n: int(1, 40),
    a: ints('n', 0, 9),
    w: words('n', 'ab'),
    t: table('n', 'n', 0, 1),
  });
  type Case = { n: number; a: Int32Array; w: string[]; t: { cells: Float64Array; cols: number } };
  const isFailing = ({ a, w, t }: Case) =>
    a.some((value, i) => value >= 5 && w[i].startsWith('b') && t.cells[i * t.cols + i] === 1);
  for (const value of failingCases<Case>(layout, isFailing)) {
    const { simplest } = shrink(layout, value, isFailing);
    expect(simplest).toEqual({
      n: 1,
      a: Int32Array.of(5),
      w: ['b'],
      t: { rows: 1, cols: 1, cells: Float64Array.of(1) },
    });
  }
});

test('counts may be expressions', () => {
  const layout = counted({
    n: int(2, 30),
    m: int(1, 5),
    p: ints('n-1', 0, 9),
    d: ints('2*n', 0, 9),
    f: ints('n*m', 0, 9),
  });
  type Case = Record<'p' | 'd' | 'f', Int32Array> & Record<'n' | 'm', number>;
  const isFailing = ({ p, d, f }: Case) => [p, d, f].every((numbers) => numbers.includes(7));
  for (const value of failingCases<Case>(layout, isFailing, 4)) {
    const { simplest } = shrink(layout, value, isFailing);
    expect(fits(layout.shape.records[0], simplest, [])).toBe(true);
    expect(simplest.n).toBeLessThanOrEqual(4);
    expect(Array.from(simplest.d).filter((number) => number !== 0)).toEqual([7]);
  }
});

test('grids lose rows and columns', () => {
  const layout = counted({ r: int(1, 20), c: int(1, 20), g: grid('r', 'c', '.#o') });
  type Case = { g: { lines: string[] } };
  const isFailing = ({ g }: Case) => g.lines.some((row) => row.includes('#'));
  const [value] = failingCases<Case>(layout, isFailing);
  const { simplest, tries } = shrink(layout, value, isFailing);
  expect(simplest).toEqual({ r: 1, c: 1, g: new TreeGrid(1, 1, Uint8Array.of(1), ['.#o']) });
  expect(tries).toBeLessThan(200);
});

test('lists inside lists shrink', () => {
  const inner = { k: int(0, 9), a: ints('k', 0, 99) };
  const layout = counted({ q: int(1, 9), l: list('q', inner) });
  type Case = { l: { a: Int32Array }[] };
  const isFailing = ({ l }: Case) => l.some(({ a }) => a.some((value) => value > 20));
  for (const value of failingCases<Case>(layout, isFailing)) {
    expect(shrink(layout, value, isFailing).simplest).toEqual({ q: 1, l: [{ k: 1, a: Int32Array.of(21) }] });
  }
});

test('tagged records shrink toward the first tag, and counts of tags are kept', () => {
  const queries = list('q', either('type', { 'A B': { x: int(0, 9) }, C: { x: int(0, 9), y: int() } }));
  const layout = counted({ q: int(0, 9), queries, w: words('count(queries, B)') });
  type Case = { queries: { type: string; x: number }[]; w: string[] };
  const shrinkWhere = (isFailing: (value: Case) => boolean) =>
    shrink(layout, failingCases<Case>(layout, isFailing)[0], isFailing).simplest;
  expect(shrinkWhere(({ queries }) => queries.some(({ x }) => x > 4))).toEqual({
    q: 1,
    queries: [{ type: 'A', x: 5 }],
    w: [],
  });
  expect(shrinkWhere(({ w }) => w.length > 1)).toEqual({
    q: 2,
    queries: [
      { type: 'B', x: 0 },
      { type: 'B', x: 0 },
    ],
    w: ['a', 'a'],
  });
});

test('single numbers shrink to the number before which nothing fails', () => {
  const layout = counted({
    i: int(-1000, 1000),
    b: bigint(),
    x: number(undefined, undefined, 2),
    p: int(5, 'i*i+9'),
  });
  const value = { i: -777, b: 10n ** 30n, x: 123.45, p: 40000 };
  expect(shrink(layout, value, ({ i }) => i < -55).simplest).toEqual({ i: -56, b: 0n, x: 0, p: 5 });
  expect(shrink(layout, value, ({ b }) => b > 10n ** 20n).simplest.b).toBe(10n ** 20n + 1n);
  const { simplest, tries } = shrink(layout, value, ({ x }) => x > 7.5);
  expect(simplest.x).toBe(7.51);
  expect(tries).toBeLessThan(100);
  expect(shrink(layout, value, ({ p }) => p > 500).simplest.p).toBe(501);
});

test('texts shrink to fewer words and earlier letters', () => {
  const layout = counted({ w: word('xyz'), s: line(), e: line({ empty: true }), a: words(until('.')) });
  const value = { w: 'zyxzyz', s: 'The quick  fox', e: 'jumps', a: ['q', 'over', 'dogs'] };
  expect(shrink(layout, value, () => true).simplest).toEqual({ w: 'x', s: 'a', e: '', a: [] });
  expect(shrink(layout, value, ({ w }) => w.includes('y')).simplest.w).toBe('y');
  expect(shrink(layout, value, ({ s }) => s.includes(' ')).simplest.s).toBe('a a');
  expect(shrink(layout, value, ({ a }) => a.some((text) => text.includes('g'))).simplest.a).toEqual(['g']);
});

test('an array on a line of its own shrinks to an empty line, unless blank lines are skipped there', () => {
  const value = { a: ['x', 'y'], b: ['z'] };
  const fields = { a: words(until('\n')), b: words(until('\n')) };
  expect(shrink(counted(fields), value, () => true).simplest).toEqual({ a: [], b: [] });
  expect(shrink(untilEnd(fields), value, () => true).simplest).toEqual({ a: ['a'], b: [] });
});

test('a case never becomes the terminator', () => {
  const layout = untilTerminator('0 0', { n: int(0, 9), m: int(0, 9) });
  expect(shrink(layout, { n: 4, m: 5 }, () => true).simplest).toEqual({ n: 0, m: 1 });
});

test('a number of the head stays as it is', () => {
  const layout = counted({ a: ints('n', 'n', 20) }, { head: { n: int(1, 9) } });
  const { simplest } = shrink(layout, { a: Int32Array.of(9, 8, 7) }, () => true, { n: 3 });
  expect(simplest).toEqual({ a: Int32Array.of(3, 3, 3) });
});

describe('all simpler cases', () => {
  const layouts: Readonly<Record<string, Layout>> = {
    arrays: counted({ n: int(1, 9), a: ints('n', -5, 'n'), b: bigints('n-1'), c: numbers('2*n', 0, 1) }),
    bounds: counted({
      n: int(1, 9),
      l: int(1, 'n'),
      r: int('l', 'n'),
      m: int('n-l', 'n*2'),
      a: ints('m', 'l', 'r'),
    }),
    grids: counted({ r: int(1, 4), c: int(1, 4), g: blocks('r', 'c', 'AB', '+-'), h: grid(many, 'r', 'xy') }),
    texts: counted({ n: int(0, 3), l: lines('n'), w: word(), t: table(2, 'n', 1, 9) }),
    rows: counted({ t: table(until('-'), until('\n'), 0, 9), g: grid(until('-'), until('\n'), '.#') }),
    queries: counted({
      q: int(0, 4),
      l: list('q', either('t', { A: {}, B: { k: int(0, 3), a: ints('k', 0, 'q') } })),
      w: words('count(l, B)', 'xy'),
      z: list(until('.'), { s: word('ab') }),
    }),
  };

  test.each(Object.entries(layouts))('%s: they fit, and they differ from the case', (_, layout) => {
    for (const value of failingCases(layout, () => true, 5)) {
      for (const simpler of simplerTreeCases(layout, value, {})) {
        expect(fits(layout.shape.records[0], simpler, [])).toBe(true);
        expect(simpler).not.toEqual(value);
        expect(readBack(layout, simpler)).toEqual(simpler);
      }
    }
  });

  test.each(Object.entries(layouts))(
    '%s: steps come to an end at a case without simpler cases',
    (_, layout) => {
      for (const value of failingCases(layout, () => true, 5)) {
        const { simplest, tries } = shrink(layout, value, () => true);
        expect([...simplerTreeCases(layout, simplest, {})]).toEqual([]);
        expect(tries).toBeLessThan(200);
      }
    },
  );
});
