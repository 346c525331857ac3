/**
 * Turns the drawings that src/explain/drawing makes into elements of the page. A cell, a row and a mark are only drawn again when
 * they have changed.
 */
import { type ComponentChild, type ComponentChildren, h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { CellPlace } from '../../../problems/explanation.js';
import { drawEdge, drawGrid, drawLastCell } from '../../drawing/board.js';
import { CELL_LOOKS } from '../../drawing/cells.js';
import { filled } from '../../drawing/colors.js';
import type { DrawnElement } from '../../drawing/element.js';
import { type BoardMark, CELL_SIDE, drawMark } from '../../drawing/marks.js';
import { MemoComponent } from './memo.js';

/** What the page adds to a cell of a board. */
export interface CellProps {
  readonly class: string;
  readonly label: string;
  readonly isDisabled: boolean;
}

/** A board in the page: its cells, what is shown on top of them, and what the page says about them. */
interface LiveBoard {
  readonly problem: string;
  /** The texts of the cells, by row and column. */
  readonly cells: readonly (readonly string[])[];
  readonly marks: readonly BoardMark[];
  readonly lastCells: readonly CellPlace[];
  /** Space around the board for labels and links. */
  readonly margin: number;
  readonly propsOfCell: (place: CellPlace) => CellProps;
  /** The cell that the Tab key reaches. */
  readonly cursor: CellPlace;
  /** What is shown between the cells and the marks. */
  readonly overlay: ComponentChildren;
  /** The name of the board for screen readers. */
  readonly label: string;
}

export function LiveDrawing(board: LiveBoard): JSX.Element {
  const { problem, cells, marks, lastCells, margin, propsOfCell, cursor, overlay, label } = board;
  const [rows, cols] = [cells.length, cells[0].length];
  const [width, height] = [cols * CELL_SIDE + 2 * margin, rows * CELL_SIDE + 2 * margin];
  const lines = useMemo(() => [drawGrid(rows, cols), drawEdge(rows, cols)].map(nodeOf), [rows, cols]);
  return (
    <svg
      class="board"
      viewBox={`${-margin} ${-margin} ${width} ${height}`}
      font-family="system-ui, Helvetica, Arial, sans-serif"
      text-anchor="middle"
      role="grid"
      aria-label={label}
      aria-rowcount={rows}
      aria-colcount={cols}
    >
      <g class="grounds" aria-hidden="true">
        {cells.map((row, i) => (
          <Grounds problem={problem} row={i + 1} text={row.join(' ')} />
        ))}
      </g>
      {cells.map((row, i) => (
        // biome-ignore lint/a11y/useSemanticElements: SVG has no rows
        // biome-ignore lint/a11y/useFocusableInteractive: its cells get the focus
        <g role="row">
          {row.map((text, j) => (
            <Cell
              problem={problem}
              text={text}
              row={i + 1}
              column={j + 1}
              {...propsOfCell([i + 1, j + 1])}
              isCursor={cursor[0] === i + 1 && cursor[1] === j + 1}
            />
          ))}
        </g>
      ))}
      <g class="lines" aria-hidden="true">
        {lines}
      </g>
      <g class="last" aria-hidden="true">
        {lastCells.map((place) => nodeOf(drawLastCell(place)))}
      </g>
      {overlay}
      <g class="marks" aria-hidden="true">
        {marks.map((mark, index) => (
          <Mark text={JSON.stringify(mark)} mark={mark} index={index} />
        ))}
      </g>
    </svg>
  );
}

/** The grounds of a row. All grounds are below the contents of all cells, so that a block can move over other cells. */
class Grounds extends MemoComponent<{ problem: string; row: number; text: string }> {
  render(): ComponentChild {
    const { problem, row, text } = this.props;
    return text.split(' ').map((cell, j) => {
      const { ground } = CELL_LOOKS[problem](cell, row, j + 1);
      const place = { x: j * CELL_SIDE, y: (row - 1) * CELL_SIDE, width: CELL_SIDE, height: CELL_SIDE };
      return h('rect', { ...place, ...filled(ground) });
    });
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
    return <g class="content">{CELL_LOOKS[problem](text, row, column).content.map(nodeOf)}</g>;
  }
}

/** A mark. `text` says whether the mark has changed, because marks are made anew for each position. */
class Mark extends MemoComponent<{ text: string; mark: BoardMark; index: number }> {
  override shouldComponentUpdate(next: { text: string; index: number }): boolean {
    return next.text !== this.props.text || next.index !== this.props.index;
  }

  render(): ComponentChild {
    return nodeOf(drawMark(this.props.mark, this.props.index));
  }
}

/** Turns a drawing into elements of the page. Titles are left out, because browsers show them under the pointer. */
export function nodeOf(part: DrawnElement | string): ComponentChild {
  if (typeof part === 'string') return part;
  const { tag, attributes, children } = part;
  if (tag === 'title' || tag === 'desc') return null;
  return h(tag, attributes, children.map(nodeOf));
}
