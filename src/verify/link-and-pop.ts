/** Checks explanations of link-and-pop. The listed turns are the proof: they are followed from the board to the end. */
import {
  assertEqual,
  assertTextListEqual,
  type Cell,
  type ExplanationFields,
  failCheck,
  readCell,
  readExplanationFields,
  readList,
  showCell,
  showExplanationValue,
} from './facts.js';
import { BlockBoard, type BlockLink } from './link-search.js';

const MAX_SEGMENTS = 3;

export function checkLinkAndPop(board: readonly string[], fields: ExplanationFields): void {
  assertEqual(fields.proof, 'proof', 'turns', 'the turns are the proof');
  const blocks = new BlockBoard(board);
  readList(fields.turns, 'turns').forEach((turn, i) => {
    followTurn(blocks, turn, `turns[${i}]`);
  });
  const next = blocks.findLink();
  if (next !== null) failCheck(`turns ends, but ${describeLink(blocks, next)}`);
  const rows = blocks.finalRows();
  assertTextListEqual(fields.final, 'final', rows, 'this is the row after the last turn');
  assertTextListEqual(fields.answer, 'answer', rows, 'this is the row after the last turn');
}

function followTurn(blocks: BlockBoard, value: unknown, what: string): void {
  const { pop, moves } = readExplanationFields(value, what, ['pop', 'moves']);
  const { cells, line } = readExplanationFields(pop, `${what}.pop`, ['cells', 'line']);
  const pair = readCells(blocks, cells, `${what}.pop.cells`, 0);
  if (pair.length !== 2) failCheck(`${what}.pop.cells has ${pair.length} entries, expected 2`);
  checkLine(blocks, pair, readCells(blocks, line, `${what}.pop.line`, 1), `${what}.pop`);
  for (const cell of pair) blocks.remove(blocks.indexOf(cell));
  followMoves(blocks, readList(moves, `${what}.moves`), `${what}.moves`);
}

/** Reads a list of cells. A margin of 1 allows cells of the ring around the board. */
function readCells(blocks: BlockBoard, value: unknown, what: string, margin: number): Cell[] {
  return readList(value, what).map((cell, i) =>
    readCell(cell, `${what}[${i}]`, blocks.rows, blocks.cols, margin),
  );
}

/** Checks that the line links the pair, and that the rules pop this pair. */
function checkLine(
  blocks: BlockBoard,
  [first, second]: readonly Cell[],
  line: readonly Cell[],
  what: string,
): void {
  const [one, other] = [blocks.indexOf(first), blocks.indexOf(second)];
  for (const cell of [first, second])
    if (blocks.isEmpty(blocks.indexOf(cell))) failCheck(`${what}.cells: no block is at ${showCell(cell)}`);
  if (one === other) failCheck(`${what}.cells: the cells are the same`);
  if (blocks.symbolAt(one) !== blocks.symbolAt(other))
    failCheck(`${what}.cells: the blocks have different symbols`);
  const segments = line.length - 1;
  if (segments < 1 || segments > MAX_SEGMENTS)
    failCheck(`${what}.line has ${line.length} cells, expected 2 to 4`);
  if (blocks.indexOf(line[0]) !== one || blocks.indexOf(line[segments]) !== other)
    failCheck(`${what}.line must lead from ${showCell(first)} to ${showCell(second)}`);
  checkSegments(blocks, line, `${what}.line`);
  const link = blocks.findLink();
  if (link?.segments === segments && link.first === one && link.second === other) return;
  const popped = `${showCell(first)} and ${showCell(second)} with ${segments} segments`;
  failCheck(
    `${what} links ${popped}, but ${link === null ? 'nothing can be linked' : describeLink(blocks, link)}`,
  );
}

function describeLink(blocks: BlockBoard, { segments, first, second }: BlockLink): string {
  const [one, other] = [first, second].map((index) => showCell(blocks.cellOf(index)));
  return `${one} and ${other}, which can be linked with ${segments} segments, are to be popped`;
}

/** Checks that the segments are straight, turn at each corner, and cross no block. */
function checkSegments(blocks: BlockBoard, line: readonly Cell[], what: string): void {
  for (let i = 1; i < line.length; i++) {
    const [from, to] = [line[i - 1], line[i]];
    const isVertical = from.col === to.col;
    if (isVertical === (from.row === to.row))
      failCheck(`${what}: from ${showCell(from)} to ${showCell(to)} is not a straight segment`);
    if (i > 1 && isVertical === (line[i - 2].col === from.col))
      failCheck(`${what} does not turn at ${showCell(from)}`);
    const crossed = cellsAfter(from, to).find(
      (cell, at, all) =>
        !(i === line.length - 1 && at === all.length - 1) && !blocks.isEmpty(blocks.indexOf(cell)),
    );
    if (crossed !== undefined) failCheck(`${what} crosses the block at ${showCell(crossed)}`);
  }
}

/** Returns the cells of a straight segment except the first one. */
function cellsAfter(from: Cell, to: Cell): Cell[] {
  const length = Math.abs(to.row - from.row) + Math.abs(to.col - from.col);
  const down = Math.sign(to.row - from.row);
  const right = Math.sign(to.col - from.col);
  return Array.from({ length }, (_, i) => ({
    row: from.row + (i + 1) * down,
    col: from.col + (i + 1) * right,
  }));
}

/** Lets the blocks move by the rules, and checks that the explanation lists the same moves. */
function followMoves(blocks: BlockBoard, moves: readonly unknown[], what: string): void {
  let count = 0;
  for (const { from, to } of blocks.settle()) {
    const move = `${showCell(blocks.cellOf(from))} to ${showCell(blocks.cellOf(to))}`;
    if (count === moves.length) failCheck(`${what} lacks the move ${move}`);
    const entry = readExplanationFields(moves[count], `${what}[${count}]`, ['from', 'to']);
    if (!isCell(blocks, entry.from, from) || !isCell(blocks, entry.to, to))
      failCheck(
        `${what}[${count}] is ${showExplanationValue(entry.from)} to ${showExplanationValue(entry.to)}, expected ${move}: this block moves next`,
      );
    count++;
  }
  if (count < moves.length)
    failCheck(`${what} has ${moves.length} moves, but after ${count} no block can move`);
}

function isCell(blocks: BlockBoard, value: unknown, index: number): boolean {
  const { row, col } = blocks.cellOf(index);
  return Array.isArray(value) && value.length === 2 && value[0] === row && value[1] === col;
}
