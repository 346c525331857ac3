/**
 * Input: one case after another up to the end of the input. A case is `n m` and n rows of the letters `LRX`.
 * Output: `WIN` or `LOSE` for each case.
 */
import type { ByteWriter } from '../../core/bytes.js';
import { AnswerFormat } from '../answer-format.js';
import { InputFormat } from '../input-format.js';
import { type Answer, supportedLimits } from './solve.js';

export const inputFormat = new InputFormat({
  preamble: [],
  hasTerminator: false,
  limits: supportedLimits,
  cells: { letters: 'LRX' },
});

export const answerFormat = new AnswerFormat<Answer>({
  layout: { maxTokens: 1 },
  describe: () => 'WIN or LOSE',
  parse: ([token, ...more]) => (more.length === 0 && (token === 'WIN' || token === 'LOSE') ? token : null),
});

export function printAnswer(outcome: Answer, _caseNumber: number, out: ByteWriter): void {
  out.ascii(outcome === 'WIN' ? 'WIN\n' : 'LOSE\n');
}

export function printError(_caseNumber: number, out: ByteWriter): void {
  out.ascii('ERROR\n');
}
