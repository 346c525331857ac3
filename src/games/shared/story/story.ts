/** What an explanation says, problem by problem, before it is laid out for a terminal. */
import type { TextBoard } from './board-text.js';

export interface Story {
  /** The answer in short, such as `7` or `Red 75`. */
  readonly answer: string;
  /** Who wins and why, in whole sentences. */
  readonly reason: string;
  readonly board: TextBoard;
  /** The first moves by what they lead to, the best ones first. A problem without choices has none. */
  readonly moves: readonly MoveGroup[];
  /** What the boards of `play` are, such as `Best play:`. */
  readonly playTitle: string;
  readonly play: Play;
  /** What follows the last board of `play`. */
  readonly ending: string;
}

/** First moves that lead to the same winner. */
export interface MoveGroup {
  readonly outcome: 'win' | 'tie' | 'lose';
  /** One text for each move. Winning moves get a line each, the others share a paragraph. */
  readonly moves: readonly string[];
}

/** Moves that are played, one after another. */
export interface Play {
  readonly length: number;
  /** Plays the moves. The caller asks for the board of a step before it asks for the next step. */
  steps(): Iterable<Step>;
}

export interface Step {
  caption(): string;
  /** Returns the board after the step. */
  board(): TextBoard;
}

/** Returns a cell as a text, such as `(2,3)`. */
export function placeText([row, column]: readonly [number, number]): string {
  return `(${row},${column})`;
}
