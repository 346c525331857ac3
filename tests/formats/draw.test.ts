/** Tests of random cases: their values are within the bounds, and the same arguments give the same cases. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { Seed } from '../../src/core/random.js';
import {
  CaseGenerationError,
  type DrawRequest,
  type HeadPrinter,
  TreeCaseSource,
} from '../../src/formats/cases/draw.js';
import {
  drawRandomInteger,
  drawRandomNumbers,
  type RandomCaseProfile,
} from '../../src/formats/cases/draw-numbers.js';
import { narrowLayout } from '../../src/formats/cases/narrow.js';
import { formats } from '../../src/formats/language/formats.js';
import type { Layout, RecordValue } from '../../src/formats/language/tree.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { ANY_LAYOUT } from '../support/any-layout.js';
import { blocks } from '../support/blocks.js';
import { runs } from '../support/random-tests.js';
import { SAMPLES } from '../support/samples.js';
import { plain, printInput, readByTree } from '../support/tree-reading.js';
import { fits } from './check-value.js';

const { counted, untilEnd, untilTerminator } = formats;
const { int, bigint, number, word, line, ints, safeInts, numbers, bigints, words, lines } = formats;
const { grid, table, list, either, until, many } = formats;

const PROFILES: readonly RandomCaseProfile[] = ['tiny', 'random', 'contest-max'];

const printHead: HeadPrinter = (head, cases) => Buffer.from(`${JSON.stringify(head)} ${cases}`);

function sourceOf(layout: Layout, request: Partial<DrawRequest> = {}): TreeCaseSource {
  const rest = { seed: '1', profile: 'random', cases: 10, maxSize: null } as const;
  return new TreeCaseSource(layout, { ...rest, ...request }, printHead);
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  arrays: counted({ n: int(1, 100), a: ints('n', -1000, 1000), b: safeInts('n-1'), c: bigints('2*n') }),
  numbers: counted({ x: number(-2, 5, 2), y: number(), z: bigint(), n: int(0, 9), a: numbers('n', 0, 1) }),
  graph: counted({
    n: int(1, 50),
    m: int(0, 'n*2'),
    edges: list('m', { u: int(1, 'n'), v: int(1, 'n') }),
  }),
  intervals: counted({ n: int(1, 1000), l: int(1, 'n'), r: int('l', 'n') }),
  grids: counted({
    r: int(1, 20),
    c: int(1, 20),
    g: grid('r', 'c', '.#ab'),
    h: blocks('c', 'r', 'AB', '+-'),
  }),
  tables: counted({ r: int(1, 6), t: table('r', 'r+1', 0, 'r') }),
  texts: counted({
    w: word('xy'),
    s: line(),
    e: line({ empty: true }),
    n: int(0, 5),
    l: lines('n'),
    v: words('n'),
  }),
  queries: counted({
    q: int(0, 30),
    queries: list('q', either('type', { '1 2': { x: int(0, 'q') }, '?': { k: int(0, 4), a: ints('k', 1) } })),
    w: words('count(queries, ?)'),
  }),
  lines: counted({ a: ints(until('\n')), b: list(3, { c: words(until('\n'), 'b') }) }),
  lengths: counted({
    a: ints(until('0'), 0, 3),
    b: words(until('\n'), 'ab'),
    c: list(until('a'), { w: word('ab') }),
    d: ints(many),
    e: lines(until('\n\n')),
  }),
  head: counted({ a: ints('k', 0, 'm') }, { head: { k: int(1, 40), m: int(1, 9) } }),
  terminator: untilTerminator('0 0', { n: int(0, 2), m: int(0, 2) }),
};

/** Prints cases, and expects that they are read as they were. */
function expectReadBack(layout: Layout, source: TreeCaseSource, cases: number): void {
  const format = new TreeInputFormat(layout);
  const parser = format.createParser();
  const out = new ByteWriter();
  format.printHeadValue(source.headValue, 10, out);
  const head = out.take();
  parser.useHead(layout.head === null ? null : head);
  for (let index = 0; index < cases; index++) {
    const value = source.caseAt(index);
    format.printCase(value, out);
    const bytes = out.take();
    const read = parser.parse(bytes, 0, bytes.length, null);
    if (read === null) expect.fail(JSON.stringify(parser.fault));
    expect(read).toEqual(value);
  }
}

