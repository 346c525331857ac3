/** Shows the board at the current moment, and gives its cells their descriptions and actions. */
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { CellPlace } from '../../problems/explanation.js';
import { drawBoard } from '../drawing/board.js';
import type { DrawnElement } from '../drawing/element.js';
import { type BoardMark, CELL_SIDE } from '../drawing/marks.js';
import { markOfMove } from '../drawing/move-marks.js';
import { useAnimation } from './animation.js';
import { useBoardInput } from './board-input.js';
import { type BoardRows, cellsOf } from './board-text.js';
import { Chooser } from './chooser.js';
import { type CellProps, LiveDrawing } from './drawing.js';
import type { PageMove } from './games.js';
import type { PartProps } from './parts.js';
import { legalMoves, shownRows } from './session.js';
import {
  boardSizeOf,
  clickableCells,
  gameOf,
  isComputersTurn,
  isSameCell,
  movesAtCell,
  type PageState,
} from './state.js';
import { nameOfCell, nameOfMove, nameOfPlace, nameOfValue } from './words.js';

/** The narrowest and the widest that a cell becomes, in pixels. A board that is too large for the screen can be scrolled. */
const MIN_CELL = 19;
const MAX_CELL = 88;

export function BoardView({
  state,
  change,
  previewed,
}: PartProps & { previewed: PageMove | null }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const [rows, cols] = boardSizeOf(state);
  const moves = useMemo(() => clickableMoves(state), [state]);
  const drawing = useMemo(() => drawState(state, moves), [state, moves]);
  const { cursor, ...handlers } = useBoardInput(state, change, moves, frame);
  const cells = useMemo(() => new CellTexts(state, moves), [state, moves]);
  useAnimation(frame, state.session);
  return (
    <div class="board-frame" ref={frame}>
      <div class="board-scroll">
        <div class={`board-size ${state.mode}`} style={sizeStyle(drawing)} {...handlers}>
          <LiveDrawing
            drawing={drawing}
            propsOfCell={(place) => cells.propsOf(place, isSameCell(place, cursor))}
            overlay={previewed && <Preview move={previewed} />}
            label={`${state.problem.name} board, ${rows} by ${cols}`}
          />
        </div>
      </div>
      <Chooser state={state} change={change} />
    </div>
  );
}

function sizeStyle({ attributes }: DrawnElement): Record<string, string> {
  const [, , width, height] = String(attributes.viewBox).split(' ').map(Number);
  return {
    minWidth: `${(width / CELL_SIDE) * MIN_CELL}px`,
    minHeight: `${(height / CELL_SIDE) * MIN_CELL}px`,
    maxWidth: `${(width / CELL_SIDE) * MAX_CELL}px`,
    aspectRatio: `${width} / ${height}`,
  };
}

/** Returns the moves that the board marks: all legal moves, or those of the chosen cell. */
function clickableMoves(state: PageState): readonly PageMove[] {
  const game = gameOf(state);
  if (game === null || isComputersTurn(state)) return [];
  return state.chosen === null ? legalMoves(game) : movesAtCell(game, state.chosen);
}

function drawState(state: PageState, moves: readonly PageMove[]): DrawnElement {
  const [rows, cols] = boardSizeOf(state);
  const moveMarks = moves.map((move) => withoutValue(markOfMove(move, rows, cols), state.hasValues));
  return drawBoard(state.problem.name, rowsToDraw(state), {
    marks: [...moveMarks, ...linkMarks(state)],
    lastCells: state.mode === 'play' ? changedCells(state) : [],
    hasCoordinates: true,
    hasRing: state.session?.kind === 'replay' || state.problem.show.kind === 'replay',
  });
}

/** Hides the value of the move in its mark. The marks of lines get the label `?`, because labels can be clicked. */
function withoutValue(mark: BoardMark, hasValues: boolean): BoardMark {
  if (hasValues) return mark;
  const { label: _, ...plain } = { ...mark, tone: 'plain' as const };
  return mark.kind === 'line' ? { ...plain, label: '?' } : plain;
}

