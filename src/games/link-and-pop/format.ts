/**
 * The input has for each case the size line `n m` and n lines of m blocks. A block is two letters: its symbol and its way
 * of moving. The terminator `0 0` follows the last case.
 * The output has for each case the line `Case k` and the n rows of the final board.
 */
import type { ByteWriter } from '../../core/bytes.js';
import { pluralize } from '../../core/errors.js';
import type { Board, BoardViolation } from '../../formats/boards/board.js';
import { BoardAnswerFormat } from '../../formats/boards/board-answers.js';
import { BoardInputFormat } from '../../formats/boards/board-format.js';
import { CONTEST_SYMBOLS, STATIONARY_BLOCK, SYMBOLS, WAYS_OF_MOVING } from './letters.js';
import { type FinalBoardRows, supportedLimits } from './solve.js';

export const inputFormat = new BoardInputFormat({
  headTokens: [],
  hasTerminator: true,
  limits: supportedLimits,
  cells: {
    firstLetters: SYMBOLS,
    secondLetters: WAYS_OF_MOVING,
    stationaryLetter: STATIONARY_BLOCK,
  },
});

/** Whether the block moves. */
export function isCountedInDensity({ cells }: Board, cell: number): boolean {
  return cells[2 * cell + 1] !== STATIONARY_BLOCK.charCodeAt(0);
}

/** Finds a symbol that is a lowercase letter. boardmill accepts lowercase symbols, but the problem statement does not. */
export function findContestViolation({ rows, cols, cells }: Board): BoardViolation | null {
  for (let cell = 0; cell < rows * cols; cell++) {
    const symbol = String.fromCharCode(cells[2 * cell]);
    if (CONTEST_SYMBOLS.includes(symbol)) continue;
    const at = { row: Math.floor(cell / cols), col: cell % cols };
    return { cell: at, expected: 'a capital letter as symbol', got: `"${symbol}"` };
  }
  return null;
}

/** Matches a row of a final board: letters for the blocks that remain, and `.` for empty cells. */
const FINAL_ROW = /^[A-Za-z.]+$/;

export const answerFormat = new BoardAnswerFormat<FinalBoardRows>({
  layout: { beforeNumber: '', afterNumber: '', blank: '\n' },
  describe: (board) =>
    board === null ? 'the final rows' : `${pluralize(board.rows, 'row')} of ${board.cols}`,
  parse(rows, board) {
    const isRow = (row: string) =>
      FINAL_ROW.test(row) && row.length === (board ?? { cols: rows[0].length }).cols;
    const isWhole = board === null ? rows.length > 0 : rows.length === board.rows;
    return isWhole && rows.every(isRow) ? rows : null;
  },
  print: printAnswer,
});

function printAnswer(rows: FinalBoardRows, out: ByteWriter): void {
  for (const row of rows) {
    out.ascii(row);
    out.ascii('\n');
  }
}
