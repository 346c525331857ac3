/**
 * Tests of answers that trees describe: reading them from outputs, malformed answers, outputs that arrive in pieces, and
 * printing.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import {
  type AnswerExtent,
  type AnswerScope,
  MAX_CUSTOM_ANSWER_BYTES,
} from '../../src/formats/answer-format.js';
import { type TreeAnswer, TreeAnswerFormat } from '../../src/formats/answers/answers.js';
import { parsePrintedAnswer, readBackAnswer } from '../../src/formats/answers/read-back.js';
import { formats } from '../../src/formats/language/formats.js';
import { toAnswerTree } from '../../src/formats/language/layouts.js';
import type { AnswerTree, RecordValue } from '../../src/formats/language/tree.js';
import type { AnswerFields } from '../../src/formats/language/types.js';
import { TreeGrid } from '../../src/formats/tree/grid.js';
import { blocks } from '../support/blocks.js';
import { runs } from '../support/random-tests.js';

const { counted, single, labelled } = formats;
const { int, bigint, number, word, line, ints, safeInts, numbers, bigints, words, lines } = formats;
const { grid, table, list, either, until, many } = formats;

type Scope = AnswerScope<RecordValue>;

const ONE_CASE = single({ n: int() });
/** The tree of an answer without a label. Without fields, it is the whole output, because the input is one case. */
const plain = (answer?: AnswerFields): AnswerTree => toAnswerTree(answer, ONE_CASE);
const scopeOf = (value: RecordValue, head: RecordValue = {}): Scope => ({ value, head });
const newExtent = (): AnswerExtent => ({ start: 0, bodyStart: 0, end: 0, caseNumber: null });

/** All answers of an output, at most 20: the case number in the label, or "-", and the answer. */
function readAnswers(
  format: TreeAnswerFormat,
  output: string,
  scope: Scope | null = null,
): [number | '-', TreeAnswer | null][] {
  const bytes = Buffer.from(output);
  const extent = newExtent();
  const found: [number | '-', TreeAnswer | null][] = [];
  while (found.length < 20 && format.find(bytes, extent.end, bytes.length, true, extent, scope)) {
    found.push([extent.caseNumber ?? '-', format.parse(bytes, extent, scope)]);
  }
  return found;
}

const valuesIn = (tree: AnswerTree, output: string, scope: Scope | null = null) =>
  readAnswers(new TreeAnswerFormat(tree), output, scope).map(([, answer]) => answer?.value ?? null);

const textsIn = (tree: AnswerTree, output: string, scope: Scope | null = null) =>
  readAnswers(new TreeAnswerFormat(tree), output, scope).map(([, answer]) => answer?.text ?? null);

