/**
 * The JavaScript side of the SIMD kernel (workers/kernels/river-pawn.ts). It writes one board at a time into the
 * kernel's memory. All lanes work on positions of the same board, so boards need not be grouped by size.
 */
import { PortableFallback } from '../portable-fallback.js';
import type { Board, Solver } from '../problem.js';
import { answerOf, createPortableSolver, type RiverPawnAnswer } from './solve.js';

/** The functions and the memory that the WebAssembly kernel exports. */
interface KernelExports {
  memory: WebAssembly.Memory;
  /** Returns the largest number of rows, and of columns, of a board that the kernel can solve. */
  maxSide(): number;
  /** Returns the address at which a board is written: row by row, one byte per cell. */
  boardAddress(): number;
  /** Returns the number of plies until the game on the board ends, or -1 for a tie. */
  solve(rows: number, cols: number): number;
}

export function createSimdSolver(wasm: WebAssembly.Module): Solver<RiverPawnAnswer> {
  return new SimdSolver(new WebAssembly.Instance(wasm).exports as unknown as KernelExports);
}

class SimdSolver implements Solver<RiverPawnAnswer> {
  readonly name = 'simd';
  readonly lanes = 1;

  readonly #kernel: KernelExports;
  readonly #maxSide: number;
  /** The bytes of the kernel's memory where a board is written. The memory never grows, so the view stays valid. */
  readonly #boardBytes: Uint8Array;
  readonly #fallback = new PortableFallback(createPortableSolver());

  constructor(kernel: KernelExports) {
    this.#kernel = kernel;
    this.#maxSide = kernel.maxSide();
    this.#boardBytes = new Uint8Array(kernel.memory.buffer, kernel.boardAddress(), this.#maxSide ** 2);
  }

  get fallbackCases(): number {
    return this.#fallback.caseCount;
  }

  solve(boards: readonly Board[], count: number, answers: RiverPawnAnswer[]): void {
    for (let i = 0; i < count; i++) {
      answers[i] = this.#fitsKernel(boards[i])
        ? this.#solveWithKernel(boards[i])
        : this.#fallback.solve(boards[i]);
    }
  }

  #fitsKernel({ rows, cols }: Board): boolean {
    return rows <= this.#maxSide && cols <= this.#maxSide;
  }

  #solveWithKernel({ rows, cols, cells }: Board): RiverPawnAnswer {
    for (let cell = 0; cell < rows * cols; cell++) this.#boardBytes[cell] = cells[cell];
    return answerOf(this.#kernel.solve(rows, cols));
  }
}
