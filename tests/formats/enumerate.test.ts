/** Tests of listing every case of a layout: exactly once, in order, and the count without listing. */
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { EnumerationError } from '../../src/formats/cases/case-list.js';
import { enumerateLayoutCases } from '../../src/formats/cases/enumerate.js';
import { formats } from '../../src/formats/language/formats.js';
import type { Layout, RecordValue } from '../../src/formats/language/tree.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { blocks } from '../support/blocks.js';
import { SAMPLES } from '../support/samples.js';
import { fits } from './check-value.js';

const { counted, untilTerminator } = formats;
const { int, bigint, number, word, line, ints, safeInts, numbers, bigints, words, lines } = formats;
const { grid, table, list, either, until, many } = formats;

/** Prints the candidates from an index on; null stands for one that is not a case. */
function* printed(layout: Layout, from = 0n): Generator<string | null> {
  const format = new TreeInputFormat(layout);
  const out = new ByteWriter();
  for (const value of enumerateLayoutCases(layout).candidatesFrom(from)) {
    if (value !== null) format.printCase(value, out);
    yield value === null ? null : Buffer.from(out.take()).toString('latin1');
  }
}

/** All texts of tokens from an alphabet that the format accepts as a case: the cases by brute force. */
function acceptedTexts(layout: Layout, tokens: readonly string[], most: number): Set<string> {
  const format = new TreeInputFormat(layout);
  const parser = format.createParser();
  const out = new ByteWriter();
  const found = new Set<string>();
  const visit = (words: readonly string[]) => {
    const bytes = Buffer.from(`${words.join(' ')}\n`);
    const value = words.length === 0 ? null : parser.parse(bytes, 0, bytes.length, null);
    if (value !== null) {
      format.printCase(value, out);
      found.add(Buffer.from(out.take()).toString('latin1'));
    }
    if (words.length < most) for (const token of tokens) visit([...words, token]);
  };
  visit([]);
  return found;
}

const DIGITS = ['0', '1', '2', '3'];

/** Layouts, the tokens that their cases consist of, and the largest number of tokens. */
const FINITE: Record<string, [Layout, string[], number]> = {
  'numbers that depend on each other': [
    counted({ n: int(0, 2), m: int('n', 3), k: int(1, '6/(n+1)') }),
    [...DIGITS, '4', '5', '6'],
    3,
  ],
  'an array whose length is read': [counted({ n: int(0, 3), a: ints('n', 1, 2), b: int(0, 1) }), DIGITS, 5],
  'a grid whose size is read': [
    counted({ r: int(1, 2), c: int(1, 2), g: grid('r', 'c', '#.') }),
    ['1', '2', '#', '.', '##', '#.', '.#', '..'],
    4,
  ],
  'a grid of blocks': [counted({ g: blocks(1, 2, 'AB', 'xyz') }), ['Ax', 'Ay', 'Az', 'Bx', 'By', 'Bz'], 3],
  'a table of whole numbers': [counted({ c: int(1, 2), t: table(2, 'c', 0, 1) }), DIGITS.slice(0, 3), 5],
  'numbers with decimals': [
    counted({ x: number('0-1', 1, 1), y: numbers(1, 0, 1, 1) }),
    [...tenths(), '2'],
    2,
  ],
  'a list of records': [
    counted({ n: int(1, 2), edges: list('n', { u: int(1, 'n'), v: int('u', 'n') }) }),
    DIGITS,
    5,
  ],
  'alternatives, and arrays whose length counts them': [
    counted({
      q: int(0, 2),
      queries: list('q', either('type', { 'A B': { x: int(1, 2) }, '?': {} })),
      a: ints('count(queries, ?)', 1, 2),
      b: ints('count(queries, A)', 1, 1),
    }),
    ['0', '1', '2', 'A', 'B', '?'],
    7,
  ],
};

function tenths(): string[] {
  return Array.from({ length: 21 }, (_, i) => String((i - 10) / 10));
}

describe.each(Object.entries(FINITE))('%s', (_, [layout, tokens, most]) => {
  test('every case that the format accepts is listed exactly once, and counted', () => {
    const listed = [...printed(layout)];
    const accepted = acceptedTexts(layout, tokens, most);
    expect(enumerateLayoutCases(layout).count).toBe(BigInt(listed.length));
    expect(new Set(listed).size).toBe(listed.length);
    expect(new Set(listed)).toEqual(accepted);
    expect(listed.length).toBeGreaterThan(5);
  });

  test('listing from any index on gives the rest of the list', () => {
    const listed = [...printed(layout)];
    for (let from = 0; from <= listed.length; from += 1 + (listed.length >> 5)) {
      expect([...printed(layout, BigInt(from))]).toEqual(listed.slice(from));
    }
  });
});

