/** Boards as text and as links: what a user pastes is read, or refused with a sentence. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BoardError,
  boardOf,
  printBoardInput,
  readBoard,
} from '../../../src/explain/page/boards/board-text.js';
import { readUrlFragment, urlFragmentOf } from '../../../src/explain/page/boards/link.js';
import { pageProblem } from '../../../src/explain/page/games.js';

const NAMES = ['bacterial-tactics', 'darkraft', 'river-pawn', 'link-and-pop'];
const styleOf = (name: string) => pageProblem(name).style;
const DISH = styleOf('bacterial-tactics');
const PAWN = styleOf('river-pawn');
const BLOCKS = styleOf('link-and-pop');

/** Any board of a problem with at most six rows and columns, as rows. */
function anyRows(name: string): fc.Arbitrary<string[]> {
  const { letters, limits } = styleOf(name);
  const cell = fc
    .tuple(...letters.map((alphabet) => fc.constantFrom(...alphabet)))
    .map((parts) => parts.join(''));
  const row = (cols: number) =>
    fc
      .array(cell, { minLength: cols, maxLength: cols })
      .map((cells) => cells.join(letters.length === 1 ? '' : ' '));
  return fc
    .tuple(fc.integer({ min: limits.minRows, max: 6 }), fc.integer({ min: limits.minCols, max: 6 }))
    .chain(([rows, cols]) => fc.array(row(cols), { minLength: rows, maxLength: rows }));
}

/** Returns the sentence of the mistake that the call throws. */
function mistakeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof BoardError) return error.message;
    throw error;
  }
  throw new Error('no mistake was thrown');
}

describe.each(NAMES)('boards of %s', (name) => {
  const style = styleOf(name);

  test('a printed board, its case and its rows alone are read back', () => {
    fc.assert(
      fc.property(anyRows(name), fc.constantFrom('\n', '\r\n', '  \n'), (rows, newline) => {
        const input = printBoardInput(style, rows).replaceAll('\n', newline);
        const headLines = style.head === null ? 0 : 1;
        const aCase = input.split(newline).slice(headLines).join(newline);
        expect(readBoard(style, input)).toEqual({ rows, isAll: true });
        expect(readBoard(style, aCase).rows).toEqual(rows);
        expect(readBoard(style, rows.join(newline)).rows).toEqual(rows);
      }),
    );
  });

  test('a board comes back from a link', () => {
    fc.assert(
      fc.property(anyRows(name), fc.array(fc.nat(9999), { maxLength: 5 }), fc.nat(9), (rows, moves, step) => {
        const fragment = urlFragmentOf(style, { rows, moves, step });
        expect(fragment).toMatch(/^#rows=[A-Za-z0-9/-]+(&moves=[\d.]+)?(&step=\d+)?$/);
        expect(readUrlFragment(style, fragment)).toEqual({ rows, moves, step });
      }),
    );
  });

  test('no text and no link does more than throw a mistake', () => {
    const noise = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[0-9 .#LRXOA-Z\n]*$/),
      fc.stringMatching(/^[-h0-9LRXOA-Z/]*$/),
    );
    fc.assert(
      fc.property(noise, (text) => {
        for (const read of [() => readBoard(style, text), () => readUrlFragment(style, `#rows=${text}`)]) {
          try {
            read();
          } catch (error) {
            expect(error).toBeInstanceOf(BoardError);
          }
        }
      }),
    );
  });
});

test.each([
  ['bacterial-tactics', ['..', '.#'], '1\n2 2\n..\n.#\n'],
  ['darkraft', ['RLX'], '1 3\nRLX\n'],
  ['river-pawn', ['...', 'OXO'], '0 1\n2 3\n...\nOXO\n'],
  ['link-and-pop', ['BS BL'], '1 2\nBS BL\n0 0\n'],
])('a board of %s is printed as an input', (name, rows, input) => {
  expect(printBoardInput(styleOf(name), rows)).toBe(input);
});

test('of several cases, the first one is read', () => {
  const isAll = false;
  expect(readBoard(DISH, '2\n1 2\n.#\n2 1\n.\n.\n')).toEqual({ rows: ['.#'], isAll });
  expect(readBoard(DISH, '.#\n..\n3 1\n.\n.\n.\n')).toEqual({ rows: ['.#', '..'], isAll });
  expect(readBoard(PAWN, '5 2\n2 3\n.X.\nO.O\n')).toEqual({ rows: ['.X.', 'O.O'], isAll: true });
  expect(readBoard(BLOCKS, '1 2\nAD\nBS\n1 1\nCS\n0 0\n')).toEqual({ rows: ['AD BS'], isAll });
});

test('the cells of a board are those that solvers read', () => {
  expect(boardOf(DISH, ['.#.'])).toEqual({ rows: 1, cols: 3, cells: Uint8Array.of(0, 1, 0) });
  expect(boardOf(BLOCKS, ['AD', 'bS'])).toEqual({ rows: 2, cols: 1, cells: Uint8Array.of(65, 68, 98, 83) });
});

test.each([
  ['', 'The text has no rows.'],
  ['.#\n.', 'Row 2 has 1 cell, but row 1 has 2.'],
  ['.#\n.Q', 'Row 2, column 2: "Q" is not one of . #.'],
  ['2 2\n..\n', 'Row 2 of 2 is missing.'],
  ['2 2\n..\n...\n', 'Row 2 has 3 cells instead of 2.'],
  ['51 2\n..', 'A board has 1 to 50 rows, not 51.'],
  ['99999999999999999999 1\n.', 'A board has 1 to 50 rows, not 100000000000000000000.'],
  [
    '1 2 3 4\n..',
    'The text begins with 1 2 3 4. A board begins with its rows, or with two numbers: its rows and columns.',
  ],
])('the text %j is refused', (text, mistake) => {
  expect(mistakeOf(() => readBoard(DISH, text))).toBe(mistake);
});

test.each([
  ['#rows=', 'A board has 1 to 50 columns, not 0.'],
  ['#rows=-/', 'Row 2 has 0 cells, but row 1 has 1.'],
  ['#rows=-999999999', 'The board in the link cannot be read.'],
  ['#rows=-1e9', 'The board in the link cannot be read.'],
  ['#rows=<script>', 'The board in the link cannot be read.'],
  ['#rows=--&moves=1.x', 'The moves in the link cannot be read.'],
  ['#rows=--&moves=1&moves=2', 'The moves in the link cannot be read.'],
])('the link %s is refused', (fragment, mistake) => {
  expect(mistakeOf(() => readUrlFragment(DISH, fragment))).toBe(mistake);
});

test('texts and links that are far too long are refused at once', () => {
  expect(mistakeOf(() => readBoard(DISH, '.'.repeat(300_000)))).toBe('This text is too long for one board.');
  expect(mistakeOf(() => readUrlFragment(DISH, `#rows=${'-/'.repeat(60_000)}`))).toBe(
    'The link is too long for one board.',
  );
});

test('a fragment about something else is not a board', () => {
  expect(readUrlFragment(DISH, '')).toBeNull();
  expect(readUrlFragment(DISH, '#top')).toBeNull();
});
