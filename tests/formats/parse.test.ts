import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from '../../src/formats/language/formats.js';
import { findInvalidUtf8 } from '../../src/formats/language/letters.js';
import type { Layout } from '../../src/formats/language/tree.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { runs } from '../support/random-tests.js';

const { counted, single } = formats;
const { int, bigint, number, word, line, ints, safeInts, numbers } = formats;
const { grid, table, list, either, until, many } = formats;

/** Returns the faults of a case as `offset: expected ..., got ...`. */
function faultsOf(layout: Layout, text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const parser = new TreeInputFormat(layout).createParser();
  return parser
    .findFaults(bytes, 0, bytes.length)
    .map(({ offset, expected, got }) => `${offset}: expected ${expected}, got ${got}`);
}

const SUMS = counted({ n: int(1, 1000), a: ints('n', -5, 5) });
const BOARD = counted({ r: int(1, 50), c: int(1, 50), g: grid('r', 'c', '.#') });

describe('messages', () => {
  test.each([
    [SUMS, '1001', '0: expected n (1 to 1000), got "1001"'],
    [SUMS, '+1 2', '0: expected n (1 to 1000), got "+1"'],
    [SUMS, '2 1', '3: expected a[2] of 2 (-5 to 5), got the end of the input'],
    [SUMS, '2 1 6', '4: expected a[2] of 2 (-5 to 5), got "6"'],
    [SUMS, '1 1 1', '4: expected the end of the case, got one more: "1"'],
    [counted({ n: int() }), 'x', '0: expected n (an integer), got "x"'],
    [counted({ n: int(2) }), '1', '0: expected n (an integer of at least 2), got "1"'],
    [counted({ x: number(0, 1, 2) }), '0.125', '0: expected x (0 to 1, at most 2 decimals), got "0.125"'],
    [counted({ b: bigint(1, '10^18') }), '0', '0: expected b (1 to 1000000000000000000), got "0"'],
    [counted({ w: word('ab') }), 'abc', '0: expected w (a word of the letters "ab"), got "abc"'],
    [counted({ n: int(), s: line() }), '1 \n', '3: expected s (a line), got the end of the input'],
    [counted({ t: table(2, 3) }), '1 2 3\n4 x 6', '8: expected t[2][2] of 3 (a number), got "x"'],
    [counted({ t: table(3, until('\n')) }), '1 2\n3 4\n5 x', '10: expected t[3][2] (a number), got "x"'],
    [BOARD, '3 4\n....\n..\n....', '9: expected row 2 of 3 (4 of ".#"), got 2: ".."'],
    [BOARD, '1 2\n.x', '5: expected one of ".#" in row 1 of 1, got "x"'],
    [BOARD, '1 2\n..\n#', '7: expected 1 row, got one more: "#"'],
  ] as [Layout, string, string][])('%#: %s', (layout, text, message) => {
    expect(faultsOf(layout, text)[0]).toBe(message);
  });

  test('names the elements of lists', () => {
    const edges = counted({ m: int(), e: list('m', { u: int(1, 'm'), v: int() }) });
    expect(faultsOf(edges, '2 1 1 3 1')).toEqual(['6: expected e[2].u (1 to 2), got "3"']);
  });

  test('names the tags of an either', () => {
    const queries = counted({ q: int(), e: list('q', either('type', { 'A B': { x: int() }, C: {} })) });
    expect(faultsOf(queries, '2 C D')).toEqual(['4: expected e[2] (type: "A", "B" or "C"), got "D"']);
  });

  test('a description replaces the name of a number', () => {
    // Only the formats of boards have descriptions, so `int` takes none.
    const rows = { ...int(1, 50), description: 'the number of rows' };
    expect(faultsOf(counted({ r: rows }), '51')).toEqual([
      '0: expected the number of rows (1 to 50), got "51"',
    ]);
  });

  test('say that an integer is too large for int() or safeInts()', () => {
    const large = '9007199254740993';
    const layout = single({ n: int(), k: int(1), a: safeInts(2), b: int(1, 9) });
    expect(faultsOf(layout, `${large} ${large} -${large} ${large} ${large}`)).toEqual([
      `0: expected n (an integer of at most 9007199254740991, the largest number of int()), got "${large}"`,
      `17: expected k (1 to 9007199254740991, the largest number of int()), got "${large}"`,
      `34: expected a[1] of 2 (an integer of at least -9007199254740991, the smallest number of safeInts()), got "-${large}"`,
      `52: expected a[2] of 2 (an integer of at most 9007199254740991, the largest number of safeInts()), got "${large}"`,
      `69: expected b (1 to 9), got "${large}"`,
    ]);
    expect(faultsOf(layout, 'x 0 1.5 x 10')).toEqual([
      '0: expected n (an integer), got "x"',
      '2: expected k (an integer of at least 1), got "0"',
      '4: expected a[1] of 2 (an integer), got "1.5"',
      '8: expected a[2] of 2 (an integer), got "x"',
      '10: expected b (1 to 9), got "10"',
    ]);
  });

  test('a bound without a value admits nothing', () => {
    const layout = single({ n: int(), k: int(0, '6/n') });
    expect(faultsOf(layout, '2 3')).toEqual([]);
    expect(faultsOf(layout, '0 0')).toEqual(['2: expected k (0 to a bound without a value), got "0"']);
  });
});

