/** The layouts of the inputs of the four problems. The limits are those of the boards that boardmill explains. */
import type { BoardMistake, InputLayout } from './input.js';

export const INPUT_LAYOUTS = {
  'bacterial-tactics': {
    head: 'T',
    hasTerminator: false,
    cell: /^[.#]$/,
    cellLetters: 1,
    letters: '.#',
    minRows: 1,
    maxRows: 50,
    maxCols: 50,
    maxCells: 2500,
  },
  darkraft: {
    head: null,
    hasTerminator: false,
    cell: /^[LRX]$/,
    cellLetters: 1,
    letters: 'LRX',
    minRows: 1,
    maxRows: 40,
    maxCols: 40,
    maxCells: 1600,
  },
  'link-and-pop': {
    head: null,
    hasTerminator: true,
    cell: /^[A-Za-z][UDLRS]$/,
    cellLetters: 2,
    letters: 'a block: a letter, then one of UDLRS',
    minRows: 1,
    maxRows: 100,
    maxCols: 100,
    maxCells: 10_000,
  },
  'river-pawn': {
    head: 'id T',
    hasTerminator: false,
    cell: /^[.#XO]$/,
    cellLetters: 1,
    letters: '.#XO',
    minRows: 2,
    maxRows: 256,
    maxCols: 128,
    maxCells: 256,
    findMistake: findWrongPieces,
  },
} as const satisfies Record<string, InputLayout>;

/** Finds wrong pieces on a board of river-pawn, which must have exactly one X, not in row 1, and exactly two O. */
function findWrongPieces(board: readonly string[]): BoardMistake | null {
  const blacks = placesOf(board, 'X');
  const reds = placesOf(board, 'O');
  if (blacks[0]?.row === 0) return { cell: blacks[0], expected: 'X below row 1', got: 'X in row 1' };
  if (blacks.length > 1) return { cell: blacks[1], expected: 'one X', got: 'another one' };
  if (reds.length > 2) return { cell: reds[2], expected: 'two O', got: 'a third one' };
  if (blacks.length === 0) return { cell: null, expected: 'a board with one X', got: 'a board without X' };
  if (reds.length < 2) return { cell: null, expected: 'a board with two O', got: `${reds.length}` };
  return null;
}

function placesOf(board: readonly string[], letter: string): { row: number; col: number }[] {
  return board.flatMap((text, row) =>
    Array.from(text).flatMap((other, col) => (other === letter ? [{ row, col }] : [])),
  );
}
