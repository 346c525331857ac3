/**
 * Host side of the SIMD kernel (workers/kernels/river-pawn.ts): one board at a time through the kernel's
 * memory. The lanes hold bounds of one board's positions, so boards need no grouping by size.
 */
import { PortableFallback } from '../portable-fallback.js';
import type { Board, Solver } from '../problem.js';
import { answerOf, createPortableSolver, type RiverPawnAnswer } from './solve.js';

/** What the kernel exports; its layout is its own, and told here by name only. */
interface Kernel {
  memory: WebAssembly.Memory;
  /** The most rows, and columns, of a board the kernel solves. */
  maxSide(): number;
  /** Where a board goes in, row-major, a byte a cell. */
  boardAddress(): number;
  /** Plies until the game on that board ends, or NONE for a tie. */
  solve(rows: number, cols: number): number;
}

export function createSimdSolver(wasm: WebAssembly.Module): Solver<RiverPawnAnswer> {
  return new SimdSolver(new WebAssembly.Instance(wasm).exports as unknown as Kernel);
}

class SimdSolver implements Solver<RiverPawnAnswer> {
  readonly name = 'simd';
  readonly lanes = 1;

  readonly #kernel: Kernel;
  readonly #maxSide: number;
  /** The kernel's memory never grows, so a view of it stays good. */
  readonly #board: Uint8Array;
  readonly #fallback = new PortableFallback(createPortableSolver());

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#maxSide = kernel.maxSide();
    this.#board = new Uint8Array(kernel.memory.buffer, kernel.boardAddress(), this.#maxSide ** 2);
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
    for (let cell = 0; cell < rows * cols; cell++) this.#board[cell] = cells[cell];
    return answerOf(this.#kernel.solve(rows, cols));
  }
}