describe('all faults of a case', () => {
  test('are found as long as the structure is clear', () => {
    expect(faultsOf(SUMS, '3 x 9 1')).toHaveLength(2);
    expect(faultsOf(BOARD, '3 2\n.x\n..\n#..')).toHaveLength(2);
    expect(faultsOf(SUMS, 'x 9 9')).toHaveLength(1);
  });

  test('are not more than a message can use', () => {
    expect(faultsOf(counted({ n: int(), a: ints('n', 0, 0) }), `5000 ${'1 '.repeat(5000)}`)).toHaveLength(
      1000,
    );
  });
});

describe('huge counts', () => {
  test.each([
    ['-1', single({ n: int(), a: ints('n') })],
    ['9007199254740991', single({ n: int(), a: ints('n') })],
    ['100000000', single({ n: int(), a: numbers('n') })],
    ['100000000', single({ n: int(), e: list('n', {}) })],
    ['100000000', single({ n: int(), e: list('n', { f: list('n', {}) }) })],
    ['99999999', single({ n: int(), g: grid('n', 'n', '.#') })],
    ['99999999', single({ n: int(), g: grid('n', 0, '.#') })],
    ['99999', single({ n: int(), t: table('n', 1) })],
  ])('%s take no memory', (text, layout) => {
    const before = process.memoryUsage().arrayBuffers;
    expect(faultsOf(layout, text)).toHaveLength(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
  });
});

test.each([grid(0, until('\n'), 'ab'), table(0, until('\n')), table(many, until('\n'))])(
  'without rows, there are no columns: %#',
  (field) => {
    const bytes = new TextEncoder().encode('1 x');
    const parser = new TreeInputFormat(single({ n: int(), field, w: word() })).createParser();
    expect(parser.parse(bytes, 0, bytes.length, null)!.field).toMatchObject({ rows: 0, cols: 0 });
  },
);

describe('text that is not UTF-8', () => {
  test.each([
    ['a word', word(), '  a\u00e9\u00ffb', 3, '"\\xe9\\xffb"'],
    ['a line', line(), '  a \u00e9 b\u00ff', 4, '"\\xe9"'],
  ])('in %s is a fault at its first wrong byte', (_what, field, text, offset, got) => {
    const bytes = Buffer.from(text, 'latin1');
    const parser = new TreeInputFormat(single({ w: field })).createParser();
    expect(parser.parse(bytes, 0, bytes.length, null)).toBeNull();
    expect(parser.fault).toEqual({ offset, expected: 'w (text in UTF-8)', got });
  });

  test('is found by the rules of UTF-8', () => {
    const byte = fc.constantFrom(
      0x41,
      0x7f,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc1,
      0xc2,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
    );
    const pieces = fc.array(
      fc.oneof(byte, fc.integer({ min: 0, max: 255 }), fc.constant(0x1f600), fc.constant(0x20ac)),
    );
    fc.assert(
      fc.property(pieces, (codes) => {
        const bytes = Buffer.concat(
          codes.map((code) => (code < 256 ? Buffer.of(code) : Buffer.from(String.fromCodePoint(code)))),
        );
        const at = findInvalidUtf8(bytes, 0, bytes.length);
        expect(isUtf8(bytes.subarray(0, at))).toBe(true);
        if (at === bytes.length) return;
        for (let end = at + 1; end <= Math.min(bytes.length, at + 4); end++)
          expect(isUtf8(bytes.subarray(at, end))).toBe(false);
      }),
      { numRuns: runs(2000) },
    );
  });
});
