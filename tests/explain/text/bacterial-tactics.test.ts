/** Tests that explanations and games of bacterial-tactics are what the oracle finds, which plays cell by cell. */
import { describe, expect, test } from 'vitest';
import { explainer } from '../../../src/games/bacterial-tactics/explain.js';
import { analyseGame, type Move, type Position } from '../../../src/games/bacterial-tactics/game.js';
import { createPortableSolver } from '../../../src/games/bacterial-tactics/solve.js';
import { ProofTooLarge } from '../../../src/problems/explanation.js';
import type { Game } from '../../../src/problems/game.js';
import type { Board } from '../../../src/problems/problem.js';
import { createNimberOracle, placementsIn } from '../../oracles/bacterial-tactics.js';
import { everyBoard } from '../../support/every-board.js';
import { Random } from '../../support/random.js';

const NO_BOUND = Number.POSITIVE_INFINITY;

const nimberLiterally = createNimberOracle();

interface Explained {
  answer: number;
  nimber: number;
  moves: { line: 'row' | 'column'; index: number; nimber: number; wins: boolean }[];
  play: { line: 'row' | 'column'; index: number; from: number; to: number }[];
  proof?: { rectangles: number[][] };
}

function explain(board: Board, wantsProof = false): Explained {
  return explainer.explain(board, wantsProof, NO_BOUND) as unknown as Explained;
}

function boardOf(rows: readonly string[]): Board {
  const cells = Uint8Array.from(rows.join(''), (letter) => '.#'.indexOf(letter));
  return { rows: rows.length, cols: rows[0].length, cells };
}

function rowsOf({ rows, cols, cells }: Board): string[] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (_, col) => '.#'[cells[row * cols + col]]).join(''),
  );
}

function drawBoard(rows: number, cols: number, percent: number, random: Random): Board {
  const cells = Uint8Array.from({ length: rows * cols }, () => (random.below(100) < percent ? 1 : 0));
  return { rows, cols, cells };
}

/** Returns small boards: all of some sizes, and random ones of other sizes. */
async function smallBoards(): Promise<Board[]> {
  const random = new Random(1);
  const sizes = [
    [2, 6],
    [6, 2],
    [3, 4],
    [4, 3],
    [1, 12],
    [11, 1],
  ];
  const drawn = sizes.flatMap(([rows, cols]) =>
    Array.from({ length: 6 }, (_, i) => drawBoard(rows, cols, 8 * i, random)),
  );
  const everyOf = (rows: number, cols: number) => everyBoard('bacterial-tactics', rows, cols);
  const all = await Promise.all([everyOf(1, 5), everyOf(5, 1), everyOf(2, 3), everyOf(4, 2), everyOf(3, 3)]);
  return [...all.flat(), ...drawn];
}

/** Returns the cells of a line, as [row, column] counted from 0. */
function cellsOf({ line, index, from, to }: Explained['play'][number]): [number, number][] {
  return Array.from({ length: to - from + 1 }, (_, i) =>
    line === 'row' ? [index - 1, from - 1 + i] : [from - 1 + i, index - 1],
  );
}

/** Fills the cells of a line, all of which must be empty. */
function fill(rows: readonly string[], move: Explained['play'][number]): string[] {
  const filled = rows.map((row) => [...row]);
  for (const [row, col] of cellsOf(move)) {
    expect(filled[row][col]).toBe('.');
    filled[row][col] = 'o';
  }
  return filled.map((row) => row.join(''));
}

/** Expects that the moves of the game in this position are the placements of the oracle, cell by cell. */
function expectLiteralMoves(game: Game<Position, Move>, position: Position): void {
  const rows = game.rowsAt(position);
  const played = game.movesAt(position).flatMap((move) => {
    const after = game.rowsAt(game.after(position, move));
    expect(fill(rows, move)).toEqual(after);
    expect(move.nimber).toBe(nimberLiterally(after));
    return cellsOf(move).map(([row, col]) => `${row} ${col} ${move.line === 'row' ? 'H' : 'V'} ${after}`);
  });
  const literal = placementsIn(rows).map(({ row, col, kind, after }) => `${row} ${col} ${kind} ${after}`);
  expect(played.sort()).toEqual(literal.sort());
}

