/** What each kind of field looks like, written down: how it is printed, its tokens, its JSON, and its names in messages. */
import { formats } from '../../src/formats/language/formats.js';
import type { Field } from '../../src/formats/language/tree.js';
import { TreeGrid } from '../../src/formats/tree/grid.js';

const { bigint, either, grid, int, ints, line, lines, list, number, table, word, words } = formats;

export interface Kind {
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
  /**
   * Texts that are no value of the kind, each with a field of the kind that refuses it, in an input and in an answer. If values
   * have bounds, some texts are just out of bounds.
   */
  readonly bad: readonly (readonly [field: unknown, text: string])[];
  /** The names of the numbers by which `stats` measures a field of this kind that is named `f`. */
  readonly measured: readonly string[];
  /** Whether it may begin with any token, so that `many` of them have no end but that of the input. */
  readonly beginsWithAny?: true;
}

/** The compiler asks for a new kind. */
export const KINDS: Readonly<Record<Field['kind'], Kind>> = {
  scalar: {
    field: int(),
    value: -5,
    printed: '7 -5 8\n',
    printedInLine: '7 -5 8\n',
    tokens: ['-5'],
    json: -5,
    words: ['one integer', 'an integer'],
    bad: [
      [int(0, 9), '10'],
      [int(0, 9), '-1'],
      [int(), '5x'],
      [int(), '1.0'],
      [int(), ''],
      [number(0, 1), '1.5'],
      [bigint(0n, 9n), '10'],
    ],
    measured: ['f'],
  },
  word: {
    field: word('ab'),
    value: 'ab',
    printed: '7\nab\n8\n',
    printedInLine: '7 ab 8\n',
    tokens: ['ab'],
    json: 'ab',
    words: ['a word of the letters "ab"', 'a word of the letters "ab"'],
    bad: [
      [word('ab'), 'abc'],
      [word('ab'), ''],
      [word('ab'), 'a`'],
    ],
    measured: ['length of f'],
  },
  line: {
    field: line(),
    value: 'a b',
    printed: '7\na b\n8\n',
    printedInLine: '7 a b\n8\n',
    tokens: ['a', 'b'],
    json: 'a b',
    words: ['a line', 'a line'],
    bad: [[line(), '']],
    measured: [],
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
    bad: [
      [ints(2, 0, 9), '1 10'],
      [ints(2, 0, 9), '-1 1'],
      [ints(2), '1'],
      [ints(2), '1 x'],
    ],
    measured: ['f'],
  },
  words: {
    field: words(2, 'ab'),
    value: ['a', 'b'],
    printed: '7\na b\n8\n',
    printedInLine: '7 a b 8\n',
    tokens: ['a', 'b'],
    json: ['a', 'b'],
    words: ['2 words of the letters "ab"', '2 words of the letters "ab"'],
    bad: [
      [words(2, 'ab'), 'a c'],
      [words(2, 'ab'), 'a'],
    ],
    measured: [],
  },
  lines: {
    field: lines(2),
    value: ['a b', 'c'],
    printed: '7\na b\nc\n8\n',
    printedInLine: '7\na b\nc\n8\n',
    tokens: ['a', 'b', 'c'],
    json: ['a b', 'c'],
    words: ['2 lines', '2 lines'],
    bad: [[lines(2), 'a']],
    measured: [],
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
    bad: [
      [grid(2, 2, '.#'), '.#\n#x'],
      [grid(2, 2, '.#'), '.#'],
      [grid(2, 2, '.#'), '.#\n#..'],
    ],
    measured: [],
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
    bad: [
      [table(2, 2, 0, 9), '1 2\n3 10'],
      [table(2, 2), '1 2\n3'],
      [table(2, 2), '1 2\n3 x'],
    ],
    measured: ['f'],
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
    bad: [
      [list(2, { x: int(0, 9) }), '1\n10'],
      [list(2, { x: int() }), '1'],
    ],
    measured: ['f.x', 'length of f.w'],
  },
  either: {
    field: either('t', { A: { x: int() }, B: {} }),
    value: { t: 'A', x: 1 },
    printed: '7\nA 1\n8\n',
    printedInLine: '7 A 1 8\n',
    tokens: ['A', '1'],
    json: { t: 'A', x: 1 },
    words: ['one of these records, by its first token, t:', '"A" or "B"'],
    bad: [
      [either('t', { A: { x: int(0, 9) }, B: {} }), 'A 10'],
      [either('t', { A: { x: int() }, B: {} }), 'C 1'],
    ],
    measured: ['f.x'],
  },
};
