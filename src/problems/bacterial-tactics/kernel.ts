/**
 * Host side of the SIMD kernel (workers/kernels/bacterial-tactics.ts): deals boards out to its sixteen lanes
 * and reads the answers back.
 *
 * Boards of like size go together: the kernel's time is that of the frame which holds all sixteen, and grows
 * with the fifth power of its side. Each board is laid with its longer side across, which halves the number
 * of shapes.
 */
import { PortableFallback } from '../portable-fallback.js';
import type { Board, Solver } from '../problem.js';
import { createPortableSolver, emptyNimber } from './solve.js';

/** What the kernel exports; it alone knows where its memory holds what. */
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
const UNDECIDED = -1;

export function createSimdSolver(wasm: WebAssembly.Module): Solver<number> {
  const kernel = new WebAssembly.Instance(wasm).exports as unknown as KernelExports;
  return new SimdSolver(kernel);
}

class SimdSolver implements Solver<number> {
  readonly name = 'simd';

  private readonly lanes: number;
  private readonly maxSide: number;
  /** cells[(row * frameCols + col) * lanes + lane]: RADIOACTIVE or 0. */
  private readonly cells: Uint8Array;
  /** One element a lane: the size of its board, 0 rows if it has none, and what the kernel says of it. */
  private readonly laneRows: Uint8Array;
  private readonly laneCols: Uint8Array;
  private readonly rowsWon: Uint8Array;
  private readonly colsWon: Uint8Array;
  private readonly overflowed: Uint8Array;

  private readonly fallback = new PortableFallback(createPortableSolver());

  /**
   * Of this batch, the indices of the boards for the kernel as they come: waiting[0] up to
   * waiting[waitingCount - 1].
   */
  private waiting = new Uint32Array(0);
  private waitingCount = 0;
  /** The same indices, boards of one size together, small sizes first. */
  private ordered = new Uint32Array(0);
  /** startOf[sizeOf(board)]: where in `ordered` the next board of that size belongs. */
  private readonly startOf: Uint32Array;
  /** Of this batch, the indices of the boards for the portable solver. */
  private readonly redo: number[] = [];

  constructor(private readonly kernel: KernelExports) {
    this.lanes = kernel.lanes();
    this.maxSide = kernel.maxSide();
    const { buffer } = kernel.memory; // never grows, so the views last
    this.cells = new Uint8Array(buffer, kernel.cellsAt(), this.maxSide ** 2 * this.lanes);
    this.laneRows = new Uint8Array(buffer, kernel.laneRowsAt(), this.lanes);
    this.laneCols = new Uint8Array(buffer, kernel.laneColsAt(), this.lanes);
    this.rowsWon = new Uint8Array(buffer, kernel.rowsWonAt(), this.lanes);
    this.colsWon = new Uint8Array(buffer, kernel.colsWonAt(), this.lanes);
    this.overflowed = new Uint8Array(buffer, kernel.overflowedAt(), this.lanes);
    this.startOf = new Uint32Array((this.maxSide + 1) ** 2 + 1);
  }

  get fallbackCases(): number {
    return this.fallback.cases;
  }

  solve(boards: readonly Board[], count: number, answers: number[]): void {
    this.sortOut(boards, count, answers);
    this.orderBySize(boards);
    // Largest first, so that lanes stay empty only with the smallest boards.
    for (let end = this.waitingCount; end > 0; end -= this.lanes) {
      this.solveTogether(boards, this.ordered.subarray(Math.max(0, end - this.lanes), end), answers);
    }
    this.solvePortably(boards, answers);
  }

  /** Answers what can be told at sight, and puts every other board down for one of the two solvers. */
  private sortOut(boards: readonly Board[], count: number, answers: number[]): void {
    if (this.waiting.length < count) {
      this.waiting = new Uint32Array(count);
      this.ordered = new Uint32Array(count);
    }
    this.waitingCount = 0;
    this.redo.length = 0;
    for (let i = 0; i < count; i++) {
      const board = boards[i];
      const atSight = answerAtSight(board);
      if (atSight !== UNDECIDED) answers[i] = atSight;
      else if (longSide(board) > this.maxSide) this.redo.push(i);
      else this.waiting[this.waitingCount++] = i;
    }
  }

