/**
 * The JavaScript side of the kernel (workers/kernels/bacterial-tactics.ts). It brings the boards of a batch into the kernel's
 * memory, forms groups of boards that are solved together, and chooses for each group the solver that takes least time.
 */

import type { BatchContext, Board, SimdSolverOptions, Solver } from '../../problems/problem.js';
import {
  type BoardBatchHandler,
  BoardKernelBatch,
  type KernelBatchExports,
} from '../shared/board-kernel-batch.js';
import { PortableFallback } from '../shared/portable-fallback.js';
import {
  type BoardGroup,
  type BoardGroupKey,
  type BoardGroupPlanner,
  FastestBoardGroupPlanner,
} from './groups.js';
import { createNimberFunction, createPortableSolver, emptyNimber } from './solve.js';

/** The exports of the kernel. Functions whose names end in `At` return addresses in the kernel's memory. */
interface KernelExports extends KernelBatchExports {
  lanes(): number;
  bitLanes(): number;
  cellsAddress(): number;
  factsAddress(): number;
  sortedBoardsAddress(): number;
  rowsWonAddress(): number;
  colsWonAddress(): number;
  overflowedAddress(): number;
  nimbersAddress(): number;
  addBoard(board: number, rows: number, cols: number): void;
  sortBoards(count: number): number;
  solveBits(first: number, count: number, rows: number, cols: number, skipsRectangles: boolean): void;
  solveBytes(first: number, count: number, rows: number, cols: number): void;
  findNimbersOfBits(): void;
  findNimbersOfBytes(): void;
}

// The bits of the number in which the kernel stores the sides and the radioactive cells of a board. The kernel transposes
// boards so that they have no more rows than columns.

function radioactiveCellsIn(facts: number): number {
  return facts & 0xffff;
}

function rowsIn(facts: number): number {
  return (facts >> 16) & 63;
}

function colsIn(facts: number): number {
  return (facts >> 22) & 63;
}

/** Stands for the facts of a board that is too large for the kernel. */
const SKIPPED = 0;

/** Stands for a nimber that the kernel has not computed. */
const UNKNOWN_NIMBER = -1;

/** Creates the solver with a compiled kernel. Tests pass a planner of their own, which chooses other groups. */
export function createSimdSolver(
  wasm: WebAssembly.Module,
  { usesKernelAlone = false, planner }: SimdSolverOptions & { readonly planner?: BoardGroupPlanner } = {},
): Solver<number> {
  const kernel = new WebAssembly.Instance(wasm).exports as unknown as KernelExports;
  const lanes = { byteLanes: kernel.lanes(), bitLanes: kernel.bitLanes() };
  return new SimdSolver(
    kernel,
    planner ?? new FastestBoardGroupPlanner({ ...lanes, usesPortable: !usesKernelAlone }),
  );
}

class SimdSolver implements Solver<number>, BoardBatchHandler<number> {
  readonly name = 'simd';
  readonly lanes: number;
  readonly kernelBatch: BoardKernelBatch<number>;

  readonly #kernel: KernelExports;
  readonly #maxSide: number;
  // The kernel's memory never grows, so these typed arrays stay valid.
  /** cells[board * maxSide + row]: bit `col` is set if the cell is radioactive. */
  readonly #cells: Uint32Array;
  readonly #facts: Uint32Array;
  /** The boards that need a search, in the order of the kernel. */
  readonly #sortedBoards: Uint16Array;
  /** rowsWon[lane], colsWon[lane]: the number of rows, and of columns, of the lane's board that win as the first move. */
  readonly #rowsWon: Uint8Array;
  readonly #colsWon: Uint8Array;
  /** overflowed[lane]: not 0 if the lane's board has a nimber that is too large for the kernel. */
  readonly #overflowed: Uint8Array;
  /** boardNimbers[lane]: the nimber of the lane's board, if the kernel was asked for it. */
  readonly #boardNimbers: Uint8Array;

