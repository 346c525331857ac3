/** What an explanation says, problem by problem, before it is laid out for a terminal. */
import type { StyledBoard } from './board-text.js';

export interface Narration {
  /** The answer in short, such as `7` or `Red 75`. */
  readonly answer: string;
  /** Who wins and why, in whole sentences. */
  readonly reason: string;
  readonly board: StyledBoard;
  /** The first moves in groups by their outcome, the best group first. A problem without choices has no groups. */
  readonly moves: readonly MoveGroup[];
  /** The title of the boards of `play`, such as `Best play:`. */
  readonly playTitle: string;
  readonly play: ShownPlay;
  /** The text after the last board of `play`. */
  readonly ending: string;
}

/** First moves that lead to the same winner. */
export interface MoveGroup {
  readonly outcome: 'win' | 'tie' | 'lose';
  /** One text for each move. Winning moves get a line each, the others share a paragraph. */
  readonly moves: readonly string[];
}

/** A sequence of moves to be shown, one after another. */
export interface ShownPlay {
  readonly length: number;
  /** Plays the moves. The caller must call `board` of a step before it takes the next step. */
  steps(): Iterable<NarratedMove>;
}

export interface NarratedMove {
  caption(): string;
  /** Returns the board after the step. */
  board(): StyledBoard;
}

/** Returns a cell as a text, such as `(2,3)`. */
export function formatCellPlace([row, column]: readonly [number, number]): string {
  return `(${row},${column})`;
}