test.each(SAMPLES)(
  'the cases of the sample $name fit, or the message says why they are not listed',
  ({ layout }) => {
    let listed: Iterable<RecordValue | null> = [];
    try {
      listed = enumerateLayoutCases(layout).candidatesFrom(0n);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(EnumerationError);
    }
    let index = 0;
    for (const value of listed) {
      for (const record of layout.shape.records) expect(value === null || fits(record, value, [])).toBe(true);
      if (++index === 20) return;
    }
  },
);

test('the cases are in ascending order of their fields', () => {
  const texts = [...printed(counted({ n: int(9, 10), a: ints(2, -1, 0) }))];
  expect(texts).toEqual([
    '9\n-1 -1\n',
    '9\n-1 0\n',
    '9\n0 -1\n',
    '9\n0 0\n',
    '10\n-1 -1\n',
    '10\n-1 0\n',
    '10\n0 -1\n',
    '10\n0 0\n',
  ]);
});

test('large numbers of cases are counted without listing them, and a slice begins far inside', () => {
  const layout = counted({ g: grid(15, 15, '.#'), a: bigints(2, 0, 9), z: bigint(1, 10) });
  expect(enumerateLayoutCases(layout).count).toBe(2n ** 225n * 1000n);
  const [first] = printed(layout, 2n ** 224n * 1000n + 123n);
  expect(first).toBe(`#${'.'.repeat(14)}\n${`${'.'.repeat(15)}\n`.repeat(14)}1 2\n4\n`);
  const sums = counted({ n: int(1, 100), a: ints('n', 1, 1000), k: safeInts(3, 1, 'n') });
  let expected = 0n;
  for (let n = 1n; n <= 100n; n++) expected += 1000n ** n * n ** 3n;
  expect(enumerateLayoutCases(sums).count).toBe(expected);
});

describe('terminators', () => {
  test('the terminator is not a case, whether numbers or a condition tell it', () => {
    const layout = untilTerminator('0 0', { n: int(0, 1), m: int(0, 1), a: ints(1, 0, 1) });
    expect([...printed(layout)]).toEqual([
      '0 1\n0\n',
      '0 1\n1\n',
      '1 0\n0\n',
      '1 0\n1\n',
      '1 1\n0\n',
      '1 1\n1\n',
    ]);
    expect(enumerateLayoutCases(layout)).toMatchObject({ count: 6n, isExact: true });
    const negative = untilTerminator('-1', { n: int(-2, 1) }, { when: 'n < 0' });
    expect([...printed(negative)]).toEqual(['0\n', '1\n']);
  });

  test('candidates that are the terminator are null if only their text tells', () => {
    const layout = untilTerminator('0', { a: ints(2, 0, 1) });
    expect([...printed(layout)]).toEqual([null, null, '1 0\n', '1 1\n']);
    expect(enumerateLayoutCases(layout)).toMatchObject({ count: 4n, isExact: false });
  });
});

describe('what cannot be listed', () => {
  const endless: [string, Layout, RegExp][] = [
    ['an int without bounds', counted({ n: int(1) }), /"n" has no smallest or no largest value/],
    ['a number without decimals', counted({ x: number(0, 1) }), /"x" may have any number of decimals/],
    ['a word', counted({ n: int(0, 1), w: word('ab') }), /"w" may have words of any length/],
    ['words', counted({ w: words(2) }), /"w" may have words/],
    ['a line', counted({ s: line() }), /"s" may have lines/],
    ['lines', counted({ s: lines(1) }), /"s" may have lines/],
    ['an array without a count', counted({ a: ints(many, 0, 1) }), /"a" may have any number of elements/],
    ['an array up to a token', counted({ a: ints(until('9'), 0, 1) }), /"a" may have any number of elements/],
    [
      'a number on which others depend',
      counted({ n: int(1, 1e9), a: ints('n', 0, 1) }),
      /from "a" on are too many/,
    ],
    ['a large array', counted({ a: ints(1e6, 0, 9) }), /"a" are too many to count/],
    ['many records', counted({ a: list(2000, { x: int(0, 1) }) }), /more than 1000 values/],
    ['many sizes', counted({ n: int(1, 1000), m: int(1, 1000), g: grid('n', 'm', 'ab') }), /too many/],
  ];
  test.each(endless)('%s', (_, layout, message) => {
    expect(() => enumerateLayoutCases(layout)).toThrow(message);
  });
});

test('a head has to have one value', () => {
  const layout = (max: number) => counted({ a: ints('k', 0, 1) }, { head: { k: int(2, max) } });
  expect(enumerateLayoutCases(layout(2))).toMatchObject({ head: { k: 2 } as RecordValue, count: 4n });
  expect(() => enumerateLayoutCases(layout(3))).toThrow(/"k" of the head has 2 values/);
});
