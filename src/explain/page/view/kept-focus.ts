/** Keeps the focus from going to the top of the page when the element that has it is removed. */
import { useLayoutEffect, useRef } from 'preact/hooks';

interface FocusHandlers {
  onFocusCapture(event: { target: EventTarget | null }): void;
  onBlurCapture(): void;
}

/** Returns handlers for an element. If something in it is removed that has the focus, what `next` returns gets the focus. */
export function useKeptFocus(next: () => HTMLElement | null | undefined): FocusHandlers {
  /** The element that has the focus, or had it when it was removed. */
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement === document.body) next()?.focus();
  });
  return {
    onFocusCapture: (event) => {
      focused.current = event.target as Element;
    },
    onBlurCapture: () => {
      // An element that is being removed loses the focus, too. It is known by then that it is not in the page any more.
      setTimeout(() => {
        if (focused.current?.isConnected && focused.current !== document.activeElement)
          focused.current = null;
      });
    },
  };
}
