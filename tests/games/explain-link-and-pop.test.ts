/** Explanations and replays of link-and-pop, compared with a game that an oracle plays as the statement describes it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { explainer } from '../../src/games/link-and-pop/explain.js';
import { type BlockBoardRows, replayGame } from '../../src/games/link-and-pop/replay.js';
import { createPortableSolver, type FinalBoardRows } from '../../src/games/link-and-pop/solve.js';
import type { Board } from '../../src/problems/problem.js';
import { type LiteralTurn, playLiterally } from '../oracles/link-and-pop.js';
import { everyBoard } from '../support/every-board.js';
import { anyBoard, parseBoard, randomBoard, readTruth, show } from '../support/link-and-pop-boards.js';
import { runs } from '../support/random-tests.js';

type Place = [row: number, column: number];
interface Turn {
  pop: { cells: [Place, Place]; line: Place[] };
  moves: { from: Place; to: Place }[];
}
interface Explained {
  answer: FinalBoardRows;
  turns: Turn[];
  final: FinalBoardRows;
}

/** Explains a board through JSON, as users see it. */
function explain(board: Board): Explained {
  return JSON.parse(JSON.stringify(explainer.explain(board, false, 0)));
}

/** The blocks of a board by row and column from 1. The ring around the board is undefined or empty. */
class Grid {
  readonly #cells: Record<string, string> = {};
  readonly #size: [rows: number, cols: number];

  constructor({ rows, cols, cells }: Board) {
    this.#size = [rows, cols];
    for (let i = 0; i < rows * cols; i++)
      this.#cells[`${Math.floor(i / cols) + 1},${(i % cols) + 1}`] = String.fromCharCode(
        cells[2 * i],
        cells[2 * i + 1],
      );
  }

  at(place: Place): string {
    return this.#cells[place.join()] ?? '..';
  }

  set(place: Place, block: string): void {
    this.#cells[place.join()] = block;
  }

  isOnRingOrBoard([row, column]: Place): boolean {
    const [rows, cols] = this.#size;
    return row >= 0 && row <= rows + 1 && column >= 0 && column <= cols + 1;
  }

  rows(): string[] {
    const [rows, cols] = this.#size;
    const row = (number: number) =>
      Array.from({ length: cols }, (_, col) => this.at([number, col + 1])).join(' ');
    return Array.from({ length: rows }, (_, index) => row(index + 1));
  }
}

/** Returns the cells strictly between two cells of one row or column. */
function between([row, column]: Place, [toRow, toColumn]: Place): Place[] {
  const [down, right] = [Math.sign(toRow - row), Math.sign(toColumn - column)];
  if (down !== 0 && right !== 0) expect.fail(`${row},${column} and ${toRow},${toColumn} are not in line`);
  const length = Math.abs(toRow - row) + Math.abs(toColumn - column);
  return Array.from({ length: length - 1 }, (_, i) => [row + (i + 1) * down, column + (i + 1) * right]);
}

/** Expects a link to lead between the two blocks through empty cells, with the fewest segments. */
function expectLegalLink(
  grid: Grid,
  { cells, line }: Turn['pop'],
  { segments }: LiteralTurn,
  name: string,
): void {
  expect([line[0], line.at(-1)], name).toEqual(cells);
  expect(line, name).toHaveLength(segments + 1);
  expect(line.every((place) => grid.isOnRingOrBoard(place))).toBe(true);
  const passed = line.slice(1).flatMap((to, i) => between(line[i], to));
  for (const place of [...passed, ...line.slice(1, -1)])
    if (grid.at(place) !== '..') expect.fail(`${place}\n${name}`);
}

/** Expects the turns to be those of the oracle, and to lead to the final rows if they are repeated as they are written. */
function expectTrue(board: Board): void {
  const { answer, turns, final } = explain(board);
  const expected = playLiterally(board);
  const grid = new Grid(board);
  expect(answer, show(board)).toEqual(expected.final);
  expect(
    turns.map(({ pop, moves }) => ({ cells: pop.cells, moves })),
    show(board),
  ).toEqual(expected.turns.map(({ cells, moves }) => ({ cells, moves })));
  const boards: BlockBoardRows[] = [grid.rows()];
  for (const [i, { pop, moves }] of turns.entries()) {
    expectLegalLink(grid, pop, expected.turns[i], show(board));
    for (const cell of pop.cells) grid.set(cell, '..');
    boards.push(grid.rows());
    for (const { from, to } of moves) {
      grid.set(to, grid.at(from));
      grid.set(from, '..');
    }
    boards.push(grid.rows());
  }
  expect(
    boards.at(-1)!.map((row) =>
      row
        .split(' ')
        .map((block) => block[0])
        .join(''),
    ),
    show(board),
  ).toEqual(final);
  expect(rowsOfReplay(board), show(board)).toEqual(boards);
}

/** Returns the board at the start, and after each pop and the moves that follow it, as a replay shows them. */
function rowsOfReplay(board: Board): BlockBoardRows[] {
  const { turns, rowsAfter } = replayGame(board);
  return [rowsAfter(0, true), ...turns.flatMap((_, i) => [rowsAfter(i + 1, false), rowsAfter(i + 1, true)])];
}

it('on every board of the smallest sizes, the turns are those of the oracle', async () => {
  const boards = await everyBoard('link-and-pop', { from: 1, to: 3 }, 1);
  expect(boards.length).toBeGreaterThan(600);
  for (const board of boards) expectTrue(board);
});

it('on random boards, the turns are those of the oracle, and lead to the final board', () => {
  fc.assert(fc.property(anyBoard(5, 5, 8), expectTrue), { numRuns: runs(60) });
  fc.assert(fc.property(anyBoard(9, 9, 12), expectTrue), { numRuns: runs(15) });
});

it('the turns are those of the oracle on boards on which readings of the statement differ', () => {
  const { boards } = readTruth();
  expect(boards.length).toBeGreaterThan(0);
  for (const board of boards.filter(({ rows, cols }) => rows * cols <= 49)) expectTrue(board);
});

it('on large boards, the final rows are the answer of the solver', () => {
  const boards = [
    randomBoard(30, 30, 26, 'UDLRS', 1),
    randomBoard(30, 30, 5, 'UD', 2),
    randomBoard(30, 40, 52, 'LR', 3),
  ];
  const answers: FinalBoardRows[] = [];
  createPortableSolver().solve(boards, boards.length, answers);
  expect(boards.map((board) => explain(board).final)).toEqual(answers);
});

it('fields are printed in the order of the schema, and the proof is the field turns', () => {
  const board = parseBoard('AS BD AS\nCS CS DS');
  const turns = [
    '{"pop":{"cells":[[2,1],[2,2]],"line":[[2,1],[2,2]]},"moves":[{"from":[1,2],"to":[2,2]}]}',
    '{"pop":{"cells":[[1,1],[1,3]],"line":[[1,1],[1,3]]},"moves":[]}',
  ];
  const rows = '["...",".BD"]';
  const text = `{"answer":${rows},"turns":[${turns.join()}],"final":${rows}`;
  expect(JSON.stringify(explainer.explain(board, false, 0))).toBe(`${text}}`);
  expect(JSON.stringify(explainer.explain(board, true, 0))).toBe(`${text},"proof":"turns"}`);
});
