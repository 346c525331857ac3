/**
 * Finds the shortest line of play in a tie that returns to an earlier position, if both players only make moves that keep the
 * tie. Such a line leads from the start to some position and from there around a cycle.
 *
 * A cycle has 4, 8, 12, ... moves: Black never moves down, so in a cycle he moves left as often as right and makes an
 * even number of moves, and Red makes as many moves as Black. So the search looks for cycles of 4 moves first, then of
 * 8, and so on. For each length it visits the positions in the order of their distance from the start, and stops as soon
 * as no line with a cycle of this length can be shorter than the shortest line found.
 *
 * Cost: a cycle of 4 moves is near the start of almost every tie, so few positions are visited. A search for a cycle
 * skips the positions from which the pieces cannot be back in time, even on a board without obstacles.
 *
 * Why not a shortest path from every position to itself: a position on no cycle would cost a search of all positions.
 */
import { type AnalysedBoard, MAX_MOVES } from './analysed-board.js';

const CYCLE_STEP = 4;
/** The parent of the start, which has none. */
const NO_PARENT = -1;

/** A line of play from the start. */
export interface RepeatingLine {
  /** The states from the start on. The last one is `states[repeats]`. */
  readonly states: readonly number[];
  readonly repeats: number;
}

/** Returns a shortest line that repeats a position. The start of the board must be a tie. */
export function shortestRepeat(board: AnalysedBoard): RepeatingLine {
  return new RepeatSearch(board).search();
}

class RepeatSearch {
  readonly #board: AnalysedBoard;
  readonly #ties: TieTree;
  #best: RepeatingLine | null = null;

  constructor(board: AnalysedBoard) {
    this.#board = board;
    this.#ties = new TieTree(board);
  }

  search(): RepeatingLine {
    for (let length = CYCLE_STEP; ; length += CYCLE_STEP) {
      if (this.#best !== null && this.#movesOfBest <= length) return this.#best;
      this.#tryCycles(length);
    }
  }

  get #movesOfBest(): number {
    return this.#best === null ? Number.POSITIVE_INFINITY : this.#best.states.length - 1;
  }

  /** Looks for a line with a cycle of `length` moves that is shorter than the shortest line found. */
  #tryCycles(length: number): void {
    for (let index = 0; this.#ties.has(index); index++) {
      if (this.#ties.distanceAt(index) + length >= this.#movesOfBest) return;
      const cycle = this.#findCycle(this.#ties.stateAt(index), length);
      if (cycle === null) continue;
      const path = this.#ties.pathTo(index);
      this.#best = { states: [...path, ...cycle], repeats: path.length - 1 };
      return;
    }
  }

  /** Returns the states of a cycle of `length` moves through `origin`, without `origin` at its beginning, or null. */
  #findCycle(origin: number, length: number): number[] | null {
    const successors = new Int32Array(MAX_MOVES);
    const parents = new Map<number, number>();
    let level = [origin];
    for (let left = length - 1; left >= 0; left--) {
      const nextLevel: number[] = [];
      for (const state of level) {
        const count = this.#ties.writeTies(state, successors);
        for (const next of successors.subarray(0, count)) {
          if (parents.has(next) || !this.#canBeBack(next, origin, left)) continue;
          parents.set(next, state);
          nextLevel.push(next);
        }
      }
      level = nextLevel;
    }
    return parents.has(origin) ? cycleOf(parents, origin) : null;
  }

  /** Whether the pieces could be back where they are in `origin` after `moves` moves if there were no obstacles. */
  #canBeBack(state: number, origin: number, moves: number): boolean {
    const { analysis, cols } = this.#board;
    const black = analysis.blackOf(state);
    const blackOrigin = analysis.blackOf(origin);
    if (Math.floor(black / cols) !== Math.floor(blackOrigin / cols)) return false;
    const isRedNext = analysis.turnOf(state) === 'Red';
    const redMoves = isRedNext ? (moves + 1) >> 1 : moves >> 1;
    if (Math.abs(black - blackOrigin) > moves - redMoves) return false;
    return this.#stepsOfReds(analysis.redsOf(state), analysis.redsOf(origin)) <= redMoves;
  }

  /** The number of steps that take two pieces from two cells to two others, in whichever way they are assigned. */
  #stepsOfReds([one, two]: readonly number[], [toOne, toTwo]: readonly number[]): number {
    const straight = this.#stepsBetween(one, toOne) + this.#stepsBetween(two, toTwo);
    const crossed = this.#stepsBetween(one, toTwo) + this.#stepsBetween(two, toOne);
    return Math.min(straight, crossed);
  }

  #stepsBetween(from: number, to: number): number {
    const { cols } = this.#board;
    const rows = Math.abs(Math.floor(from / cols) - Math.floor(to / cols));
    return rows + Math.abs((from % cols) - (to % cols));
  }
}

function cycleOf(parents: ReadonlyMap<number, number>, origin: number): number[] {
  const cycle = [origin];
  for (let state = parents.get(origin)!; state !== origin; state = parents.get(state)!) cycle.push(state);
  return cycle.reverse();
}

/** The states that moves which keep the tie reach from the start, in the order of their distance. Found when needed. */
class TieTree {
  readonly #board: AnalysedBoard;
  readonly #successors = new Int32Array(MAX_MOVES);
  /** [index]: the state; the index of the state from which it was found; and the number of moves from the start. */
  readonly #states: number[] = [0];
  readonly #parents: number[] = [NO_PARENT];
  readonly #distances: number[] = [0];
  /** [state]: 1 if the state has an index. */
  readonly #isFound: Uint8Array;
  #expandedCount = 0;

  constructor(board: AnalysedBoard) {
    this.#board = board;
    this.#isFound = new Uint8Array(board.analysis.stateCount);
    this.#isFound[0] = 1;
  }

  /** Whether a state has this index. */
  has(index: number): boolean {
    while (this.#states.length <= index && this.#expandedCount < this.#states.length) this.#expandNext();
    return index < this.#states.length;
  }

  stateAt(index: number): number {
    return this.#states[index];
  }

  distanceAt(index: number): number {
    return this.#distances[index];
  }

  /** Returns the states of a shortest line from the start to the state with this index, both included. */
  pathTo(index: number): number[] {
    const path: number[] = [];
    for (let at = index; at !== NO_PARENT; at = this.#parents[at]) path.push(this.#states[at]);
    return path.reverse();
  }

  /** Writes the states to which a move keeps the tie into `ties`, and returns their number. */
  writeTies(state: number, ties: Int32Array): number {
    const { outcome } = this.#board.analysis;
    const moveCount = this.#board.writeSuccessors(state, ties);
    let count = 0;
    for (let i = 0; i < moveCount; i++) if (outcome[ties[i]] === 0) ties[count++] = ties[i];
    return count;
  }

  #expandNext(): void {
    const parent = this.#expandedCount++;
    const count = this.writeTies(this.#states[parent], this.#successors);
    for (let i = 0; i < count; i++) {
      const state = this.#successors[i];
      if (this.#isFound[state] === 1) continue;
      this.#isFound[state] = 1;
      this.#states.push(state);
      this.#parents.push(parent);
      this.#distances.push(this.#distances[parent] + 1);
    }
  }
}
