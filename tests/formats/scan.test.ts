import { describe, expect, test } from 'vitest';
import { formats } from '../../src/formats/language/formats.js';
import type { Layout } from '../../src/formats/language/tree.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { type Reading, readByTree } from '../support/tree-reading.js';

const { counted, untilEnd, untilTerminator, single } = formats;
const { grid, int, ints, line, lines, list, many, number, until, word, words } = formats;

const read = (layout: Layout, text: string, isThorough = true): Reading =>
  readByTree(layout, new TextEncoder().encode(text), { isThorough });
/** The cases as text, with `!` before cases that the scanner calls bad and `?` before others that the parser faults. */
const cut = (layout: Layout, text: string, isThorough = true) =>
  read(layout, text, isThorough).cases.map(({ start, end, isInvalid, value }) => {
    const mark = isInvalid ? '!' : value === null ? '?' : '';
    return mark + text.slice(start, end);
  });

const SUMS = counted({ n: int(1, 1000), a: ints('n', -5, 5) });
const BOARD = counted({ r: int(1, 50), c: int(1, 50), g: grid('r', 'c', '.#') });

describe('heads', () => {
  test.each([
    ['\ufeff\n 2\n\n1 5', 2, '2'],
    ['0', 0, '0'],
    ['9007199254740991\n', Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('%j has a number of cases', (text, cases, head) => {
    const found = read(SUMS, text).head;
    expect(found).toMatchObject({ cases });
    expect('head' in found && Buffer.from(found.head as Uint8Array).toString()).toBe(head);
  });

  test.each([
    [' \n', 'an empty input'],
    ['x', '"x"'],
    ['-1', '"-1"'],
    ['-0', '"-0"'],
    ['0'.repeat(33), `"${'0'.repeat(24)}..."`],
    ['9007199254740992', '"9007199254740992"'],
  ])('%j is not a number of cases', (text, got) => {
    expect(read(SUMS, text).head).toMatchObject({ got });
  });

  test.each([[[1]], [[2]], [[1, 2]]])(
    'a byte order mark may arrive in pieces that end after %j bytes',
    (available) => {
      const bytes = new TextEncoder().encode('\ufeff7\n8\n');
      expect(readByTree(untilEnd({ n: int() }), bytes, { available })).toMatchObject({
        cases: [{ value: { n: 7 } }, { value: { n: 8 } }],
      });
    },
  );

  test('a head that ends early does not take in bytes after its end', () => {
    const { head } = read(counted({ n: int() }, { head: { m: int() } }), '7\n');
    expect(head).toMatchObject({ offset: 2, got: 'the end of the input' });
  });

  test('a named number of cases may exceed its bounds', () => {
    const layout = counted({ n: int() }, { head: { t: int(1, 2), m: int() }, cases: 't' });
    expect(read(layout, '3 7\n1 2 3')).toMatchObject({ head: { cases: 3 }, headValue: { t: 3, m: 7 } });
  });

  test('the cases use the numbers of the head', () => {
    expect(cut(untilEnd({ a: ints('m') }, { head: { m: int() } }), '2\n1 2\n3 4\n')).toEqual([
      '1 2\n',
      '3 4',
    ]);
  });
});

describe('after an invalid case', () => {
  test('a wrong value leaves the structure clear', () => {
    expect(cut(SUMS, '2\n2\n1 9\n1\n3\n')).toEqual(['?2\n1 9\n', '1\n3']);
    expect(cut(SUMS, '2\n2\n1 x\n1\n3\n')).toEqual(['?2\n1 x\n', '1\n3']);
  });

  test('the search goes on at a line where a good case begins', () => {
    expect(cut(SUMS, '2\nx\n2 7\n1\n3\n')).toEqual(['!x', '1\n3']);
    expect(cut(untilTerminator('END', { n: int(), a: ints('n') }), 'x\nEND')).toEqual(['!x']);
  });

  test('a board with one row too many is bad', () => {
    expect(cut(BOARD, '2\n1 2\n..\n##\n1 1\n.\n')).toEqual(['!1 2\n..\n##', '1 1\n.']);
  });

  test('a number in the place of a row begins the next case', () => {
    expect(cut(BOARD, '2\n2 2\n..\n1 1\n.\n')).toEqual(['!2 2\n..\n', '1 1\n.']);
  });

  test('a token that is not a row belongs to the next case', () => {
    expect(cut(BOARD, '3\n1 1\n.\nx\n1 1\n.\n')).toEqual(['1 1\n.\n', '!x', '1 1\n.']);
  });
});

test('a case without a byte is bad', () => {
  expect(cut(counted({ a: ints(many) }), '9007199254740991\n1 2\nx\n3\n')).toEqual(['1 2\n', '!x', '3']);
});

describe('tails', () => {
  test('numbers of a terminator are compared as numbers', () => {
    expect(read(untilTerminator('0 0', { n: int(), m: int() }), '0 1\n00 0 x')).toMatchObject({
      cases: [{ value: { n: 0, m: 1 } }],
      tail: 8,
    });
  });

  test('a condition makes the rest of the line the terminator', () => {
    const layout = untilTerminator('-1 0', { months: int(), x: number() }, { when: 'months < 0' });
    expect(read(layout, '3 1.5\n-2 what ever\n ')).toMatchObject({
      cases: [{ value: { months: 3, x: 1.5 } }],
      tail: 18,
    });
    expect(new TreeInputFormat(layout).terminator).toBe('the terminator (months < 0, as in "-1 0")');
  });

  test('a single input is one case', () => {
    expect(read(single({ n: int() }), '\n7\n')).toMatchObject({
      head: { cases: 1 },
      cases: [{ value: { n: 7 } }],
    });
  });
});

describe('lines', () => {
  const LINES = counted({ n: int(), s: line(), w: word() });

  test('a line is the rest of a line, or the next line that is not blank', () => {
    expect(read(LINES, '2\n1  a b \r\nc\n2\n\n  d e\nf')).toMatchObject({
      cases: [{ value: { n: 1, s: 'a b ', w: 'c' } }, { value: { n: 2, s: '  d e', w: 'f' } }],
    });
  });

  test('a line that may be empty is exactly the next line', () => {
    const layout = counted({ n: int(), s: line({ empty: true }) });
    expect(read(layout, '3\n1\n\n2\n a\n3\n')).toMatchObject({
      cases: [{ value: { s: '' } }, { value: { s: ' a' } }, { value: null }],
    });
  });

  test('an array up to the line end may be empty: it is the rest of the line, or exactly the next line', () => {
    const layout = counted({ a: ints(until('\n')), b: int() });
    expect(read(layout, '3\n1 2 3\n7\n\n8\n5\n9\n')).toMatchObject({
      cases: [
        { value: { a: Int32Array.of(1, 2, 3), b: 7 } },
        { value: { a: new Int32Array(), b: 8 } },
        { value: { a: Int32Array.of(5), b: 9 } },
      ],
    });
    expect(read(counted({ n: int(), a: ints(until('\n')) }), '3\n2 5 6\n0 \r\n \r\n1\n4')).toMatchObject({
      cases: [
        { value: { n: 2, a: Int32Array.of(5, 6) } },
        { value: { n: 0, a: new Int32Array() } },
        { value: { n: 1, a: Int32Array.of(4) } },
      ],
    });
  });

  test('an array whose line is missing is not an empty array', () => {
    const { cases } = read(counted({ n: int(), a: ints(until('\n')) }), '2\n1\n4\n0\n');
    expect(cases).toMatchObject([{ value: { n: 1, a: Int32Array.of(4) } }, { value: null }]);
    expect(cases[1].faults[0]).toMatchObject({ expected: 'a[1]', got: 'the end of the input' });
  });

  test('blank lines are not cases if a case has nothing but lines of tokens', () => {
    const layout = untilEnd({ a: words(until('\n')), b: words(until('\n')) });
    expect(read(layout, '\n\na b\n\n\n\nc\nd\n\n')).toMatchObject({
      cases: [{ value: { a: ['a', 'b'], b: [] } }, { value: { a: ['c'], b: ['d'] } }],
    });
  });

  test('blank lines are not records of a list that ends at a token', () => {
    expect(
      read(counted({ e: list(until('#'), { a: words(until('\n')) }) }), '1\n\na b\n\nc\n\n#\n'),
    ).toMatchObject({
      cases: [{ value: { e: [{ a: ['a', 'b'] }, { a: ['c'] }] } }],
    });
  });

  test('the first lines of a list belong to it, although they are empty or indented', () => {
    const rows = counted({ rows: list(2, { a: ints(until('\n')) }) });
    expect(read(rows, '2\n\n1\n2 3\n\n')).toMatchObject({
      cases: [
        { value: { rows: [{ a: new Int32Array() }, { a: Int32Array.of(1) }] } },
        { value: { rows: [{ a: Int32Array.of(2, 3) }, { a: new Int32Array() }] } },
      ],
    });
    expect(read(counted({ rows: list(1, { s: line() }) }), '1\n  a\n').cases).toMatchObject([
      { value: { rows: [{ s: '  a' }] } },
    ]);
  });

  test('the line of an array in the head may be empty', () => {
    const layout = counted({ k: int() }, { head: { n: int(), a: ints(until('\n')) }, cases: 'n' });
    for (const [text, head] of [
      ['2\n\n7\n8\n', '2\n\n'],
      ['2\n5\n7\n8\n', '2\n5'],
    ] as const)
      expect(read(layout, text)).toMatchObject({
        head: { cases: 2, head: new TextEncoder().encode(head) },
        cases: [{ value: { k: 7 } }, { value: { k: 8 } }],
      });
  });

  test('lines up to a blank line end there, and the next field follows it', () => {
    const layout = untilEnd({ a: lines(until('\n\n')), n: int() });
    expect(read(layout, '\n a b\nc\r\n \r\n7\nd\n\n\n8\n')).toMatchObject({
      cases: [{ value: { a: [' a b', 'c'], n: 7 } }, { value: { a: ['d'], n: 8 } }],
    });
  });

  test('blank lines are cases if a case is a line that may be empty', () => {
    expect(cut(untilEnd({ s: line({ empty: true }) }), '\na\n\n')).toEqual(['\n', 'a\n', '\n']);
  });

  test('an input of whitespace is empty, although a case begins with a line that may be empty', () => {
    const layout = untilEnd({ s: line({ empty: true }), n: int() });
    expect(cut(layout, '\n1\n \n')).toEqual(['\n1\n']);
    for (const text of ['', '\n', ' \r\n\n ', '\ufeff\n']) {
      expect(read(layout, text).head).toMatchObject({ expected: 'a case', got: 'an empty input' });
    }
  });
});
