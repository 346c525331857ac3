/** Shows the board at the current moment, and gives its cells their descriptions and actions. */
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { CellPlace } from '../../../problems/explanation.js';
import { BOARD_MARGIN, SPACE_FOR_BOARD_RING } from '../../drawing/board.js';
import { type BoardMark, CELL_SIDE } from '../../drawing/marks.js';
import { markOfMove } from '../../drawing/move-marks.js';
import { cellsOfBoardRow } from '../boards/board-text.js';
import type { PageMove } from '../games.js';
import { legalMoves, shownNode } from '../state/game-tree.js';
import { areValuesShown, canUserMove, movesAtCell } from '../state/playing.js';
import {
  boardSizeOf,
  clickableCells,
  gameOf,
  isSameCell,
  isWaitingForEngine,
  type PageState,
  shownRows,
} from '../state/state.js';
import { moveOutcomeInWords, nameOfCellContent, nameOfMove, nameOfPlace } from '../state/words.js';
import { useStepAnimation } from './animation.js';
import { type CellProps, LiveDrawing, type LiveMark } from './board-drawing.js';
import { useBoardInput } from './board-input.js';
import { MoveChooser } from './chooser.js';
import type { PartProps, PreviewMove } from './parts.js';
import { MovePreview } from './preview.js';
import { useScrollCue } from './scroll-cue.js';
import { WhyOverlay } from './why.js';

/** Number of cells of a row from which the page offers to show the whole board, with cells that may be small. */
const CROWDED = 13;
/** Largest number of cells that are always drawn. Of a larger board, only the cells in view and some around them are. */
const MAX_DRAWN = 400;
/** Number of moves from which only winning moves and ties are marked. The cells are then too small for other numbers. */
const MANY_MOVES = 300;

interface BoardProps extends PartProps {
  readonly previewed: PageMove | null;
  readonly preview: PreviewMove;
  readonly isWhyOpen: boolean;
}

export function BoardView({ state, change, previewed, preview, isWhyOpen }: BoardProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const [isWhole, showWhole] = useState(false);
  const [rows, cols] = boardSizeOf(state);
  const isBlocked = !canUserMove(state) && !isWaitingForEngine(state);
  const { session, mode, chosen } = state;
  const hasValues = areValuesShown(state);
  // What the board shows depends on this alone, and not on messages or on what the page waits for.
  const shown = [session, mode, state.rows, chosen, hasValues, isBlocked];
  const moves = useMemo(() => clickableMoves(state, isBlocked), shown);
  const cells = useMemo(() => new CellTexts(state, moves), shown);
  const marks = useMemo(() => [...moveMarks(state, moves), ...linkMarks(state)], shown);
  const lastCells = useMemo(() => (mode === 'play' ? changedCells(state) : []), shown);
  const { cursor, ...handlers } = useBoardInput({ state, change, preview, moves, frame });
  // A move that the engine is playing is shown at once.
  const ghost = isLegal(state, previewed) ? previewed : pendingMove(state);
  const margin = state.problem.show.kind === 'replay' ? SPACE_FOR_BOARD_RING : BOARD_MARGIN;
  const scroll = useScrollCue(rows, cols, isWhole);
  const isCrowded = Math.max(rows, cols) >= CROWDED;
  const whole = { top: 1, bottom: rows, left: 1, right: cols };
  useStepAnimation(frame, state.session);
  return (
    <div class="board-frame" ref={frame}>
      <div
        class={`board-scroll ${isWhole ? 'whole' : ''}`}
        style={sizeStyle(rows, cols, margin)}
        {...scroll.props}
      >
        <Coordinates kind="columns" count={cols} margin={margin} />
        <Coordinates kind="rows" count={rows} margin={margin} />
        <div class={`board-size ${state.mode}`} {...handlers}>
          <LiveDrawing
            problem={state.problem.name}
            cells={cells}
            marks={marks}
            lastCells={lastCells}
            margin={margin}
            cursor={cursor}
            visible={rows * cols > MAX_DRAWN ? scroll.visible : whole}
            overlay={
              <>
                {isWhyOpen && <WhyOverlay state={state} />}
                {ghost && <MovePreview move={ghost} cells={cells.cells} />}
              </>
            }
            label={`${state.problem.name} board, ${rows} by ${cols}`}
          />
        </div>
      </div>
      {(scroll.canScroll || isWhole) && isCrowded && (
        <p class={rows < CROWDED ? 'scroll-note below' : 'scroll-note'}>
          {isWhole ? 'The whole board is shown.' : 'The board scrolls.'}{' '}
          <button type="button" class="link" onClick={() => showWhole(!isWhole)}>
            {isWhole ? 'Larger cells' : 'Show the whole board'}
          </button>
        </p>
      )}
      <MoveChooser state={state} change={change} preview={preview} frame={frame} />
    </div>
  );
}

/** Says the style sheet how many cells wide and high the drawing is. */
function sizeStyle(rows: number, cols: number, margin: number): Record<string, string> {
  const [width, height] = [cols, rows].map((cells) => cells + (2 * margin) / CELL_SIDE);
  return { '--wide': String(width), '--high': String(height) };
}

