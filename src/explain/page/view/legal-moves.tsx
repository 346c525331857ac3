/** The legal moves as a list of buttons, the winning ones first. Users who cannot see the board play with this list. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { pluralize } from '../../../core/errors.js';
import { legalMoves } from '../state/game-tree.js';
import { areValuesShown, canUserMove, playPageMove, revealValues } from '../state/playing.js';
import { gameOf } from '../state/state.js';
import { compareMoves } from '../state/verdict.js';
import { nameOfMove } from '../state/words.js';
import type { PartProps, PreviewMove } from './parts.js';
import { useRovingList } from './roving-list.js';
import { MoveValue } from './value.js';

/** Largest number of moves in the list. All moves can be played on the board. */
const MAX_MOVES = 200;

export function LegalMoves({
  state,
  change,
  preview,
}: PartProps & { preview: PreviewMove }): JSX.Element | null {
  const game = gameOf(state);
  const hasValues = areValuesShown(state);
  const legal = game === null ? [] : legalMoves(game);
  const moves = useMemo(() => (hasValues ? [...legal].sort(compareMoves) : legal), [legal, hasValues]);
  const shown = moves.slice(0, MAX_MOVES);
  const { list, item } = useRovingList(shown.length);
  if (game === null || legal.length === 0) return null;
  const isBlocked = !canUserMove(state);
  return (
    <section class="panel moves" aria-label="Legal moves">
      <div class="panel-head">
        <h2>{pluralize(legal.length, 'legal move')}</h2>
        {!hasValues && (
          <button type="button" class="small" onClick={() => change(revealValues)}>
            Show me the values
          </button>
        )}
      </div>
      <ul {...list}>
        {shown.map((move, place) => (
          <li>
            <button
              type="button"
              {...item(place)}
              aria-disabled={isBlocked}
              onClick={(event) => {
                preview(null);
                if (event.detail < 2 && !isBlocked) change((now) => playPageMove(now, move));
              }}
              onMouseEnter={() => preview(move)}
              onMouseLeave={() => preview(null)}
              onFocus={() => preview(move)}
              onBlur={() => preview(null)}
            >
              <span>{nameOfMove(move)}</span> <MoveValue move={move} isShown={hasValues} />
            </button>
          </li>
        ))}
      </ul>
      {moves.length > MAX_MOVES && <p class="hint">{moves.length - MAX_MOVES} more on the board.</p>}
    </section>
  );
}