describe('answers without labels', () => {
  test.each<{ name: string; body: AnswerFields; output: string; values: unknown[]; scope?: RecordValue }>([
    { name: 'nothing', body: line(), output: ' \r\n\t\n', values: [] },
    { name: 'lines', body: line(), output: 'a  b \r\n\n  c\n', values: ['a  b', '  c'] },
    {
      name: 'a line before a number',
      body: { s: line(), k: int() },
      output: '  a b\n1\n\n\tc\n 2\nd\n3\n',
      values: [
        { s: '  a b', k: 1 },
        { s: '\tc', k: 2 },
        { s: 'd', k: 3 },
      ],
    },
    {
      name: 'lists of lines before a number',
      body: { a: list(2, { s: line() }), l: lines(1), k: int() },
      output: '  a\n b\nc\n1\n d\ne\n  f\n2\n',
      values: [
        { a: [{ s: '  a' }, { s: ' b' }], l: ['c'], k: 1 },
        { a: [{ s: ' d' }, { s: 'e' }], l: ['  f'], k: 2 },
      ],
    },
    {
      name: 'a line after an array that may be empty',
      body: { n: int(), b: list(2, { a: ints('n'), s: line() }) },
      output: '0\n  x y\n z\n2\n1 2\n  x\n 3 4  y',
      values: [
        {
          n: 0,
          b: [
            { a: Int32Array.of(), s: '  x y' },
            { a: Int32Array.of(), s: ' z' },
          ],
        },
        {
          n: 2,
          b: [
            { a: Int32Array.of(1, 2), s: '  x' },
            { a: Int32Array.of(3, 4), s: 'y' },
          ],
        },
      ],
    },
    {
      name: 'a line after an array without elements',
      body: { a: ints('m'), s: line(), k: int() },
      output: '  x\n1\n\n y\n 2\n',
      values: [
        { a: Int32Array.of(), s: '  x', k: 1 },
        { a: Int32Array.of(), s: ' y', k: 2 },
      ],
      scope: { m: 0 },
    },
    { name: 'empty lines', body: line({ empty: true }), output: 'a\n\n\r\nb', values: ['a', '', '', 'b'] },
    { name: 'words', body: word(), output: 'a b\n\nc\n\n', values: ['a', 'b', 'c'] },
    { name: 'word of letters', body: word('ab'), output: 'abba\nabc\na', values: ['abba', null, 'a'] },
    { name: 'integers', body: int(), output: '1 -0 +7\n007', values: [1, 0, 7, 7] },
    {
      name: 'bigint as a count',
      body: { k: bigint(), w: words('k+n') },
      output: '1 a b\n0 c\n9007199254740993 d',
      values: [{ k: 1n, w: ['a', 'b'] }, { k: 0n, w: ['c'] }, null],
      scope: { n: 1n },
    },
    {
      name: 'bounds',
      body: int(1, 'n'),
      output: '1 5 x\n6 5\n5',
      values: [1, 5, null, null, 5],
      scope: { n: 5 },
    },
    { name: 'unsafe integer', body: int(), output: '9007199254740993\n1', values: [null, 1] },
    { name: 'bigint', body: bigint(), output: '-9007199254740993', values: [-9007199254740993n] },
    { name: 'numbers', body: number(), output: '1e-5 .5 2. inf\n1e999', values: [1e-5, 0.5, 2, null, null] },
    { name: 'decimals', body: number(0, 9, 2), output: '1.25 1.250', values: [1.25, null] },
    {
      name: 'records',
      body: { k: int(), moves: lines('k') },
      output: '2\nL R\n\nU\n1\nD\n0\n',
      values: [
        { k: 2, moves: ['L R', 'U'] },
        { k: 1, moves: ['D'] },
        { k: 0, moves: [] },
      ],
    },
    {
      name: 'tagged alternatives',
      body: either('possible', { NO: {}, YES: { a: table('n', 'm') } }),
      output: 'NO\nYES\n1 2\n3 4\nMAYBE 1\nNO',
      values: [
        { possible: 'NO' },
        { possible: 'YES', a: { rows: 2, cols: 2, cells: Float64Array.of(1, 2, 3, 4) } },
        null,
        { possible: 'NO' },
      ],
      scope: { n: 2, m: 2 },
    },
    {
      name: 'grids',
      body: grid('n', 'm', '.#'),
      output: '.#.\n##.\n...\n.#\n...\n...',
      values: [
        new TreeGrid(2, 3, Uint8Array.of(0, 1, 0, 1, 1, 0), ['.#']),
        null,
        null,
        new TreeGrid(2, 3, new Uint8Array(6), ['.#']),
      ],
      scope: { n: 2, m: 3 },
    },
    {
      name: 'grids of blocks',
      body: blocks(1, 2, 'AB', '+-'),
      output: 'A+ B-\nAB A+',
      values: [new TreeGrid(1, 2, Uint8Array.of(0, 0, 1, 1), ['AB', '+-']), null],
    },
    {
      name: 'arrays up to a token',
      body: ints(until('0')),
      output: '1 2 0 0 3 0',
      values: [Int32Array.of(1, 2), new Int32Array(), Int32Array.of(3)],
    },
    {
      name: 'arrays up to the line end',
      body: ints(until('\n')),
      output: '1 2 \n\n3\n4 x\n',
      values: [Int32Array.of(1, 2), new Int32Array(), Int32Array.of(3), null],
    },
    {
      name: 'records that begin with a line of words',
      body: list(2, { a: words(until('\n')), b: words(until('\n')) }),
      output: 'a b\n\nc\n\n',
      values: [
        [
          { a: ['a', 'b'], b: [] },
          { a: ['c'], b: [] },
        ],
      ],
    },
    {
      name: 'rows of as many numbers as the first',
      body: table(2, until('\n')),
      output: '1 2\n\n3 4\n5\n6',
      values: [
        { rows: 2, cols: 2, cells: Float64Array.of(1, 2, 3, 4) },
        { rows: 2, cols: 1, cells: Float64Array.of(5, 6) },
      ],
    },
    {
      name: 'lines of words up to a token',
      body: list(until('.'), { a: words(until('\n')) }),
      output: 'a b\n\nc\n.\n\n.\n',
      values: [[{ a: ['a', 'b'] }, { a: ['c'] }], []],
    },
    {
      name: 'lines up to a token, of which the first may be empty',
      body: list(until('.'), { s: line({ empty: true }) }),
      // Blank lines before the token are no lines of the answer.
      output: '\na\n\n.\n\n\nb\n.\n.\n',
      values: [[{ s: '' }, { s: 'a' }], [{ s: '' }, { s: '' }, { s: 'b' }], []],
    },
    {
      name: 'records up to the end of a line, which may be empty',
      body: list(until('\n'), { a: int(), b: int() }),
      output: '\n1 2 3 4\n\n5 6',
      values: [
        [],
        [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
        [],
        [{ a: 5, b: 6 }],
      ],
    },
    {
      name: 'arrays that may be an empty rest of the line',
      body: { k: int(), a: words(until('\n')) },
      output: '1\n2 a b\n3',
      values: [
        { k: 1, a: [] },
        { k: 2, a: ['a', 'b'] },
        { k: 3, a: [] },
      ],
    },
    {
      name: 'lines up to a blank line',
      body: { a: lines(until('\n\n')), b: words(until('\n\n')) },
      output: 'x y\nz\n\n1\n2 3\n \nu\n\nv',
      values: [
        { a: ['x y', 'z'], b: ['1', '2', '3'] },
        { a: ['u'], b: ['v'] },
      ],
    },
    {
      name: 'as many as fit',
      body: { a: ints(many, 0, 9), s: word() },
      output: '1 2 x 10 3 y',
      values: [
        { a: Int32Array.of(1, 2), s: 'x' },
        { a: new Int32Array(), s: '10' },
        { a: Int32Array.of(3), s: 'y' },
      ],
    },
    {
      name: 'as many records as fit',
      body: list(many, { a: int(), b: word() }),
      output: '1 x 2 y',
      values: [
        [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
        ],
      ],
    },
    {
      name: 'lists of lists',
      body: list('t', { k: int(), a: bigints('k') }),
      output: '2 1 2\n0',
      values: [
        [
          { k: 2, a: BigInt64Array.of(1n, 2n) },
          { k: 0, a: new BigInt64Array() },
        ],
      ],
      scope: { t: 2 },
    },
    { name: 'marks', body: word(), output: 'a\nERROR x\nERRORS\nERROR', values: ['a', null, 'ERRORS', null] },
    {
      name: 'marks among words',
      body: { a: word(), b: word() },
      output: 'ERROR\nx y',
      values: [null, { a: 'x', b: 'y' }],
    },
    { name: 'marks among lines', body: line({ empty: true }), output: '\nERROR\nb', values: ['', null, 'b'] },
    { name: 'too few tokens', body: lines(3), output: 'a\nb', values: [null, null] },
  ])('$name: $output', ({ body, output, values, scope }) => {
    expect(valuesIn(plain(body), output, scope ? scopeOf(scope) : null)).toEqual(values);
  });

  // Arrays of answers end by rules that differ a little from those of inputs.
  test.each<{ name: string; body: AnswerFields; output: string; values: unknown[] }>([
    {
      name: 'the token at the end of numbers is that token, and no equal number',
      body: safeInts(until('0')),
      output: '1 00 0',
      values: [Float64Array.of(1, 0)],
    },
    {
      name: 'the token at the end of lines need not be all of its line',
      body: lines(until('x')),
      output: 'a\nx b\nx',
      values: [['a'], [' b']],
    },
    {
      name: 'a blank line is an array that is empty',
      body: { s: line(), w: words(until('\n\n')) },
      output: 'a\n\nb\nc',
      values: [
        { s: 'a', w: [] },
        { s: 'b', w: ['c'] },
      ],
    },
    {
      name: 'blank lines before the rest of a line that is no line',
      body: { s: line(), a: ints(0), b: words(until('\n')) },
      output: 'a\n\nx y',
      values: [{ s: 'a', a: new Int32Array(), b: ['x', 'y'] }],
    },
    {
      name: 'lines up to the end of a line lose the whitespace before the first one',
      body: list(many, { l: list(until('\n'), { s: line() }) }),
      output: ' a\n b',
      values: [[{ l: [{ s: 'a' }, { s: ' b' }] }]],
    },
    {
      name: 'an element without bytes',
      body: { k: int(), l: list(many, { a: ints(0) }) },
      output: '5 1',
      values: [null],
    },
    {
      name: 'rows on the rest of the line',
      body: { k: int(), t: table(until('\n'), 1) },
      output: '1 2\n3\n4',
      values: [1, 3, 4].map((k) => ({
        k,
        t: { rows: k === 1 ? 1 : 0, cols: 1, cells: Float64Array.from(k === 1 ? [2] : []) },
      })),
    },
    {
      name: 'columns up to a token',
      body: table(1, until('.')),
      output: '1\n2 .',
      values: [{ rows: 1, cols: 2, cells: Float64Array.of(1, 2) }],
    },
    {
      name: 'a list in a list ends its line',
      body: list(1, { a: list(1, { w: word() }), b: words(until('\n')) }),
      output: 'x\ny z',
      values: [[{ a: [{ w: 'x' }], b: ['y', 'z'] }]],
    },
  ])('$name', ({ body, output, values }) => {
    expect(valuesIn(plain(body), output)).toEqual(values);
  });

  test('lines up to the end of a line are none if a label ends the line', () => {
    expect(valuesIn(labelled('Case ', lines(until('\n'))), 'Case 1:\na\nCase 2: b')).toEqual([null, ['b']]);
  });

  test('the value of the head may be named', () => {
    expect(valuesIn(plain(words('k')), 'a b c d', scopeOf({}, { k: 2 }))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('counts of the records with a tag', () => {
    const layout = counted({ queries: list(1, either('type', { 1: { x: int() }, 2: {} })) });
    const format = new TreeAnswerFormat(plain(lines('count(queries, 2)')), layout);
    const scope = scopeOf({ queries: [{ type: '2' }, { type: '1', x: 5 }, { type: '2' }] });
    expect(readAnswers(format, 'a\nb\nc\nd', scope).map(([, answer]) => answer?.value)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(format.describe(scope)).toBe('2 lines');
  });

  test('an answer of zero tokens is found only if zero tokens are due', () => {
    const format = new TreeAnswerFormat(plain(words('n')));
    const extent = newExtent();
    const bytes = Buffer.from('  x\n');
    for (const end of [0, 2, 4]) {
      expect(format.find(bytes, 0, end, false, extent, scopeOf({ n: 0 }))).toBe(true);
      expect(extent).toEqual({ start: 0, bodyStart: 0, end: 0, caseNumber: null });
      expect(format.parse(bytes, extent, scopeOf({ n: 0 }))).toEqual({ text: '', value: [], separator: '' });
    }
    expect(format.find(bytes, 0, 2, true, extent, scopeOf({ n: 1 }))).toBe(false);
    expect(format.find(bytes, 0, 4, true, extent, scopeOf({ n: 1 }))).toBe(true);
  });

  test.each([plain(words(many)), plain(words(until('x'))), plain({}), plain(words(0))])(
    'without a case, no answer is empty: %#',
    (tree) => {
      expect(valuesIn(tree, '  \n')).toEqual([]);
    },
  );

  test('the text keeps whitespace inside the answer, and the first whitespace of its first line', () => {
    expect(textsIn(plain(lines(2)), '\n  *\r\n ***  \r\n\r\na\tb\n c')).toEqual(['  *\n ***', 'a\tb\n c']);
    expect(textsIn(plain({ a: int(), b: int() }), '  1   2\n3\n4')).toEqual(['1   2', '3\n4']);
  });

  test('text that is not UTF-8 keeps its bytes', () => {
    const format = new TreeAnswerFormat(plain(line()));
    const bytes = Buffer.from([0xe9, 0x0a]);
    const extent = newExtent();
    format.find(bytes, 0, 2, true, extent, null);
    expect(format.parse(bytes, extent, null)!.text).toBe('\udce9');
    const out = new ByteWriter();
    format.print(format.parse(bytes, extent, null)!, 1, out);
    expect(Buffer.from(out.take())).toEqual(Buffer.from(bytes));
    expect(valuesIn(plain(word()), 'd\u00e9j\u00e0 vu')).toEqual(['d\u00e9j\u00e0', 'vu']);
  });
});

describe('answers with labels', () => {
  const read = (tree: AnswerTree, output: string, scope: Scope | null = null) =>
    readAnswers(new TreeAnswerFormat(tree), output, scope).map(
      ([number, answer]) => `${number}|${JSON.stringify(answer?.value ?? null)}`,
    );

  test.each([
    { prefix: 'Case #', output: 'Case #1: 5\nCase #2: 6\n', found: ['1|5', '2|6'] },
    { prefix: 'Case #', output: 'Case\t#1:\r\n5\r\n\r\nCase # 2 6', found: ['1|5', '2|6'] },
    { prefix: 'Case #', output: 'debug 1\nCase #1 : 0', found: ['-|null', '1|0'] },
    { prefix: 'Case #', output: 'Case #1: 1 2 Case #2:', found: ['1|null', '2|null'] },
    { prefix: 'Case #', output: 'Case #7: -1 Case #1:3', found: ['7|null'] },
    { prefix: 'Case #', output: 'Case #: 3', found: ['-|null'] },
    { prefix: 'Case #', output: 'Case #0: 3\nCase #01: 3', found: ['0|null'] },
    { prefix: 'Case #', output: 'Case #1: ERROR\nCase #2: 1', found: ['1|null', '2|1'] },
    { prefix: 'Set ', output: 'Set 1\n4\nSet2: 5\nUpSet 3', found: ['1|4', '2|null'] },
    { prefix: '', output: '1: 5\n2\n', found: ['1|5', '2|null'] },
  ])('$prefix: $output', ({ prefix, output, found }) => {
    expect(read(labelled(prefix, int()), output)).toEqual(found);
  });

  test('without a body, the answer is everything up to the next label', () => {
    expect(read(labelled('Set '), 'Set 1:\n  a\n\nb  \nSet 2: \nSet 3: x\n')).toEqual([
      '1|"  a\\n\\nb"',
      '2|""',
      '3|"x"',
    ]);
  });

  test('an answer up to a blank line has no blank line of its own in its text', () => {
    const format = new TreeAnswerFormat(labelled('Set ', words(until('\n\n'))));
    const bytes = Buffer.from('Set 1: a b\n\nSet 2: c\n');
    const extent = newExtent();
    format.find(bytes, 0, bytes.length, true, extent, null);
    const answer = format.parse(bytes, extent, null)!;
    expect(answer).toMatchObject({ text: 'a b', value: ['a', 'b'] });
    const out = new ByteWriter();
    format.print(answer, 1, out);
    expect(Buffer.from(out.take()).toString()).toBe('Set 1: a b\n');
  });

  test('a body that needs more or fewer tokens than stand before the next label is malformed', () => {
    const tree = labelled('Case ', words('n'));
    expect(read(tree, 'Case 1: a b\nCase 2: a\nCase 3: a b c\nCase 4:\na\nb', scopeOf({ n: 2 }))).toEqual([
      '1|["a","b"]',
      '2|null',
      '3|null',
      '4|["a","b"]',
    ]);
  });

  test('a body of zero tokens has only a label', () => {
    expect(read(labelled('Case ', words('n')), 'Case 1:\nCase 2: x', scopeOf({ n: 0 }))).toEqual([
      '1|[]',
      '2|null',
    ]);
  });

  test('empty lines after a label', () => {
    const tree = labelled('Case ', { a: line({ empty: true }), b: line({ empty: true }) });
    expect(read(tree, 'Case 1:\n\nx\nCase 2: y\nz\nCase 3:\n')).toEqual([
      '1|{"a":"","b":"x"}',
      '2|{"a":"y","b":"z"}',
      '3|{"a":"","b":""}',
    ]);
  });
});

test.each<{ tree: AnswerTree; output: string; texts: string[] }>([
  { tree: plain({ a: line({ empty: true }), b: line() }), output: '\nx\n', texts: ['\nx'] },
  {
    tree: labelled('Case ', { a: line({ empty: true }), b: line({ empty: true }) }),
    output: 'Case 1:\n\nx\nCase 2: \ny\n\nCase 3: z\nx\n',
    texts: ['\nx', 'y\n', 'z\nx'],
  },
  {
    tree: plain(list(2, either('t', { A: { s: line({ empty: true }) }, B: {} }))),
    output: 'B\nA\n\n\nB\nA x\n',
    texts: ['B\nA\n', 'B\nA x'],
  },
])('the text of an answer has its empty lines: $output', ({ tree, output, texts }) => {
  expect(textsIn(tree, output)).toEqual(texts);
});

test('an answer that is too long is malformed, and later answers are still read', () => {
  const long = 'x'.repeat(MAX_CUSTOM_ANSWER_BYTES + 1);
  const values = valuesIn(plain(line()), `${long}\nb\n`);
  expect([values[0], values.at(-1)]).toEqual([null, 'b']);
  const whitespace = ' '.repeat(MAX_CUSTOM_ANSWER_BYTES + 1);
  expect(valuesIn(plain(line()), `a\n${whitespace}b\nc`).at(-1)).toBe('c');
  expect(valuesIn(labelled('Case '), `Case 1: ${long}\nCase 2: b`).slice(-1)).toEqual(['b']);
  expect(valuesIn(labelled('Case '), `Case 1: a${whitespace}b\nCase 2: b`)).toEqual([null, null, 'b']);
});

test('counts that no answer can have are malformed at once', () => {
  const scope = scopeOf({ n: 1e9, m: 1e6 });
  expect(valuesIn(plain(list('n', {})), 'x', scope)).toEqual([null]);
  expect(valuesIn(plain(list('m', { a: list('m', {}) })), 'x', scope)).toEqual([null]);
  expect(valuesIn(plain(list(many, { a: ints(0) })), 'x')).toEqual([null]);
  expect(valuesIn(plain(words('m/z')), 'x', scopeOf({ m: 1, z: 0 }))).toEqual([null]);
});

const SOME_TREES: readonly AnswerTree[] = [
  plain(line()),
  plain(line({ empty: true })),
  plain({ n: int(0, 3), a: words('n') }),
  plain({ n: int(0, 3), s: line({ empty: true }) }),
  plain(lines(until('\n\n'))),
  plain({ n: int(), a: list(until('\n\n'), { w: word() }) }),
  plain(ints(until('\n'))),
  plain(ints(2)),
  plain(words(until('b'))),
  plain({ a: ints(many), s: line() }),
  plain(either('tag', { a: {}, b: { s: line(), n: int() } })),
  plain(grid(2, 2, 'ab')),
  plain(table(many, until('\n'))),
  labelled('Case #'),
  labelled('Case #', line()),
  labelled('Case ', { n: int(0, 3), a: words('n') }),
  labelled(''),
];

const OUTPUT = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'ab',
      '1',
      '2',
      '0',
      ' ',
      '\n',
      '\n\n',
      '\r\n',
      'Case #1:',
      'Case 2',
      ':',
      'ERROR',
    ),
    { maxLength: 14 },
  )
  .chain((parts) => fc.constantFrom(parts.join(''), parts.join(' '), parts.join('\n')));

test.each(SOME_TREES)('what is found does not depend on how many bytes have arrived: %#', (tree) => {
  const format = new TreeAnswerFormat(tree);
  fc.assert(
    fc.property(OUTPUT, (output) => {
      const bytes = Buffer.from(output);
      const whole = newExtent();
      for (let from = 0; ; from = whole.end) {
        const found = format.find(bytes, from, bytes.length, true, whole, null);
        for (let end = from; end <= bytes.length; end++) {
          const part = newExtent();
          const early = format.find(bytes, from, end, false, part, null);
          if (early !== null) expect([early, part]).toEqual([found, whole]);
        }
        if (!found) return;
        expect(whole.end).toBeGreaterThan(from);
        format.parse(bytes, whole, null);
      }
    }),
    { numRuns: runs(60) },
  );
});

test.each(SOME_TREES)('answers that are printed are read again as they were: %#', (tree) => {
  const format = new TreeAnswerFormat(tree);
  fc.assert(
    fc.property(OUTPUT, (output) => {
      const answers = readAnswers(format, output).map(([, answer]) => answer);
      const out = new ByteWriter();
      for (const [index, answer] of answers.entries()) {
        // Without a malformed answer between them, two answers may be one.
        fc.pre(answer !== null);
        format.print(answer, index + 1, out);
      }
      const again = readAnswers(format, Buffer.from(out.take()).toString());
      expect(again.map(([, answer]) => answer?.value)).toEqual(answers.map((answer) => answer?.value));
    }),
    { numRuns: runs(60) },
  );
});

test.each([
  { body: ints(2), output: '1 23\n' },
  { body: grid(2, 2, 'ab'), output: 'ab\naba\n' },
])('a number or a row that touches the end may go on: $output', ({ body, output }) => {
  const format = new TreeAnswerFormat(plain(body));
  const bytes = Buffer.from(output);
  const found = Array.from(bytes, (_, end) => format.find(bytes, 0, end, false, newExtent(), null));
  expect(found.every((result) => result === null)).toBe(true);
});

test.each<{ body: AnswerFields; arrived: string; end: number | null }>([
  { body: int(), arrived: '12', end: null },
  { body: int(), arrived: '12 ', end: 2 },
  { body: int(), arrived: '12 3', end: 2 },
  { body: ints(2), arrived: '1 2 3', end: 3 },
  { body: lines(1), arrived: 'ab', end: null },
  { body: lines(1), arrived: 'ab\n', end: 2 },
])('an answer is found as soon as what follows cannot change it: $arrived', ({ body, arrived, end }) => {
  const extent = newExtent();
  const format = new TreeAnswerFormat(plain(body));
  const isFound = format.find(Buffer.from(arrived), 0, arrived.length, false, extent, null);
  expect(isFound === null ? null : extent.end).toBe(end);
});

test.each(SOME_TREES)('printed answers are read back as they were: %#', (tree) => {
  const format = new TreeAnswerFormat(tree);
  fc.assert(
    fc.property(OUTPUT, (output) => {
      for (const [, answer] of readAnswers(format, output)) {
        if (answer === null) continue;
        const out = new ByteWriter();
        format.print(answer, 7, out);
        const text = Buffer.from(out.take()).toString();
        expect(parsePrintedAnswer(format, text, 7, null)).toEqual(answer);
      }
    }),
    { numRuns: runs(60) },
  );
});

describe('printing', () => {
  const print = (tree: AnswerTree, output: string) => {
    const format = new TreeAnswerFormat(tree);
    const out = new ByteWriter();
    for (const [, answer] of readAnswers(format, output)) format.print(answer!, 9, out);
    return Buffer.from(out.take()).toString();
  };

  test('the style of labels is kept', () => {
    expect(print(labelled('Case #', int()), 'Case #1: 5\nCase #2:\n\n6\nCase #3 7\nCase #4 :\n8')).toBe(
      'Case #9: 5\nCase #9:\n6\nCase #9 7\nCase #9 :\n8\n',
    );
    expect(print(labelled('Case #'), 'Case #1:\nCase #2')).toBe('Case #9:\nCase #9\n');
  });

  test('empty lines are printed, answers without tokens are not', () => {
    expect(print(plain(line({ empty: true })), '\na\n')).toBe('\na\n');
    expect(print(plain(ints(until('\n'))), '\n1  2\n')).toBe('\n1  2\n');
    expect(print(labelled('Case #', ints(until('\n'))), 'Case #1:\n\nCase #2: 5\n')).toBe(
      'Case #9:\nCase #9: 5\n',
    );
    const out = new ByteWriter();
    new TreeAnswerFormat(plain(words(0))).print({ text: '', value: [], separator: '' }, 1, out);
    expect(out.length).toBe(0);
  });

  const LINE = words(until('\n'));

  test.each<{ body: AnswerFields; lines: number }>([
    { body: line({ empty: true }), lines: 1 },
    { body: { a: line({ empty: true }), b: line({ empty: true }) }, lines: 2 },
    { body: { a: LINE, b: LINE }, lines: 2 },
    { body: list(3, { a: LINE }), lines: 3 },
    { body: list(2, { a: LINE, b: line({ empty: true }) }), lines: 4 },
  ])('answers of lines that may be empty are printed with all their lines: %#', ({ body, lines }) => {
    const answer = fc.array(fc.constantFrom('', 'a', 'b a'), { minLength: lines, maxLength: lines });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 5 }), (answers) => {
        const output = answers
          .flat()
          .map((text) => `${text}\n`)
          .join('');
        expect(print(plain(body), output)).toBe(output);
        expect(print(plain(body), output.replaceAll('\n', '\r\n'))).toBe(output);
        // An answer that is one empty line cannot be seen without its line end.
        const isSeen = lines > 1 || answers.at(-1)![0] !== '';
        if (isSeen) expect(print(plain(body), output.slice(0, -1))).toBe(output);
      }),
      { numRuns: runs(30) },
    );
  });

  test('an answer with a label has its empty lines, too', () => {
    const body = { k: int(), a: words(until('\n')), b: LINE, c: LINE };
    const output = 'Case #9: 1 a\n\nb\nCase #9: 2\n\n\n';
    expect(print(labelled('Case #', body), output)).toBe(output);
  });

  test('marks of errors', () => {
    const out = new ByteWriter();
    new TreeAnswerFormat(labelled('Case #')).printError(3, out);
    new TreeAnswerFormat(plain()).printError(3, out);
    expect(Buffer.from(out.take()).toString()).toBe('Case #3: ERROR\nERROR\n');
  });
});

