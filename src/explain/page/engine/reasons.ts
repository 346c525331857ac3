/** Finds out why a position has its value: the parts whose nimbers add up, or the race that best play is. */
import type { Position as DishPosition } from '../../../games/bacterial-tactics/game.js';
import type { Position as RayPosition } from '../../../games/darkraft/game.js';
import type { PageGame, PageMove } from '../games.js';
import type { ValueReason } from './messages.js';

/** Largest number of moves of best play that a reason has. */
const MAX_LINE = 12;

export function valueReasonOf(game: PageGame, position: unknown): ValueReason {
  if (!hasRectangles(position)) return { kind: 'race', line: bestLine(game, position) };
  return 'parity' in (position.rectangles[0] ?? {})
    ? reasonOfClasses(game, position as RayPosition)
    : reasonOfRectangles(game, position as DishPosition);
}

function hasRectangles(position: unknown): position is DishPosition | RayPosition {
  return typeof position === 'object' && position !== null && 'rectangles' in position;
}

function reasonOfRectangles(game: PageGame, { turn, rectangles }: DishPosition): ValueReason {
  return {
    kind: 'rectangles',
    rectangles: rectangles.map((rectangle) => {
      const { top, bottom, left, right } = rectangle;
      const { nimber } = game.outcomeAt({ turn, rectangles: [rectangle] });
      return { top: top + 1, bottom, left: left + 1, right, nimber: nimber! };
    }),
  };
}

function reasonOfClasses(game: PageGame, { turn, rectangles }: RayPosition): ValueReason {
  const nimberOf = (parity: number) =>
    game.outcomeAt({ turn, rectangles: rectangles.filter((each) => each.parity === parity) }).nimber!;
  return { kind: 'classes', nimbers: [nimberOf(0), nimberOf(1)] };
}

/** Returns the first moves of best play. In a tie there is no best play. */
function bestLine(game: PageGame, start: unknown): PageMove[] {
  if (game.outcomeAt(start).winner === null) return [];
  const line: PageMove[] = [];
  let position = start;
  for (
    let move = game.bestMoveAt(position);
    move !== null && line.length < MAX_LINE;
    move = game.bestMoveAt(position)
  ) {
    line.push(move);
    position = game.after(position, move);
  }
  return line;
}
