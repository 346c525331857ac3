/**
 * Shrinks a list of boards on which a program fails to a smaller list on which the program still fails: fewer boards,
 * fewer rows and columns, simpler cells. The method is greedy: it removes halves first, and then single elements (A.
 * Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002). The program fails on the
 * resulting list, and, unless the time ran out, it fails on no list that is one step smaller.
 */
import { ByteWriter } from '../../core/bytes.js';
import type { Board, Problem } from '../../problems/problem.js';

export interface ShrinkOptions {
  readonly problem: Problem<unknown>;
  /** Whether the program still fails on the given boards. */
  readonly isFailing: (boards: readonly Board[]) => Promise<boolean>;
  /** Number of candidates that are tried at the same time. */
  readonly jobs: number;
  /** Whether the time is up. Called between groups of candidates; if it is, the smallest list so far is the result. */
  readonly isTimeUp: () => boolean;
}

type Boards = readonly Board[];

/** Shrinks a failing list of boards. */
export async function shrink(boards: Boards, options: ShrinkOptions): Promise<Boards> {
  let smallest = boards;
  for (;;) {
    const smaller = await firstFailing(smallerCandidates(smallest, options.problem), options);
    if (smaller === null) return smallest;
    smallest = smaller;
  }
}

/** The first candidate in order that fails; null if no candidate fails or the time is up. */
async function firstFailing(
  smallerCandidates: Iterable<Boards>,
  options: ShrinkOptions,
): Promise<Boards | null> {
  for (const group of groupsOf(smallerCandidates, options.jobs)) {
    if (options.isTimeUp()) return null;
    const verdicts = await Promise.all(group.map((boards) => options.isFailing(boards)));
    const index = verdicts.indexOf(true);
    if (index >= 0) return group[index];
  }
  return null;
}

/** Yields the lists of boards that are one step smaller. The lists with the most boards or cells removed come first. */
function* smallerCandidates(boards: Boards, problem: Problem<unknown>): Generator<Boards> {
  for (const { from, count } of contiguousRanges(boards.length)) {
    if (count < boards.length) yield [...boards.slice(0, from), ...boards.slice(from + count)];
  }
  for (const [i, board] of boards.entries()) {
    for (const simpler of simplerBoards(board, problem)) {
      if (isValidBoard(simpler, problem)) yield boards.with(i, simpler);
    }
  }
}

/**
 * Yields ranges of indices below `length`: the whole range, then its halves, its quarters, and so on down to single
 * indices.
 */
function* contiguousRanges(length: number): Generator<{ from: number; count: number }> {
  for (let count = length; count >= 1; count >>= 1) {
    for (let from = 0; from + count <= length; from += count) yield { from, count };
  }
}

/** The boards that are one step simpler: fewer rows, fewer columns, or one simpler cell. */
function* simplerBoards(board: Board, { inputFormat }: Problem<unknown>): Generator<Board> {
  const { rows, cols } = board;
  const cellBytes = inputFormat.cellBytes;
  for (const { from, count } of contiguousRanges(rows)) {
    if (count < rows)
      yield keepCells(
        board,
        cellBytes,
        (row) => row < from || row >= from + count,
        () => true,
      );
  }
  for (const { from, count } of contiguousRanges(cols)) {
    if (count < cols)
      yield keepCells(
        board,
        cellBytes,
        () => true,
        (col) => col < from || col >= from + count,
      );
  }
  for (let at = 0; at < rows * cols * cellBytes; at++) {
    for (const code of inputFormat.simplerCodes(board.cells[at], at % cellBytes)) {
      const cells = board.cells.slice();
      cells[at] = code;
      yield { rows, cols, cells };
    }
  }
}

/** The board with only those rows and columns for which `keepsRow` and `keepsCol` are true. */
function keepCells(
  { rows, cols, cells }: Board,
  size: number,
  keepsRow: (row: number) => boolean,
  keepsCol: (col: number) => boolean,
): Board {
  const keptRows = Array.from({ length: rows }, (_, row) => row).filter(keepsRow);
  const keptCols = Array.from({ length: cols }, (_, col) => col).filter(keepsCol);
  const keptCells = new Uint8Array(keptRows.length * keptCols.length * size);
  let to = 0;
  for (const row of keptRows) {
    for (const col of keptCols) {
      const from = (row * cols + col) * size;
      keptCells.set(cells.subarray(from, from + size), to);
      to += size;
    }
  }
  return { rows: keptRows.length, cols: keptCols.length, cells: keptCells };
}

/** Whether the rules of the problem allow the board. */
function isValidBoard(board: Board, { inputFormat }: Problem<unknown>): boolean {
  const out = new ByteWriter(1024);
  inputFormat.printCase(board, out);
  const bytes = out.take();
  return (
    inputFormat.parseCase(bytes, 0, bytes.length, { rows: 0, cols: 0, cells: new Uint8Array(0) }) === null
  );
}

function* groupsOf<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let group: T[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length === size) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}