describe('reading back what an author printed', () => {
  test.each([
    { tree: plain(int()), text: '5', value: 5 },
    { tree: plain(int()), text: '5\n\n', value: 5 },
    { tree: plain(int()), text: '5 6', value: undefined },
    { tree: plain(int()), text: '', value: undefined },
    { tree: plain(int()), text: 'ERROR', value: undefined },
    { tree: plain(line({ empty: true })), text: '', value: '' },
    { tree: plain(line({ empty: true })), text: '\n', value: '' },
    { tree: plain(words(until('\n'))), text: '', value: [] },
    { tree: plain(words(until('\n'))), text: '\n\n', value: undefined },
    { tree: plain({ a: words(until('\n')), k: int() }), text: '\n4', value: { a: [], k: 4 } },
    { tree: labelled('Case #', words(until('\n'))), text: 'Case #4:', value: [] },
    { tree: plain(line({ empty: true })), text: 'a\n\n', value: undefined },
    { tree: plain(lines('n')), text: 'a\nb\n', value: ['a', 'b'] },
    { tree: plain(lines('n')), text: 'a\nb\nc', value: undefined },
    { tree: labelled('Case #', int()), text: 'Case #4: 5', value: 5 },
    { tree: labelled('Case #', int()), text: 'Case #5: 5', value: undefined },
    { tree: labelled('Case #', int()), text: '5', value: undefined },
    { tree: labelled('Case #'), text: 'Case #4: a\nCase #5: b', value: undefined },
  ])('$text', ({ tree, text, value }) => {
    expect(parsePrintedAnswer(new TreeAnswerFormat(tree), text, 4, scopeOf({ n: 2 }))?.value).toEqual(value);
  });

  test.each([
    {
      tree: plain({ a: words(until('\n')), b: words(until('\n')) }),
      text: '5\n',
      printed: '5\n\n',
    },
    {
      tree: plain({ a: words(until('\n')), b: words(until('\n')) }),
      text: '5\n\n',
      printed: '5\n\n',
    },
    { tree: plain({ a: line({ empty: true }), b: line({ empty: true }) }), text: '\n', printed: '\n\n' },
    { tree: plain(list('n', { a: words(until('\n')) })), text: 'a', printed: 'a\n\n' },
    {
      tree: labelled('Case #', { a: line({ empty: true }), b: line({ empty: true }) }),
      text: 'Case #4: a',
      printed: 'Case #4: a\n\n',
    },
    {
      tree: labelled('Case #', { a: line({ empty: true }), b: line({ empty: true }) }),
      text: 'Case #4: a\n\n',
      printed: 'Case #4: a\n\n',
    },
    {
      tree: plain({ a: either('t', { A: { s: line({ empty: true }) }, B: {} }) }),
      text: 'A\n\n',
      printed: 'A\n\n',
    },
    { tree: plain(int()), text: '5', printed: '5\n' },
  ])('lines that are missing at the end of $text are printed', ({ tree, text, printed }) => {
    const format = new TreeAnswerFormat(tree);
    const out = new ByteWriter();
    format.print(readBackAnswer(format, text, 4, scopeOf({ n: 2 }))!, 4, out);
    expect(Buffer.from(out.take()).toString()).toBe(printed);
  });

  test.each([{ a: words(until('\n')) }, { a: line({ empty: true }) }])(
    'zero lines that may be empty are nothing',
    (fields) => {
      const format = new TreeAnswerFormat(plain(list('n', fields)));
      const scope = scopeOf({ n: 0 });
      const out = new ByteWriter();
      format.print(readBackAnswer(format, '', 1, scope)!, 1, out);
      const [extent, bytes] = [newExtent(), Buffer.from('\n')];
      format.find(bytes, 0, 1, true, extent, scope);
      format.print(format.parse(bytes, extent, scope)!, 1, out);
      expect(out.length).toBe(0);
      expect(readBackAnswer(format, '\n', 1, scope)).toBeNull();
    },
  );

  test('zero lines are read back from an empty text', () => {
    const format = new TreeAnswerFormat(plain(lines('n')));
    expect(parsePrintedAnswer(format, '', 1, scopeOf({ n: 0 }))).toEqual({
      text: '',
      value: [],
      separator: '',
    });
  });
});

