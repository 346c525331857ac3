/** Input: boards one after another, `n m` and n rows of `LRX`, until it ends. Output: `WIN` or `LOSE`. */
import type { ByteWriter } from '../../core/bytes.js';
import { CaseFormat } from '../case-format.js';
import { limits } from './solve.js';

export const format = new CaseFormat({
  preamble: [],
  terminated: false,
  limits,
  cells: { letters: 'LRX' },
});

export function printAnswer(outcome: 'WIN' | 'LOSE', _caseNumber: number, out: ByteWriter): void {
  out.ascii(outcome === 'WIN' ? 'WIN\n' : 'LOSE\n');
}

export function printFailure(_caseNumber: number, out: ByteWriter): void {
  out.ascii('ERROR\n');
}
