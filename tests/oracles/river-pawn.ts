/**
 * An oracle for river-pawn (过河卒), which follows the statement literally. For k = 0, 1, 2, ... it finds in every
 * position which player can force a win within k more moves. The answer is the smallest k with which the start is
 * decided. If one more move decides no further position, no larger k does either, and the game is a tie.
 *
 * The oracle is slow and simple on purpose. It treats the two red pieces as different, stores each position explicitly,
 * and uses no predecessors, no counters and no sets of cells.
 */
import type { Board } from '../../src/problems/problem.js';

type Winner = 'Red' | 'Black' | null;

interface Position {
  black: number;
  reds: readonly [number, number];
  turn: 'Red' | 'Black';
}

export function solveLiterally(board: Board): { winner: Winner; plies: number | null } {
  const { rows, cols } = board;
  const cellCount = rows * cols;
  const isObstacle = (cell: number) => board.cells[cell] === 1;
  const everyCell = Array.from({ length: cellCount }, (_, cell) => cell);
  const freeCells = everyCell.filter((cell) => !isObstacle(cell));

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

  /** Returns the winner by the three checks before a move, in the order of the statement; null if play goes on. */
  function winnerBeforeMoving(position: Position): Winner {
    const { black, reds, turn } = position;
    const movedLast = turn === 'Red' ? 'Black' : 'Red';
    if (black < cols) return 'Black';
    if (reds.includes(black)) return movedLast;
    if (moves(position).length === 0) return movedLast;
    return null;
  }

  const keyOf = ({ black, reds: [one, two], turn }: Position) =>
    ((black * cellCount + one) * cellCount + two) * 2 + (turn === 'Red' ? 0 : 1);

  const start: Position = {
    black: everyCell.find((cell) => board.cells[cell] === 2)!,
    reds: everyCell.filter((cell) => board.cells[cell] === 3) as [number, number],
    turn: 'Red',
  };

  const winnerWithin: Winner[] = new Array(2 * cellCount ** 3).fill(null);
  const open: { key: number; turn: 'Red' | 'Black'; next: number[] }[] = [];
  for (const black of freeCells) {
    for (const one of freeCells) {
      for (const two of freeCells) {
        for (const turn of ['Red', 'Black'] as const) {
          if (one === two) continue;
          const position: Position = { black, reds: [one, two], turn };
          const winner = winnerBeforeMoving(position);
          winnerWithin[keyOf(position)] = winner;
          if (winner === null) open.push({ key: keyOf(position), turn, next: moves(position).map(keyOf) });
        }
      }
    }
  }

  for (let k = 0; ; k++) {
    const winner = winnerWithin[keyOf(start)];
    if (winner !== null) return { winner, plies: k };
    const decided: [key: number, winner: Winner][] = [];
    for (const { key, turn, next } of open) {
      if (winnerWithin[key] !== null) continue;
      const other = turn === 'Red' ? 'Black' : 'Red';
      if (next.some((to) => winnerWithin[to] === turn)) decided.push([key, turn]);
      else if (next.every((to) => winnerWithin[to] === other)) decided.push([key, other]);
    }
    if (decided.length === 0) return { winner: null, plies: null };
    for (const [key, by] of decided) winnerWithin[key] = by;
  }
}