test.each<{ body: AnswerFields | undefined; text: string }>([
  { body: undefined, text: 'a text' },
  { body: line(), text: 'a line' },
  { body: int(), text: 'an integer' },
  { body: int(1, 'n'), text: 'an integer (1 to 3)' },
  { body: number(0), text: 'a number (at least 0)' },
  { body: number(undefined, 2.5), text: 'a number (at most 2.5)' },
  { body: ints('n', 1), text: '3 integers (at least 1)' },
  { body: numbers(1), text: '1 number' },
  { body: lines('n'), text: '3 lines' },
  { body: words(many, 'ab'), text: 'words of the letters "ab"' },
  { body: grid('n', 2, '.#'), text: '3 rows of 2 letters of the letters ".#"' },
  { body: table('n', 'x'), text: '3 rows of numbers' },
  { body: either('a', { 'NO 0': {}, YES: {} }), text: '"NO", "0" or "YES"' },
  { body: { k: int(), moves: lines('k') }, text: 'an integer, then lines' },
  { body: list('n', { u: int(), v: int() }), text: '3 records (an integer, then an integer)' },
])('a description: $text', ({ body, text }) => {
  expect(new TreeAnswerFormat(plain(body)).describe(scopeOf({ n: 3 }))).toBe(text);
});

test.each<{ body: AnswerFields | undefined; needs: boolean }>([
  { body: undefined, needs: false },
  { body: { k: int(), moves: lines('k') }, needs: false },
  { body: { moves: lines('k'), k: int() }, needs: true },
  { body: int(1, 'n'), needs: true },
  { body: list(2, { k: int(), a: ints('k', 0, 'n') }), needs: true },
  { body: list(2, either('t', { a: { k: int(), w: words('k') } })), needs: false },
])('whether the case must be known: $needs', ({ body, needs }) => {
  expect(new TreeAnswerFormat(plain(body)).needsCase).toBe(needs);
});

