/**
 * What the page asks its engine, and what the engine answers. The engine runs in a worker, so all of this is plain data. A
 * request says everything that its answer depends on: the engine only remembers games to be faster.
 */
import type { BlockMove } from '../../../games/link-and-pop/replay.js';
import type { CellPlace } from '../../../problems/explanation.js';
import type { GameOutcome, PlayerNumber } from '../../../problems/game.js';
import type { BoardRows } from '../boards/board-text.js';
import type { PageMove } from '../games.js';

/** A position of a game, with all that the page shows of it. */
export interface PositionView {
  /** The position as the engine knows it. Equal positions have equal texts. */
  readonly key: string;
  readonly rows: BoardRows;
  readonly turn: PlayerNumber;
  readonly outcome: GameOutcome;
  /** The legal moves with their values, in a fixed order. */
  readonly moves: readonly PageMove[];
  /** The index of a best move; -1 if there is no legal move. */
  readonly best: number;
  readonly reason: ValueReason;
}

/** Why the position has its value. */
export type ValueReason =
  | { readonly kind: 'rectangles'; readonly rectangles: readonly ReasonRectangle[] }
  | { readonly kind: 'classes'; readonly nimbers: readonly [even: number, odd: number] }
  | { readonly kind: 'race'; readonly line: readonly PageMove[] };

/** A rectangle of bacterial-tactics without bacteria. All bounds count from 1 and are inside the rectangle. */
export interface ReasonRectangle {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  readonly nimber: number;
}

/**
 * The moves of a game with its variations. For each move in the order of play: the number of the position in which it was
 * played (0 is the start, and the n-th move leads to position n), and its index among the legal moves there.
 */
export type MoveTree = readonly (readonly [parent: number, index: number])[];

/** A picture of a replay: the start, a pop, or the board after the moves that follow a pop. */
export interface ReplayFrame {
  readonly kind: 'start' | 'pop' | 'moves';
  /** The number of pops up to this frame; 0 for the start. */
  readonly pop: number;
  /** The cells of the pair that is popped. */
  readonly popped: readonly CellPlace[];
  /** The line of the link; empty for frames without a pop. */
  readonly line: readonly CellPlace[];
  /** The moves of the blocks, in order; empty for frames without moves. */
  readonly moves: readonly BlockMove[];
  readonly rows: BoardRows;
}

/** A puzzle: a board on which exactly one first move wins. */
export interface Puzzle {
  readonly rows: BoardRows;
}

export type PageEngineRequest =
  /** Solves a board, and plays moves on it. */
  | { readonly kind: 'solve'; readonly rows: BoardRows; readonly tree: MoveTree }
  | { readonly kind: 'play'; readonly rows: BoardRows; readonly key: string; readonly index: number }
  /** Plays best moves until the game ends. `keys` are the positions so far, the current one last. */
  | { readonly kind: 'play-to-end'; readonly rows: BoardRows; readonly keys: readonly string[] }
  | { readonly kind: 'frame'; readonly rows: BoardRows; readonly at: number }
  | { readonly kind: 'puzzles'; readonly level: number; readonly seed: string };

/** A move that the engine has played: its index among the legal moves, and the position after it. */
export interface PlayedMove {
  readonly index: number;
  readonly view: PositionView;
}

export type PageEngineAnswer =
  | {
      readonly kind: 'game';
      readonly playerNames: readonly [string, string];
      readonly start: PositionView;
      /** One for each move of the tree, up to the first one that is not legal. */
      readonly played: readonly PlayedMove[];
    }
  | {
      readonly kind: 'replay';
      readonly lastFrame: number;
      readonly pops: number;
      readonly frame: ReplayFrame;
    }
  | { readonly kind: 'frame'; readonly frame: ReplayFrame }
  | { readonly kind: 'moves'; readonly played: readonly PlayedMove[] }
  | { readonly kind: 'puzzles'; readonly puzzles: readonly Puzzle[] }
  | { readonly kind: 'failure'; readonly message: string };
