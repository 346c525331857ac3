/** Notices whether the board can be scrolled, in which directions there is more to see, and which cells are visible. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A part of a board, with both bounds inside. */
export interface CellWindow {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

interface ScrollCue {
  /** Whether the board can be scrolled at all. */
  readonly canScroll: boolean;
  /** The cells that are visible, and some around them. */
  readonly visible: CellWindow;
  /** The properties of the element that scrolls. The style sheet shows a shadow at each edge that `data-more` names. */
  readonly props: {
    readonly ref: RefObject<HTMLDivElement | null>;
    readonly onScroll: () => void;
    readonly 'data-more': string;
  };
}

/** Number of cells around the visible ones that are drawn as well, and after which the window moves on. */
const SPARE = 6;

/** `scale` changes whenever the cells may get another size. */
export function useScrollCue(rows: number, cols: number, scale: unknown): ScrollCue {
  const ref = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState('');
  // As a text, because the page is only drawn again if the state differs from the one before.
  const [bounds, setBounds] = useState(`1 ${3 * SPARE} 1 ${3 * SPARE}`);
  const look = () => {
    const element = ref.current!;
    setMore(hiddenEdges(element));
    const { scrollTop, scrollLeft, clientHeight, clientWidth, scrollHeight, scrollWidth } = element;
    const vertical = visibleSteps(scrollTop, clientHeight, scrollHeight, rows);
    const horizontal = visibleSteps(scrollLeft, clientWidth, scrollWidth, cols);
    setBounds([...vertical, ...horizontal].join(' '));
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(ref.current!);
    look();
    return () => observer.disconnect();
  }, [rows, cols, scale]);
  const [top, bottom, left, right] = bounds.split(' ').map(Number);
  return {
    canScroll: more !== '',
    visible: { top, bottom, left, right },
    props: { ref, onScroll: look, 'data-more': more },
  };
}

/** Returns the first and the last row (or column) to draw, in steps, so that not every scrolling draws the board again. */
function visibleSteps(
  scrolled: number,
  seen: number,
  size: number,
  count: number,
): [first: number, last: number] {
  const cellSize = size / count;
  const first = Math.floor(scrolled / cellSize / SPARE) * SPARE - SPARE;
  const last = Math.ceil((scrolled + seen) / cellSize / SPARE) * SPARE + SPARE;
  return [Math.max(1, first), Math.min(count, last)];
}

/** Returns the names of the edges behind which a part of the content is hidden. */
function hiddenEdges({
  scrollLeft,
  scrollTop,
  scrollWidth,
  scrollHeight,
  clientWidth,
  clientHeight,
}: HTMLElement): string {
  const edges = [
    scrollTop > 1 && 'top',
    scrollTop + clientHeight < scrollHeight - 1 && 'bottom',
    scrollLeft > 1 && 'left',
    scrollLeft + clientWidth < scrollWidth - 1 && 'right',
  ];
  return edges.filter(Boolean).join(' ');
}
