/** Boards of river-pawn for tests. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Board } from '../../src/problems/problem.js';

const LETTERS = '.#XO';

export function boardOf(...rows: string[]): Board {
  const cells = Uint8Array.from(rows.join(''), (letter) => LETTERS.indexOf(letter));
  return { rows: rows.length, cols: rows[0].length, cells };
}

export function show({ rows, cols, cells }: Board): string {
  const line = (row: number) =>
    Array.from(cells.slice(row * cols, (row + 1) * cols), (cell) => LETTERS[cell]).join('');
  return Array.from({ length: rows }, (_, row) => line(row)).join('\n');
}

/** Reads a file of data/river-pawn. */
export function read(name: string): string {
  return readFileSync(new URL(`../../data/river-pawn/${name}`, import.meta.url), 'utf8');
}

/** Returns the boards of an input in canonical layout. */
export function boardsIn(input: string): Board[] {
  const [, count, ...tokens] = input.split(/\s+/);
  const boards: Board[] = [];
  for (let at = 0; boards.length < Number(count); at += 2 + boards.at(-1)!.rows) {
    boards.push(boardOf(...tokens.slice(at + 2, at + 2 + Number(tokens[at]))));
  }
  return boards;
}

/** Makes a board. `choices` are numbers in [0, 1) that decide where the pieces and the obstacles are. */
function drawBoard(rows: number, cols: number, density: number, choices: readonly number[]): Board {
  const size = rows * cols;
  const cells = Uint8Array.from({ length: size }, (_, cell) => (choices[3 + cell] < density ? 1 : 0));
  const black = cols + Math.floor(choices[0] * (size - cols));
  cells[black] = 2;
  const rest = Array.from(cells.keys()).filter((cell) => cell !== black);
  for (const choice of choices.slice(1, 3)) cells[rest.splice(Math.floor(choice * rest.length), 1)[0]] = 3;
  return { rows, cols, cells };
}

/** Random boards of this size. */
export function boardsOf(rows: number, cols: number): fc.Arbitrary<Board> {
  const unit = fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1000);
  const choices = fc.array(unit, { minLength: rows * cols + 3, maxLength: rows * cols + 3 });
  return fc
    .tuple(fc.constantFrom(0, 0.1, 0.2, 0.3, 0.4, 0.6), choices)
    .map(([density, chosen]) => drawBoard(rows, cols, density, chosen));
}

/** Random boards of up to this size. */
export function anyBoard(
  maxRows: number,
  maxCols: number,
  maxCells = maxRows * maxCols,
): fc.Arbitrary<Board> {
  return fc
    .record({ rows: fc.integer({ min: 2, max: maxRows }), cols: fc.integer({ min: 1, max: maxCols }) })
    .filter(({ rows, cols }) => rows * cols >= 3 && rows * cols <= maxCells)
    .chain(({ rows, cols }) => boardsOf(rows, cols));
}

/** Returns the boards that have one obstacle more or one less. */
export function neighboursOf({ rows, cols, cells }: Board): Board[] {
  const isPiece = (cell: number) => cells[cell] > 1;
  return Array.from(cells.keys())
    .filter((cell) => !isPiece(cell))
    .map((cell) => ({ rows, cols, cells: cells.with(cell, 1 - cells[cell]) }));
}

/**
 * Returns boards with regular patterns of obstacles. The pieces are in corners and on the edges, most of them far
 * apart.
 */
export function structuredBoards(rows: number, cols: number): Board[] {
  const layouts: Record<string, (row: number, col: number) => boolean> = {
    empty: () => false,
    full: () => true,
    'horizontal stripes with gaps': (row, col) => row % 2 === 1 && col !== ((row >> 1) % 2) * (cols - 1),
    'vertical stripes with gaps': (row, col) => col % 2 === 1 && row !== ((col >> 1) % 2) * (rows - 1),
    diagonals: (row, col) => (row + col) % 4 === 0,
    pillars: (row, col) => row % 2 === 1 && col % 2 === 1,
    'a pocket that Red cannot enter': (row, col) =>
      (row === rows - 2 && col < 2) || (row === rows - 1 && col === 2),
    'obstacles except in the top and bottom rows': (row) => row > 0 && row < rows - 1,
  };
  const pieces = [
    [rows * cols - 1, 0, cols - 1],
    [(rows - 1) * cols, 0, 1],
    [(rows - 1) * cols + (cols >> 1), rows * cols - 1, 0],
    [cols, rows * cols - 1, rows * cols - 2],
  ];
  const fits = ([black, one, two]: number[]) =>
    black !== one && black !== two && one !== two && black >= cols;
  return Object.values(layouts).flatMap((isObstacle) =>
    pieces.filter(fits).map(([black, one, two]) => {
      const cells = Uint8Array.from({ length: rows * cols }, (_, cell) =>
        isObstacle(Math.floor(cell / cols), cell % cols) ? 1 : 0,
      );
      cells[black] = 2;
      cells[one] = cells[two] = 3;
      return { rows, cols, cells };
    }),
  );
}
