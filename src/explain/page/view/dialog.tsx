/** A window in front of the page. The browser keeps the focus in it, closes it with Escape, and then returns the focus. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, isOpen, close, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current!.showModal();
    else dialog.current!.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog as well
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={close}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      {isOpen && (
        <div class="dialog">
          <div class="panel-head">
            <h2>{title}</h2>
            <button type="button" class="small" onClick={close}>
              Close
            </button>
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
