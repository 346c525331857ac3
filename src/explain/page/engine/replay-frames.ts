/** The frames of a replay: the pictures that the page shows one after the other. */
import type { PopAndMoves, Replay } from '../../../games/link-and-pop/replay.js';

/** A frame, and the pop and the moves that it shows; null for the start. */
export interface FrameOfTurn {
  readonly kind: 'start' | 'pop' | 'moves';
  readonly pop: number;
  readonly turn: PopAndMoves | null;
}

export function framesOf({ turns }: Replay): FrameOfTurn[] {
  const first: FrameOfTurn = { kind: 'start', pop: 0, turn: null };
  return [first, ...turns.flatMap((turn, i) => framesOfTurn(turn, i + 1, i === turns.length - 1))];
}

/** Returns a frame for a pop, and one for the moves after it; if no block moves, only the last pop has the second frame. */
function framesOfTurn(turn: PopAndMoves, pop: number, isLast: boolean): FrameOfTurn[] {
  const popping: FrameOfTurn = { kind: 'pop', pop, turn };
  return turn.moves.length > 0 || isLast ? [popping, { kind: 'moves', pop, turn }] : [popping];
}