describe.each(Object.entries(LAYOUTS))('%s', (_, layout) => {
  test.each(PROFILES)('%s cases are within their bounds', (profile) => {
    const source = sourceOf(layout, { profile });
    for (let index = 0; index < 30; index++) {
      const value = source.caseAt(index);
      for (const record of layout.shape.records) {
        expect(fits(record, value, [source.headValue])).toBe(true);
      }
    }
  });

  test.each(PROFILES)('printed %s cases are read back as they were drawn', (profile) => {
    expectReadBack(layout, sourceOf(layout, { profile }), 20);
  });

  test('a case depends on the seed and its index', () => {
    const one = sourceOf(layout);
    const other = sourceOf(layout);
    const cases = Array.from({ length: 8 }, (_, index) => one.caseAt(index));
    expect(other.caseAt(5)).toEqual(cases[5]);
    expect(other.caseAt(2)).toEqual(cases[2]);
    expect(other.head).toEqual(one.head);
    const reseeded = sourceOf(layout, { seed: '2' });
    expect(Array.from({ length: 8 }, (_, index) => reseeded.caseAt(index))).not.toEqual(cases);
  });
});

test.each(SAMPLES)('drawn cases of the sample $name are within their bounds, and read back', ({ layout }) => {
  const source = sourceOf(layout);
  const { records } = layout.shape;
  for (let index = 0; index < 5; index++) {
    const value = source.caseAt(index);
    for (const record of records) expect(fits(record, value, [source.headValue])).toBe(true);
  }
  expectReadBack(layout, source, 5);
});

test('drawn cases of any fields, in objects or one object, are read back', () => {
  fc.assert(
    fc.property(ANY_LAYOUT, fc.nat(), (layout, seed) =>
      expectReadBack(layout, sourceOf(layout, { seed: String(seed) }), 10),
    ),
    { numRuns: runs(150) },
  );
});

test('the same case on every machine', () => {
  const { n, a } = sourceOf(LAYOUTS.arrays, { seed: 'a', profile: 'tiny' }).caseAt(3) as {
    n: number;
    a: Int32Array;
  };
  expect([n, ...a]).toMatchInlineSnapshot(`
    [
      2,
      -8,
      8,
    ]
  `);
});

test('extreme values, duplicates and sorted arrays occur', () => {
  const source = sourceOf(counted({ n: int(5, 30), a: ints('n', 1, 1e9) }));
  const arrays = Array.from({ length: 200 }, (_, index) => Array.from(source.caseAt(index).a as Int32Array));
  expect(arrays.some((array) => array.includes(1))).toBe(true);
  expect(arrays.some((array) => array.includes(1e9))).toBe(true);
  expect(arrays.some((array) => new Set(array).size > 2 && new Set(array).size < array.length)).toBe(true);
  expect(arrays.some((array) => array.every((value, i) => i === 0 || array[i - 1] < value))).toBe(true);
});

test('permutations occur where they are possible', () => {
  const source = sourceOf(counted({ n: int(4, 8), p: ints('n', 1, 'n') }));
  const isPermutation = ({ n, p }: RecordValue) => new Set(p as Int32Array).size === n;
  const found = Array.from({ length: 50 }, (_, index) => source.caseAt(index)).filter(isPermutation);
  expect(found.length).toBeGreaterThan(8);
});

test('every tag is drawn', () => {
  const source = sourceOf(LAYOUTS.queries);
  const tags = Array.from({ length: 30 }, (_, index) => source.caseAt(index).queries as RecordValue[]);
  expect(new Set(tags.flat().map(({ type }) => type))).toEqual(new Set(['1', '2', '?']));
});

