/**
 * bacterial-tactics, move by move. A legal move fills a whole row or column of one of the rectangles that are left, and
 * leaves up to two smaller rectangles. So a list of rectangles describes a position, and the nimber of the position is the
 * XOR of the nimbers of its rectangles.
 */
import type { Board } from '../../formats/boards/board.js';
import {
  type AnalyseGame,
  type Game,
  type GameOutcome,
  opponentOf,
  type PlayerNumber,
} from '../../problems/game.js';
import {
  firstBestMove,
  type ImpartialMove,
  moveFieldsOfNimber,
  outcomeOfNimber,
} from '../shared/impartial.js';
import { LETTERS } from './letters.js';
import { analyse, type BoardAnalysis } from './solve.js';

/** The letter of a cell that contains bacteria. */
const FILLED = 'o';

/** A rectangle of at least one cell: the rows `top` to `bottom - 1` and the columns `left` to `right - 1`, counted from 0. */
interface Rectangle {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface Position {
  readonly turn: PlayerNumber;
  /** The rectangles without bacteria, in row-major order of their top left corners. All other cells contain bacteria. */
  readonly rectangles: readonly Rectangle[];
}

/** A move that fills the cells `from` to `to`, inclusive, of a row or column. All numbers count from 1. */
export interface Move extends ImpartialMove {
  readonly line: 'row' | 'column';
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

/** The row or column of a rectangle that a move fills. */
type Line = Pick<Move, 'line' | 'index'>;

export const PLAYER_NAMES = ['Becca', 'Terry'] as const;

export const analyseGame: AnalyseGame<Position, Move> = (board) => createGame(board, analyse(board));

/** Starts a game on a board whose analysis the caller has already made. */
export function createGame(board: Board, analysis: BoardAnalysis): Game<Position, Move> {
  return new RectangleGame(lettersOf(board), analysis);
}

class RectangleGame implements Game<Position, Move> {
  readonly playerNames = PLAYER_NAMES;
  readonly start: Position;
  /** The letter of each cell at the beginning of the game, by row and column. */
  readonly #letters: readonly (readonly string[])[];
  readonly #analysis: BoardAnalysis;

  constructor(letters: readonly (readonly string[])[], analysis: BoardAnalysis) {
    this.#letters = letters;
    this.#analysis = analysis;
    const wholeBoard = { top: 0, bottom: analysis.rows, left: 0, right: analysis.cols };
    this.start = { turn: 0, rectangles: [wholeBoard] };
  }

  turnAt({ turn }: Position): PlayerNumber {
    return turn;
  }

  outcomeAt({ rectangles, turn }: Position): GameOutcome {
    return outcomeOfNimber(this.#nimberOf(rectangles), turn);
  }

  movesAt({ rectangles, turn }: Position): Move[] {
    const nimber = this.#nimberOf(rectangles);
    return rectangles.flatMap((rectangle) => {
      const othersNimber = nimber ^ this.#nimberOf([rectangle]);
      return this.#clearLines(rectangle).map((line) => {
        const after = othersNimber ^ this.#nimberOf(partsBeside(line, rectangle));
        return { ...line, ...endsOf(line, rectangle), ...moveFieldsOfNimber(after, turn) };
      });
    });
  }

  after({ rectangles, turn }: Position, move: Move): Position {
    const left = rectangles.flatMap((rectangle) =>
      contains(rectangle, move) ? partsBeside(move, rectangle) : [rectangle],
    );
    return { turn: opponentOf(turn), rectangles: left.sort((a, b) => a.top - b.top || a.left - b.left) };
  }

  bestMoveAt(position: Position): Move | null {
    return firstBestMove(this.movesAt(position));
  }

  rowsAt({ rectangles }: Position): string[] {
    const shown = this.#letters.map((row) => row.map(() => FILLED));
    for (const { top, bottom, left, right } of rectangles) {
      for (let row = top; row < bottom; row++) {
        for (let col = left; col < right; col++) shown[row][col] = this.#letters[row][col];
      }
    }
    return shown.map((row) => row.join(''));
  }

  #nimberOf(rectangles: readonly Rectangle[]): number {
    return rectangles.reduce(
      (nimber, { top, bottom, left, right }) => nimber ^ this.#analysis.nimber(top, bottom, left, right),
      0,
    );
  }

  /** Returns the lines of a rectangle that a player can fill: rows from the top, then columns from the left. */
  #clearLines({ top, bottom, left, right }: Rectangle): Line[] {
    const lines: Line[] = [];
    for (let row = top; row < bottom; row++) {
      if (this.#analysis.isClearRow(row, left, right)) lines.push({ line: 'row', index: row + 1 });
    }
    for (let col = left; col < right; col++) {
      if (this.#analysis.isClearCol(col, top, bottom)) lines.push({ line: 'column', index: col + 1 });
    }
    return lines;
  }
}

function lettersOf({ rows, cols, cells }: Board): string[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from(cells.subarray(row * cols, (row + 1) * cols), (cell) => LETTERS[cell]),
  );
}

/** Returns the first and the last cell of a line of a rectangle, counted from 1. */
function endsOf({ line }: Line, { top, bottom, left, right }: Rectangle): Pick<Move, 'from' | 'to'> {
  return line === 'row' ? { from: left + 1, to: right } : { from: top + 1, to: bottom };
}

/** Returns the parts of a rectangle on both sides of one of its lines, except parts without cells. */
function partsBeside({ line, index }: Line, rectangle: Rectangle): Rectangle[] {
  const parts =
    line === 'row'
      ? [
          { ...rectangle, bottom: index - 1 },
          { ...rectangle, top: index },
        ]
      : [
          { ...rectangle, right: index - 1 },
          { ...rectangle, left: index },
        ];
  return parts.filter(({ top, bottom, left, right }) => top < bottom && left < right);
}

/** Returns whether the cells that the move fills are in the rectangle. */
function contains({ top, bottom, left, right }: Rectangle, { line, index, from }: Move): boolean {
  const [row, col] = line === 'row' ? [index, from] : [from, index];
  return top < row && row <= bottom && left < col && col <= right;
}
