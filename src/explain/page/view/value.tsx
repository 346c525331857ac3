/** The value of a move in words, for the player who makes it. */
import type { JSX } from 'preact';
import { outcomeOfMove } from '../../drawing/move-marks.js';
import type { PageMove } from '../games.js';
import { moveOutcomeInWords } from '../state/words.js';

export function MoveValue({ move, isShown }: { move: PageMove; isShown: boolean }): JSX.Element | null {
  if (!isShown) return null;
  return <span class={`value ${outcomeOfMove(move)}`}>{moveOutcomeInWords(move)}</span>;
}
