/** The legal moves as a list of buttons, the winning ones first. Users who cannot see the board play with this list. */
import type { JSX } from 'preact';
import { pluralize } from '../../core/errors.js';
import { toneOfMove } from '../drawing/move-marks.js';
import type { PageMove } from './games.js';
import type { PartProps } from './parts.js';
import { legalMoves } from './session.js';
import { gameOf, isComputersTurn, playPageMove } from './state.js';
import { nameOfMove, nameOfValue } from './words.js';

/** Largest number of moves in the list. All moves can be played on the board. */
const MAX_MOVES = 200;

type Preview = (move: PageMove | null) => void;

export function MoveList({ state, change, preview }: PartProps & { preview: Preview }): JSX.Element | null {
  const game = gameOf(state);
  if (game === null) return null;
  const legal = legalMoves(game);
  const moves = state.hasValues ? [...legal].sort(compareValues) : legal;
  const isBlocked = isComputersTurn(state);
  return (
    <section class="panel moves" aria-label="Legal moves">
      <h2>{pluralize(legal.length, 'legal move')}</h2>
      <ul>
        {moves.slice(0, MAX_MOVES).map((move) => (
          <li>
            <button
              type="button"
              disabled={isBlocked}
              onClick={() => {
                preview(null);
                change((now) => playPageMove(now, move));
              }}
              onMouseEnter={() => preview(move)}
              onMouseLeave={() => preview(null)}
              onFocus={() => preview(move)}
              onBlur={() => preview(null)}
            >
              <span>{nameOfMove(move)}</span> <MoveValue move={move} isShown={state.hasValues} />
            </button>
          </li>
        ))}
      </ul>
      {moves.length > MAX_MOVES && <p>{moves.length - MAX_MOVES} more on the board.</p>}
    </section>
  );
}

const RANKS = { good: 0, even: 1, plain: 1, bad: 2 };

/** Orders moves by their value: a winner prefers few plies, a loser many. */
function compareValues(one: PageMove, other: PageMove): number {
  const difference = RANKS[toneOfMove(one)] - RANKS[toneOfMove(other)];
  if (difference !== 0 || !('plies' in one && 'plies' in other)) return difference;
  const fewerPlies = (one.plies ?? 0) - (other.plies ?? 0);
  return toneOfMove(one) === 'bad' ? -fewerPlies : fewerPlies;
}

/** Shows the value of a move for the player who makes it. */
export function MoveValue({ move, isShown }: { move: PageMove; isShown: boolean }): JSX.Element | null {
  if (!isShown) return null;
  return <span class={`value ${toneOfMove(move)}`}>{nameOfValue(move)}</span>;
}
