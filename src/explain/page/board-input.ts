/** Handles the pointer and the keys with which the board is played and painted. */
import type { HTMLAttributes, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CellPlace } from '../../problems/explanation.js';
import { isCell } from './board-text.js';
import type { PageMove } from './games.js';
import type { ChangeState } from './parts.js';
import {
  boardSizeOf,
  chooseCell,
  clickCell,
  gameOf,
  isComputersTurn,
  isSameCell,
  movesAtCell,
  movesToCell,
  type PageState,
  paintCell,
  playPageMove,
} from './state.js';

type Handlers = Pick<
  HTMLAttributes<HTMLDivElement>,
  'onClick' | 'onKeyDown' | 'onMouseDown' | 'onPointerDown' | 'onPointerMove' | 'onPointerUp'
>;

/** Returns the cell that the Tab key reaches, and the handlers of events on the board. `moves` are the moves with a mark. */
export function useBoardInput(
  state: PageState,
  change: ChangeState,
  moves: readonly PageMove[],
  frame: RefObject<HTMLElement | null>,
): Handlers & { cursor: CellPlace } {
  const [reached, setCursor] = useState<CellPlace>([1, 1]);
  const [rows, cols] = boardSizeOf(state);
  const cursor: CellPlace = [Math.min(reached[0], rows), Math.min(reached[1], cols)];
  const moveCursor = (place: CellPlace) => {
    setCursor(place);
    cellElement(frame.current, place)?.focus();
  };
  return {
    cursor,
    onKeyDown: (event) => {
      const cell = placeOf(event.target);
      if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = neighbourOf(cell, event.key, rows, cols);
      const step = stepOfKey(state, event.key, cell);
      if (next === null && step === null) return;
      event.preventDefault();
      if (next === null) change(step!);
      else moveCursor(next);
    },
    ...usePointer(state, change, moves),
  };
}

/** Returns the handlers of the pointer: clicks play moves, and drags move a piece or paint cells. */
function usePointer(
  state: PageState,
  change: ChangeState,
  moves: readonly PageMove[],
): Omit<Handlers, 'onKeyDown'> {
  /** The cell where the pointer was pressed, or that the pointer has painted last. */
  const pressed = useRef<CellPlace | null>(null);
  /** Whether pressing the pointer has just chosen a piece. The click event that follows must not undo the choice. */
  const hasChosen = useRef(false);
  return {
    // A clicked cell does not get the focus, so that the arrow keys go through the moves after a click.
    onMouseDown: (event) => event.preventDefault(),
    onPointerDown: (event) => {
      // A field that loses the focus takes what the user has typed into it, before the board changes.
      (document.activeElement as HTMLElement | null)?.blur();
      const cell = placeOf(event.target);
      if (cell === null || event.button !== 0) return;
      pressed.current = cell;
      // A touched element captures the pointer, so without this release other cells would not notice the pointer.
      (event.target as Element).releasePointerCapture(event.pointerId);
      hasChosen.current = isPieceToChoose(state, cell);
      if (state.mode === 'edit') change((now) => paintCell(now, cell));
      else if (hasChosen.current) change((now) => chooseCell(now, cell));
    },
    onPointerMove: (event) => {
      const cell = placeOf(event.target);
      if (state.mode !== 'edit' || event.buttons !== 1 || cell === null || pressed.current === null) return;
      if (isSameCell(cell, pressed.current)) return;
      pressed.current = cell;
      change((now) => paintCell(now, cell));
    },
    onPointerUp: (event) => {
      const end = placeOf(document.elementFromPoint(event.clientX, event.clientY));
      const move = pressed.current && end && moveOfDrag(state, pressed.current, end);
      pressed.current = null;
      if (move) change((now) => playPageMove(now, move));
    },
    onClick: (event) => {
      const mark = (event.target as Element).closest('[data-mark]');
      const cell = placeOf(event.target);
      if (mark !== null) change((now) => playPageMove(now, moves[Number(mark.getAttribute('data-mark'))]));
      else if (cell !== null && !hasChosen.current && state.mode === 'play')
        change((now) => clickCell(now, cell));
      hasChosen.current = false;
    },
  };
}

/** Returns the move of a piece from the cell where the pointer was pressed to the cell where it was released. */
function moveOfDrag(state: PageState, start: CellPlace, end: CellPlace): PageMove | null {
  const game = gameOf(state);
  if (game === null || isComputersTurn(state)) return null;
  return movesToCell(game, start, end).at(0) ?? null;
}

function isPieceToChoose(state: PageState, cell: CellPlace): boolean {
  const game = gameOf(state);
  if (game === null || isComputersTurn(state)) return false;
  const isChosen = state.chosen !== null && isSameCell(state.chosen, cell);
  const isTarget = state.chosen !== null && movesToCell(game, state.chosen, cell).length > 0;
  return !isChosen && !isTarget && movesAtCell(game, cell).some((move) => 'player' in move);
}

/** Returns the change of the page's state that a key causes on a cell, or null. */
function stepOfKey(
  { mode, problem }: PageState,
  key: string,
  cell: CellPlace,
): ((state: PageState) => PageState) | null {
  if (key === 'Escape') return (state) => chooseCell(state, null);
  const isEdited = mode === 'edit';
  if (key === 'Enter' || key === ' ')
    return (state) => (isEdited ? paintCell(state, cell) : clickCell(state, cell));
  const letter = [key, key.toUpperCase()].find((text) => isCell(problem.style, text));
  return isEdited && letter !== undefined ? (state) => paintCell(state, cell, letter) : null;
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Returns the cell that an arrow key leads to; at the edge of the board, the same cell; for other keys, null. */
function neighbourOf([row, column]: CellPlace, key: string, rows: number, cols: number): CellPlace | null {
  const step = STEPS[key];
  if (step === undefined) return null;
  return [clamp(row + step[0], rows), clamp(column + step[1], cols)];
}

function clamp(value: number, max: number): number {
  return Math.max(1, Math.min(value, max));
}

/** Returns the place of the cell that contains an element. */
function placeOf(target: EventTarget | null): CellPlace | null {
  const cell = (target as Element | null)?.closest?.('.cell');
  return cell ? [Number(cell.getAttribute('data-row')), Number(cell.getAttribute('data-col'))] : null;
}

export function cellElement(parent: Element | null, [row, column]: CellPlace): SVGGElement | null {
  return parent?.querySelector<SVGGElement>(`.cell[data-row="${row}"][data-col="${column}"]`) ?? null;
}
