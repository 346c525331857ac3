/**
 * Finds the shortest line of play in a tie that returns to an earlier position, if both players only make moves that keep the
 * tie. Such a line leads from the start to some position, and from there around a cycle.
 *
 * The search visits positions in the order of their distance from the start, and takes the first one on a cycle of 4
 * moves: each player moves a piece and moves it back. No longer cycle gives a shorter line. Black never moves down, so in
 * every cycle he moves left as often as right, and somewhere he moves from a cell c to d, then Red moves, and then Black
 * moves back to c. Now Red can take back his own move, and these four positions, all on the long cycle, are a cycle of 4
 * moves. A line around the long cycle reaches one of the four at least 4 moves before its end.
 *
 * Cost: one breadth-first search over positions, which ends at the first such cycle. Almost every tie has one near the start.
 */
import { type AnalysedBoard, MAX_MOVES_OF_POSITION } from './analysed-board.js';

/** The parent of the start, which has none. */
const NO_PARENT = -1;

/** A line of play. */
interface RepeatingStates {
  /** The states of the line, from the first one on. The last state is equal to `states[repeats]`. */
  readonly states: readonly number[];
  readonly repeats: number;
}

/** Returns a shortest line from a state that repeats a state. The first state must be a tie. */
export function shortestRepeat(board: AnalysedBoard, first: number): RepeatingStates {
  const isFound = new Uint8Array(board.analysis.stateCount);
  isFound[first] = 1;
  /** The states found so far, in the order of their distance from the first; and for each, the index of the state before it. */
  const states = [first];
  const parents = [NO_PARENT];
  for (let index = 0; index < states.length; index++) {
    const cycle = findFourMoveCycle(board, states[index]);
    if (cycle !== null) {
      const path = pathTo(index, states, parents);
      return { states: [...path, ...cycle], repeats: path.length - 1 };
    }
    for (const next of tiesAfter(board, states[index])) {
      if (isFound[next] === 1) continue;
      isFound[next] = 1;
      states.push(next);
      parents.push(index);
    }
  }
  throw new Error('a tie in which no position repeats');
}

/** Returns the states on the way from the first state to the one with this index, both included. */
function pathTo(index: number, states: readonly number[], parents: readonly number[]): number[] {
  const path: number[] = [];
  for (let at = index; at !== NO_PARENT; at = parents[at]) path.push(states[at]);
  return path.reverse();
}

/** Returns the states to which a move keeps the tie. */
function tiesAfter(board: AnalysedBoard, state: number): Int32Array {
  const successors = new Int32Array(MAX_MOVES_OF_POSITION);
  const count = board.writeSuccessors(state, successors);
  return successors.subarray(0, count).filter((next) => board.analysis.outcome[next] === 0);
}

/** Returns the states after the four moves of a cycle through `origin` that keeps the tie, or null if there is none. */
function findFourMoveCycle(board: AnalysedBoard, origin: number): number[] | null {
  for (const first of tiesAfter(board, origin))
    for (const second of tiesAfter(board, first)) {
      const third = stateAfterTakingBack(board, origin, second);
      if (third !== null) return [first, second, third, origin];
    }
  return null;
}

/**
 * Returns the state after the player to move in `origin` has taken back his move in `second`, two moves after `origin`.
 * Returns null if this loses the tie, or if Black has moved up, which he cannot take back.
 */
function stateAfterTakingBack(
  { analysis, cols }: AnalysedBoard,
  origin: number,
  second: number,
): number | null {
  const [blackBefore, blackNow] = [analysis.blackOf(origin), analysis.blackOf(second)];
  if (Math.floor(blackBefore / cols) !== Math.floor(blackNow / cols)) return null;
  const isRed = analysis.turnOf(origin) === 'Red';
  const reds = analysis.redsOf(isRed ? origin : second);
  const state = analysis.stateOf(isRed ? blackNow : blackBefore, ...reds);
  return analysis.outcome[state] === 0 ? state : null;
}
