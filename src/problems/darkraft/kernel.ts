/**
 * Host side of the SIMD kernel (workers/kernels/darkraft.ts): deals boards out to its sixteen lanes and reads the
 * answers back.
 *
 * Boards of like size go together, as the kernel's time is that of the frame which holds all sixteen and grows
 * with the sixth power of its side. L, R and X mean the same on a board reflected in its main diagonal, so
 * boards are laid with their longer side across, which halves the number of shapes.
 */
import type { Board, Solver } from '../problem.js';
import { type Answer, createPortableSolver } from './solve.js';

/** What the kernel exports; it alone knows where its memory holds what. */
interface KernelExports {
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
  return new SimdSolver(new WebAssembly.Instance(wasm).exports as unknown as KernelExports);
}

class SimdSolver implements Solver<Answer> {
  readonly name = 'simd';
  fallbackCases = 0;

  private readonly portable = createPortableSolver();
  private readonly portableAnswer: Answer[] = [];
  private readonly lanes: number;
  private readonly maxSide: number;
  /** All of the kernel's memory; made anew where `reserve` has grown it. */
  private memory: Uint8Array;
  /** The indices of the boards for the kernel, those of one shape together, small shapes first. */
  private order = new Uint32Array(0);
  /** startOf[shape]: where in `order` the next board of that shape belongs. */
  private readonly startOf: Uint32Array;

  constructor(private readonly kernel: KernelExports) {
    this.lanes = kernel.lanes();
    this.maxSide = kernel.maxSide();
    this.memory = new Uint8Array(kernel.memory.buffer);
    this.startOf = new Uint32Array((this.maxSide + 1) ** 2 + 1);
  }

  solve(boards: readonly Board[], count: number, answers: Answer[]): void {
    const waiting = this.sortByShape(boards, count);
    // Largest first, so that lanes stay empty only with the smallest boards.
    for (let end = waiting; end > 0; end -= this.lanes) {
      this.solveTogether(boards, Math.max(0, end - this.lanes), end, answers);
    }
    for (let i = 0; i < count; i++) if (!this.fits(boards[i])) this.solvePortably(boards, i, answers);
  }

  /** A counting sort into `order` of the boards that fit; returns how many do. */
  private sortByShape(boards: readonly Board[], count: number): number {
    const { startOf } = this;
    if (this.order.length < count) this.order = new Uint32Array(count);
    startOf.fill(0);
    for (let i = 0; i < count; i++) if (this.fits(boards[i])) startOf[this.shape(boards[i]) + 1]++;
    for (let shape = 1; shape < startOf.length; shape++) startOf[shape] += startOf[shape - 1];
    const waiting = startOf[startOf.length - 1];
    for (let i = 0; i < count; i++)
      if (this.fits(boards[i])) this.order[startOf[this.shape(boards[i])]++] = i;
    return waiting;
  }

  private fits({ rows, cols }: Board): boolean {
    return rows <= this.maxSide && cols <= this.maxSide;
  }

  /** Numbers shapes by their longer side, then by the shorter one. */
  private shape({ rows, cols }: Board): number {
    return Math.max(rows, cols) * (this.maxSide + 1) + Math.min(rows, cols);
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
