/**
 * Turns the drawings that src/explain/drawing makes into elements of the page. A cell and a mark are only drawn again when they
 * have changed.
 */
import { type ComponentChild, type ComponentChildren, h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { CellPlace } from '../../../problems/explanation.js';
import { drawBoardOutline, drawCellOfLastMove, drawGrid } from '../../drawing/board.js';
import { CELL_LOOKS } from '../../drawing/cells.js';
import { type ColorName, fillAttributes } from '../../drawing/colors.js';
import type { DrawnElement } from '../../drawing/element.js';
import { type BoardMark, CELL_SIDE, drawMark } from '../../drawing/marks.js';
import { isSameCell } from '../state/state.js';
import { MemoComponent } from './memo.js';
import type { CellWindow } from './scroll-cue.js';

/** What the page adds to a cell of a board. */
export interface CellProps {
  readonly class: string;
  readonly label: string;
  readonly isDisabled: boolean;
}

/** A mark, and the index of its move among the moves that can be clicked; -1 for a mark that is not a move. */
export interface LiveMark {
  readonly mark: BoardMark;
  readonly index: number;
}

/** The cells of a board, and what the page says about them. Another object means that cells may have changed. */
interface LiveCells {
  /** The texts of the cells, by row and column. */
  readonly cells: readonly (readonly string[])[];
  propsOf(place: CellPlace, isCursor: boolean): CellProps;
}

/** A board in the page: its cells, and what is shown on top of them. */
interface LiveBoard {
  readonly problem: string;
  readonly cells: LiveCells;
  readonly marks: readonly LiveMark[];
  readonly lastCells: readonly CellPlace[];
  /** Space around the board for labels and links. */
  readonly margin: number;
  /** The cell that the Tab key reaches. */
  readonly cursor: CellPlace;
  /** The part of the board that is drawn. The cursor is always drawn. */
  readonly visible: CellWindow;
  /** What is shown between the cells and the marks. */
  readonly overlay: ComponentChildren;
  /** The name of the board for screen readers. */
  readonly label: string;
}

export function LiveDrawing(board: LiveBoard): JSX.Element {
  const { problem, marks, lastCells, margin, cursor, visible, overlay, label } = board;
  const { cells } = board.cells;
  const [rows, cols] = [cells.length, cells[0].length];
  const [width, height] = [cols * CELL_SIDE + 2 * margin, rows * CELL_SIDE + 2 * margin];
  const lines = useMemo(
    () => [drawGrid(rows, cols), drawBoardOutline(rows, cols)].map(renderDrawnElement),
    [rows, cols],
  );
  // Elements that stay the same object are not looked at again, such as when the pointer moves over a large board.
  const drawn = useMemo(
    () => <Cells problem={problem} source={board.cells} cursor={cursor} visible={visible} />,
    [problem, board.cells, ...cursor, ...Object.values(visible)],
  );
  const drawnMarks = useMemo(
    () => (
      <Decoration name="marks">
        {marks.map(({ mark, index }) => (
          <Mark text={JSON.stringify(mark)} mark={mark} index={index} />
        ))}
      </Decoration>
    ),
    [marks],
  );
  const box = [-margin, -margin, width, height];
  // Two drawings, because a change of one drawing makes the browser go through all of its elements.
  return (
    <>
      <Grid box={box} label={label} rows={rows} cols={cols}>
        {drawn}
        <Decoration name="lines">{lines}</Decoration>
      </Grid>
      <svg class="board-overlay" aria-hidden="true" {...lookOf(box)}>
        <g class="last">{lastCells.map((place) => renderDrawnElement(drawCellOfLastMove(place)))}</g>
        {overlay}
        {drawnMarks}
      </svg>
    </>
  );
}

interface CellsProps {
  readonly problem: string;
  readonly source: LiveCells;
  readonly cursor: CellPlace;
  readonly visible: CellWindow;
}

function Cells({ problem, source, cursor, visible }: CellsProps): JSX.Element {
  const { cells } = source;
  const [rows, cols] = [cells.length, cells[0].length];
  return (
    <>
      <Decoration name="grounds">
        <rect class="fill-cell" width={cols * CELL_SIDE} height={rows * CELL_SIDE} />
        {rowsIn(visible, rows).map((row) => (
          <Grounds
            key={row}
            problem={problem}
            row={row}
            column={visible.left}
            text={cells[row - 1].slice(visible.left - 1, visible.right).join(' ')}
          />
        ))}
      </Decoration>
      {rowsIn(visible, rows, cursor[0]).map((row) => (
        // biome-ignore lint/a11y/useSemanticElements: SVG has no rows
        <g role="row" key={row} aria-rowindex={row}>
          {columnsIn(visible, cols, row, cursor).map((column) => (
            <Cell
              key={column}
              problem={problem}
              text={cells[row - 1][column - 1]}
              row={row}
              column={column}
              {...source.propsOf([row, column], isSameCell(cursor, [row, column]))}
              isCursor={isSameCell(cursor, [row, column])}
            />
          ))}
        </g>
      ))}
    </>
  );
}

interface GridProps {
  readonly box: readonly number[];
  readonly label: string;
  readonly rows: number;
  readonly cols: number;
  readonly children: ComponentChildren;
}

/** A drawing that is a grid for screen readers, whose cells the arrow keys reach. */
function Grid({ box, label, rows, cols, children }: GridProps): JSX.Element {
  const role = { role: 'grid', 'aria-label': label, 'aria-rowcount': rows, 'aria-colcount': cols };
  return h('svg', { class: 'board', ...lookOf(box), ...role }, children);
}

function lookOf(box: readonly number[]): Record<string, string> {
  return {
    viewBox: box.join(' '),
    'font-family': 'system-ui, Helvetica, Arial, sans-serif',
    'text-anchor': 'middle',
  };
}

/** A part of the drawing that screen readers skip. */
export function Decoration({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return h('g', { class: name, 'aria-hidden': 'true' }, children);
}

/** Returns the numbers of the rows to draw: those of the window, and the one of the cursor. */
function rowsIn({ top, bottom }: CellWindow, rows: number, cursorRow?: number): number[] {
  return Array.from({ length: rows }, (_, i) => i + 1).filter(
    (row) => (top <= row && row <= bottom) || row === cursorRow,
  );
}

/** Returns the numbers of the columns to draw in a row. Outside of the window, only the cursor is drawn. */
function columnsIn(
  { top, bottom, left, right }: CellWindow,
  cols: number,
  row: number,
  cursor: CellPlace,
): number[] {
  const isInside = top <= row && row <= bottom;
  return Array.from({ length: cols }, (_, j) => j + 1).filter(
    (column) => (isInside && left <= column && column <= right) || isSameCell(cursor, [row, column]),
  );
}

/**
 * The grounds of a row, one element for each colour. All grounds are below the contents of all cells, so that a block can move
 * over other cells.
 */
class Grounds extends MemoComponent<{ problem: string; row: number; column: number; text: string }> {
  render(): ComponentChild {
    const { problem, row, column, text } = this.props;
    const paths = new Map<ColorName, string>();
    text.split(' ').forEach((cell, j) => {
      const { ground } = CELL_LOOKS[problem](cell, row, column + j);
      const corner = `${(column + j - 1) * CELL_SIDE} ${(row - 1) * CELL_SIDE}`;
      paths.set(ground, `${paths.get(ground) ?? ''}M${corner}h${CELL_SIDE}v${CELL_SIDE}h-${CELL_SIDE}z`);
    });
    return [...paths].map(([ground, d]) => h('path', { d, ...fillAttributes(ground) }));
  }
}

type LiveCell = CellProps & { problem: string; text: string; row: number; column: number; isCursor: boolean };

class Cell extends MemoComponent<LiveCell> {
  render(): ComponentChild {
    const { problem, text, row, column, isCursor, label, isDisabled, class: className } = this.props;
    return (
      // biome-ignore lint/a11y/useSemanticElements: SVG has no cells of tables
      <g
        class={className}
        data-row={row}
        data-col={column}
        transform={`translate(${(column - 1) * CELL_SIDE} ${(row - 1) * CELL_SIDE})`}
        role="gridcell"
        tabindex={isCursor ? 0 : -1}
        aria-colindex={column}
        aria-label={label}
        aria-disabled={isDisabled ? 'true' : undefined}
      >
        <rect class="hit" width={CELL_SIDE} height={CELL_SIDE} />
        <Content problem={problem} text={text} row={row} column={column} />
      </g>
    );
  }
}

class Content extends MemoComponent<Pick<LiveCell, 'problem' | 'text' | 'row' | 'column'>> {
  render(): ComponentChild {
    const { problem, text, row, column } = this.props;
    return <g class="content">{CELL_LOOKS[problem](text, row, column).content.map(renderDrawnElement)}</g>;
  }
}

/** A mark. `text` says whether the mark has changed, because marks are made anew for each position. */
class Mark extends MemoComponent<{ text: string; mark: BoardMark; index: number }> {
  override shouldComponentUpdate(next: { text: string; index: number }): boolean {
    return next.text !== this.props.text || next.index !== this.props.index;
  }

  render(): ComponentChild {
    return renderDrawnElement(drawMark(this.props.mark, this.props.index));
  }
}

/** Turns a drawing into elements of the page. Titles are left out, because browsers show them under the pointer. */
export function renderDrawnElement(part: DrawnElement | string): ComponentChild {
  if (typeof part === 'string') return part;
  const { tag, attributes, children } = part;
  if (tag === 'title' || tag === 'desc') return null;
  return h(tag, attributes, children.map(renderDrawnElement));
}
