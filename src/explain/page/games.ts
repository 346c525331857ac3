/** The four problems as the page shows them. */
import type { Board, BoardViolation } from '../../formats/boards/board.js';
import {
  analyseGame as analyseBacterialTactics,
  PLAYER_NAMES as DISH_PLAYERS,
  type Move as LineMove,
} from '../../games/bacterial-tactics/game.js';
import { LETTERS as DISH_LETTERS } from '../../games/bacterial-tactics/letters.js';
import { supportedLimits as dishLimits } from '../../games/bacterial-tactics/solve.js';
import {
  analyseGame as analyseDarkraft,
  type Move as LetterMove,
  PLAYER_NAMES as RAY_PLAYERS,
} from '../../games/darkraft/game.js';
import { LETTERS as RAY_LETTERS } from '../../games/darkraft/letters.js';
import { supportedLimits as rayLimits } from '../../games/darkraft/solve.js';
import { SYMBOLS, WAYS_OF_MOVING } from '../../games/link-and-pop/letters.js';
import { type Replay, replayGame } from '../../games/link-and-pop/replay.js';
import { supportedLimits as blockLimits } from '../../games/link-and-pop/solve.js';
import {
  analyseGame as analyseRiverPawn,
  PLAYER_NAMES as PIECE_PLAYERS,
  type Move as PieceMove,
} from '../../games/river-pawn/game.js';
import { findPieceViolation, LETTERS as PIECE_LETTERS } from '../../games/river-pawn/letters.js';
import { supportedLimits as pieceLimits } from '../../games/river-pawn/solve.js';
import type { Game } from '../../problems/game.js';
import type { BoardNotation } from './boards/board-text.js';

/** A move of one of the three games with players. */
export type PageMove = LineMove | LetterMove | PieceMove;
export type PageGame = Game<unknown, PageMove>;

export interface PageProblem {
  readonly name: string;
  readonly style: BoardNotation;
  /** The texts that the palette can put on a cell. For link-and-pop, only the block that is chosen at first. */
  readonly palette: readonly string[];
  /** The name of each text of a cell, for the palette and for screen readers. Blocks are not listed. */
  readonly cellNames: Readonly<Record<string, string>>;
  /** The text of new cells when a board is made larger. */
  readonly filler: string;
  /** Why a position in the middle of a game may not be a board of an input, as the end of a sentence. */
  readonly whyNotEdited: string;
  /** Finds a rule that a board breaks although each of its cells is valid by itself. */
  findViolation?(board: Board): BoardViolation | null;
  /** What the page shows for a board: a game for two players, or the replay of link-and-pop. */
  readonly show:
    | {
        readonly kind: 'game';
        readonly playerNames: readonly [string, string];
        start(board: Board): PageGame;
      }
    | { readonly kind: 'replay'; start(board: Board): Replay };
}

const bacterialTactics: PageProblem = {
  name: 'bacterial-tactics',
  style: { letters: [DISH_LETTERS], limits: dishLimits, head: '1', terminator: null },
  palette: ['#', '.'],
  cellNames: { '.': 'empty', '#': 'radioactive', o: 'bacteria' },
  filler: '.',
  whyNotEdited: 'the board of an input has no bacteria.',
  show: { kind: 'game', playerNames: DISH_PLAYERS, start: analyseBacterialTactics },
};

const darkraft: PageProblem = {
  name: 'darkraft',
  style: { letters: [RAY_LETTERS], limits: rayLimits, head: null, terminator: null },
  palette: ['L', 'R', 'X'],
  cellNames: { L: 'L', R: 'R', X: 'X', '.': 'cleared' },
  filler: 'L',
  whyNotEdited: 'on the board of an input, every cell has a letter.',
  show: { kind: 'game', playerNames: RAY_PLAYERS, start: analyseDarkraft },
};

const riverPawn: PageProblem = {
  name: 'river-pawn',
  style: { letters: [PIECE_LETTERS], limits: pieceLimits, head: '0 1', terminator: null },
  palette: ['#', '.', 'O', 'X'],
  cellNames: { '.': 'free', '#': 'obstacle', X: 'Black', O: 'Red' },
  filler: '.',
  whyNotEdited: 'the board of an input has all three pieces, and Black is below row 1.',
  findViolation: findPieceViolation,
  show: { kind: 'game', playerNames: PIECE_PLAYERS, start: analyseRiverPawn },
};

const linkAndPop: PageProblem = {
  name: 'link-and-pop',
  style: { letters: [SYMBOLS, WAYS_OF_MOVING], limits: blockLimits, head: null, terminator: '0 0' },
  palette: ['AS'],
  cellNames: {},
  filler: 'AS',
  whyNotEdited: 'on the board of an input, every cell has a block.',
  show: { kind: 'replay', start: replayGame },
};

/** Returns the problem with this name. */
export function pageProblem(name: string): PageProblem {
  const problem = [bacterialTactics, darkraft, riverPawn, linkAndPop].find((each) => each.name === name);
  if (problem === undefined) throw new Error(`no page for the problem ${name}`);
  return problem;
}
