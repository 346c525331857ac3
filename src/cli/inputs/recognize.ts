/** Tells which problem an input belongs to, for users who named another one. */

import { skipBlanks } from '../../core/bytes.js';
import { CaseError } from '../../core/errors.js';
import { BEGINNING_BYTES } from '../../engine/limits.js';
import type { Board } from '../../problems/board.js';
import type { CaseExtent, InputFormat } from '../../problems/input-format.js';
import type { Problem } from '../../problems/problem.js';
import { PROBLEMS } from '../../problems/registry.js';

/** Keeps a copy of the first bytes of an input that is read through it. */
export class InputBeginning {
  readonly #source: AsyncIterable<Uint8Array>;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  get pieces(): AsyncIterable<Uint8Array> {
    return this.#watch();
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  async *#watch(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#source) {
      if (this.#length < BEGINNING_BYTES) this.#keep(piece.slice(0, BEGINNING_BYTES - this.#length));
      yield piece;
    }
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

/** The error, with the question whether the input is another problem's, where it seems to be. */
export async function suggestProblem(
  error: unknown,
  { bytes }: InputBeginning,
  problem: Problem<unknown>,
): Promise<unknown> {
  if (!(error instanceof CaseError) || error.kind !== 'input') return error;
  const question = await askForProblem(bytes, problem);
  if (question === null) return error;
  return new CaseError('input', { ...error.fault, what: `${error.fault.what}; ${question}` });
}

/** "is this an input of river-pawn?", where it reads well as one and not even its first case as `problem`'s; else null. */
export async function askForProblem(
  beginning: Uint8Array,
  problem: Problem<unknown>,
): Promise<string | null> {
  if (readsWell(beginning, problem.inputFormat, 1)) return null;
  const fitting: string[] = [];
  for (const { name, load } of PROBLEMS) {
    const other = (await load()).problem;
    if (name !== problem.name && readsWell(beginning, other.inputFormat, ENOUGH_CASES)) fitting.push(name);
  }
  return fitting.length === 0 ? null : `is this an input of ${fitting.join(' or ')}?`;
}

/** So many good cases are no accident. */
const ENOUGH_CASES = 5;

/** Whether an input that begins with these bytes begins with good cases: `enough` of them, or all that there are. */
function readsWell(bytes: Uint8Array, format: InputFormat, enough: number): boolean {
  const { length } = bytes;
  const preamble = format.readPreamble(bytes, length, true);
  if (preamble === null || 'offset' in preamble) return false;
  const extent: CaseExtent = { end: preamble.length, neededEnd: 0, isBad: false };
  const board: Board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
  const wanted = Math.min(enough, preamble.cases ?? enough);
  for (let cases = 0; cases < wanted; cases++) {
    const start = skipBlanks(bytes, extent.end, length);
    const isOver = start === length || format.isTerminator(bytes, start, length, true) === true;
    // An input without a number of cases may have any number.
    if (isOver) return cases > 0 && preamble.cases === null;
    format.findCaseByTokens(bytes, start, length, true, extent);
    if (extent.isBad || format.parseCase(bytes, start, extent.end, board) !== null) return false;
  }
  return wanted > 0;
}
