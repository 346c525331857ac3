/**
 * The input begins with an id and the number of cases, `id T`. Then it has for each case the size line `n m` and n rows of
 * the letters `.#XO`. A board has exactly one X, which is not in row 1, and exactly two O.
 * The output is `Tie`, `Red t` or `Black t` for each case, where t is the number of moves of both players.
 */
import type { ByteWriter } from '../../core/bytes.js';
import type { Board } from '../../formats/boards/board.js';
import { BoardAnswerFormat, parseCountToken } from '../../formats/boards/board-answers.js';
import { BoardInputFormat } from '../../formats/boards/board-format.js';
import { findPieceViolation, LETTER_INDEX_OBSTACLE, LETTERS } from './letters.js';
import { type RiverPawnAnswer, supportedLimits } from './solve.js';

export const inputFormat = new BoardInputFormat({
  headTokens: ['id', 'T'],
  hasTerminator: false,
  limits: supportedLimits,
  cells: { letters: LETTERS },
  findViolation: findPieceViolation,
});

/** Whether the cell is an obstacle. */
export function isCountedInDensity({ cells }: Board, cell: number): boolean {
  return cells[cell] === LETTER_INDEX_OBSTACLE;
}

export const answerFormat = new BoardAnswerFormat<RiverPawnAnswer>({
  layout: { maxTokens: 2 },
  describe: () => 'Tie, Red t or Black t',
  parse: parseAnswer,
  print: printAnswer,
});

function parseAnswer([winner, plies, ...more]: readonly string[]): RiverPawnAnswer | null {
  if (winner === 'Tie' && plies === undefined) return { winner: null, plies: null };
  if ((winner !== 'Red' && winner !== 'Black') || plies === undefined || more.length > 0) return null;
  const count = parseCountToken(plies);
  return count === null ? null : { winner, plies: count };
}

function printAnswer(answer: RiverPawnAnswer, out: ByteWriter): void {
  if (answer.winner === null || answer.plies === null) {
    out.ascii('Tie\n');
    return;
  }
  out.ascii(answer.winner === 'Red' ? 'Red ' : 'Black ');
  out.integer(answer.plies);
  out.ascii('\n');
}
