/**
 * Brings the boards of a batch into the memory of a kernel: boards in canonical layout from their text
 * (workers/kernels/shared/case-text.ts), and all other boards from their parsed values.
 */

import type { Board, KernelBatch } from '../../problems/problem.js';
import type { PortableFallback } from './portable-fallback.js';

/** The exports of a kernel that takes boards from text. Functions whose names end in `At` return addresses in its memory. */
export interface KernelBatchExports {
  readonly memory: WebAssembly.Memory;
  /** Returns the largest number of rows, and of columns, of a board that the kernel can solve. */
  maxSide(): number;
  /** Returns the largest number of boards in a batch. */
  maxBoards(): number;
  maxTextBytes(): number;
  textAddress(): number;
  startsAddress(): number;
  /**
   * Takes the loaded cases `from` to `to - 1` as boards, numbered from `board` on. Returns the number of the first case that
   * was not taken.
   */
  takeCases(from: number, to: number, board: number): number;
  /** Returns the number of line ends in the cases that the last call of `takeCases` has taken. */
  lineEndsTaken(): number;
}

/** What a solver does with the boards of a batch. They have numbers from 0 on. */
export interface BoardBatchHandler<Answer> {
  /** Writes a board that fits the kernel into its memory. */
  writeBoard(index: number, board: Board): void;
  /** Notes that the fallback solves this board, because the board is too large for the kernel. */
  skipBoard(index: number): void;
  /** Writes the answer to board i into answers[offset + i], unless the board was skipped. */
  solveBoards(count: number, answers: Answer[], offset: number): void;
}

/** A batch of boards for a kernel. Solvers use the class for batches of parsed boards, too. */
export class BoardKernelBatch<Answer> implements KernelBatch<Answer> {
  readonly maxCases: number;
  readonly #kernel: KernelBatchExports;
  readonly #batch: BoardBatchHandler<Answer>;
  readonly #fallback: PortableFallback<Answer>;
  readonly #maxSide: number;
  // The kernel's memory never grows, so these typed arrays stay valid.
  readonly #text: Uint8Array;
  readonly #starts: Uint32Array;
  /** The index of the first case whose text is in the kernel's memory, and the index after the last. */
  #textFrom = 0;
  #textTo = 0;
  /** Number of boards in the batch. */
  #count = 0;
  /** The boards of the batch that are too large for the kernel, with their numbers. */
  readonly #largeBoards: { readonly index: number; readonly board: Board }[] = [];

  constructor(
    kernel: KernelBatchExports,
    batch: BoardBatchHandler<Answer>,
    fallback: PortableFallback<Answer>,
  ) {
    this.#kernel = kernel;
    this.#batch = batch;
    this.#fallback = fallback;
    this.maxCases = kernel.maxBoards();
    this.#maxSide = kernel.maxSide();
    const { buffer } = kernel.memory;
    this.#text = new Uint8Array(buffer, kernel.textAddress(), kernel.maxTextBytes());
    this.#starts = new Uint32Array(buffer, kernel.startsAddress(), this.maxCases + 1);
  }

  loadText(bytes: Uint8Array, starts: Uint32Array, from: number, to: number): number {
    this.#beginBatch();
    const limit = Math.min(to, from + this.maxCases);
    const textTo = lastStartWithin(starts, from, limit, starts[from] + this.#text.length);
    this.#textFrom = from;
    this.#textTo = textTo;
    this.#text.set(bytes.subarray(starts[from], starts[textTo]));
    this.#starts.set(starts.subarray(from, textTo + 1));
    // A case that alone is too long for the kernel is parsed in JavaScript.
    return Math.max(textTo, from + 1);
  }

  takeCanonical(index: number): number {
    const from = index - this.#textFrom;
    const to = Math.max(from, this.#textTo - this.#textFrom);
    const next = this.#kernel.takeCases(from, to, this.#count);
    this.#count += next - from;
    return this.#textFrom + next;
  }

  get lineEnds(): number {
    return this.#kernel.lineEndsTaken();
  }

  takeParsed(board: Board): void {
    const index = this.#count++;
    const { rows, cols, cells } = board;
    if (Math.max(rows, cols) <= this.#maxSide) this.#batch.writeBoard(index, board);
    else {
      this.#batch.skipBoard(index);
      this.#largeBoards.push({ index, board: { rows, cols, cells: cells.slice(0, rows * cols) } });
    }
  }

  solveTaken(answers: Answer[]): void {
    this.#solveBatch(answers, 0);
  }

  /** Writes the answer to boards[i] into answers[i], for the first `count` boards. */
  solve(boards: readonly Board[], count: number, answers: Answer[]): void {
    for (let from = 0; from < count; from += this.maxCases) {
      this.#beginBatch();
      const to = Math.min(count, from + this.maxCases);
      for (let i = from; i < to; i++) this.takeParsed(boards[i]);
      this.#solveBatch(answers, from);
    }
  }

  #solveBatch(answers: Answer[], offset: number): void {
    this.#batch.solveBoards(this.#count, answers, offset);
    for (const { index, board } of this.#largeBoards) answers[offset + index] = this.#fallback.solve(board);
    this.#beginBatch();
  }

  /** Forgets the boards of the batch before, which are still there if the solver threw an error. */
  #beginBatch(): void {
    this.#count = 0;
    this.#largeBoards.length = 0;
  }
}

/** Returns the largest index up to `to` whose case begins at `limit` at most; at least `from`. */
function lastStartWithin(starts: Uint32Array, from: number, to: number, limit: number): number {
  let index = to;
  while (starts[index] > limit) index--;
  return Math.max(index, from);
}
