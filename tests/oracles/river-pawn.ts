/**
 * An oracle for river-pawn (过河卒), which follows the statement literally. For k = 0, 1, 2, ... it finds in every
 * position which player can force a win within k more moves. The answer is the smallest k with which the start is
 * decided. If one more move decides no further position, no larger k does either, and the game is a tie.
 *
 * The oracle is slow and simple on purpose. It treats the two red pieces as different, stores each position explicitly,
 * and uses no predecessors, no counters and no sets of cells.
 */
import type { Board } from '../../src/problems/problem.js';

export type Player = 'Red' | 'Black';
type Winner = Player | null;

export interface Position {
  black: number;
  /** The cells of the two red pieces, in any order. */
  reds: readonly [number, number];
  turn: Player;
}

/** Who wins from a position on, and after how many moves; null for a tie. */
export interface Value {
  winner: Winner;
  plies: number | null;
}

/** The rules of the game on one board. Cells count from 0. */
export interface Rules {
  start: Position;
  /** Returns the positions after the moves of the player to move, even if the game is over. */
  moves(position: Position): Position[];
  /** Returns the winner by the three checks before a move, in the order of the statement; null if play goes on. */
  winnerBeforeMoving(position: Position): Winner;
}

/** Returns the value of the start. */
export function solveLiterally(board: Board): Value {
  const { start } = rulesOf(board);
  return valuesWhile(board, (valueAt) => valueAt(start).winner === null)(start);
}

/** Returns the value of every position. */
export function valuesOf(board: Board): (position: Position) => Value {
  return valuesWhile(board, () => true);
}

export function rulesOf(board: Board): Rules {
  const { rows, cols } = board;
  const cellCount = rows * cols;
  const isObstacle = (cell: number) => board.cells[cell] === 1;
  const everyCell = Array.from({ length: cellCount }, (_, cell) => cell);

  function stepFrom(cell: number, down: number, right: number): number | null {
    const row = Math.floor(cell / cols) + down;
    const col = (cell % cols) + right;
    if (row < 0 || row >= rows || col < 0 || col >= cols) return null;
    return isObstacle(row * cols + col) ? null : row * cols + col;
  }

  function steps(cell: number, directions: readonly (readonly [number, number])[]): number[] {
    return directions.map(([down, right]) => stepFrom(cell, down, right)).filter((to) => to !== null);
  }

  const redSteps = everyCell.map((cell) => steps(cell, [[-1, 0], [1, 0], [0, -1], [0, 1]])); // biome-ignore format: compass
  const blackSteps = everyCell.map((cell) => steps(cell, [[-1, 0], [0, -1], [0, 1]])); // biome-ignore format: compass

  function moves({ black, reds: [one, two], turn }: Position): Position[] {
    if (turn === 'Black') {
      return blackSteps[black].map((to) => ({ black: to, reds: [one, two], turn: 'Red' }));
    }
    const byOne = redSteps[one].filter((to) => to !== two);
    const byTwo = redSteps[two].filter((to) => to !== one);
    return [
      ...byOne.map((to): Position => ({ black, reds: [to, two], turn: 'Black' })),
      ...byTwo.map((to): Position => ({ black, reds: [one, to], turn: 'Black' })),
    ];
  }

  function winnerBeforeMoving(position: Position): Winner {
    const { black, reds, turn } = position;
    const movedLast = turn === 'Red' ? 'Black' : 'Red';
    if (black < cols) return 'Black';
    if (reds.includes(black)) return movedLast;
    if (moves(position).length === 0) return movedLast;
    return null;
  }

  const start: Position = {
    black: everyCell.find((cell) => board.cells[cell] === 2)!,
    reds: everyCell.filter((cell) => board.cells[cell] === 3) as [number, number],
    turn: 'Red',
  };
  return { start, moves, winnerBeforeMoving };
}

/** Finds values for k = 0, 1, 2, ... as long as `isWanted` says so and there is something to find. */
function valuesWhile(
  board: Board,
  isWanted: (valueAt: (position: Position) => Value) => boolean,
): (position: Position) => Value {
  const { moves, winnerBeforeMoving } = rulesOf(board);
  const cellCount = board.rows * board.cols;
  const keyOf = ({ black, reds: [one, two], turn }: Position) =>
    ((black * cellCount + one) * cellCount + two) * 2 + (turn === 'Red' ? 0 : 1);

  const winnerWithin: Winner[] = new Array(2 * cellCount ** 3).fill(null);
  const pliesOf = new Map<number, number>();
  const open: { key: number; turn: Player; next: number[] }[] = [];
  for (const position of everyPosition(board)) {
    const key = keyOf(position);
    winnerWithin[key] = winnerBeforeMoving(position);
    if (winnerWithin[key] !== null) pliesOf.set(key, 0);
    else open.push({ key, turn: position.turn, next: moves(position).map(keyOf) });
  }

  const valueAt = (position: Position): Value => {
    const key = keyOf(position);
    return { winner: winnerWithin[key], plies: pliesOf.get(key) ?? null };
  };
  for (let k = 1; isWanted(valueAt); k++) {
    const decided: [key: number, winner: Winner][] = [];
    for (const { key, turn, next } of open) {
      if (winnerWithin[key] !== null) continue;
      const other = turn === 'Red' ? 'Black' : 'Red';
      if (next.some((to) => winnerWithin[to] === turn)) decided.push([key, turn]);
      else if (next.every((to) => winnerWithin[to] === other)) decided.push([key, other]);
    }
    if (decided.length === 0) break;
    for (const [key, by] of decided) {
      winnerWithin[key] = by;
      pliesOf.set(key, k);
    }
  }
  return valueAt;
}

function* everyPosition({ rows, cols, cells }: Board): Generator<Position> {
  const freeCells = Array.from({ length: rows * cols }, (_, cell) => cell).filter(
    (cell) => cells[cell] !== 1,
  );
  for (const black of freeCells)
    for (const one of freeCells)
      for (const two of freeCells)
        if (one !== two)
          for (const turn of ['Red', 'Black'] as const) yield { black, reds: [one, two], turn };
}
