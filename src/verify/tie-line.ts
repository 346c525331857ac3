/**
 * Decides whether a line of a tie in river-pawn that returns to an earlier position is a shortest one. Such a line leads
 * from the start to some position and from there around a cycle, by moves that keep the tie.
 *
 * Black never moves down, so he stays in his row in a cycle. A cycle has at least 4 moves: each player moves away and back.
 */
import { type ListedPositions, MAX_MOVES_PER_POSITION } from './river-pawn-positions.js';

const SHORTEST_CYCLE = 4;
/** Largest number of positions that the search visits. On a board made to be hard, the search may end without a decision. */
const MAX_VISITS = 20_000_000;

/** Whether a line of play with fewer than `moves` moves is found that returns to an earlier position. */
export function hasShorterTieLine(positions: ListedPositions, moves: number): boolean {
  const search = new TieSearch(positions);
  const distances = new Map([[0, 0]]);
  for (const [position, distance] of distances) {
    const movesLeft = moves - 1 - distance;
    if (movesLeft < SHORTEST_CYCLE || search.isOverBudget) return false;
    if (search.hasCycle(position, movesLeft)) return true;
    for (const next of search.tiesAfter(position))
      if (!distances.has(next)) distances.set(next, distance + 1);
  }
  return false;
}

class TieSearch {
  readonly #positions: ListedPositions;
  readonly #targets = new Int32Array(MAX_MOVES_PER_POSITION);
  #visits = 0;

  constructor(positions: ListedPositions) {
    this.#positions = positions;
  }

  get isOverBudget(): boolean {
    return this.#visits > MAX_VISITS;
  }

  /** Returns the positions after those moves from a position that keep the tie. */
  tiesAfter(position: number): number[] {
    this.#visits++;
    const count = this.#positions.writeMoves(position, this.#targets);
    return Array.from(this.#targets.subarray(0, count)).filter(
      (next) => this.#positions.outcomes[next] === 0,
    );
  }

  /** Whether a cycle of at most `length` moves leads from the position back to it. */
  hasCycle(origin: number, length: number): boolean {
    const row = this.#rowOfBlack(origin);
    const seen = new Set<number>();
    let level = [origin];
    for (let left = length; left > 0 && level.length > 0 && !this.isOverBudget; left--) {
      const nextLevel: number[] = [];
      for (const next of level.flatMap((position) => this.tiesAfter(position))) {
        if (next === origin) return true;
        if (seen.has(next) || this.#rowOfBlack(next) !== row) continue;
        seen.add(next);
        nextLevel.push(next);
      }
      level = nextLevel;
    }
    return false;
  }

  #rowOfBlack(position: number): number {
    return this.#positions.board.rowOf(this.#positions.blackOf(position));
  }
}
