/** Asks which move is meant by a click on a cell: filling its row or its column. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { cellElement } from './board-input.js';
import { MoveValue } from './move-list.js';
import type { PartProps } from './parts.js';
import { chooseCell, gameOf, movesAtCell, playPageMove } from './state.js';
import { nameOfMove } from './words.js';

export function Chooser({ state, change }: PartProps): JSX.Element | null {
  const first = useRef<HTMLButtonElement>(null);
  const { chosen } = state;
  const game = gameOf(state);
  const moves = game === null || chosen === null ? [] : movesAtCell(game, chosen);
  const isAsking = moves.length > 1 && 'line' in moves[0];
  /** Whether the question was answered with a key. Then the clicked cell gets the focus back. */
  const hasUsedKeys = useRef(false);
  useLayoutEffect(() => {
    if (!isAsking || chosen === null) return;
    hasUsedKeys.current = false;
    first.current?.focus();
    return () => {
      if (hasUsedKeys.current) cellElement(document.body, chosen)?.focus();
    };
  }, [isAsking, chosen]);
  if (!isAsking) return null;
  const act = (event: MouseEvent | KeyboardEvent, next: Parameters<typeof change>[0]) => {
    // If a key caused the click event, the event's number of clicks (`detail`) is 0.
    hasUsedKeys.current = event.detail === 0;
    change(next);
  };
  const close = (event: MouseEvent | KeyboardEvent) => act(event, (now) => chooseCell(now, null));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and these are commands
    <div
      class="chooser"
      role="group"
      aria-label="Which move?"
      onKeyDown={(event) => event.key === 'Escape' && close(event)}
    >
      {moves.map((move, i) => (
        <button
          type="button"
          ref={i === 0 ? first : null}
          onClick={(event) => act(event, (now) => playPageMove(now, move))}
        >
          {nameOfMove(move)} <MoveValue move={move} isShown={state.hasValues} />
        </button>
      ))}
      <button type="button" class="quiet" onClick={close}>
        Cancel
      </button>
    </div>
  );
}
