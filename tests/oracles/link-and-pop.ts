/**
 * An oracle for link-and-pop, which plays the game out as the statement describes it. It tries every pair of blocks
 * with every path of at most three segments, and each turn visits every block. The oracle is slow on purpose, and
 * shares no code with the solvers.
 */
import type { Board } from '../../src/problems/problem.js';

interface Block {
  symbol: string;
  /** The direction in which the block moves: U, D, L or R. S means that it does not move. */
  direction: string;
  row: number;
  col: number;
}

const STEPS = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];
const DIRECTIONS: Record<string, number[]> = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1], S: [0, 0] };

/** A cell, with row and column counted from 1. */
type Place = [row: number, column: number];

/** A pop, its fewest segments, and the moves of the blocks until no block moves. */
export interface LiteralTurn {
  cells: [Place, Place];
  segments: number;
  moves: { from: Place; to: Place }[];
}

export function solveLiterally(board: Board): string[] {
  return playLiterally(board).final;
}

export function playLiterally(board: Board): { turns: LiteralTurn[]; final: string[] } {
  let blocks = readBlocks(board);
  const turns: LiteralTurn[] = [];
  for (let next = findNextPair(blocks, board); next !== null; next = findNextPair(blocks, board)) {
    const { pair, segments } = next;
    const [first, second] = pair;
    const moves: LiteralTurn['moves'] = [];
    turns.push({ cells: [placeOf(first), placeOf(second)], segments, moves });
    blocks = blocks.filter((block) => !pair.includes(block));
    while (takeTurn(blocks, board, moves));
  }
  return { turns, final: drawRows(blocks, board) };
}

function placeOf({ row, col }: Block): Place {
  return [row + 1, col + 1];
}

function readBlocks({ rows, cols, cells }: Board): Block[] {
  const blocks: Block[] = [];
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) {
      const at = 2 * (row * cols + col);
      const [symbol, direction] = [String.fromCharCode(cells[at]), String.fromCharCode(cells[at + 1])];
      blocks.push({ symbol, direction, row, col });
    }
  return blocks;
}

function blockAt(blocks: Block[], row: number, col: number): Block | undefined {
  return blocks.find((block) => block.row === row && block.col === col);
}

function compareRowMajor(a: Block, b: Block): number {
  return a.row - b.row || a.col - b.col;
}

/**
 * Returns the pair of blocks that the player pops next, or null if no pair can be linked. A pair whose link has fewer
 * segments comes first. Among pairs with equally many segments, the row-major order of the first blocks decides, and
 * then that of the second blocks.
 */
function findNextPair(blocks: Block[], board: Board): { pair: [Block, Block]; segments: number } | null {
  const ordered = [...blocks].sort(compareRowMajor);
  for (const segments of [1, 2, 3])
    for (const [i, first] of ordered.entries())
      for (const second of ordered.slice(i + 1))
        if (first.symbol === second.symbol && areLinked(first, second, segments, blocks, board))
          return { pair: [first, second], segments };
  return null;
}

/** Returns whether a path of at most `segments` straight segments leads from a cell to a block through empty cells. */
function areLinked(
  from: { row: number; col: number },
  to: Block,
  segments: number,
  blocks: Block[],
  board: Board,
): boolean {
  return STEPS.some(([down, right]) => {
    let [row, col] = [from.row + down, from.col + right];
    // A path may also run through the ring, the empty cells around the board.
    while (row >= -1 && row <= board.rows && col >= -1 && col <= board.cols) {
      const blocker = blockAt(blocks, row, col);
      if (blocker) return blocker === to;
      if (segments > 1 && areLinked({ row, col }, to, segments - 1, blocks, board)) return true;
      [row, col] = [row + down, col + right];
    }
    return false;
  });
}

/** Plays one turn, in which each block moves if it can. Appends the moves. Returns whether a block has moved. */
function takeTurn(blocks: Block[], board: Board, moves: LiteralTurn['moves']): boolean {
  let hasMoved = false;
  for (const block of [...blocks].sort(compareRowMajor)) {
    const [down, right] = DIRECTIONS[block.direction];
    const [row, col] = [block.row + down, block.col + right];
    const isOnBoard = row >= 0 && row < board.rows && col >= 0 && col < board.cols;
    if (!isOnBoard || blockAt(blocks, row, col)) continue;
    const from = placeOf(block);
    [block.row, block.col] = [row, col];
    moves.push({ from, to: placeOf(block) });
    hasMoved = true;
  }
  return hasMoved;
}

function drawRows(blocks: Block[], board: Board): string[] {
  return Array.from({ length: board.rows }, (_, row) =>
    Array.from({ length: board.cols }, (_, col) => blockAt(blocks, row, col)?.symbol ?? '.').join(''),
  );
}
