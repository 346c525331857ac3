/** Keeps the largest sizes of the cases that were tried. */

import type { InputHeadOfTask } from '../../engine/messages.js';
import type { Board } from '../../formats/boards/board.js';
import type { CaseParser } from '../../formats/input-format.js';
import type { Problem } from '../../problems/problem.js';
import type { CasesAsBytes } from '../stress/shrink.js';

/** The largest sizes so far. `board` is null if no case was a board, and `numbers` is empty if no case had lengths. */
export interface LargestSizes {
  /** The board with most cells. */
  readonly board: { readonly rows: number; readonly cols: number } | null;
  /** The largest value of each number in a case that states a length, such as the number of elements of a list. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Bytes of the longest case. */
  readonly bytes: number;
}

export class LargestSizeTracker implements LargestSizes {
  board: LargestSizes['board'] = null;
  readonly numbers = new Map<string, number>();
  bytes = 0;
  readonly #problem: Problem;
  readonly #parser: CaseParser<unknown>;

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#parser = problem.inputFormat.createParser();
  }

  /** Adds valid cases of one input. */
  add(head: InputHeadOfTask, cases: CasesAsBytes): void {
    this.#parser.useHead(head.bytes);
    for (const [index, bytes] of cases.entries()) {
      this.bytes = Math.max(this.bytes, bytes.length);
      this.#parser.useIndex?.(index);
      const value = this.#parser.parse(bytes, 0, bytes.length, null);
      if (value !== null) this.#addValue(value);
    }
  }

  #addValue(value: unknown): void {
    if (this.#problem.boardLines !== undefined) this.#addBoard(value as Board);
    for (const [name, number] of this.#problem.cases.sizesOf?.(value) ?? [])
      this.numbers.set(name, Math.max(this.numbers.get(name) ?? 0, number));
  }

  #addBoard({ rows, cols }: Board): void {
    if (rows * cols > (this.board?.rows ?? 0) * (this.board?.cols ?? 0)) this.board = { rows, cols };
  }
}