/** The numbers of the rows or columns beside the board, in letters of one size for all boards. */
function Coordinates({
  kind,
  count,
  margin,
}: {
  kind: 'rows' | 'columns';
  count: number;
  margin: number;
}): JSX.Element {
  const tracks = `${margin}fr repeat(${count}, ${CELL_SIDE}fr) ${margin}fr`;
  const style = kind === 'rows' ? { gridTemplateRows: tracks } : { gridTemplateColumns: tracks };
  return (
    <div class={`coordinates ${kind}`} style={style} aria-hidden="true">
      <span />
      {Array.from({ length: count }, (_, i) => (
        <span>{i + 1}</span>
      ))}
    </div>
  );
}

/** Whether a move is one of the position on show, and not of one that the user has left. */
function isLegal(state: PageState, move: PageMove | null): boolean {
  const game = gameOf(state);
  return move !== null && game !== null && legalMoves(game).includes(move);
}

/** Returns the move that the engine is playing. */
function pendingMove(state: PageState): PageMove | null {
  const game = gameOf(state);
  const request = state.pending?.request;
  return game !== null && request?.kind === 'play' ? legalMoves(game)[request.index] : null;
}

/** Returns the moves that the board marks: all legal moves, or those of the chosen cell. */
function clickableMoves(state: PageState, isBlocked: boolean): readonly PageMove[] {
  const game = gameOf(state);
  if (game === null || isBlocked) return [];
  return state.chosen === null ? legalMoves(game) : movesAtCell(game, state.chosen);
}

function moveMarks(state: PageState, moves: readonly PageMove[]): LiveMark[] {
  const [rows, cols] = boardSizeOf(state);
  const hasValues = areValuesShown(state);
  const marks = moves.map((move, index) => ({
    mark: withoutValue(markOfMove(move, rows, cols), hasValues),
    index,
  }));
  return moves.length < MANY_MOVES ? marks : marks.filter(({ mark }) => mark.tone !== 'bad');
}

/** Hides the value of the move in its mark. The marks of lines get the label `?`, because labels can be clicked. */
function withoutValue(mark: BoardMark, hasValues: boolean): BoardMark {
  if (hasValues) return mark;
  const { label: _, ...plain } = { ...mark, tone: 'plain' as const };
  return mark.kind === 'line' ? { ...plain, label: '?' } : plain;
}

function linkMarks({ session, mode }: PageState): LiveMark[] {
  if (session?.kind !== 'replay' || mode === 'edit') return [];
  const { line } = session.frame;
  return line.length === 0 ? [] : [{ mark: { kind: 'link', tone: 'plain', line }, index: -1 }];
}

/** Returns the cells that the last move has changed, or into which blocks have moved. */
function changedCells({ session, problem: { style } }: PageState): CellPlace[] {
  if (session === null) return [];
  if (session.kind === 'replay') return session.frame.moves.map(({ to }) => to);
  const { parent, view } = shownNode(session);
  if (parent === -1) return [];
  const before = session.nodes[parent].view.rows.map((row) => cellsOfBoardRow(style, row));
  return view.rows.flatMap((row, i) =>
    cellsOfBoardRow(style, row).flatMap((cell, j): CellPlace[] =>
      before[i][j] === cell ? [] : [[i + 1, j + 1]],
    ),
  );
}

/** The texts of the board's cells, for the drawing and for screen readers, and which cells can be clicked. */
class CellTexts {
  readonly cells: readonly (readonly string[])[];
  readonly #state: PageState;
  readonly #hasValues: boolean;
  /** For each cell, the moves that a click on the cell can mean. */
  readonly #moves = new Map<string, PageMove[]>();

  constructor(state: PageState, moves: readonly PageMove[]) {
    this.#state = state;
    this.#hasValues = areValuesShown(state);
    this.cells = shownRows(state).map((row) => cellsOfBoardRow(state.problem.style, row));
    for (const move of moves) {
      for (const start of clickableCells(move)) this.#add(start, move);
      if (state.chosen !== null && 'player' in move) this.#add(move.to, move);
    }
  }

  #add(place: CellPlace, move: PageMove): void {
    const key = place.join();
    const known = this.#moves.get(key);
    if (known === undefined) this.#moves.set(key, [move]);
    else known.push(move);
  }

  /** The values of moves are only said of the cell that a screen reader reads, so that other cells stay the same. */
  propsOf(place: CellPlace, isCursor: boolean): CellProps {
    const { problem, mode, chosen } = this.#state;
    const moves = this.#moves.get(place.join()) ?? [];
    const isActive = mode === 'edit' || moves.length > 0;
    const classes = [
      'cell',
      isActive && 'active',
      moves.some((move) => 'player' in move && isSameCell(move.from, place)) && 'piece',
      chosen !== null && isSameCell(place, chosen) && 'chosen',
      this.#isPopped(place) && 'popped',
    ];
    const [row, column] = place;
    const name = `${nameOfPlace(place)}: ${nameOfCellContent(problem, this.cells[row - 1][column - 1])}`;
    return {
      class: classes.filter(Boolean).join(' '),
      label: [name, ...moves.map((move) => this.#nameOf(move, isCursor))].join('; '),
      isDisabled: !isActive && problem.show.kind === 'game',
    };
  }

  #nameOf(move: PageMove, hasValue: boolean): string {
    return this.#hasValues && hasValue ? `${nameOfMove(move)} ${moveOutcomeInWords(move)}` : nameOfMove(move);
  }

  #isPopped(place: CellPlace): boolean {
    const { session, mode } = this.#state;
    if (session?.kind !== 'replay' || mode === 'edit') return false;
    return session.frame.popped.some((cell) => isSameCell(cell, place));
  }
}
