/** The value of the position after each move of the line on show. A click shows the position. */
import type { JSX } from 'preact';
import { type GameSession, shownLine, shownNode } from '../state/game-tree.js';
import { showMoment } from '../state/playing.js';
import { gameOf } from '../state/state.js';
import { moveVerdictOf } from '../state/verdict.js';
import type { PartProps } from './parts.js';

const WIDTH = 320;
const HEIGHT = 64;
const MIDDLE = HEIGHT / 2;
const INDENT = 8;
/** Fewest moves for which the graph has room, so that the first moves do not jump. */
const MIN_MOVES = 10;
/** Number of plies to a win at which the graph is half as high as at the end of the game. */
const HALF_PLIES = 12;

export function ValueGraph({ state, change }: PartProps): JSX.Element | null {
  const game = gameOf(state);
  if (game === null || !state.hasValues) return null;
  const line = shownLine(game);
  const step = (WIDTH - 2 * INDENT) / Math.max(MIN_MOVES, line.length - 1);
  const points = line.map((node, i) => [
    INDENT + i * step,
    MIDDLE - heightOf(game, node) * (MIDDLE - INDENT),
  ]);
  const at = shownNode(game).depth;
  const show = (event: MouseEvent & { currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.round((((event.clientX - left) / width) * WIDTH - INDENT) / step);
    change((now) => showMoment(now, place));
  };
  const [first, second] = game.playerNames;
  return (
    <figure class="graph">
      {/* The slider and the list of moves do the same by keys. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Value after each move: above the middle ${first} wins, below it ${second}.`}
        onClick={show}
      >
        <path class="middle" d={`M0 ${MIDDLE}H${WIDTH}`} />
        <path class="area" d={`M${INDENT} ${MIDDLE}${stepsThrough(points)}V${MIDDLE}Z`} />
        <path class="line" d={`M${points[0].join(' ')}${stepsThrough(points)}`} />
        <path class="now" d={`M${points[at][0]} 0V${HEIGHT}`} />
        {line.map((node, i) =>
          moveVerdictOf(game, node) === 'mistake' ? (
            <path class="mistake" d={`M${points[i][0]} 2V${HEIGHT - 2}`} />
          ) : null,
        )}
      </svg>
      <figcaption>
        <span>{first} wins</span>
        <span>{second} wins</span>
      </figcaption>
    </figure>
  );
}

/** Returns how high the graph is at a position, from 1 (the first player has won) to -1. */
function heightOf({ nodes }: GameSession, node: number): number {
  const { winner, plies } = nodes[node].view.outcome;
  if (winner === null) return 0;
  const height = plies === null ? 0.75 : 0.2 + 0.8 / (1 + plies / HALF_PLIES);
  return winner === 0 ? height : -height;
}

function stepsThrough(points: readonly (readonly number[])[]): string {
  return points.map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
