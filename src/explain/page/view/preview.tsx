/** Shows what a move would do, before it is played: the cells that it fills or clears, or where the piece would stand. */
import type { JSX } from 'preact';
import type { CellPlace } from '../../../problems/explanation.js';
import { CELL_LOOKS } from '../../drawing/cells.js';
import { CELL_SIDE } from '../../drawing/marks.js';
import type { PageMove } from '../games.js';
import { clickableCells } from '../state/state.js';
import { Decoration, renderDrawnElement } from './board-drawing.js';

/** The texts of the cells of a board, by row and column. */
type Cells = readonly (readonly string[])[];

export function MovePreview({ move, cells }: { move: PageMove; cells: Cells }): JSX.Element {
  return (
    <Decoration name="preview">
      {changedCells(move, cells).map(([row, column]) => (
        <rect x={(column - 1) * CELL_SIDE} y={(row - 1) * CELL_SIDE} width={CELL_SIDE} height={CELL_SIDE} />
      ))}
      {ghostsOf(move, cells).map(({ problem, text, place: [row, column] }) => (
        <g class="ghost" transform={`translate(${(column - 1) * CELL_SIDE} ${(row - 1) * CELL_SIDE})`}>
          {CELL_LOOKS[problem](text, row, column).content.map(renderDrawnElement)}
        </g>
      ))}
    </Decoration>
  );
}

function changedCells(move: PageMove, cells: Cells): readonly CellPlace[] {
  if ('cell' in move) return clearedCells(move, cells);
  return 'line' in move ? clickableCells(move) : [move.from, move.to];
}

interface Ghost {
  readonly problem: string;
  readonly text: string;
  readonly place: CellPlace;
}

/** Returns what the move would put on the board. */
function ghostsOf(move: PageMove, cells: Cells): Ghost[] {
  if ('cell' in move) return [];
  if ('line' in move)
    return clickableCells(move).map((place) => ({ problem: 'bacterial-tactics', text: 'o', place }));
  const [row, column] = move.from;
  return [{ problem: 'river-pawn', text: cells[row - 1]?.[column - 1] ?? '.', place: move.to }];
}

const RISING = [
  [1, -1],
  [-1, 1],
] as const;
const FALLING = [
  [1, 1],
  [-1, -1],
] as const;
const RAYS: Readonly<Record<string, readonly (readonly [down: number, right: number])[]>> = {
  L: RISING,
  R: FALLING,
  X: [...RISING, ...FALLING],
};

/** Returns the cells that a letter of darkraft clears: its own, and those on its rays up to a cleared cell. */
function clearedCells({ cell, letter }: Extract<PageMove, { letter: string }>, cells: Cells): CellPlace[] {
  const cleared: CellPlace[] = [cell];
  for (const [down, right] of RAYS[letter]) {
    let [row, column] = [cell[0] + down, cell[1] + right];
    while (![undefined, '.'].includes(cells[row - 1]?.[column - 1])) {
      cleared.push([row, column]);
      [row, column] = [row + down, column + right];
    }
  }
  return cleared;
}
