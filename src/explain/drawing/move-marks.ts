/** Makes marks for a drawing from the moves of explanations and of games. */
import type { CellPlace } from '../../problems/explanation.js';
import type { ArrowMark, BoardMark, CellMark, LineMark, MoveOutcome } from './marks.js';

/** A move of bacterial-tactics. Without `from` and `to`, it fills a row or column of the whole board. */
interface LineMove {
  readonly line: 'row' | 'column';
  readonly index: number;
  readonly from?: number;
  readonly to?: number;
  readonly nimber: number;
  readonly wins: boolean;
}

/** A move of darkraft. */
interface LetterMove {
  readonly cell: CellPlace;
  readonly nimber: number;
  readonly wins: boolean;
}

/** A move of river-pawn. Without `player`, it is Red's. */
interface PieceMove {
  readonly player?: 'Red' | 'Black';
  readonly from: CellPlace;
  readonly to: CellPlace;
  readonly winner: 'Red' | 'Black' | null;
  readonly plies: number | null;
}

export type MarkedMove = LineMove | LetterMove | PieceMove;

/**
 * Returns the mark of a move. Its label is the value of the move: the nimber, or the number of plies with `+` if the player
 * who moves wins and `−` if he loses (`=` for a tie).
 */
export function markOfMove(move: MarkedMove, rows: number, cols: number): BoardMark {
  if ('line' in move) return markOfLine(move, rows, cols);
  return 'cell' in move ? markOfLetter(move) : markOfStep(move);
}

/** Returns whether a move wins, loses or ties for the player who makes it. */
export function outcomeOfMove(move: MarkedMove): MoveOutcome {
  if ('wins' in move) return move.wins ? 'good' : 'bad';
  if (move.winner === null) return 'even';
  return move.winner === (move.player ?? 'Red') ? 'good' : 'bad';
}

function markOfLine(move: LineMove, rows: number, cols: number): LineMark {
  const { line, index, from = 1, to = line === 'row' ? cols : rows } = move;
  return { kind: 'line', tone: outcomeOfMove(move), label: String(move.nimber), line, index, from, to };
}

function markOfLetter(move: LetterMove): CellMark {
  return { kind: 'cell', tone: outcomeOfMove(move), label: String(move.nimber), cell: move.cell };
}

function markOfStep(move: PieceMove): ArrowMark {
  const tone = outcomeOfMove(move);
  const label = move.plies === null ? '=' : `${tone === 'good' ? '+' : '−'}${move.plies}`;
  return { kind: 'step', tone, label, from: move.from, to: move.to };
}