describe('sizes', () => {
  const layout = counted({ n: int(1, 2e5), a: ints('n', 1, 10) });
  const sizesOf = (source: TreeCaseSource) =>
    Array.from({ length: 12 }, (_, index) => source.caseAt(index).n as number);

  test('contest-max cases have the largest size', () => {
    expect(new Set(sizesOf(sourceOf(layout, { profile: 'contest-max' })))).toEqual(new Set([2e5]));
  });

  test('tiny cases are tiny', () => {
    expect(Math.max(...sizesOf(sourceOf(layout, { profile: 'tiny' })))).toBeLessThanOrEqual(4);
  });

  test('a largest size and narrowed bounds limit sizes', () => {
    expect(Math.max(...sizesOf(sourceOf(layout, { maxSize: 7 })))).toBeLessThanOrEqual(7);
    const bounds = { n: [3, 4], a: [9, 20] } as const;
    const narrowed = sourceOf(narrowLayout(layout, bounds), { profile: 'contest-max' });
    expect(new Set(sizesOf(narrowed))).toEqual(new Set([4]));
    expect((narrowed.caseAt(0).a as Int32Array).every((value) => value === 9 || value === 10)).toBe(true);
  });

  test('sums over all cases are within the total', () => {
    const total = { n: 1000, 'n*m': 5000 };
    const limited = counted({ n: int(1, 2e5), m: int(1, 2e5), g: grid('n', 'm', '.#') }, { total });
    for (const profile of PROFILES) {
      const source = sourceOf(limited, { profile, cases: 10 });
      const cases = Array.from(
        { length: 10 },
        (_, index) => source.caseAt(index) as { n: number; m: number },
      );
      const sum = (of: (value: { n: number; m: number }) => number) =>
        cases.reduce((all, one) => all + of(one), 0);
      expect(sum(({ n }) => n)).toBeLessThanOrEqual(1000);
      expect(sum(({ n, m }) => n * m)).toBeLessThanOrEqual(5000);
    }
  });

  test('the largest cases share a total equally', () => {
    const limited = counted({ n: int(1, 2e5), a: ints('n') }, { total: { n: 100 } });
    const source = sourceOf(limited, { profile: 'contest-max', cases: 8 });
    expect(sizesOf(source).slice(0, 8)).toEqual(Array(8).fill(12));
  });

  test('sizes without bounds are small', () => {
    const unbounded = counted({ n: int(), a: ints('n') });
    expect(Math.max(...sizesOf(sourceOf(unbounded)))).toBeLessThanOrEqual(10);
    expect(Math.min(...sizesOf(sourceOf(unbounded)))).toBeGreaterThanOrEqual(0);
  });

  test('a case never takes more than its memory', () => {
    const huge = counted({ n: int(1, 1e9), m: int(1, 1e9), t: table('n', 'm') });
    const { t } = sourceOf(huge, { profile: 'contest-max' }).caseAt(0) as { t: { cells: Float64Array } };
    expect(t.cells.byteLength).toBeLessThanOrEqual(16 << 20);
    expect(t.cells.byteLength).toBeGreaterThan(1 << 20);
    const nested = counted({ q: int(1, 4e3), l: list('q', { k: int(1, 4e3), a: ints('k') }) });
    expect((sourceOf(nested, { profile: 'contest-max' }).caseAt(0).l as unknown[]).length).toBeGreaterThan(
      100,
    );
  });

  test('arrays on lines of their own are sometimes empty, unless blank lines are skipped there', () => {
    const arrays = { a: ints(until('\n')), b: ints(until('\n')) };
    const fewest = (layout: Layout) => {
      const source = sourceOf(layout);
      const values = Array.from({ length: 200 }, (_, index) => source.caseAt(index));
      return ['a', 'b'].map((name) => Math.min(...values.map((value) => (value[name] as Int32Array).length)));
    };
    expect(fewest(counted(arrays))).toEqual([0, 0]);
    expect(fewest(untilEnd(arrays))).toEqual([1, 0]);
  });

  test('sizes in the head are lowered until cases can be drawn', () => {
    const source = sourceOf(counted({ t: table('n', 'n') }, { head: { n: int(1, 3e3) } }), {
      profile: 'contest-max',
    });
    expect((source.caseAt(1).t as { rows: number }).rows).toBe(source.headValue.n);
  });
});

test('the number of cases is written into the head', () => {
  const head = { k: int(1, 4), t: int(1, 100) };
  const source = sourceOf(counted({ a: int() }, { head, cases: 't' }), { cases: 17 });
  expect(source.headValue.t).toBe(17);
  expect(Buffer.from(source.head!).toString()).toBe(`${JSON.stringify(source.headValue)} 17`);
  expect(sourceOf(counted({ a: int() })).head).toBeNull();
});

test('no case is the terminator', () => {
  const source = sourceOf(untilTerminator('-1', { n: int(-3, 3) }, { when: 'n < 0' }));
  const cases = Array.from({ length: 100 }, (_, index) => source.caseAt(index).n as number);
  expect(new Set(cases)).toEqual(new Set([0, 1, 2, 3]));
  const zeros = sourceOf(LAYOUTS.terminator);
  for (let index = 0; index < 100; index++) expect(zeros.caseAt(index)).not.toEqual({ n: 0, m: 0 });
});