  readonly #planner: BoardGroupPlanner;
  readonly #sortedFacts: BoardGroupKey = {
    rows: (position) => rowsIn(this.#factsAddress(position)),
    cols: (position) => colsIn(this.#factsAddress(position)),
    radioactiveCells: (position) => radioactiveCellsIn(this.#factsAddress(position)),
  };
  readonly #portable = createPortableSolver();
  readonly #fallback = new PortableFallback(createPortableSolver());
  readonly #winsOnEmptyBoards = new Map<number, number>();
  /** Where the nimbers of the boards of the batch are written; null if nobody asks for them. */
  #nimbers: number[] | null = null;
  /** Null until somebody asks for the nimber of a board that the kernel does not solve. */
  #findNimber: ((board: Board) => number) | null = null;

  constructor(kernel: KernelExports, planner: BoardGroupPlanner) {
    this.#kernel = kernel;
    this.lanes = kernel.lanes();
    this.#maxSide = kernel.maxSide();
    const { buffer } = kernel.memory;
    const bitLanes = kernel.bitLanes();
    const maxBoards = kernel.maxBoards();
    this.#cells = new Uint32Array(buffer, kernel.cellsAddress(), maxBoards * this.#maxSide);
    this.#facts = new Uint32Array(buffer, kernel.factsAddress(), maxBoards);
    this.#sortedBoards = new Uint16Array(buffer, kernel.sortedBoardsAddress(), maxBoards);
    this.#rowsWon = new Uint8Array(buffer, kernel.rowsWonAddress(), bitLanes);
    this.#colsWon = new Uint8Array(buffer, kernel.colsWonAddress(), bitLanes);
    this.#overflowed = new Uint8Array(buffer, kernel.overflowedAddress(), bitLanes);
    this.#boardNimbers = new Uint8Array(buffer, kernel.nimbersAddress(), bitLanes);
    this.#planner = planner;
    this.kernelBatch = new BoardKernelBatch(kernel, this, this.#fallback);
  }

  get fallbackCases(): number {
    return this.#fallback.caseCount;
  }

  solve(boards: readonly Board[], count: number, answers: number[], context?: BatchContext): void {
    if (context?.nimbers === undefined) this.kernelBatch.solve(boards, count, answers);
    else this.#solveWithNimbers(boards, count, answers, context.nimbers);
  }

  /** Also writes nimbers: the kernel's, and those that the portable search finds for boards that the kernel has not solved. */
  #solveWithNimbers(boards: readonly Board[], count: number, answers: number[], nimbers: number[]): void {
    this.#nimbers = nimbers;
    try {
      this.kernelBatch.solve(boards, count, answers);
    } finally {
      this.#nimbers = null;
    }
    for (let i = 0; i < count; i++) {
      if (nimbers[i] !== UNKNOWN_NIMBER) continue;
      this.#findNimber ??= createNimberFunction();
      nimbers[i] = this.#findNimber(boards[i]);
    }
  }

  writeBoard(index: number, { rows, cols, cells }: Board): void {
    for (let row = 0, cell = 0; row < rows; row++) {
      let radioactive = 0;
      for (let col = 0; col < cols; col++, cell++) radioactive |= cells[cell] << col;
      this.#cells[index * this.#maxSide + row] = radioactive;
    }
    this.#kernel.addBoard(index, rows, cols);
  }

  skipBoard(index: number): void {
    this.#facts[index] = SKIPPED;
  }

  solveBoards(count: number, answers: number[], offset: number): void {
    for (let i = 0; i < count; i++) answers[offset + i] = this.#answerWithoutSearch(this.#facts[i]);
    const searched = this.#kernel.sortBoards(count);
    if (this.#nimbers !== null) this.#writeNimbersWithoutSearch(count, searched, this.#nimbers, offset);
    this.#planner.forEachGroup(searched, this.#sortedFacts, (group) =>
      this.#solveGroup(group, answers, offset),
    );
  }

  /** Writes the nimbers of the boards that are not among the sorted ones: those without a clear line are 0. */
  #writeNimbersWithoutSearch(count: number, searched: number, nimbers: number[], offset: number): void {
    for (let i = 0; i < count; i++) {
      const facts = this.#facts[i];
      nimbers[offset + i] = radioactiveCellsIn(facts) > 0 ? 0 : emptyNimber(rowsIn(facts), colsIn(facts));
      if (facts === SKIPPED) nimbers[offset + i] = UNKNOWN_NIMBER;
    }
    for (let position = 0; position < searched; position++)
      nimbers[offset + this.#sortedBoards[position]] = UNKNOWN_NIMBER;
  }

  /** Returns the number with the sides and the radioactive cells of the board at this position of the sorted boards. */
  #factsAddress(position: number): number {
    return this.#facts[this.#sortedBoards[position]];
  }

  /** Returns the answer to a board without a clear line or without a radioactive cell. */
  #answerWithoutSearch(facts: number): number {
    if (radioactiveCellsIn(facts) > 0) return 0;
    const rows = rowsIn(facts);
    const cols = colsIn(facts);
    const shape = rows * 64 + cols;
    let wins = this.#winsOnEmptyBoards.get(shape);
    if (wins === undefined) {
      wins = countWinsOnEmptyBoard(rows, cols);
      this.#winsOnEmptyBoards.set(shape, wins);
    }
    return wins;
  }