test('values as JSON', () => {
  const body = {
    n: int(),
    big: bigint(),
    a: bigints(1),
    b: ints(2),
    g: grid(1, 2, '.#'),
    t: table(2, 1),
    l: list(1, either('tag', { X: { w: word() } })),
  };
  const format = new TreeAnswerFormat(plain(body));
  const [[, answer]] = readAnswers(format, '1 2 3 4 5 .# 6 7 X y');
  expect(format.toJson(answer!)).toEqual({
    n: 1,
    big: '2',
    a: ['3'],
    b: [4, 5],
    g: ['.#'],
    t: [[6], [7]],
    l: [{ tag: 'X', w: 'y' }],
  });
});

describe('an answer that is the whole output', () => {
  const whole = new TreeAnswerFormat(plain());

  test('has all lines and the whitespace between them', () => {
    const [[, answer], ...more] = readAnswers(whole, '  a  b\r\n\nc\n\n');
    expect(answer).toMatchObject({ text: '  a  b\n\nc', value: '  a  b\n\nc' });
    expect(more).toEqual([]);
    expect(readAnswers(whole, ' \n\n')).toEqual([]);
  });

  test('ends where the output ends, however it arrives', () => {
    const bytes = Buffer.from('1\n2\n');
    const extent = newExtent();
    for (let end = 0; end <= bytes.length; end++)
      expect(whole.find(bytes, 0, end, false, extent, null)).toBeNull();
    expect(whole.find(bytes, 0, bytes.length, true, extent, null)).toBe(true);
    expect(extent).toMatchObject({ start: 0, end: 3 });
  });

  test('is missing where the output begins with ERROR', () => {
    expect(readAnswers(whole, 'ERROR\n')).toEqual([['-', null]]);
  });
});
