/**
 * The JavaScript side of the SIMD kernel (workers/kernels/bacterial-tactics.ts): writes one board into each of the
 * kernel's sixteen lanes (the bytes of its SIMD vectors) and reads the answers back.
 *
 * The kernel's time grows with the fifth power of the side of the frame, so boards are grouped by size.
 */
import { LaneGrouper, longSide, shortSide } from '../lane-grouper.js';
import { PortableFallback } from '../portable-fallback.js';
import type { BatchContext, Board, Solver } from '../problem.js';
import { createNimberFinder, createPortableSolver, emptyNimber } from './solve.js';

/** The exports of the kernel. Functions whose names end in `At` return addresses in the kernel's memory. */
interface KernelExports {
  readonly memory: WebAssembly.Memory;
  lanes(): number;
  maxSide(): number;
  cellsAt(): number;
  laneRowsAt(): number;
  laneColsAt(): number;
  rowsWonAt(): number;
  colsWonAt(): number;
  overflowedAt(): number;
  solve(frameRows: number, frameCols: number): void;
}

const RADIOACTIVE = 0xff;
/** The code of a cell in the kernel's memory, indexed by the cell's code in `Board.cells`. */
const KERNEL_CODE_OF_CELL = Uint8Array.of(0, RADIOACTIVE);
/** Result of `answerWithoutSearch` for a board whose answer needs a search. */
const SEARCH_NEEDED = -1;

export function createSimdSolver(wasm: WebAssembly.Module): Solver<number> {
  const kernel = new WebAssembly.Instance(wasm).exports as unknown as KernelExports;
  return new SimdSolver(kernel);
}

class SimdSolver implements Solver<number> {
  readonly name = 'simd';

  readonly #kernel: KernelExports;
  readonly #grouper: LaneGrouper;
  readonly #maxSide: number;
  /** cells[(row * frameCols + col) * lanes + lane]: RADIOACTIVE or 0. */
  readonly #cells: Uint8Array;
  /** laneRows[lane], laneCols[lane]: the size of the lane's board; 0 rows if the lane has no board. */
  readonly #laneRows: Uint8Array;
  readonly #laneCols: Uint8Array;
  /**
   * rowsWon[lane], colsWon[lane]: the number of rows, and of columns, of the lane's board that win as the first move.
   */
  readonly #rowsWon: Uint8Array;
  readonly #colsWon: Uint8Array;
  /** overflowed[lane]: not 0 if the lane's board has a nimber that is too large for the kernel. */
  readonly #overflowed: Uint8Array;

  readonly #fallback = new PortableFallback(createPortableSolver());
  /** Null until somebody asks for nimbers. */
  #findNimber: ((board: Board) => number) | null = null;

  /**
   * Indices of the boards of this batch that the kernel will solve, in order: elements 0 to `#countForKernel - 1`.
   */
  #indicesForKernel = new Uint32Array(0);
  #countForKernel = 0;
  /** Indices of the boards of this batch that the portable solver will solve. */
  readonly #indicesForFallback: number[] = [];

  constructor(kernel: KernelExports) {
    this.#kernel = kernel;
    const lanes = kernel.lanes();
    this.#maxSide = kernel.maxSide();
    this.#grouper = new LaneGrouper(lanes, this.#maxSide);
    const { buffer } = kernel.memory; // The kernel's memory never grows, so these typed arrays stay valid.
    this.#cells = new Uint8Array(buffer, kernel.cellsAt(), this.#maxSide ** 2 * lanes);
    this.#laneRows = new Uint8Array(buffer, kernel.laneRowsAt(), lanes);
    this.#laneCols = new Uint8Array(buffer, kernel.laneColsAt(), lanes);
    this.#rowsWon = new Uint8Array(buffer, kernel.rowsWonAt(), lanes);
    this.#colsWon = new Uint8Array(buffer, kernel.colsWonAt(), lanes);
    this.#overflowed = new Uint8Array(buffer, kernel.overflowedAt(), lanes);
  }

  get lanes(): number {
    return this.#grouper.lanes;
  }

  get fallbackCases(): number {
    return this.#fallback.caseCount;
  }