  #solveGroup(
    { solver, first, count, frame, skipsRectangles }: BoardGroup,
    answers: number[],
    offset: number,
  ): void {
    if (solver === 'portable') {
      this.#solveWithPortable(first, count, answers, offset);
      return;
    }
    if (solver === 'bits') this.#kernel.solveBits(first, count, frame.rows, frame.cols, skipsRectangles);
    else this.#kernel.solveBytes(first, count, frame.rows, frame.cols);
    if (this.#nimbers !== null) this.#readNimbers(solver, first, count, this.#nimbers, offset);
    for (let lane = 0; lane < count; lane++) {
      const board = this.#sortedBoards[first + lane];
      answers[offset + board] =
        this.#overflowed[lane] === 0
          ? this.#answerOfLane(lane, this.#facts[board])
          : this.#fallback.solve(this.#boardAt(board));
    }
  }

  /** Reads the nimbers of the group that the kernel has just solved. */
  #readNimbers(
    solver: 'bits' | 'bytes',
    first: number,
    count: number,
    nimbers: number[],
    offset: number,
  ): void {
    if (solver === 'bits') this.#kernel.findNimbersOfBits();
    else this.#kernel.findNimbersOfBytes();
    for (let lane = 0; lane < count; lane++)
      if (this.#overflowed[lane] === 0)
        nimbers[offset + this.#sortedBoards[first + lane]] = this.#boardNimbers[lane];
  }

  /** Solves boards one by one with the portable solver, where that takes less time than the kernel. */
  #solveWithPortable(first: number, count: number, answers: number[], offset: number): void {
    const answer: number[] = [];
    for (let position = first; position < first + count; position++) {
      const index = this.#sortedBoards[position];
      this.#portable.solve([this.#boardAt(index)], 1, answer);
      answers[offset + index] = answer[0];
    }
  }

  #answerOfLane(lane: number, facts: number): number {
    return this.#rowsWon[lane] * colsIn(facts) + this.#colsWon[lane] * rowsIn(facts);
  }

  /** Returns a board that is in the kernel's memory. */
  #boardAt(index: number): Board {
    const rows = rowsIn(this.#facts[index]);
    const cols = colsIn(this.#facts[index]);
    const cells = new Uint8Array(rows * cols);
    for (let row = 0, cell = 0; row < rows; row++) {
      const radioactive = this.#cells[index * this.#maxSide + row];
      for (let col = 0; col < cols; col++, cell++) cells[cell] = (radioactive >>> col) & 1;
    }
    return { rows, cols, cells };
  }
}

function countWinsOnEmptyBoard(rows: number, cols: number): number {
  let openings = 0;
  for (let row = 0; row < rows; row++) {
    if (emptyNimber(row, cols) === emptyNimber(rows - 1 - row, cols)) openings += cols;
  }
  for (let col = 0; col < cols; col++) {
    if (emptyNimber(rows, col) === emptyNimber(rows, cols - 1 - col)) openings += rows;
  }
  return openings;
}