describe('what is drawn is read again, although a reader compares tokens as numbers', () => {
  const fields = {
    numbers: (end: string) => numbers(until(end), -1, 3, 0),
    ints: (end: string) => ints(until(end), -1, 3),
    bigints: (end: string) => bigints(until(end), -1, 3),
    table: (end: string) => table(until(end), 2, -1, 3),
    'a list': (end: string) => list(until(end), { a: int(-1, 3), b: int(-1, 3) }),
    words: (end: string) => words(until(end), '0.-'),
    grid: (end: string) => grid(until(end), 2, '0.'),
  };
  const ends = ['0', '00', '0.0', '-1', '-1.', '-01'];
  const asEnds = Object.entries(fields).flatMap(([name, field]) =>
    ends.map((end) => [`${name} until ${end}`, untilEnd({ a: field(end) })] as const),
  );
  const asTerminators = ['0', '00', '0.0', '-1. 00', '0 0'].map(
    (end) =>
      [`cases until ${end}`, untilTerminator(end, { a: number(-1, 1, 0), b: number(-1, 0, 0) })] as const,
  );

  test.each([...asEnds, ...asTerminators])('%s', (_, layout) => {
    const cases = 60;
    const source = sourceOf(layout, { cases });
    const values = Array.from({ length: cases }, (__, index) => source.caseAt(index));
    const input = printInput(layout, values);
    expect(readByTree(layout, input).cases.map(({ value }) => plain(value))).toEqual(plain(values));
  });
});

describe('cases that cannot be drawn', () => {
  const failing = (layout: Layout) => () => sourceOf(layout).caseAt(0);

  test.each([
    { layout: counted({ n: int(5, 9), v: int('n', 4) }), message: /bounds of "v" allow no value/ },
    {
      layout: counted({ n: int(5, 9), z: int(0, 0), v: int(1, 'n/z') }),
      message: /bounds of "v" have no value/,
    },
    { layout: counted({ n: int(-5, -3), a: ints('n') }), message: /count of "a"/ },
    { layout: counted({ w: word('') }), message: /"w" has no letters/ },
    { layout: counted({ a: ints(1e8) }), message: /"a" makes a case larger than 16 MiB/ },
    { layout: counted({ n: int(1e8, 1e9), a: ints('n') }), message: /"a" makes a case larger than 16 MiB/ },
    { layout: untilTerminator('0', { n: int(0, 0) }), message: /terminator/ },
  ])('$message', ({ layout, message }) => {
    expect(failing(layout)).toThrow(CaseGenerationError);
    expect(failing(layout)).toThrow(message);
  });

  test('a case that is only the beginning of the terminator is drawn', () => {
    expect(sourceOf(untilTerminator('0 1', { n: int(0, 0) })).caseAt(0)).toEqual({ n: 0 });
  });

  test('a range that is only sometimes empty is drawn again', () => {
    const source = sourceOf(counted({ l: int(1, 10), r: int('l', 5) }));
    for (let index = 0; index < 50; index++) expect(source.caseAt(index).l).toBeLessThanOrEqual(5);
  });
});

describe('whole numbers', () => {
  const random = new Seed('whole').random(0);

  test.each([
    { low: 0, high: 0 },
    { low: -3, high: 3 },
    { low: -(2 ** 21), high: 2 ** 21 },
    { low: 2 ** 52, high: Number.MAX_SAFE_INTEGER },
    { low: Number.MIN_SAFE_INTEGER, high: Number.MAX_SAFE_INTEGER },
    { low: -(2n ** 63n), high: 2n ** 63n - 1n },
    { low: 10n ** 40n, high: 10n ** 40n + 1n },
  ])('$low to $high', (range) => {
    const drawn = Array.from({ length: 300 }, () => drawRandomInteger(random, range));
    const middle = (BigInt(range.low) + BigInt(range.high)) / 2n;
    expect(drawn.every((value) => value >= range.low && value <= range.high)).toBe(true);
    const above = drawn.filter((value) => BigInt(value) > middle).length;
    if (range.low !== range.high) expect(above).toBeGreaterThan(80);
    expect(above).toBeLessThan(220);
  });

  test('arrays of bigints', () => {
    for (let i = 0; i < 100; i++) {
      const drawn = drawRandomNumbers(random, 5, { low: -(2n ** 70n), high: 2n ** 70n }, PROFILES[i % 3]);
      expect(
        drawn.every((value) => typeof value === 'bigint' && value >= -(2n ** 70n) && value <= 2n ** 70n),
      ).toBe(true);
    }
  });
});
