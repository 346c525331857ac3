/**
 * The JavaScript side of the SIMD kernel (workers/kernels/river-pawn.ts). All lanes work on positions of the same board, so
 * boards need not be grouped by size: one call solves the boards of a batch one after another.
 */

import type { Board, Solver } from '../../problems/problem.js';
import {
  type BoardBatchHandler,
  BoardKernelBatch,
  type KernelBatchExports,
} from '../shared/board-kernel-batch.js';
import { PortableFallback } from '../shared/portable-fallback.js';
import { LETTERS } from './letters.js';
import { answerOfPlies, createPortableSolver, type RiverPawnAnswer } from './solve.js';

/** The exports of the kernel. Functions whose names end in `At` return addresses in the kernel's memory. */
interface KernelExports extends KernelBatchExports {
  linesAddress(): number;
  pliesAddress(): number;
  addBoard(board: number, rows: number, cols: number): void;
  skipBoard(board: number): void;
  solveBoards(count: number): void;
}

/** letterCodes[cell]: the letter of a cell of `Board.cells` in text. */
const LETTER_CODES = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));
const LINE_FEED = 0x0a;

export function createSimdSolver(wasm: WebAssembly.Module): Solver<RiverPawnAnswer> {
  return new SimdSolver(new WebAssembly.Instance(wasm).exports as unknown as KernelExports);
}

class SimdSolver implements Solver<RiverPawnAnswer>, BoardBatchHandler<RiverPawnAnswer> {
  readonly name = 'simd';
  readonly lanes = 1;
  readonly kernelBatch: BoardKernelBatch<RiverPawnAnswer>;

  readonly #kernel: KernelExports;
  // The kernel's memory never grows, so these typed arrays stay valid.
  /** The text of a board in lines, which the kernel reads in `addBoard`. */
  readonly #lines: Uint8Array;
  /** plies[board]: the number of plies until the game on the board ends, or -1 for a tie. */
  readonly #plies: Int32Array;
  readonly #fallback = new PortableFallback(createPortableSolver());

  constructor(kernel: KernelExports) {
    this.#kernel = kernel;
    const { buffer } = kernel.memory;
    const maxSide = kernel.maxSide();
    this.#lines = new Uint8Array(buffer, kernel.linesAddress(), maxSide * (maxSide + 1));
    this.#plies = new Int32Array(buffer, kernel.pliesAddress(), kernel.maxBoards());
    this.kernelBatch = new BoardKernelBatch(kernel, this, this.#fallback);
  }

  get fallbackCases(): number {
    return this.#fallback.caseCount;
  }

  solve(boards: readonly Board[], count: number, answers: RiverPawnAnswer[]): void {
    this.kernelBatch.solve(boards, count, answers);
  }

  writeBoard(index: number, { rows, cols, cells }: Board): void {
    for (let row = 0, cell = 0, at = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) this.#lines[at++] = LETTER_CODES[cells[cell++]];
      this.#lines[at++] = LINE_FEED;
    }
    this.#kernel.addBoard(index, rows, cols);
  }

  skipBoard(index: number): void {
    this.#kernel.skipBoard(index);
  }

  solveBoards(count: number, answers: RiverPawnAnswer[], offset: number): void {
    this.#kernel.solveBoards(count);
    for (let i = 0; i < count; i++) answers[offset + i] = answerOfPlies(this.#plies[i]);
  }
}