  solve(boards: readonly Board[], count: number, answers: number[], context?: BatchContext): void {
    this.#answerOrAssignBoards(boards, count, answers);
    this.#grouper.forEachGroup(
      boards,
      this.#indicesForKernel,
      this.#countForKernel,
      (group, frameRows, frameCols) => {
        this.#solveGroup(boards, group, frameRows, frameCols, answers);
      },
    );
    this.#solveFallbackBoards(boards, answers);
    if (context?.nimbers !== undefined) this.#findNimbers(boards, count, context.nimbers);
  }

  /** Computes nimbers with the portable search, because the kernel counts only winning moves. */
  #findNimbers(boards: readonly Board[], count: number, nimbers: number[]): void {
    this.#findNimber ??= createNimberFinder();
    for (let i = 0; i < count; i++) nimbers[i] = this.#findNimber(boards[i]);
  }

  /** Answers the boards that need no search, and assigns every other board to the kernel or the portable solver. */
  #answerOrAssignBoards(boards: readonly Board[], count: number, answers: number[]): void {
    if (this.#indicesForKernel.length < count) this.#indicesForKernel = new Uint32Array(count);
    this.#countForKernel = 0;
    this.#indicesForFallback.length = 0;
    for (let i = 0; i < count; i++) {
      const board = boards[i];
      const quickAnswer = answerWithoutSearch(board);
      if (quickAnswer !== SEARCH_NEEDED) answers[i] = quickAnswer;
      else if (longSide(board) > this.#maxSide) this.#indicesForFallback.push(i);
      else this.#indicesForKernel[this.#countForKernel++] = i;
    }
  }

  /** Solves a group of boards in one call of the kernel, at most one board per lane. */
  #solveGroup(
    boards: readonly Board[],
    indices: Uint32Array,
    frameRows: number,
    frameCols: number,
    answers: number[],
  ): void {
    this.#cells.fill(RADIOACTIVE, 0, frameRows * frameCols * this.#grouper.lanes);
    this.#laneRows.fill(0);
    for (let lane = 0; lane < indices.length; lane++)
      this.#writeBoardToLane(boards[indices[lane]], lane, frameCols);
    this.#kernel.solve(frameRows, frameCols);
    for (let lane = 0; lane < indices.length; lane++) {
      if (this.#overflowed[lane] !== 0) this.#indicesForFallback.push(indices[lane]);
      else answers[indices[lane]] = this.#answerOfLane(lane);
    }
  }

  #writeBoardToLane(board: Board, lane: number, frameCols: number): void {
    this.#grouper.writeBoard(board, KERNEL_CODE_OF_CELL, this.#cells, lane, frameCols);
    this.#laneRows[lane] = shortSide(board);
    this.#laneCols[lane] = longSide(board);
  }

  #answerOfLane(lane: number): number {
    return this.#rowsWon[lane] * this.#laneCols[lane] + this.#colsWon[lane] * this.#laneRows[lane];
  }

  #solveFallbackBoards(boards: readonly Board[], answers: number[]): void {
    for (const index of this.#indicesForFallback) answers[index] = this.#fallback.solve(boards[index]);
  }
}

/**
 * Returns the answer to a board without radioactive cells or without a clear line (a row or column of empty cells),
 * and SEARCH_NEEDED for any other board. Of random boards with densities from 0 to 0.3, a third need no search.
 */
function answerWithoutSearch(board: Board): number {
  if (isEmpty(board)) return countWinsOnEmptyBoard(board.rows, board.cols);
  return hasClearRow(board) || hasClearCol(board) ? SEARCH_NEEDED : 0;
}

function isEmpty({ rows, cols, cells }: Board): boolean {
  for (let cell = 0; cell < rows * cols; cell++) {
    if (cells[cell] !== 0) return false;
  }
  return true;
}

function hasClearRow({ rows, cols, cells }: Board): boolean {
  for (let row = 0; row < rows; row++) {
    let col = 0;
    while (col < cols && cells[row * cols + col] === 0) col++;
    if (col === cols) return true;
  }
  return false;
}

function hasClearCol({ rows, cols, cells }: Board): boolean {
  for (let col = 0; col < cols; col++) {
    let row = 0;
    while (row < rows && cells[row * cols + col] === 0) row++;
    if (row === rows) return true;
  }
  return false;
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
