/**
 * Input: the number of cases `T`, then for each case `R C` and R rows of the letters `.#`.
 * Output: `Case #x: y` for each case, where y is the number of winning openings.
 */
import type { ByteWriter } from '../../core/bytes.js';
import type { Board } from '../../formats/boards/board.js';
import { BoardAnswerFormat, parseCountToken } from '../../formats/boards/board-answers.js';
import { BoardInputFormat } from '../../formats/boards/board-format.js';
import { LETTERS } from './letters.js';
import { supportedLimits } from './solve.js';

const RADIOACTIVE = LETTERS.indexOf('#');

export const inputFormat = new BoardInputFormat({
  headTokens: ['T'],
  hasTerminator: false,
  limits: supportedLimits,
  cells: { letters: LETTERS },
});

/** Whether the cell is radioactive. */
export function isCountedInDensity({ cells }: Board, cell: number): boolean {
  return cells[cell] === RADIOACTIVE;
}

export const answerFormat = new BoardAnswerFormat<number>({
  layout: { beforeNumber: '#', afterNumber: ':', blank: ' ' },
  describe: () => 'a number of openings',
  parse: (tokens) => (tokens.length === 1 ? parseCountToken(tokens[0]) : null),
  print: printAnswer,
});

function printAnswer(openings: number, out: ByteWriter): void {
  out.integer(openings);
  out.ascii('\n');
}
