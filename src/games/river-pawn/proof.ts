/** The proof of an answer to river-pawn: every position that legal play can reach, with its value. */
import { ProofTooLarge } from '../../problems/explanation.js';
import { type AnalysedBoard, MAX_MOVES_OF_POSITION } from './analysed-board.js';

/**
 * A position in a proof: 0 if Red is to move, else 1; the cells of Black and of the two red pieces, counted from 1 in row-major
 * order; 1 if the player to move wins, -1 if he loses, 0 for a tie; the number of plies to the end, or null for a tie.
 */
type ProvedPosition = readonly [
  turn: number,
  black: number,
  red1: number,
  red2: number,
  outcome: number,
  plies: number | null,
];

/** Returns the positions that play can reach, in the order in which a breadth-first search from the start finds them. */
export function provedPositions(board: AnalysedBoard, maxPositions: number): ProvedPosition[] {
  const states = reachableStates(board);
  if (states.length > maxPositions) throw new ProofTooLarge(states.length, 'positions');
  return Array.from(states, (state) => describePosition(board, state));
}

/** Finds the states that legal play from the start reaches. From finished states, no move leads on. */
function reachableStates(board: AnalysedBoard): Int32Array {
  const { stateCount } = board.analysis;
  const isFound = new Uint8Array(stateCount);
  /** The first `count` elements are the states found so far, from the start on. */
  const queue = new Int32Array(stateCount);
  const successors = new Int32Array(MAX_MOVES_OF_POSITION);
  isFound[0] = 1;
  let count = 1;
  for (let i = 0; i < count; i++) {
    for (let left = board.writeSuccessors(queue[i], successors); left > 0; left--) {
      const state = successors[left - 1];
      if (isFound[state] === 1) continue;
      isFound[state] = 1;
      queue[count++] = state;
    }
  }
  return queue.subarray(0, count);
}

function describePosition({ analysis }: AnalysedBoard, state: number): ProvedPosition {
  const [red1, red2] = analysis.redsOf(state);
  const outcome = analysis.outcome[state];
  const plies = outcome === 0 ? null : analysis.distance[state];
  const turn = analysis.turnOf(state) === 'Red' ? 0 : 1;
  return [turn, analysis.blackOf(state) + 1, red1 + 1, red2 + 1, outcome, plies];
}
