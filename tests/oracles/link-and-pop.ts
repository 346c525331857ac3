/**
 * link-and-pop played out as the statement tells it: every pair is tried along every path of at most three
 * segments, every turn visits every block. Slow on purpose, and shares no code with the solvers.
 */
import type { Board } from '../../src/problems/problem.js';

interface Block {
  symbol: string;
  way: string;
  row: number;
  col: number;
}

const STEPS = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];
const WAYS: Record<string, number[]> = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1], S: [0, 0] };

export function solveLiterally(board: Board): string[] {
  let blocks = readBlocks(board);
  for (let pair = nextPair(blocks, board); pair !== null; pair = nextPair(blocks, board)) {
    const popped = pair;
    blocks = blocks.filter((block) => !popped.includes(block));
    while (takeTurn(blocks, board));
  }
  return drawRows(blocks, board);
}

function readBlocks({ rows, cols, cells }: Board): Block[] {
  const blocks: Block[] = [];
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) {
      const at = 2 * (row * cols + col);
      const [symbol, way] = [String.fromCharCode(cells[at]), String.fromCharCode(cells[at + 1])];
      blocks.push({ symbol, way, row, col });
    }
  return blocks;
}

function blockAt(blocks: Block[], row: number, col: number): Block | undefined {
  return blocks.find((block) => block.row === row && block.col === col);
}

function rowMajor(a: Block, b: Block): number {
  return a.row - b.row || a.col - b.col;
}

/** The pair Robert pops: fewest segments, then the topmost-leftmost first block, then such a second one. */
function nextPair(blocks: Block[], board: Board): [Block, Block] | null {
  const ordered = [...blocks].sort(rowMajor);
  for (const segments of [1, 2, 3])
    for (const [i, first] of ordered.entries())
      for (const second of ordered.slice(i + 1))
        if (first.symbol === second.symbol && linked(first, second, segments, blocks, board))
          return [first, second];
  return null;
}

/** Whether a path of at most `segments` straight segments leads from a cell to a block through empty cells. */
function linked(
  from: { row: number; col: number },
  to: Block,
  segments: number,
  blocks: Block[],
  board: Board,
): boolean {
  return STEPS.some(([down, right]) => {
    let [row, col] = [from.row + down, from.col + right];
    // The ring around the board is empty and open to lines.
    while (row >= -1 && row <= board.rows && col >= -1 && col <= board.cols) {
      const met = blockAt(blocks, row, col);
      if (met) return met === to;
      if (segments > 1 && linked({ row, col }, to, segments - 1, blocks, board)) return true;
      [row, col] = [row + down, col + right];
    }
    return false;
  });
}

/** One turn of checking; tells whether a block moved. */
function takeTurn(blocks: Block[], board: Board): boolean {
  let moved = false;
  for (const block of [...blocks].sort(rowMajor)) {
    const [down, right] = WAYS[block.way];
    const [row, col] = [block.row + down, block.col + right];
    const onBoard = row >= 0 && row < board.rows && col >= 0 && col < board.cols;
    if (!onBoard || blockAt(blocks, row, col)) continue;
    [block.row, block.col] = [row, col];
    moved = true;
  }
  return moved;
}

function drawRows(blocks: Block[], board: Board): string[] {
  return Array.from({ length: board.rows }, (_, row) =>
    Array.from({ length: board.cols }, (_, col) => blockAt(blocks, row, col)?.symbol ?? '.').join(''),
  );
}