/** Expects that a position says of itself and of its moves who wins, as the oracle does. */
function expectOutcomes(game: Game<Position, Move>, position: Position, turn: number): void {
  const nimber = nimberLiterally(game.rowsAt(position));
  expect(game.turnAt(position)).toBe(turn);
  expect(game.outcomeAt(position)).toEqual({ winner: nimber === 0 ? 1 - turn : turn, plies: null, nimber });
  for (const move of game.movesAt(position)) {
    expect(move.outcome).toEqual(game.outcomeAt(game.after(position, move)));
    expect(move.wins).toBe(move.outcome.winner === turn);
  }
}

/** Expects that each move of the winner leaves nimber 0, and that the winner makes the last move. */
function expectBestPlay(board: Board, play: Explained['play']): void {
  let rows = rowsOf(board);
  const winnerIsFirst = nimberLiterally(rows) !== 0;
  for (const [i, move] of play.entries()) {
    const filled = fill(rows, move);
    expect(placementsIn(rows).map(({ after }) => after.join())).toContain(filled.join());
    rows = filled;
    if ((i % 2 === 0) === winnerIsFirst) expect(nimberLiterally(rows)).toBe(0);
  }
  expect(placementsIn(rows)).toEqual([]);
  expect(play.length % 2 === 1).toBe(winnerIsFirst);
}

/** Returns, sorted, the rectangles without bacteria in all positions that play can reach, with their nimbers. */
function rectanglesLiterally(board: Board): string[] {
  const seen = new Set<string>();
  const found = new Set<string>();
  const visit = (rows: readonly string[]) => {
    if (seen.has(rows.join())) return;
    seen.add(rows.join());
    for (const region of regionsOf(rows)) found.add(String([...region, nimberLiterally(only(rows, region))]));
    for (const { after } of placementsIn(rows)) visit(after);
  };
  visit(rowsOf(board));
  return [...found].sort();
}

type Region = [top: number, bottom: number, left: number, right: number];

/** Returns the first and last row and the first and last column, from 1, of each group of adjacent cells without bacteria. */
function regionsOf(rows: readonly string[]): Region[] {
  const isFree = rows.map((row) => [...row].map((letter) => letter !== 'o'));
  const spread = (row: number, col: number, region: Region) => {
    if (!isFree[row]?.[col]) return;
    isFree[row][col] = false;
    region[0] = Math.min(region[0], row + 1);
    region[1] = Math.max(region[1], row + 1);
    region[2] = Math.min(region[2], col + 1);
    region[3] = Math.max(region[3], col + 1);
    for (const step of [-1, 1]) {
      spread(row + step, col, region);
      spread(row, col + step, region);
    }
  };
  const regions: Region[] = [];
  for (const [row, cells] of isFree.entries()) {
    for (const col of cells.keys()) {
      const region: Region = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0];
      spread(row, col, region);
      if (region[1] > 0) regions.push(region);
    }
  }
  return regions;
}

/** Returns the rows with bacteria outside a region. */
function only(rows: readonly string[], [top, bottom, left, right]: Region): string[] {
  return rows.map((row, i) =>
    [...row]
      .map((letter, j) => (i + 1 >= top && i < bottom && j + 1 >= left && j < right ? letter : 'o'))
      .join(''),
  );
}

