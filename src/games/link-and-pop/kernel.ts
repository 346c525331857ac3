/**
 * The JavaScript side of the bit-sliced kernel (workers/kernels/link-and-pop.ts). It writes one board at a time into
 * the kernel's memory. The lanes are the bit planes of one board, so boards need not be grouped by size.
 */

import type { Board, Solver } from '../../problems/problem.js';
import { PortableFallback } from '../shared/portable-fallback.js';
import { createPortableSolver, type FinalBoardRows } from './solve.js';

/** The functions and the memory that the WebAssembly kernel exports. */
interface KernelExports {
  memory: WebAssembly.Memory;
  /** Returns the largest number of rows, and of columns, of a board that the kernel can play. */
  maxSide(): number;
  /** Returns the address at which the board is written: row by row, two bytes per cell. */
  boardAddress(): number;
  /** Returns the address of the final rows of the board: one byte per cell, and a line feed after each row. */
  finalRowsAddress(): number;
  /** Plays the board at `boardAddress()` to its end, and writes the final rows to `finalRowsAddress()`. */
  play(rows: number, cols: number): void;
}

export function createSimdSolver(wasm: WebAssembly.Module): Solver<FinalBoardRows> {
  return new SimdSolver(new WebAssembly.Instance(wasm, {}).exports as unknown as KernelExports);
}

class SimdSolver implements Solver<FinalBoardRows> {
  readonly name = 'simd';
  readonly lanes = 1;

  readonly #kernel: KernelExports;
  readonly #maxSide: number;
  /** The bytes of the kernel's memory where a board is written. The memory never grows, so the view stays valid. */
  readonly #boardBytes: Uint8Array;
  /** The bytes of the kernel's memory from which the final rows of a board are read. */
  readonly #finalRowBytes: Uint8Array;
  readonly #asciiDecoder = new TextDecoder('latin1');
  readonly #fallback = new PortableFallback(createPortableSolver());

  constructor(kernel: KernelExports) {
    this.#kernel = kernel;
    const { buffer } = kernel.memory;
    this.#maxSide = kernel.maxSide();
    this.#boardBytes = new Uint8Array(buffer, kernel.boardAddress(), 2 * this.#maxSide * this.#maxSide);
    this.#finalRowBytes = new Uint8Array(
      buffer,
      kernel.finalRowsAddress(),
      (this.#maxSide + 1) * this.#maxSide,
    );
  }

  get fallbackCases(): number {
    return this.#fallback.caseCount;
  }

  solve(boards: readonly Board[], count: number, answers: FinalBoardRows[]): void {
    for (let i = 0; i < count; i++)
      answers[i] = this.#fitsKernel(boards[i])
        ? this.#playWithKernel(boards[i])
        : this.#fallback.solve(boards[i]);
  }

  #fitsKernel({ rows, cols }: Board): boolean {
    return rows <= this.#maxSide && cols <= this.#maxSide;
  }

  #playWithKernel({ rows, cols, cells }: Board): FinalBoardRows {
    this.#boardBytes.set(cells.subarray(0, 2 * rows * cols));
    this.#kernel.play(rows, cols);
    return this.#asciiDecoder.decode(this.#finalRowBytes.subarray(0, rows * (cols + 1) - 1)).split('\n');
  }
}
