/**
 * What each kind of field looks like, written down: how it is printed, its tokens, its JSON, and its names in messages. The
 * other tests of formats compare parts of boardmill with each other, so that a mistake that all of them share would pass.
 */
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/core/bytes.js';
import { describeAnswer } from '../../src/formats/answers/answer-descriptions.js';
import { answerToJson } from '../../src/formats/answers/answer-json.js';
import { TreeCaseSource } from '../../src/formats/cases/draw.js';
import { describeLayout } from '../../src/formats/language/describe-tree.js';
import { NameScope } from '../../src/formats/language/expression-values.js';
import { formats } from '../../src/formats/language/formats.js';
import { FieldScope } from '../../src/formats/language/scope.js';
import { countsOfField, hasToken } from '../../src/formats/language/shapes.js';
import { hasTokenInEveryCase } from '../../src/formats/language/takes-token.js';
import type { Field } from '../../src/formats/language/tree.js';
import { copyOfRecord } from '../../src/formats/tree/copy-value.js';
import { TreeGrid } from '../../src/formats/tree/grid.js';
import { TreeInputFormat } from '../../src/formats/tree/tree-format.js';
import { tokensOfValue } from '../../src/formats/tree/value-tokens.js';
import { SEED } from '../support/random-tests.js';
import { plain, printInput, readByTree } from '../support/tree-reading.js';

const { counted, either, grid, int, ints, line, lines, list, many, table, word, words } = formats;

interface Kind {
  /** A field of this kind. No element of it can begin with `!`, unless it may begin with any token. */
  readonly field: unknown;
  readonly value: unknown;
  /** The value between the numbers 7 and 8 in a case of a record of fields, and in one whose line has the three fields. */
  readonly printed: string;
  readonly printedInLine: string;
  readonly tokens: readonly string[];
  readonly json: unknown;
  /** The field in the description of an input, and in that of an answer. */
  readonly words: readonly [string, string];
  /** Whether it may begin with any token, so that `many` of them have no end but that of the input. */
  readonly beginsWithAny?: true;
}

/** The compiler asks for a new kind. */
const KINDS: Readonly<Record<Field['kind'], Kind>> = {
  scalar: {
    field: int(),
    value: -5,
    printed: '7 -5 8\n',
    printedInLine: '7 -5 8\n',
    tokens: ['-5'],
    json: -5,
    words: ['one integer', 'an integer'],
  },
  word: {
    field: word('ab'),
    value: 'ab',
    printed: '7\nab\n8\n',
    printedInLine: '7 ab 8\n',
    tokens: ['ab'],
    json: 'ab',
    words: ['a word of the letters "ab"', 'a word of the letters "ab"'],
  },
  line: {
    field: line(),
    value: 'a b',
    printed: '7\na b\n8\n',
    printedInLine: '7 a b\n8\n',
    tokens: ['a', 'b'],
    json: 'a b',
    words: ['a line', 'a line'],
    beginsWithAny: true,
  },
  numbers: {
    field: ints(2),
    value: Int32Array.of(1, 2),
    printed: '7\n1 2\n8\n',
    printedInLine: '7 1 2 8\n',
    tokens: ['1', '2'],
    json: [1, 2],
    words: ['2 integers', '2 integers'],
  },
  words: {
    field: words(2, 'ab'),
    value: ['a', 'b'],
    printed: '7\na b\n8\n',
    printedInLine: '7 a b 8\n',
    tokens: ['a', 'b'],
    json: ['a', 'b'],
    words: ['2 words of the letters "ab"', '2 words of the letters "ab"'],
  },
  lines: {
    field: lines(2),
    value: ['a b', 'c'],
    printed: '7\na b\nc\n8\n',
    printedInLine: '7\na b\nc\n8\n',
    tokens: ['a', 'b', 'c'],
    json: ['a b', 'c'],
    words: ['2 lines', '2 lines'],
    beginsWithAny: true,
  },
  grid: {
    field: grid(2, 2, '.#'),
    value: new TreeGrid(2, 2, Uint8Array.of(0, 1, 1, 0), ['.#']),
    printed: '7\n.#\n#.\n8\n',
    printedInLine: '7\n.#\n#.\n8\n',
    tokens: ['.#', '#.'],
    json: ['.#', '#.'],
    words: ['2 rows of 2 letters out of ".#"', '2 rows of 2 letters of the letters ".#"'],
  },
  table: {
    field: table(2, 2),
    value: { rows: 2, cols: 2, cells: Float64Array.of(1, 2, 3, 4) },
    printed: '7\n1 2\n3 4\n8\n',
    printedInLine: '7\n1 2\n3 4\n8\n',
    tokens: ['1', '2', '3', '4'],
    json: [
      [1, 2],
      [3, 4],
    ],
    words: ['2 rows of 2 numbers', '2 rows of 2 numbers'],
  },
  list: {
    field: list(2, { x: int(), w: word() }),
    value: [
      { x: 1, w: 'a' },
      { x: 2, w: 'b' },
    ],
    printed: '7\n1 a\n2 b\n8\n',
    printedInLine: '7\n1 a\n2 b\n8\n',
    tokens: ['1', 'a', '2', 'b'],
    json: [
      { x: 1, w: 'a' },
      { x: 2, w: 'b' },
    ],
    words: ['2 records, each with:', '2 records (an integer, then a word)'],
  },
  either: {
    field: either('t', { A: { x: int() }, B: {} }),
    value: { t: 'A', x: 1 },
    printed: '7\nA 1\n8\n',
    printedInLine: '7 A 1 8\n',
    tokens: ['A', '1'],
    json: { t: 'A', x: 1 },
    words: ['one of these records, by its first token, t:', '"A" or "B"'],
  },
};

