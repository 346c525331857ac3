/** A list of buttons with one stop of the Tab key. The keys up and down go from button to button. */
import type { HTMLAttributes, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface RovingList {
  /** The properties of the list. Its buttons have the attribute `data-item`, which is their place in the list. */
  readonly list: Pick<HTMLAttributes<HTMLElement>, 'onKeyDown' | 'onFocusCapture' | 'onBlurCapture'> & {
    readonly ref: RefObject<HTMLUListElement | null>;
  };
  /** Returns the properties of the button at a place. */
  item(place: number): { readonly 'data-item': number; readonly tabIndex: 0 | -1 };
}

export function useRovingList(count: number): RovingList {
  const ref = useRef<HTMLUListElement>(null);
  const [reached, setReached] = useState(0);
  /** Whether the focus is in the list, as far as the page has been told. */
  const hasFocus = useRef(false);
  const current = Math.max(0, Math.min(reached, count - 1));
  const buttonAt = (place: number) => ref.current?.querySelector<HTMLElement>(`[data-item="${place}"]`);
  // A move can remove the button that has the focus. The focus then goes to a neighbour instead of the top of the page.
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) buttonAt(current)?.focus();
  });
  return {
    list: {
      ref,
      onFocusCapture: (event) => {
        hasFocus.current = true;
        setReached(placeOf(event.target) ?? current);
      },
      onBlurCapture: (event) => {
        const target = event.target as Element;
        // The focus of a button that was removed goes nowhere, and then it is the list's to give.
        if (event.relatedTarget !== null || target.isConnected) hasFocus.current = false;
      },
      onKeyDown: (event) => {
        const place = placeOf(event.target);
        const next = place === null ? null : placeAfterKey(event.key, place, count);
        if (next === null) return;
        event.preventDefault();
        buttonAt(next)?.focus();
      },
    },
    item: (place) => ({ 'data-item': place, tabIndex: place === current ? 0 : -1 }),
  };
}

function placeOf(target: EventTarget | null): number | null {
  const item = (target as Element | null)?.closest('[data-item]');
  return item ? Number(item.getAttribute('data-item')) : null;
}

function placeAfterKey(key: string, place: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(place + 1, count - 1);
  return key === 'ArrowUp' ? Math.max(place - 1, 0) : null;
}
