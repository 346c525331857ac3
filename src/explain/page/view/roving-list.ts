/** A list of buttons with one stop of the Tab key. The keys up and down go from button to button. */
import type { HTMLAttributes, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useKeptFocus } from './kept-focus.js';

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
  const current = Math.max(0, Math.min(reached, count - 1));
  const buttonAt = (place: number) => ref.current?.querySelector<HTMLElement>(`[data-item="${place}"]`);
  // A move can remove the button that has the focus.
  const focus = useKeptFocus(() => buttonAt(current) ?? wayBack());
  return {
    list: {
      ref,
      onFocusCapture: (event) => {
        focus.onFocusCapture(event);
        setReached(placeOf(event.target) ?? current);
      },
      onBlurCapture: focus.onBlurCapture,
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

/** The button that is of use after a list has gone, because the game is over. */
function wayBack(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[aria-label="Undo"]');
}

function placeOf(target: EventTarget | null): number | null {
  const item = (target as Element | null)?.closest('[data-item]');
  return item ? Number(item.getAttribute('data-item')) : null;
}

function placeAfterKey(key: string, place: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(place + 1, count - 1);
  return key === 'ArrowUp' ? Math.max(place - 1, 0) : null;
}
