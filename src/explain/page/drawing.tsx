/** Turns the drawings that src/explain/drawing makes into elements of the page. */
import { type ComponentChild, h, type JSX } from 'preact';
import type { CellPlace } from '../../problems/explanation.js';
import type { DrawnElement } from '../drawing/element.js';
import { CELL_SIDE } from '../drawing/marks.js';

/** The attributes that the page adds to a cell of a board. Cells without a role cannot be clicked. */
export interface CellProps {
  readonly class: string;
  readonly role?: 'button';
  readonly tabindex?: 0 | -1;
  readonly 'aria-label'?: string;
  readonly 'aria-disabled'?: 'true' | undefined;
}

type PropsOfCell = (place: CellPlace) => CellProps;

/** A board in the page: its drawing, what is shown on top of it, and the attributes of its cells. */
interface LiveBoard {
  readonly drawing: DrawnElement;
  readonly propsOfCell: PropsOfCell;
  /** What is shown on top of the cells and below the marks. */
  readonly overlay: ComponentChild;
  /** The name of the board for screen readers. */
  readonly label: string;
}

/**
 * Draws a board. The title and description of a drawing are left out, because browsers show them under the pointer. The
 * `role` of a picture is left out as well, because it hides the cells from screen readers.
 */
export function LiveDrawing({ drawing, propsOfCell, overlay, label }: LiveBoard): JSX.Element {
  const { role: _, width: _width, height: _height, ...attributes } = drawing.attributes;
  const parts = drawing.children.map((part) =>
    classOf(part) === 'board' ? liveBoard(part as DrawnElement, propsOfCell, overlay) : nodeOf(part),
  );
  return h('svg', { ...attributes, role: 'group', 'aria-label': label }, parts);
}

function liveBoard(
  { attributes, children }: DrawnElement,
  propsOfCell: PropsOfCell,
  overlay: ComponentChild,
): ComponentChild {
  const parts = children.map((part) =>
    classOf(part) === 'cells'
      ? liveCells(part as DrawnElement, propsOfCell)
      : h('g', { 'aria-hidden': 'true' }, nodeOf(part)),
  );
  return h('g', attributes, [...parts, overlay]);
}

/** Draws the grounds of all cells below the contents of all cells, so that a block can move over other cells. */
function liveCells({ children }: DrawnElement, propsOfCell: PropsOfCell): ComponentChild {
  const cells = children as readonly DrawnElement[];
  const grounds = cells.map(({ attributes, children: [ground] }) =>
    h('g', { transform: String(attributes.transform) }, nodeOf(ground)),
  );
  const contents = cells.map(({ attributes, children: [, ...content] }) => {
    const place = [Number(attributes['data-row']), Number(attributes['data-col'])] as const;
    return h('g', { ...attributes, ...propsOfCell(place), key: place.join() }, [
      h('rect', { class: 'hit', width: CELL_SIDE, height: CELL_SIDE }),
      h('g', { class: 'content' }, content.map(nodeOf)),
    ]);
  });
  return h('g', { class: 'cells' }, [
    h('g', { class: 'grounds', 'aria-hidden': 'true' }, grounds),
    ...contents,
  ]);
}

function nodeOf(part: DrawnElement | string): ComponentChild {
  if (typeof part === 'string') return part;
  const { tag, attributes, children } = part;
  if (tag === 'title' || tag === 'desc') return null;
  return h(tag, attributes, children.map(nodeOf));
}

function classOf(part: DrawnElement | string): unknown {
  return typeof part === 'string' ? null : part.attributes.class;
}
