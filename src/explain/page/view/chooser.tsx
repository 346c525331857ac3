/** Asks at a cell which move is meant: filling its row or its column. The pointer of a mouse chooses by its place instead. */
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PageMove } from '../games.js';
import { areValuesShown, canUserMove, chooseCell, movesAtCell, playPageMove } from '../state/playing.js';
import { gameOf } from '../state/state.js';
import { nameOfMove } from '../state/words.js';
import { cellElement } from './board-input.js';
import type { PartProps, PreviewMove } from './parts.js';
import { MoveValue } from './value.js';

interface ChooserProps extends PartProps {
  readonly preview: PreviewMove;
  readonly frame: RefObject<HTMLElement | null>;
}

export function MoveChooser({ state, change, preview, frame }: ChooserProps): JSX.Element | null {
  const box = useRef<HTMLDivElement>(null);
  const { chosen } = state;
  const game = gameOf(state);
  const moves = game === null || chosen === null || !canUserMove(state) ? [] : movesAtCell(game, chosen);
  const isAsking = moves.length > 1 && 'line' in moves[0];
  /** Whether the question was answered with a key. Then the clicked cell gets the focus back. */
  const hasUsedKeys = useRef(false);
  useLayoutEffect(() => {
    if (!isAsking || chosen === null) return;
    hasUsedKeys.current = false;
    placeBeside(box.current!, cellElement(frame.current, chosen), frame.current!);
    box.current!.querySelector('button')!.focus({ preventScroll: true });
    return () => {
      preview(null);
      if (hasUsedKeys.current) cellElement(frame.current, chosen)?.focus({ preventScroll: true });
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
      ref={box}
      role="group"
      aria-label="Which move?"
      // A tap beside the buttons must leave the focus inside, where Escape closes the box.
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && close(event)}
    >
      {moves.map((move) => (
        <button
          type="button"
          onFocus={() => preview(move)}
          onMouseEnter={() => preview(move)}
          onClick={(event) => act(event, (now) => playPageMove(now, move))}
        >
          <span aria-hidden="true">{nameOfLine(move)}</span>
          <span class="unseen">{nameOfMove(move)}</span>
          <MoveValue move={move} isShown={areValuesShown(state)} />
        </button>
      ))}
      <button type="button" onClick={close}>
        Cancel
      </button>
    </div>
  );
}

/** Names the line of a move in few letters, with an arrow in its direction. */
function nameOfLine(move: PageMove): string {
  if (!('line' in move)) return '';
  return `${move.line === 'row' ? '↔' : '↕'} ${move.line} ${move.index}`;
}

/** Moves a box to a cell: below it, or above it in the lower half of the frame, and within the frame. */
function placeBeside(box: HTMLElement, cell: Element | null, frame: HTMLElement): void {
  if (cell === null) return;
  const [around, at] = [frame.getBoundingClientRect(), cell.getBoundingClientRect()];
  const isLow = at.top + at.bottom > around.top + around.bottom;
  const left = (at.left + at.right) / 2 - around.left - box.offsetWidth / 2;
  const top = isLow ? at.top - around.top - box.offsetHeight - 4 : at.bottom - around.top + 4;
  const within = (value: number, max: number) => Math.max(0, Math.min(value, max));
  box.style.left = `${within(left, around.width - box.offsetWidth)}px`;
  box.style.top = `${within(top, around.height - box.offsetHeight)}px`;
}
