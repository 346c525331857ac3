import { expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { formats } from '../../src/formats/language/formats.js';
import type { Layout, RecordValue } from '../../src/formats/language/tree.js';
import { printNumber } from '../../src/formats/tree/numbers.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';

const { counted, untilTerminator } = formats;
const { either, grid, int, ints, line, list, word, words } = formats;

function printed(layout: Layout, write: (format: TreeInputFormat, out: ByteWriter) => void): string {
  const out = new ByteWriter();
  write(new TreeInputFormat(layout), out);
  return Buffer.from(out.take()).toString();
}
const caseText = (layout: Layout, value: RecordValue) =>
  printed(layout, (format, out) => format.printCase(value, out));
const headText = (layout: Layout, head: string | null, count: number) =>
  printed(layout, (format, out) => format.printHead(head === null ? null : Buffer.from(head), count, out));

test('successive numbers share a line, and everything else has lines of its own', () => {
  const layout = counted({
    n: int(),
    k: int(),
    w: word(),
    a: ints('n'),
    x: int(),
    s: line(),
    e: list('n', { u: int(), v: words(2) }),
  });
  const e = [
    { u: 1, v: ['a', 'b'] },
    { u: 2, v: ['c', 'd'] },
  ];
  expect(caseText(layout, { n: 2, k: -3, w: 'é', a: [4, 5], x: 6, s: 'a line', e })).toBe(
    '2 -3\né\n4 5\n6\na line\n1 a b\n2 c d\n',
  );
});

test('a record of a shape of lines is one line, and a record without fields is an empty line', () => {
  const layout = counted([{}, { n: int(), a: ints('n') }, { r: int(), g: grid('r', 2, '.#') }]);
  const g = { rows: 2, cols: 2, cells: Uint8Array.of(0, 1, 1, 0) };
  expect(caseText(layout, { n: 2, a: [7, 8], r: 2, g })).toBe('\n2 7 8\n2\n.#\n#.\n');
});

test('a tagged record is one line', () => {
  const layout = counted({ e: either('type', { A: { x: int() }, B: {} }) });
  expect(caseText(layout, { e: { type: 'A', x: 1 } })).toBe('A 1\n');
  expect(caseText(layout, { e: { type: 'B' } })).toBe('B\n');
});

test('a head is printed with another number of cases', () => {
  expect(headText(counted({ n: int() }), '7', 3)).toBe('3\n');
  expect(headText(counted({ n: int() }, { head: { id: int() } }), '5\t\n7', 3)).toBe('5 3\n');
  expect(headText(counted({ n: int() }, { head: { t: int(1, 6), c: int() }, cases: 't' }), '100 5', 3)).toBe(
    '3 5\n',
  );
  expect(headText(counted({ n: int() }, { head: [{ id: int() }] }), '5 7', 3)).toBe('5\n3\n');
});

test('the smallest head is within its bounds', () => {
  const head = { id: int(4, 9), d: int(2, 3), w: words('d', 'xy'), k: int(1) };
  expect(headText(counted({ n: int() }, { head }), null, 3)).toBe('4 2\nx x\n1 3\n');
});

test('the tail is the terminator', () => {
  expect(printed(untilTerminator('0 0', { n: int() }), (format, out) => format.printTail(null, out))).toBe(
    '0 0\n',
  );
});

test.each([
  [1e21, '1000000000000000000000'],
  [-1.5e-7, '-0.00000015'],
  [1.25e25, '12500000000000000000000000'],
  [0.1, '0.1'],
  [-0, '0'],
])('the number %s has no exponent', (value, text) => {
  expect(printNumber(value)).toBe(text);
});
