/** A message beside the control that has caused it. */
import type { JSX } from 'preact';
import { undoEdit } from '../state/editing.js';
import type { MessagePlace } from '../state/state.js';
import type { PartProps } from './parts.js';

/** The element is always in the page, because screen readers only notice a text that is put into an element they know. */
export function MessageAt({ place, state, change }: PartProps & { place: MessagePlace }): JSX.Element {
  const message = state.message?.place === place ? state.message : null;
  return (
    <div class={`message ${message?.isError ? 'error' : ''}`} role="status" data-place={place}>
      {message?.isError && (
        <b class="sign" aria-hidden="true">
          !
        </b>
      )}
      {message?.text}
      {message?.canUndo && (
        <button type="button" class="small" onClick={() => change(undoEdit)}>
          Undo this
        </button>
      )}
    </div>
  );
}