describe.each(Object.entries(KINDS))('a field of the kind %s', (kind, row) => {
  const { value, printed, tokens, json, words, beginsWithAny } = row;
  const field = row.field as Field;
  const layout = (fields: Record<string, unknown>) => counted(fields as { f: ReturnType<typeof word> });

  test('has its builder in `formats`', () => {
    expect(field.kind).toBe(kind);
  });

  test('is printed and read as an input has it', () => {
    const fields = { k: int(), f: field, l: int() };
    const given = { k: 7, f: value, l: 8 };
    for (const [input, text] of [
      [layout(fields), printed],
      [counted([fields as never]), row.printedInLine],
    ] as const) {
      const out = new ByteWriter();
      new TreeInputFormat(input).printCase(given, out);
      expect(Buffer.from(out.take()).toString()).toBe(text);
      const [read] = readByTree(input, Buffer.from(`1\n${text}`)).cases;
      expect(plain(read.value)).toEqual(plain(given));
    }
  });

  test('has these tokens, this JSON and these words', () => {
    expect([...tokensOfValue(field, value)]).toEqual(tokens);
    expect(answerToJson(field, value)).toEqual(json);
    expect(describeLayout(layout({ f: field })).split('\n')).toContain(`  f  ${words[0]}`);
    expect(describeAnswer(field, new NameScope([], new Map()))).toBe(words[1]);
  });

  test('begins as many records as its first tokens fit', () => {
    const input = layout({ e: list(many, { f: field } as never), end: line() });
    const text = printed.slice(1, -2).trim();
    const [read] = readByTree(input, Buffer.from(`1\n${text}\n${text}\n!\n`)).cases;
    const expected = beginsWithAny ? null : { e: [{ f: value }, { f: value }], end: '!' };
    expect(plain(read.value)).toEqual(plain(expected));
  });

  test('is drawn with no element that would be read as its end', () => {
    const length = ['count', 'rows'].find((name) => name in field);
    expect(length !== undefined).toBe(countsOfField(field).length > 0);
    if (length === undefined) return;
    const end = { kind: 'until-token', token: tokens[0] };
    const input = layout({ f: { ...field, [length]: end }, l: int(1, 3) });
    const request = { profile: 'random', cases: 50, maxSize: 5, bounds: null } as const;
    const source = new TreeCaseSource(input, { ...request, seed: `${SEED}` }, () => new Uint8Array());
    const drawn = Array.from({ length: 50 }, (_, index) => source.caseAt(index));
    const read = readByTree(input, printInput(input, drawn)).cases;
    expect(read.map(({ value }) => plain(value))).toEqual(drawn.map(plain));
  });

  test('has a value of which a change to a copy is not seen', () => {
    const copy = copyOfRecord({ f: value });
    expect(plain(copy)).toEqual(plain({ f: value }));
    if (typeof value === 'object') expect(copy.f).not.toBe(value);
  });

  test('always has a token, or does not, as two parts of boardmill say', () => {
    const { shape } = layout({ f: field });
    if (countsOfField(field).length > 0) return;
    expect(hasToken(shape)).toBe(hasTokenInEveryCase(shape, new FieldScope(shape.records, null)));
  });
});
