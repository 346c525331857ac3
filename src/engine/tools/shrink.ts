/**
 * Makes a failing list of boards as small and plain as it can while it still fails: fewer boards, fewer rows and
 * columns, simpler cells. Greedy, by halves and then one by one (A. Zeller, R. Hildebrandt, "Simplifying and
 * isolating failure-inducing input", 2002); what it ends with fails, and none of its own smaller forms does,
 * unless time ran out.
 */
import { ByteWriter } from '../../core/bytes.js';
import type { Board, Problem } from '../../problems/problem.js';

export interface ShrinkOptions {
  readonly problem: Problem<unknown>;
  /** Whether those boards still fail. */
  readonly fails: (boards: readonly Board[]) => Promise<boolean>;
  /** Candidates that are tried at a time. */
  readonly jobs: number;
  /** Asked between candidates: stop with what there is. */
  readonly isOver: () => boolean;
}

type Boards = readonly Board[];

export async function shrink(boards: Boards, options: ShrinkOptions): Promise<Boards> {
  let smallest = boards;
  for (;;) {
    const smaller = await firstFailing(candidates(smallest, options.problem), options);
    if (smaller === null) return smallest;
    smallest = smaller;
  }
}

/** The first candidate in order that fails; null if none does or time runs out. */
async function firstFailing(candidates: Iterable<Boards>, options: ShrinkOptions): Promise<Boards | null> {
  for (const some of inGroups(candidates, options.jobs)) {
    if (options.isOver()) return null;
    const verdicts = await Promise.all(some.map((boards) => options.fails(boards)));
    const index = verdicts.indexOf(true);
    if (index >= 0) return some[index];
  }
  return null;
}

/** Smaller forms, those that take most away first. */
function* candidates(boards: Boards, problem: Problem<unknown>): Generator<Boards> {
  for (const { from, count } of stretches(boards.length)) {
    if (count < boards.length) yield [...boards.slice(0, from), ...boards.slice(from + count)];
  }
  for (const [i, board] of boards.entries()) {
    for (const simpler of simplerBoards(board, problem)) {
      if (isBoard(simpler, problem)) yield boards.with(i, simpler);
    }
  }
}

/** All of it, then its halves, its quarters, and so on to single elements. */
function* stretches(length: number): Generator<{ from: number; count: number }> {
  for (let count = length; count >= 1; count >>= 1) {
    for (let from = 0; from + count <= length; from += count) yield { from, count };
  }
}

function* simplerBoards(board: Board, { inputFormat }: Problem<unknown>): Generator<Board> {
  const { rows, cols } = board;
  const size = inputFormat.cellBytes;
  for (const { from, count } of stretches(rows)) {
    if (count < rows)
      yield keepCells(
        board,
        size,
        (row) => row < from || row >= from + count,
        () => true,
      );
  }
  for (const { from, count } of stretches(cols)) {
    if (count < cols)
      yield keepCells(
        board,
        size,
        () => true,
        (col) => col < from || col >= from + count,
      );
  }
  for (let at = 0; at < rows * cols * size; at++) {
    for (const code of inputFormat.simplerCodes(board.cells[at], at % size)) {
      const cells = board.cells.slice();
      cells[at] = code;
      yield { rows, cols, cells };
    }
  }
}

/** The board without the other rows and columns. */
function keepCells(
  { rows, cols, cells }: Board,
  size: number,
  keepsRow: (row: number) => boolean,
  keepsCol: (col: number) => boolean,
): Board {
  const keptRows = Array.from({ length: rows }, (_, row) => row).filter(keepsRow);
  const keptCols = Array.from({ length: cols }, (_, col) => col).filter(keepsCol);
  const kept = new Uint8Array(keptRows.length * keptCols.length * size);
  let to = 0;
  for (const row of keptRows) {
    for (const col of keptCols) {
      const from = (row * cols + col) * size;
      kept.set(cells.subarray(from, from + size), to);
      to += size;
    }
  }
  return { rows: keptRows.length, cols: keptCols.length, cells: kept };
}

/** Whether the problem's own rules allow the board. */
function isBoard(board: Board, { inputFormat }: Problem<unknown>): boolean {
  const out = new ByteWriter(1024);
  inputFormat.printCase(board, out);
  const bytes = out.take();
  return (
    inputFormat.parseCase(bytes, 0, bytes.length, { rows: 0, cols: 0, cells: new Uint8Array(0) }) === null
  );
}

function* inGroups<T>(items: Iterable<T>, size: number): Generator<T[]> {
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
