/**
 * An oracle for bacterial-tactics, which plays the game out as the statement describes it: cell by cell, colony by
 * colony. The oracle uses neither nimbers nor rectangles. It tries every move in every position, so it can only solve
 * boards of about a dozen cells.
 */
import type { Board } from '../../src/problems/problem.js';

type Kind = 'H' | 'V';
type Cell = '.' | '#' | Kind;
type Dish = Cell[][];
type Step = { down: number; right: number };

/** Returns the number of openings (cell and kind) with which the first player, Becca, wins. It is 0 if none wins. */
export function solveLiterally(board: Board): number {
  const dish: Dish = [];
  for (let row = 0; row < board.rows; row++) {
    const cells = [...board.cells.subarray(row * board.cols, (row + 1) * board.cols)];
    dish.push(cells.map((cell) => (cell === 1 ? '#' : '.')));
  }
  return [...winningMoves(dish, new Map())].length;
}

/** A placement that is no loss at once: its cell, counted from 0, its kind, and the rows after it. */
export interface Placement {
  readonly row: number;
  readonly col: number;
  readonly kind: Kind;
  /** Empty cells are `.`, radioactive ones `#`, and those with bacteria `o`. */
  readonly after: readonly string[];
}

/** Returns all placements that a player can survive in a position. A cell with any other letter than `.#` has bacteria. */
export function placementsIn(rows: readonly string[]): Placement[] {
  const dish = rows.map((row) => [...row] as Cell[]);
  const placements: Placement[] = [];
  for (const [row, cells] of dish.entries()) {
    for (const [col, cell] of cells.entries()) {
      if (cell !== '.') continue;
      for (const kind of ['H', 'V'] as const) {
        const after = place(dish, row, col, kind);
        if (after !== 'mutated') placements.push({ row, col, kind, after: rowsOf(after) });
      }
    }
  }
  return placements;
}

function rowsOf(dish: Dish): string[] {
  return dish.map((cells) => cells.join('').replaceAll(/[HV]/g, 'o'));
}

/** Creates a function that returns the nimber of a position, which it finds by trying all moves in all positions. */
export function createNimberOracle(): (rows: readonly string[]) => number {
  const known = new Map<string, number>();
  const nimberOf = (rows: readonly string[]): number => {
    const position = rows.join('/');
    const stored = known.get(position);
    if (stored !== undefined) return stored;
    const reached = new Set(placementsIn(rows).map(({ after }) => nimberOf(after)));
    let mex = 0;
    while (reached.has(mex)) mex++;
    known.set(position, mex);
    return mex;
  };
  return nimberOf;
}

/** Yields the cell and the kind of every placement after which the other player has lost. */
function* winningMoves(dish: Dish, knownResults: Map<string, boolean>): Generator<[number, number, Kind]> {
  for (const [row, cells] of dish.entries()) {
    for (const [col, cell] of cells.entries()) {
      if (cell !== '.') continue;
      for (const kind of ['H', 'V'] as const) {
        const after = place(dish, row, col, kind);
        if (after !== 'mutated' && !moverWins(after, knownResults)) yield [row, col, kind];
      }
    }
  }
}

function moverWins(dish: Dish, knownResults: Map<string, boolean>): boolean {
  const position = dish.map((cells) => cells.join('')).join('/');
  let wins = knownResults.get(position);
  if (wins === undefined) {
    wins = !winningMoves(dish, knownResults).next().done;
    knownResults.set(position, wins);
  }
  return wins;
}

/** Returns the dish after the new colony has spread, or 'mutated' if the colony met a radioactive cell. */
function place(dish: Dish, row: number, col: number, kind: Kind): Dish | 'mutated' {
  const after = dish.map((cells) => [...cells]);
  after[row][col] = kind;
  const west: Step = { down: 0, right: -1 };
  const east: Step = { down: 0, right: 1 };
  const north: Step = { down: -1, right: 0 };
  const south: Step = { down: 1, right: 0 };
  for (const { down, right } of kind === 'H' ? [west, east] : [north, south]) {
    for (let r = row + down, c = col + right; isOn(dish, r, c); r += down, c += right) {
      if (dish[r][c] === '#') return 'mutated';
      if (dish[r][c] !== '.') break;
      after[r][c] = kind;
    }
  }
  return after;
}

function isOn(dish: Dish, row: number, col: number): boolean {
  return row >= 0 && row < dish.length && col >= 0 && col < dish[0].length;
}