function linkMarks({ session, mode }: PageState): BoardMark[] {
  if (session?.kind !== 'replay' || mode === 'edit') return [];
  const { line } = session.frames[session.at];
  return line.length === 0 ? [] : [{ kind: 'link', tone: 'plain', line }];
}

function rowsToDraw({ session, mode, rows }: PageState): BoardRows {
  return session === null || mode === 'edit' ? rows : shownRows(session);
}

/** Returns the cells that the last move has changed, or into which blocks have moved. */
function changedCells({ session, problem: { style } }: PageState): CellPlace[] {
  if (session === null || session.at === 0) return [];
  if (session.kind === 'replay') return session.frames[session.at].moves.map(({ to }) => to);
  const [before, now] = [session.at - 1, session.at].map((at) => session.game.rowsAt(session.positions[at]));
  return now.flatMap((row, i) =>
    cellsOf(style, row).flatMap((cell, j): CellPlace[] =>
      cellsOf(style, before[i])[j] === cell ? [] : [[i + 1, j + 1]],
    ),
  );
}

/** Highlights the cells of the move under the pointer in the list of moves. */
function Preview({ move }: { move: PageMove }): JSX.Element {
  const cells = 'to' in move && !('line' in move) ? [...clickableCells(move), move.to] : clickableCells(move);
  return (
    <g class="preview">
      {cells.map(([row, column]) => (
        <rect x={(column - 1) * CELL_SIDE} y={(row - 1) * CELL_SIDE} width={CELL_SIDE} height={CELL_SIDE} />
      ))}
    </g>
  );
}

/** The texts of the board's cells for screen readers, and the attributes of cells that can be clicked. */
class CellTexts {
  readonly #state: PageState;
  readonly #cells: readonly (readonly string[])[];
  /** For each cell, the moves that a click on the cell can mean. */
  readonly #moves = new Map<string, PageMove[]>();

  constructor(state: PageState, moves: readonly PageMove[]) {
    this.#state = state;
    this.#cells = rowsToDraw(state).map((row) => cellsOf(state.problem.style, row));
    for (const move of moves) {
      for (const start of clickableCells(move)) this.#add(start, move);
      if (state.chosen !== null && 'player' in move) this.#add(move.to, move);
    }
  }

  #add(place: CellPlace, move: PageMove): void {
    this.#moves.set(place.join(), [...(this.#moves.get(place.join()) ?? []), move]);
  }

  propsOf(place: CellPlace, isCursor: boolean): CellProps {
    const { problem, mode, chosen } = this.#state;
    const isInert = mode === 'play' && problem.show.kind === 'replay';
    const moves = this.#moves.get(place.join()) ?? [];
    const isActive = mode === 'edit' || moves.length > 0;
    const isChosen = chosen !== null && isSameCell(place, chosen);
    const isPiece = moves.some((move) => 'player' in move && isSameCell(move.from, place));
    const classes = [
      'cell',
      isActive && 'active',
      isPiece && 'piece',
      isChosen && 'chosen',
      this.#isPopped(place) && 'popped',
    ];
    const className = classes.filter(Boolean).join(' ');
    if (isInert) return { class: className };
    const [row, column] = place;
    const name = `${nameOfPlace(place)}: ${nameOfCell(problem, this.#cells[row - 1][column - 1])}`;
    return {
      class: className,
      role: 'button',
      tabindex: isCursor ? 0 : -1,
      'aria-label': [name, ...moves.map((move) => this.#nameOf(move))].join('; '),
      'aria-disabled': isActive ? undefined : 'true',
    };
  }

  #nameOf(move: PageMove): string {
    return this.#state.hasValues ? `${nameOfMove(move)} ${nameOfValue(move)}` : nameOfMove(move);
  }

  #isPopped(place: CellPlace): boolean {
    const { session, mode } = this.#state;
    if (session?.kind !== 'replay' || mode === 'edit') return false;
    return session.frames[session.at].popped.some((cell) => isSameCell(cell, place));
  }
}
