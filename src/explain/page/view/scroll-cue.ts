/** Notices whether a part of the page can be scrolled, and in which directions there is more to see. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface ScrollCue {
  /** Whether the element can be scrolled at all. */
  readonly canScroll: boolean;
  /** The properties of the element. The style sheet shows a shadow at each edge that `data-more` names. */
  readonly props: {
    readonly ref: RefObject<HTMLDivElement | null>;
    readonly onScroll: () => void;
    readonly 'data-more': string;
  };
}

/** `size` is a text that changes whenever the size of the content may change. */
export function useScrollCue(size: string): ScrollCue {
  const ref = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState('');
  const look = () => setMore(hiddenEdges(ref.current!));
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(ref.current!);
    look();
    return () => observer.disconnect();
  }, [size]);
  return { canScroll: more !== '', props: { ref, onScroll: look, 'data-more': more } };
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
