/**
 * The JavaScript side of the SIMD kernel (workers/kernels/darkraft.ts): writes one board into each of the kernel's
 * sixteen lanes and reads the answers back. A lane is one byte of the kernel's SIMD vectors.
 *
 * The kernel's time grows with the sixth power of the side of the frame, so boards are grouped by size. Boards may be
 * reflected in the main diagonal, because L, R and X clear the same cells on the reflected board.
 */

import type { BatchContext, Board, Solver } from '../../problems/problem.js';
import { PortableFallback } from '../shared/portable-fallback.js';
import { LaneGrouper } from './lane-grouper.js';
import { createNimberFunction, createPortableSolver, type DarkraftAnswer, supportedLimits } from './solve.js';

/** The exports of the kernel. Functions whose names end in `At` return addresses in the kernel's memory. */
export interface DarkraftKernel {
  readonly memory: WebAssembly.Memory;
  lanes(): number;
  maxSide(): number;
  outsideCellCode(): number;
  nimbersAddress(): number;
  overflowedAddress(): number;
  reserve(frameRows: number, frameCols: number): number;
  solve(): void;
}

export function createSimdSolver(wasm: WebAssembly.Module): Solver<DarkraftAnswer> {
  return createSolverFromKernel(instantiateKernel(wasm));
}

export function instantiateKernel(wasm: WebAssembly.Module): DarkraftKernel {
  return new WebAssembly.Instance(wasm).exports as unknown as DarkraftKernel;
}

export function createSolverFromKernel(kernel: DarkraftKernel): Solver<DarkraftAnswer> {
  return new SimdSolver(kernel);
}

const MAX_SIDE = Math.max(supportedLimits.maxRows, supportedLimits.maxCols);

class SimdSolver implements Solver<DarkraftAnswer> {
  readonly name = 'simd';
  readonly #kernel: DarkraftKernel;
  readonly #fallback = new PortableFallback(createPortableSolver());
  /** Computes nimbers with the portable search; null until a board has a nimber that the kernel cannot compute. */
  #findNimber: ((board: Board) => number) | null = null;
  readonly #grouper: LaneGrouper;
  /** A view of all of the kernel's memory. The solver must replace this array after `reserve` has grown the memory. */
  #memory: Uint8Array;

  constructor(kernel: DarkraftKernel) {
    this.#kernel = kernel;
    if (kernel.maxSide() < MAX_SIDE)
      throw new Error(
        `darkraft: the kernel cannot solve boards of ${MAX_SIDE} x ${MAX_SIDE}; rebuild the kernels`,
      );
    this.#grouper = new LaneGrouper(kernel.lanes(), MAX_SIDE);
    this.#memory = new Uint8Array(kernel.memory.buffer);
  }

  get lanes(): number {
    return this.#grouper.lanes;
  }

  get fallbackCases(): number {
    return this.#fallback.caseCount;
  }

  solve(boards: readonly Board[], count: number, answers: DarkraftAnswer[], context?: BatchContext): void {
    this.#grouper.forEachGroup(boards, count, (group, frameRows, frameCols) => {
      this.#solveGroup(boards, group, frameRows, frameCols, answers);
      if (context?.nimbers !== undefined) this.#readNimbers(boards, group, context.nimbers);
    });
  }

  /** Reads the nimbers of the group that the kernel has just solved. */
  #readNimbers(boards: readonly Board[], group: Uint32Array, nimbers: number[]): void {
    for (let lane = 0; lane < group.length; lane++) {
      const index = group[lane];
      nimbers[index] = this.#hasOverflowed(lane)
        ? this.#findLargeNimber(boards[index])
        : this.#nimberOfLane(lane);
    }
  }

  /** Computes the nimber of a board whose nimber is too large for the kernel. */
  #findLargeNimber(board: Board): number {
    this.#findNimber ??= createNimberFunction();
    return this.#findNimber(board);
  }

  /** Solves a group of boards in one call of the kernel, at most one board per lane. */
  #solveGroup(
    boards: readonly Board[],
    group: Uint32Array,
    frameRows: number,
    frameCols: number,
    answers: DarkraftAnswer[],
  ): void {
    const kernel = this.#kernel;
    const grouper = this.#grouper;
    const lettersAddress = kernel.reserve(frameRows, frameCols);
    if (this.#memory.buffer !== kernel.memory.buffer) this.#memory = new Uint8Array(kernel.memory.buffer);
    this.#memory.fill(
      kernel.outsideCellCode(),
      lettersAddress,
      lettersAddress + frameRows * frameCols * grouper.lanes,
    );
    // The kernel uses the letter codes of `Board.cells`, so boards are copied unchanged.
    for (let lane = 0; lane < group.length; lane++)
      grouper.writeBoard(boards[group[lane]], this.#memory, lettersAddress + lane, frameCols);
    kernel.solve();
    for (let lane = 0; lane < group.length; lane++) {
      const index = group[lane];
      answers[index] = this.#hasOverflowed(lane)
        ? this.#fallback.solve(boards[index])
        : this.#answerOfLane(lane);
    }
  }

  #hasOverflowed(lane: number): boolean {
    return this.#memory[this.#kernel.overflowedAddress() + lane] !== 0;
  }

  #answerOfLane(lane: number): DarkraftAnswer {
    return this.#nimberOfLane(lane) === 0 ? 'LOSE' : 'WIN';
  }

  #nimberOfLane(lane: number): number {
    return this.#memory[this.#kernel.nimbersAddress() + lane];
  }
}
