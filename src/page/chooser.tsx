/** Asks which of the moves through a clicked cell is meant: its row or its column. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { MoveValue } from './move-list.js';
import type { PartProps } from './parts.js';
import { choose, gameOf, movesAtCell, play } from './state.js';
import { nameOfMove } from './words.js';

export function Chooser({ state, change }: PartProps): JSX.Element | null {
  const first = useRef<HTMLButtonElement>(null);
  const { chosen } = state;
  const game = gameOf(state);
  const moves = game === null || chosen === null ? [] : movesAtCell(game, chosen);
  const isAsking = moves.length > 1 && 'line' in moves[0];
  useLayoutEffect(() => {
    if (isAsking) first.current?.focus();
  }, [isAsking, chosen]);
  if (!isAsking) return null;
  const close = () => change((now) => choose(now, null));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and these are commands
    <div
      class="chooser"
      role="group"
      aria-label="Which move?"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {moves.map((move, i) => (
        <button type="button" ref={i === 0 ? first : null} onClick={() => change((now) => play(now, move))}>
          {nameOfMove(move)} <MoveValue move={move} isShown={state.hasValues} />
        </button>
      ))}
      <button type="button" class="quiet" onClick={close}>
        Cancel
      </button>
    </div>
  );
}
