/** The sets of the contest: its 20 tests in five groups. The id of an input is the number of its test. */
import type { Board, BoardViolation } from '../../formats/boards/board.js';
import type { BoardContest } from '../shared/board-parts.js';
import { createGenerator, createWallGenerator } from './generate.js';
import { LETTER_INDEX_BLACK, LETTER_INDEX_OBSTACLE, LETTER_INDEX_RED, LETTERS } from './letters.js';
import { constraints, type RiverPawnAnswer } from './solve.js';

/** In tests 10 to 13, a game that is not a tie is over after at most this number of plies. */
const MAX_SHORT_PLIES = 9;

/** In the sets of ties and of short games, only ties can have long games, so the hard boards of these sets are ties. */
const createTieGenerator = () => createGenerator([null]);

export const contest: BoardContest<RiverPawnAnswer> = {
  sets: {
    '1-4': {
      limits: constraints,
      ids: { from: 1, to: 4 },
      rule: 'a board that ends in a tie, or on which Red cannot move',
      // On every board, Black is below row 1 and no red is on his cell, so a game of 0 plies means that Red cannot move.
      answerCondition: ({ plies }) => plies === null || plies === 0,
      createGenerator: createTieGenerator,
    },
    '5-6': {
      limits: { ...constraints, minRows: 4 },
      ids: { from: 5, to: 6 },
      rule: 'a board whose obstacles fill row n-1 and nothing else, with X and one O above it and the other O below it',
      findViolation: findWallViolation,
      createGenerator: createWallGenerator,
      hasFixedDensity: true,
    },
    '7-9': { limits: { ...constraints, maxCols: 1, maxCells: 10 }, ids: { from: 7, to: 9 } },
    '10-13': {
      limits: constraints,
      ids: { from: 10, to: 13 },
      rule: `a board that ends in a tie, or within ${MAX_SHORT_PLIES} plies`,
      answerCondition: ({ plies }) => plies === null || plies <= MAX_SHORT_PLIES,
      createGenerator: createTieGenerator,
    },
    '14-20': { limits: constraints, ids: { from: 14, to: 20 } },
  },
  seconds: null,
  megabytes: null,
};

/** Finds the first cell that does not fit a board with a wall in the row before the last. */
function findWallViolation({ rows, cols, cells }: Board): BoardViolation | null {
  const wallRow = rows - 2;
  let redsAbove = 0;
  for (let cell = 0; cell < rows * cols; cell++) {
    const row = Math.floor(cell / cols);
    const letter = cells[cell];
    if (letter === LETTER_INDEX_RED && row < wallRow) redsAbove++;
    const expected = expectedAt(letter, row, wallRow);
    if (expected === null) continue;
    return { cell: { row, col: cell % cols }, expected, got: `"${LETTERS[letter]}"` };
  }
  if (redsAbove === 1) return null;
  const expected = `a board with one O above row ${wallRow + 1} and one below`;
  return { cell: null, expected, got: `${redsAbove} above` };
}

/** Returns what is expected in place of a letter on a board with a wall; null if the letter may stand in this row. */
function expectedAt(letter: number, row: number, wallRow: number): string | null {
  if (row === wallRow) return letter === LETTER_INDEX_OBSTACLE ? null : `an obstacle in row ${row + 1}`;
  if (letter === LETTER_INDEX_OBSTACLE) return `no obstacle outside row ${wallRow + 1}`;
  return letter === LETTER_INDEX_BLACK && row > wallRow ? `X above row ${wallRow + 1}` : null;
}
