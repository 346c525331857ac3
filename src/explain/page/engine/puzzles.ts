/** Finds puzzles: boards on which exactly one first move wins. */

import { boardOf } from '../boards/board-text.js';
import { drawRandomBoard } from '../boards/random-board.js';
import type { PageProblem } from '../games.js';
import type { Puzzle } from './messages.js';

/** Number of puzzles of a level. */
const PUZZLES_PER_LEVEL = 5;
/** Number of levels. */
export const PUZZLE_LEVELS = 3;
/** Fewest first moves, so that the only winning one is not found by trying. */
const MIN_MOVES = 4;
/** Largest number of boards that are drawn for a level. */
const MAX_BOARDS = 4000;

interface PuzzleLevel {
  readonly size: readonly [rows: number, cols: number];
  /** The fewest and the most plies of a win; for games that count plies. */
  readonly plies: readonly [number, number];
}

const LEVELS_OF: Readonly<Record<string, readonly PuzzleLevel[]>> = {
  'bacterial-tactics': [
    { size: [3, 5], plies: [0, 0] },
    { size: [5, 5], plies: [0, 0] },
    { size: [7, 8], plies: [0, 0] },
  ],
  darkraft: [
    { size: [3, 3], plies: [0, 0] },
    { size: [4, 4], plies: [0, 0] },
    { size: [5, 6], plies: [0, 0] },
  ],
  'river-pawn': [
    { size: [4, 4], plies: [3, 5] },
    { size: [5, 5], plies: [5, 11] },
    { size: [6, 6], plies: [9, 99] },
  ],
};

/** Returns the puzzles of a level, numbered from 0, on different boards. The same seed always gives the same puzzles. */
export function findPuzzles(problem: PageProblem, level: number, seed: string): Puzzle[] {
  const { size, plies } = LEVELS_OF[problem.name][level];
  const puzzles: Puzzle[] = [];
  for (let number = 0; number < MAX_BOARDS && puzzles.length < PUZZLES_PER_LEVEL; number++) {
    const rows = drawRandomBoard(problem.name, size, `${seed} ${level}`, number);
    const isKnown = puzzles.some((puzzle) => puzzle.rows.join() === rows.join());
    if (!isKnown && isPuzzle(problem, rows, plies)) puzzles.push({ rows });
  }
  return puzzles;
}

function isPuzzle(
  problem: PageProblem,
  rows: readonly string[],
  [fewest, most]: readonly [number, number],
): boolean {
  const board = boardOf(problem.style, rows);
  if (problem.show.kind === 'replay' || problem.findViolation?.(board)) return false;
  const game = problem.show.start(board);
  const { winner, plies } = game.outcomeAt(game.start);
  if (winner !== 0 || (plies !== null && (plies < fewest || plies > most))) return false;
  const moves = game.movesAt(game.start);
  return moves.length >= MIN_MOVES && moves.filter(({ outcome }) => outcome.winner === 0).length === 1;
}
