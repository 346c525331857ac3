/** Animates the steps of a replay: the link of a pop is drawn, its blocks vanish, and blocks move cell by cell. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BlockMove } from '../../../games/link-and-pop/replay.js';
import type { CellPlace } from '../../../problems/explanation.js';
import { CELL_SIDE } from '../../drawing/marks.js';
import type { ReplayFrame } from '../engine/messages.js';
import type { PageSession } from '../state/state.js';
import { cellElement } from './board-input.js';

/** Durations in milliseconds. */
const LINK_TIME = 420;
const STEP_TIME = 130;
const MAX_MOVE_TIME = 700;

/** Animates the next frame of a replay when the user goes one step forward. Other jumps in time are shown at once. */
export function useStepAnimation(board: RefObject<HTMLElement | null>, session: PageSession | null): void {
  const earlier = useRef<PageSession | null>(null);
  useLayoutEffect(() => {
    const before = earlier.current;
    earlier.current = session;
    if (session?.kind !== 'replay' || before?.kind !== 'replay') return;
    const isNextStep = before.pops === session.pops && before.shown + 1 === session.shown;
    if (isNextStep && !prefersReducedMotion()) animateFrame(board.current!, session.frame);
  }, [session]);
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function animateFrame(board: HTMLElement, { line, popped, moves }: ReplayFrame): void {
  if (line.length > 0) drawLink(board);
  for (const place of popped) vanish(cellElement(board, place));
  for (const path of pathsOf(moves)) moveBlock(board, path);
}

function drawLink(board: HTMLElement): void {
  for (const path of board.querySelectorAll<SVGPathElement>('.link-mark path')) {
    const length = path.getTotalLength();
    const dashes = { strokeDasharray: `${length} ${length}` };
    path.animate(
      [
        { ...dashes, strokeDashoffset: length },
        { ...dashes, strokeDashoffset: 0 },
      ],
      { duration: LINK_TIME, easing: 'ease-in-out' },
    );
  }
}

function vanish(cell: SVGGElement | null): void {
  contentOf(cell)?.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, {}], { duration: 2 * LINK_TIME });
}

/** Returns for each moved block the cells of its way, from the first to the last. */
function pathsOf(moves: readonly BlockMove[]): CellPlace[][] {
  const paths = new Map<string, CellPlace[]>();
  for (const { from, to } of moves) {
    const path = paths.get(from.join()) ?? [from];
    paths.delete(from.join());
    paths.set(to.join(), [...path, to]);
  }
  return [...paths.values()];
}

function moveBlock(board: HTMLElement, path: readonly CellPlace[]): void {
  const [endRow, endColumn] = path[path.length - 1];
  const steps = path.map(([row, column]) => ({
    transform: `translate(${(column - endColumn) * CELL_SIDE}px, ${(row - endRow) * CELL_SIDE}px)`,
  }));
  const duration = Math.min(STEP_TIME * (steps.length - 1), MAX_MOVE_TIME);
  contentOf(cellElement(board, path[path.length - 1]))?.animate(steps, { duration, easing: 'ease-in-out' });
}

function contentOf(cell: SVGGElement | null): Element | null {
  return cell?.querySelector('.content') ?? null;
}