describe('explanations of bacterial-tactics', () => {
  test('the explanation of the third sample of the statement', () => {
    expect(JSON.stringify(explain(boardOf(['#.##', '....', '#.##'])))).toBe(
      JSON.stringify({
        answer: 7,
        nimber: 1,
        moves: [
          { line: 'row', index: 2, nimber: 0, wins: true },
          { line: 'column', index: 2, nimber: 0, wins: true },
        ],
        play: [
          { line: 'row', index: 2, from: 1, to: 4 },
          { line: 'column', index: 2, from: 1, to: 1 },
          { line: 'column', index: 2, from: 3, to: 3 },
        ],
      }),
    );
  });

  test('answers, nimbers, moves and best play of small boards are those of the solver and of the oracle', async () => {
    const solver = createPortableSolver();
    for (const board of await smallBoards()) {
      const { answer, nimber, moves, play } = explain(board);
      const answers: number[] = [];
      void solver.solve([board], 1, answers);
      expect(answer).toBe(answers[0]);
      expect(nimber).toBe(nimberLiterally(rowsOf(board)));
      const game = analyseGame(board);
      expectLiteralMoves(game, game.start);
      const first = game.movesAt(game.start);
      expect(moves).toEqual(first.map(({ line, index, nimber, wins }) => ({ line, index, nimber, wins })));
      expect(moves.every((move) => move.wins === (move.nimber === 0))).toBe(true);
      expectBestPlay(board, play);
    }
  });

  test('proofs list the rectangles that a search by cells reaches, the board first', async () => {
    for (const board of await smallBoards()) {
      const { proof } = explain(board, true);
      expect(proof!.rectangles[0].slice(0, 4)).toEqual([1, board.rows, 1, board.cols]);
      expect(proof!.rectangles.map(String).sort()).toEqual(rectanglesLiterally(board));
    }
  });

  test('a proof may have as many entries as the caller allows, and no more', () => {
    const board = drawBoard(9, 8, 4, new Random(7));
    const { length } = explain(board, true).proof!.rectangles;
    expect(explainer.explain(board, true, length)).toEqual(explain(board, true));
    expect(() => explainer.explain(board, true, length - 1)).toThrow(new ProofTooLarge(length, 'rectangles'));
    expect(explainer.explain(board, false, 0)).toEqual(explain(board));
  });

  test('on an empty board, play can leave every rectangle', () => {
    const board = drawBoard(20, 20, 0, new Random(0));
    expect(explain(board)).toMatchObject({ answer: 0, nimber: 0 });
    const ranges = (20 * 21) / 2;
    expect(() => explainer.explain(board, true, 10_000)).toThrow(
      new ProofTooLarge(ranges ** 2, 'rectangles'),
    );
  });

  test('an explanation depends on no cell after the end of the board', () => {
    const cells = Uint8Array.from({ length: 40 }, (_, i) => (i < 6 ? 0 : 1));
    const longer = { rows: 2, cols: 3, cells };
    expect(explain(longer, true)).toEqual(explain(boardOf(['...', '...']), true));
  });
});

describe('games of bacterial-tactics', () => {
  test('in random play, the legal moves are those of the statement, in order, with their outcomes', () => {
    const random = new Random(2);
    for (let round = 0; round < 40; round++) {
      const board = drawBoard(2 + random.below(2), 2 + random.below(3), random.below(30), random);
      const game = analyseGame(board);
      expect(game.rowsAt(game.start)).toEqual(rowsOf(board));
      let position = game.start;
      for (let turn = 0; ; turn = 1 - turn) {
        expectLiteralMoves(game, position);
        expectOutcomes(game, position, turn);
        const moves = game.movesAt(position);
        if (moves.length === 0) break;
        position = game.after(position, random.pick(moves));
      }
      expect(game.bestMoveAt(position)).toBe(null);
    }
  });

  test('moves come rectangle by rectangle, by the top left corner, first rows and then columns', () => {
    const game = analyseGame(boardOf(['...', '...', '...']));
    const middleRow = game.movesAt(game.start).find(({ line, index }) => line === 'row' && index === 2)!;
    const afterRow = game.after(game.start, middleRow);
    const below = game
      .movesAt(afterRow)
      .find(({ line, index, from }) => line === 'column' && index === 2 && from === 3)!;
    const position = game.after(afterRow, below);
    expect(game.rowsAt(position)).toEqual(['...', 'ooo', '.o.']);
    expect(game.movesAt(position).map(({ line, index, from, to }) => [line, index, from, to])).toEqual([
      ['row', 1, 1, 3],
      ['column', 1, 1, 1],
      ['column', 2, 1, 1],
      ['column', 3, 1, 1],
      ['row', 3, 1, 1],
      ['column', 1, 3, 3],
      ['row', 3, 3, 3],
      ['column', 3, 3, 3],
    ]);
    expect(game.rowsAt(game.start)).toEqual(['...', '...', '...']);
  });
});
