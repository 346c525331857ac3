/** Handles the pointer and the keys with which the board is played and painted. */
import type { HTMLAttributes, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CellPlace } from '../../../problems/explanation.js';
import { isCellText } from '../boards/board-text.js';
import type { PageMove } from '../games.js';
import { paintCell } from '../state/editing.js';
import {
  canUserMove,
  chooseCell,
  clickCell,
  movesAtCell,
  movesToCell,
  playPageMove,
} from '../state/playing.js';
import { boardSizeOf, gameOf, isSameCell, type PageState } from '../state/state.js';
import type { ChangeState, PreviewMove } from './parts.js';

type Handlers = Pick<
  HTMLAttributes<HTMLDivElement>,
  | 'onClick'
  | 'onFocusCapture'
  | 'onKeyDown'
  | 'onMouseDown'
  | 'onPointerDown'
  | 'onPointerLeave'
  | 'onPointerMove'
  | 'onPointerUp'
>;

interface BoardInput {
  readonly state: PageState;
  readonly change: ChangeState;
  readonly preview: PreviewMove;
  /** The moves that have a mark on the board. */
  readonly moves: readonly PageMove[];
  readonly frame: RefObject<HTMLElement | null>;
}

/** Returns the cell that the Tab key reaches, and the handlers of events on the board. */
export function useBoardInput(input: BoardInput): Handlers & { cursor: CellPlace } {
  const { state, change, frame } = input;
  const [reached, setCursor] = useState<CellPlace>([1, 1]);
  const [rows, cols] = boardSizeOf(state);
  const cursor: CellPlace = [Math.min(reached[0], rows), Math.min(reached[1], cols)];
  /** The cell that gets the focus as soon as it is drawn. */
  const target = useRef<CellPlace | null>(null);
  const moveCursor = (place: CellPlace) => {
    target.current = place;
    setCursor(place);
  };
  useLayoutEffect(() => {
    if (target.current !== null) cellElement(frame.current, target.current)?.focus();
    target.current = null;
  }, [reached]);
  return {
    cursor,
    onFocusCapture: (event) => {
      const cell = cellPlaceOf(event.target);
      if (cell !== null && !isSameCell(cell, cursor)) setCursor(cell);
    },
    onKeyDown: (event) => {
      const cell = cellPlaceOf(event.target);
      if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = neighbourOf(cell, event.key, rows, cols);
      const step = stepOfKey(state, event.key, cell);
      if (next === null && step === null) return;
      event.preventDefault();
      if (next === null) change(step!);
      else moveCursor(next);
    },
    ...usePointer(input),
  };
}

/** Returns the handlers of the pointer: clicks play moves, and drags move a piece or paint cells. */
function usePointer({ state, change, preview, moves }: BoardInput): Omit<Handlers, 'onKeyDown'> {
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
      const cell = cellPlaceOf(event.target);
      if (cell === null || event.button !== 0) return;
      pressed.current = cell;
      // A touched element captures the pointer, so without this release other cells would not notice the pointer.
      (event.target as Element).releasePointerCapture(event.pointerId);
      hasChosen.current = isPieceToChoose(state, cell);
      if (state.mode === 'edit') change((now) => paintCell(now, cell));
      else if (hasChosen.current) change((now) => chooseCell(now, cell));
    },
    onPointerMove: (event) => {
      if (event.pointerType === 'mouse') preview(moveUnderPointer(state, event, moves));
      const cell = cellPlaceOf(event.target);
      if (state.mode !== 'edit' || event.buttons !== 1 || cell === null || pressed.current === null) return;
      if (isSameCell(cell, pressed.current)) return;
      pressed.current = cell;
      change((now) => paintCell(now, cell));
    },
    onPointerLeave: () => preview(null),
    onPointerUp: (event) => {
      const end = cellPlaceOf(document.elementFromPoint(event.clientX, event.clientY));
      const move = pressed.current && end && moveOfDrag(state, pressed.current, end);
      pressed.current = null;
      if (move) change((now) => playPageMove(now, move));
    },
    onClick: (event) => {
      const isFirst = event.detail < 2;
      const isMouse = (event as unknown as PointerEvent).pointerType === 'mouse';
      const move =
        isMouse || markIndexOf(event.target) !== null ? moveUnderPointer(state, event, moves) : null;
      const cell = cellPlaceOf(event.target);
      preview(null);
      // The second click of a double click would play a second move.
      if (move !== null && !hasChosen.current && isFirst) change((now) => playPageMove(now, move));
      else if (cell !== null && !hasChosen.current && isFirst && state.mode === 'play')
        change((now) => clickCell(now, cell));
      hasChosen.current = false;
    },
  };
}

/**
 * Returns the move that a click plays at once: that of a mark, or the only one of a cell. If a cell has a row and a column to
 * fill, the pointer chooses: near the left and right edges of the cell the row, near the others the column.
 */
function moveUnderPointer(state: PageState, event: MouseEvent, moves: readonly PageMove[]): PageMove | null {
  if (!canUserMove(state)) return null;
  const mark = markIndexOf(event.target);
  if (mark !== null) return moves[mark] ?? null;
  const cell = cellPlaceOf(event.target);
  const game = gameOf(state);
  if (cell === null || game === null) return null;
  if (state.chosen !== null) return movesToCell(game, state.chosen, cell).at(0) ?? null;
  const atCell = movesAtCell(game, cell).filter((move) => !('player' in move));
  if (atCell.length < 2) return atCell.at(0) ?? null;
  const line = nearerLine((event.target as Element).closest('.cell')!.getBoundingClientRect(), event);
  return atCell.find((move) => 'line' in move && move.line === line) ?? atCell[0];
}

function nearerLine(
  { left, top, width, height }: DOMRect,
  { clientX, clientY }: MouseEvent,
): 'row' | 'column' {
  const fromMiddle = (at: number, start: number, size: number) => Math.abs((at - start) / size - 0.5);
  return fromMiddle(clientX, left, width) >= fromMiddle(clientY, top, height) ? 'row' : 'column';
}

/** Returns the move of a piece from the cell where the pointer was pressed to the cell where it was released. */
function moveOfDrag(state: PageState, start: CellPlace, end: CellPlace): PageMove | null {
  const game = gameOf(state);
  if (game === null || !canUserMove(state)) return null;
  return movesToCell(game, start, end).at(0) ?? null;
}

function isPieceToChoose(state: PageState, cell: CellPlace): boolean {
  const game = gameOf(state);
  if (game === null || !canUserMove(state)) return false;
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
  const letter = [key, key.toUpperCase()].find((text) => isCellText(problem.style, text));
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
function cellPlaceOf(target: EventTarget | null): CellPlace | null {
  const cell = (target as Element | null)?.closest?.('.cell');
  return cell ? [Number(cell.getAttribute('data-row')), Number(cell.getAttribute('data-col'))] : null;
}

/** Returns the index of the mark that contains an element. */
function markIndexOf(target: EventTarget | null): number | null {
  const mark = (target as Element | null)?.closest?.('[data-mark]');
  return mark ? Number(mark.getAttribute('data-mark')) : null;
}

export function cellElement(parent: Element | null, [row, column]: CellPlace): SVGGElement | null {
  return parent?.querySelector<SVGGElement>(`.cell[data-row="${row}"][data-col="${column}"]`) ?? null;
}