  /** Counting sort, from `waiting` into `ordered`. */
  private orderBySize(boards: readonly Board[]): void {
    const { waiting, waitingCount, ordered, startOf } = this;
    startOf.fill(0);
    for (let i = 0; i < waitingCount; i++) startOf[this.sizeOf(boards[waiting[i]]) + 1]++;
    for (let size = 1; size < startOf.length; size++) startOf[size] += startOf[size - 1];
    for (let i = 0; i < waitingCount; i++) ordered[startOf[this.sizeOf(boards[waiting[i]])]++] = waiting[i];
  }

  private sizeOf(board: Board): number {
    return longSide(board) * this.maxSide + shortSide(board) - 1;
  }

  /** One board a lane, or fewer. */
  private solveTogether(boards: readonly Board[], indices: Uint32Array, answers: number[]): void {
    let frameRows = 0;
    let frameCols = 0;
    for (const index of indices) {
      frameRows = Math.max(frameRows, shortSide(boards[index]));
      frameCols = Math.max(frameCols, longSide(boards[index]));
    }
    this.cells.fill(RADIOACTIVE, 0, frameRows * frameCols * this.lanes);
    this.laneRows.fill(0);
    for (let lane = 0; lane < indices.length; lane++) this.place(boards[indices[lane]], lane, frameCols);
    this.kernel.solve(frameRows, frameCols);
    for (let lane = 0; lane < indices.length; lane++) {
      if (this.overflowed[lane] !== 0) this.redo.push(indices[lane]);
      else answers[indices[lane]] = this.answerOf(lane);
    }
  }

  /** Lays a board into its lane, on its side if it is taller than wide: the game is the same. */
  private place(board: Board, lane: number, frameCols: number): void {
    const { rows, cols, cells } = board;
    const planes = this.cells;
    const upright = rows <= cols;
    const rowStep = (upright ? frameCols : 1) * this.lanes;
    const colStep = (upright ? 1 : frameCols) * this.lanes;
    for (let row = 0, cell = 0; row < rows; row++) {
      let at = row * rowStep + lane;
      for (let col = 0; col < cols; col++, cell++, at += colStep) planes[at] = -cells[cell]; // 1 to 0xFF
    }
    this.laneRows[lane] = shortSide(board);
    this.laneCols[lane] = longSide(board);
  }

  private answerOf(lane: number): number {
    return this.rowsWon[lane] * this.laneCols[lane] + this.colsWon[lane] * this.laneRows[lane];
  }

  private solvePortably(boards: readonly Board[], answers: number[]): void {
    for (const index of this.redo) answers[index] = this.fallback.solve(boards[index]);
  }
}

function longSide(board: Board): number {
  return Math.max(board.rows, board.cols);
}

function shortSide(board: Board): number {
  return Math.min(board.rows, board.cols);
}

/**
 * Empty boards and boards without a clear line take no search: a third of those with densities from 0 to 0.3.
 */
function answerAtSight(board: Board): number {
  if (isEmpty(board)) return openingsOfEmptyBoard(board.rows, board.cols);
  return hasClearRow(board) || hasClearCol(board) ? UNDECIDED : 0;
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

function openingsOfEmptyBoard(rows: number, cols: number): number {
  let openings = 0;
  for (let row = 0; row < rows; row++) {
    if (emptyNimber(row, cols) === emptyNimber(rows - 1 - row, cols)) openings += cols;
  }
  for (let col = 0; col < cols; col++) {
    if (emptyNimber(rows, col) === emptyNimber(rows, cols - 1 - col)) openings += rows;
  }
  return openings;
}
