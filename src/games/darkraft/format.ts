/**
 * Input: one case after another up to the end of the input. A case is `n m` and n rows of the letters `LRX`.
 * Output: `WIN` or `LOSE` for each case.
 */
import type { Board } from '../../formats/boards/board.js';
import { BoardAnswerFormat } from '../../formats/boards/board-answers.js';
import { BoardInputFormat } from '../../formats/boards/board-format.js';
import { LETTERS } from './letters.js';
import { type DarkraftAnswer, supportedLimits } from './solve.js';

const X = LETTERS.indexOf('X');

export const inputFormat = new BoardInputFormat({
  headTokens: [],
  hasTerminator: false,
  limits: supportedLimits,
  cells: { letters: LETTERS },
});

/** Whether the letter of the cell is an X. */
export function isCountedInDensity({ cells }: Board, cell: number): boolean {
  return cells[cell] === X;
}

export const answerFormat = new BoardAnswerFormat<DarkraftAnswer>({
  layout: { maxTokens: 1 },
  describe: () => 'WIN or LOSE',
  parse: ([token, ...more]) => (more.length === 0 && (token === 'WIN' || token === 'LOSE') ? token : null),
  print: (outcome, out) => out.ascii(outcome === 'WIN' ? 'WIN\n' : 'LOSE\n'),
});
