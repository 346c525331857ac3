/** Boards of link-and-pop for tests. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Board } from '../../src/problems/problem.js';

/** The directions that the blocks of a random board may have. Boards differ most in the directions of their blocks. */
export const DIRECTION_SETS = [
  'UDLRS',
  'S',
  'U',
  'D',
  'L',
  'R',
  'UD',
  'LR',
  'UL',
  'UR',
  'DL',
  'DR',
  'LS',
  'DS',
];
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function boardOf(rows: number, cols: number, blockAt: (row: number, col: number) => string): Board {
  const cells = new Uint8Array(2 * rows * cols);
  for (let i = 0; i < rows * cols; i++) {
    const block = blockAt(Math.floor(i / cols), i % cols);
    cells.set([block.charCodeAt(0), block.charCodeAt(1)], 2 * i);
  }
  return { rows, cols, cells };
}

export function parseBoard(text: string): Board {
  const lines = text.trim().split('\n');
  const blocks = lines.map((line) => line.trim().split(/\s+/));
  return boardOf(blocks.length, blocks[0].length, (row, col) => blocks[row][col]);
}

export function show({ rows, cols, cells }: Board): string {
  const blocks = Array.from({ length: rows * cols }, (_, i) =>
    String.fromCharCode(cells[2 * i], cells[2 * i + 1]),
  );
  return Array.from({ length: rows }, (_, row) => blocks.slice(row * cols, (row + 1) * cols).join(' ')).join(
    '\n',
  );
}

/**
 * Returns a random board with this number of symbols. It depends on the seed alone, so fast-check draws only one number
 * for a large board, and not 20,000.
 */
export function randomBoard(
  rows: number,
  cols: number,
  symbols: number,
  directions: string,
  seed: number,
): Board {
  let state = seed >>> 0;
  const draw = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return boardOf(rows, cols, () => LETTERS[draw(symbols)] + directions[draw(directions.length)]);
}

/** Random boards of up to this size and number of symbols. */
export function anyBoard(maxRows: number, maxCols: number, maxSymbols: number): fc.Arbitrary<Board> {
  return fc
    .record({
      rows: fc.integer({ min: 1, max: maxRows }),
      cols: fc.integer({ min: 1, max: maxCols }),
      symbols: fc.integer({ min: 1, max: maxSymbols }),
      directions: fc.constantFrom(...DIRECTION_SETS),
      seed: fc.nat(),
    })
    .map(({ rows, cols, symbols, directions, seed }) => randomBoard(rows, cols, symbols, directions, seed));
}

/** Returns the boards on which readings of the statement differ, and the text of their answers. */
export function readTruth(): { boards: Board[]; answers: string } {
  const folder = new URL('../../data/link-and-pop/truth/', import.meta.url);
  const lines = readFileSync(new URL('readings.in', folder), 'latin1').split('\n');
  const answers = readFileSync(new URL('readings.ans', folder), 'latin1');
  const boards: Board[] = [];
  for (let at = 0; ; ) {
    const rows = Number(lines[at].split(' ')[0]);
    if (rows === 0) return { boards, answers };
    boards.push(parseBoard(lines.slice(at + 1, at + 1 + rows).join('\n')));
    at += 1 + rows;
  }
}
