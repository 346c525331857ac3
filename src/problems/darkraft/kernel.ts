/**
 * Host side of the SIMD kernel (workers/kernels/darkraft.ts): deals boards out to its sixteen lanes and reads the
 * answers back.
 *
 * Boards of like size go together, as the kernel's time is that of the frame which holds all sixteen and grows
 * with the sixth power of its side. L, R and X mean the same on a board reflected in its main diagonal, so
 * boards are laid with their longer side across, which halves the number of shapes.
 */
import type { Board, Solver } from '../problem.js';
import { type Answer, createPortableSolver, limits } from './solve.js';

/** What the kernel exports; it alone knows where its memory holds what. */
export interface Kernel {
  readonly memory: WebAssembly.Memory;
  lanes(): number;
  maxSide(): number;
  noCell(): number;
  nimbersAt(): number;
  overflowedAt(): number;
  reserve(frameRows: number, frameCols: number): number;
  solve(): void;
}

export function createSimdSolver(wasm: WebAssembly.Module): Solver<Answer> {
  return createSolverOn(startKernel(wasm));
}

export function startKernel(wasm: WebAssembly.Module): Kernel {
  return new WebAssembly.Instance(wasm).exports as unknown as Kernel;
}

export function createSolverOn(kernel: Kernel): Solver<Answer> {
  return new SimdSolver(kernel);
}

const MAX_SIDE = Math.max(limits.maxRows, limits.maxCols);
const SHAPES = (MAX_SIDE + 1) ** 2;

/** Numbers shapes by their longer side, then by the shorter one; below SHAPES. */
function shapeOf({ rows, cols }: Board): number {
  return Math.max(rows, cols) * (MAX_SIDE + 1) + Math.min(rows, cols);
}

class SimdSolver implements Solver<Answer> {
  readonly name = 'simd';
  fallbackCases = 0;

  private readonly portable = createPortableSolver();
  private readonly portableAnswer: Answer[] = [];
  private readonly lanes: number;
  /** All of the kernel's memory; made anew where `reserve` has grown it. */
  private memory: Uint8Array;
  /** The indices of a batch's boards, those of one shape together, small shapes first. */
  private order = new Uint32Array(0);
  /** startOf[shape]: where in `order` the next board of that shape belongs. */
  private readonly startOf = new Uint32Array(SHAPES + 1);

  constructor(private readonly kernel: Kernel) {
    if (kernel.maxSide() < MAX_SIDE)
      throw new Error(`darkraft: the kernel takes no ${MAX_SIDE} x ${MAX_SIDE}`);
    this.lanes = kernel.lanes();
    this.memory = new Uint8Array(kernel.memory.buffer);
  }

  solve(boards: readonly Board[], count: number, answers: Answer[]): void {
    this.sortByShape(boards, count);
    // Largest first, so that lanes stay empty only with the smallest boards.
    for (let end = count; end > 0; end -= this.lanes) {
      this.solveTogether(boards, Math.max(0, end - this.lanes), end, answers);
    }
  }

  /** A counting sort into `order`. */
  private sortByShape(boards: readonly Board[], count: number): void {
    const { startOf } = this;
    if (this.order.length < count) this.order = new Uint32Array(count);
    startOf.fill(0);
    for (let i = 0; i < count; i++) startOf[shapeOf(boards[i]) + 1]++;
    for (let shape = 1; shape < startOf.length; shape++) startOf[shape] += startOf[shape - 1];
    for (let i = 0; i < count; i++) this.order[startOf[shapeOf(boards[i])]++] = i;
  }

  /** Solves the boards order[from..end], one a lane. */
  private solveTogether(boards: readonly Board[], from: number, end: number, answers: Answer[]): void {
    const { kernel, lanes, order } = this;
    let frameRows = 0;
    let frameCols = 0;
    for (let k = from; k < end; k++) {
      const { rows, cols } = boards[order[k]];
      frameRows = Math.max(frameRows, Math.min(rows, cols));
      frameCols = Math.max(frameCols, Math.max(rows, cols));
    }
    const letters = kernel.reserve(frameRows, frameCols);
    if (this.memory.buffer !== kernel.memory.buffer) this.memory = new Uint8Array(kernel.memory.buffer);
    this.memory.fill(kernel.noCell(), letters, letters + frameRows * frameCols * lanes);
    for (let k = from; k < end; k++) this.putBoard(boards[order[k]], letters + k - from, frameCols);
    kernel.solve();
    for (let k = from; k < end; k++) this.takeAnswer(boards, order[k], k - from, answers);
  }

  /** Writes a board's letters from the address of its lane's first cell on. */
  private putBoard({ rows, cols, cells }: Board, letters: number, frameCols: number): void {
    const { memory, lanes } = this;
    const reflected = rows > cols;
    const rowStep = lanes * (reflected ? 1 : frameCols);
    const colStep = lanes * (reflected ? frameCols : 1);
    for (let row = 0, cell = 0; row < rows; row++) {
      let at = letters + row * rowStep;
      for (let col = 0; col < cols; col++, cell++, at += colStep) memory[at] = cells[cell];
    }
  }

  private takeAnswer(boards: readonly Board[], index: number, lane: number, answers: Answer[]): void {
    const { kernel, memory } = this;
    if (memory[kernel.overflowedAt() + lane] !== 0) this.solvePortably(boards, index, answers);
    else answers[index] = memory[kernel.nimbersAt() + lane] === 0 ? 'LOSE' : 'WIN';
  }

  private solvePortably(boards: readonly Board[], index: number, answers: Answer[]): void {
    this.portable.solve([boards[index]], 1, this.portableAnswer);
    answers[index] = this.portableAnswer[0];
    this.fallbackCases++;
  }
}
