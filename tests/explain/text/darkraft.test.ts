/** Tests that explanations and games of darkraft are what the oracle finds, which walks along the rays cell by cell. */
import { describe, expect, test } from 'vitest';
import { explainer } from '../../../src/games/darkraft/explain.js';
import { analyseGame, type Move, type Position } from '../../../src/games/darkraft/game.js';
import { createPortableSolver } from '../../../src/games/darkraft/solve.js';
import { ProofTooLarge } from '../../../src/problems/explanation.js';
import type { Game } from '../../../src/problems/game.js';
import type { Board } from '../../../src/problems/problem.js';
import { allLetters, createNimberOracle, movesIn } from '../../oracles/darkraft.js';
import { everyBoard } from '../../support/every-board.js';
import { Random } from '../../support/random.js';

const NO_BOUND = Number.POSITIVE_INFINITY;
const LETTERS = 'LRX';

interface Explained {
  answer: string;
  nimber: number;
  nimbers: [number, number];
  moves: { cell: [number, number]; letter: string; nimber: number; wins: boolean }[];
  play: { cell: [number, number] }[];
  proof?: { rectangles: number[][] };
}

function explain(board: Board, wantsProof = false): Explained {
  return explainer.explain(board, wantsProof, NO_BOUND) as unknown as Explained;
}

function boardOf(rows: readonly string[]): Board {
  const cells = Uint8Array.from(rows.join(''), (letter) => LETTERS.indexOf(letter));
  return { rows: rows.length, cols: rows[0].length, cells };
}

/** Returns a board with some of the letters `codes`. */
function drawBoard(rows: number, cols: number, codes: readonly number[], random: Random): Board {
  return { rows, cols, cells: Uint8Array.from({ length: rows * cols }, () => random.pick(codes)) };
}

/** Returns small boards: all of some sizes, and random ones of other sizes. */
async function smallBoards(): Promise<Board[]> {
  const random = new Random(1);
  const sizes = [
    [3, 4],
    [4, 3],
    [3, 3],
    [2, 6],
    [6, 2],
    [1, 12],
    [11, 1],
    [1, 7],
  ];
  const letters = [[0], [1], [2], [0, 1], [0, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]];
  const drawn = sizes.flatMap(([rows, cols]) => letters.map((codes) => drawBoard(rows, cols, codes, random)));
  const everyOf = (rows: number, cols: number) => everyBoard('darkraft', rows, cols);
  const all = await Promise.all([everyOf(1, 1), everyOf(1, 4), everyOf(4, 1), everyOf(2, 2), everyOf(2, 3)]);
  return [...all.flat(), ...drawn];
}

/** Returns the rows of a position of the oracle. */
function rowsOf(board: Board, letters: number): string[] {
  return Array.from({ length: board.rows }, (_, row) =>
    Array.from({ length: board.cols }, (_, col) => {
      const cell = row * board.cols + col;
      return ((letters >>> cell) & 1) === 1 ? LETTERS[board.cells[cell]] : '.';
    }).join(''),
  );
}

type NimberOracle = (letters: number) => number;

/** Expects that the moves of the game in this position are those of the oracle, in row-major order. */
function expectLiteralMoves(
  game: Game<Position, Move>,
  position: Position,
  board: Board,
  letters: number,
  nimberLiterally: NimberOracle,
): void {
  const played = game.movesAt(position).map((move) => ({
    cell: move.cell,
    letter: move.letter,
    nimber: move.nimber,
    after: game.rowsAt(game.after(position, move)),
  }));
  const literal = movesIn(board, letters).map(({ row, col, after }) => ({
    cell: [row + 1, col + 1],
    letter: LETTERS[board.cells[row * board.cols + col]],
    nimber: nimberLiterally(after),
    after: rowsOf(board, after),
  }));
  expect(played).toEqual(literal);
}

/** Expects that a position says of itself and of its moves who wins, as the oracle does. */
function expectOutcomes(game: Game<Position, Move>, position: Position, turn: number, nimber: number): void {
  expect(game.turnAt(position)).toBe(turn);
  expect(game.outcomeAt(position)).toEqual({ winner: nimber === 0 ? 1 - turn : turn, plies: null, nimber });
  for (const move of game.movesAt(position)) {
    expect(move.outcome).toEqual(game.outcomeAt(game.after(position, move)));
    expect(move.wins).toBe(move.outcome.winner === turn);
  }
}

function expectBestPlay(board: Board, play: Explained['play'], nimberLiterally: NimberOracle): void {
  let letters = allLetters(board);
  const winnerIsFirst = nimberLiterally(letters) !== 0;
  for (const [i, { cell }] of play.entries()) {
    const move = movesIn(board, letters).find(({ row, col }) => row + 1 === cell[0] && col + 1 === cell[1]);
    letters = move!.after;
    if ((i % 2 === 0) === winnerIsFirst) expect(nimberLiterally(letters)).toBe(0);
  }
  expect(letters).toBe(0);
  expect(play.length % 2 === 1).toBe(winnerIsFirst);
}

/** A cell of the board: its sum and its difference, both of places that count from 1. */
interface Cell {
  readonly bit: number;
  readonly letter: string;
  readonly sum: number;
  readonly difference: number;
}

/** Sums and differences from the first to the last. */
type Ranges = readonly [minSum: number, maxSum: number, minDifference: number, maxDifference: number];

function cellsOfParity({ rows, cols, cells }: Board, parity: number): Cell[] {
  const found: Cell[] = [];
  for (let i = 1; i <= rows; i++) {
    for (let j = 1; j <= cols; j++) {
      const bit = (i - 1) * cols + j - 1;
      if ((i + j) % 2 === parity)
        found.push({ bit, letter: LETTERS[cells[bit]], sum: i + j, difference: i - j });
    }
  }
  return found;
}

/** Returns the smallest ranges that contain all of these cells. */
function rangesOf(cells: readonly Cell[]): Ranges {
  const sums = cells.map(({ sum }) => sum);
  const differences = cells.map(({ difference }) => difference);
  return [Math.min(...sums), Math.max(...sums), Math.min(...differences), Math.max(...differences)];
}

/** Returns, sorted, the rectangles that play can leave of each parity class, with the nimbers of their cells. */
function rectanglesLiterally(board: Board, nimberLiterally: NimberOracle): string[] {
  const found = new Set<string>();
  for (const parity of [0, 1]) {
    const cells = cellsOfParity(board, parity);
    const visit = (ranges: Ranges) => {
      const inside = cells.filter((cell) => isInside(cell, ranges));
      const letters = inside.reduce((bits, { bit }) => bits | (1 << bit), 0);
      const entry = String([parity, ...ranges, nimberLiterally(letters)]);
      if (inside.length === 0 || found.has(entry)) return;
      found.add(entry);
      for (const cell of inside) rangesAfter(cell, ranges).forEach(visit);
    };
    visit(rangesOf(cells));
  }
  return [...found].sort();
}

function isInside({ sum, difference }: Cell, ranges: Ranges): boolean {
  const [minSum, maxSum, minDifference, maxDifference] = ranges;
  return minSum <= sum && sum <= maxSum && minDifference <= difference && difference <= maxDifference;
}

/** Returns the ranges that a move at a cell leaves. */
function rangesAfter({ letter, sum, difference }: Cell, ranges: Ranges): Ranges[] {
  const [minSum, maxSum, minDifference, maxDifference] = ranges;
  const sums = letter === 'R' ? [[minSum, maxSum]] : without(sum, minSum, maxSum);
  const differences =
    letter === 'L' ? [[minDifference, maxDifference]] : without(difference, minDifference, maxDifference);
  return sums.flatMap(([from, to]) => differences.map(([first, last]) => [from, to, first, last] as const));
}

/** Returns the values of a range that are below and above one of them. */
function without(value: number, min: number, max: number): number[][] {
  return [
    [min, value - 2],
    [value + 2, max],
  ];
}

describe('explanations of darkraft', () => {
  test('the explanation of the first sample of the statement', () => {
    expect(JSON.stringify(explain(boardOf(['RL', 'LR']), true))).toBe(
      JSON.stringify({
        answer: 'LOSE',
        nimber: 0,
        nimbers: [1, 1],
        moves: [
          { cell: [1, 1], letter: 'R', nimber: 1, wins: false },
          { cell: [1, 2], letter: 'L', nimber: 1, wins: false },
          { cell: [2, 1], letter: 'L', nimber: 1, wins: false },
          { cell: [2, 2], letter: 'R', nimber: 1, wins: false },
        ],
        play: [{ cell: [1, 1] }, { cell: [1, 2] }],
        proof: {
          rectangles: [
            [0, 2, 4, 0, 0, 1],
            [1, 3, 3, -1, 1, 1],
          ],
        },
      }),
    );
  });

  test('answers, nimbers, moves and best play of small boards are those of the solver and of the oracle', async () => {
    const solver = createPortableSolver();
    for (const board of await smallBoards()) {
      const { answer, nimber, nimbers, moves, play } = explain(board);
      const nimberLiterally = createNimberOracle(board);
      const answers: ('WIN' | 'LOSE')[] = [];
      void solver.solve([board], 1, answers);
      expect(answer).toBe(answers[0]);
      expect(nimber).toBe(nimberLiterally(allLetters(board)));
      const bitsOf = (parity: number) =>
        cellsOfParity(board, parity).reduce((all, { bit }) => all | (1 << bit), 0);
      expect(nimbers).toEqual([0, 1].map((parity) => nimberLiterally(bitsOf(parity))));
      const game = analyseGame(board);
      expectLiteralMoves(game, game.start, board, allLetters(board), nimberLiterally);
      const first = game.movesAt(game.start);
      expect(moves).toEqual(first.map(({ cell, letter, nimber, wins }) => ({ cell, letter, nimber, wins })));
      expect(moves.every((move) => move.wins === (move.nimber === 0))).toBe(true);
      expectBestPlay(board, play, nimberLiterally);
    }
  });

  test('proofs list the rectangles that a search by cells reaches, each class first', async () => {
    for (const board of await smallBoards()) {
      const { proof } = explain(board, true);
      const listed = proof!.rectangles.map(String);
      expect(listed.toSorted()).toEqual(rectanglesLiterally(board, createNimberOracle(board)));
      const parities = proof!.rectangles.map(([parity]) => parity);
      expect(parities).toEqual(parities.toSorted());
      for (const parity of new Set(parities)) {
        const [, ...first] = proof!.rectangles[parities.indexOf(parity)];
        expect(first.slice(0, 4)).toEqual(rangesOf(cellsOfParity(board, parity)));
      }
    }
  });

  test('each nimber in the proof of a larger board is the mex of what the moves leave', () => {
    const board = drawBoard(9, 10, [0, 1, 2], new Random(3));
    const { proof } = explain(board, true);
    const nimberOf = new Map(proof!.rectangles.map((entry) => [String(entry.slice(0, 5)), entry[5]]));
    const cellsOf = [0, 1].map((parity) => cellsOfParity(board, parity));
    for (const [parity, ...entry] of proof!.rectangles) {
      const ranges = entry.slice(0, 4) as unknown as Ranges;
      const inside = cellsOf[parity].filter((cell) => isInside(cell, ranges));
      const nimberOfPart = (part: Ranges) => {
        if (!inside.some((cell) => isInside(cell, part))) return 0;
        const nimber = nimberOf.get(String([parity, ...part]));
        if (nimber === undefined) throw new Error(`the proof does not list ${[parity, ...part]}`);
        return nimber;
      };
      const reached = new Set(
        inside.map((cell) =>
          rangesAfter(cell, ranges).reduce((nimber, part) => nimber ^ nimberOfPart(part), 0),
        ),
      );
      let mex = 0;
      while (reached.has(mex)) mex++;
      expect(mex).toBe(entry[4]);
    }
  });

  test('a proof may have as many entries as the caller allows, and no more', () => {
    const board = drawBoard(7, 8, [0, 1, 2], new Random(7));
    const { length } = explain(board, true).proof!.rectangles;
    expect(explainer.explain(board, true, length)).toEqual(explain(board, true));
    expect(() => explainer.explain(board, true, length - 1)).toThrow(new ProofTooLarge(length, 'rectangles'));
    expect(explainer.explain(board, false, 0)).toEqual(explain(board));
  });

  test('on a board of L only, play can leave every range of sums', () => {
    const board = drawBoard(20, 20, [0], new Random(0));
    const sums = { even: 20, odd: 19 };
    const ranges = (sums.even * (sums.even + 1)) / 2 + (sums.odd * (sums.odd + 1)) / 2;
    expect(() => explainer.explain(board, true, 0)).toThrow(new ProofTooLarge(ranges, 'rectangles'));
  });

  test('an explanation depends on no cell after the end of the board', () => {
    const longer = { rows: 2, cols: 2, cells: Uint8Array.of(0, 1, 2, 0, 2, 2, 2, 2) };
    expect(explain(longer, true)).toEqual(explain(boardOf(['LR', 'XL']), true));
  });
});

describe('games of darkraft', () => {
  test('in random play, the legal moves are those of the statement, in order, with their outcomes', () => {
    const random = new Random(2);
    for (let round = 0; round < 60; round++) {
      const board = drawBoard(1 + random.below(4), 1 + random.below(3), [0, 1, 2], random);
      const nimberLiterally = createNimberOracle(board);
      const game = analyseGame(board);
      let position = game.start;
      let letters = allLetters(board);
      for (let turn = 0; letters !== 0; turn = 1 - turn) {
        expect(game.rowsAt(position)).toEqual(rowsOf(board, letters));
        expectLiteralMoves(game, position, board, letters, nimberLiterally);
        expectOutcomes(game, position, turn, nimberLiterally(letters));
        const { row, col, after } = random.pick(movesIn(board, letters));
        letters = after;
        const played = game.movesAt(position).find(({ cell: [i, j] }) => i === row + 1 && j === col + 1);
        position = game.after(position, played!);
      }
      expect(game.movesAt(position)).toEqual([]);
      expect(game.bestMoveAt(position)).toBe(null);
    }
  });

  test('a game keeps neither the board nor an earlier position in what it changes', () => {
    const board = boardOf(['LRX', 'XLR']);
    const game = analyseGame(board);
    board.cells.fill(2);
    const position = game.after(game.start, game.bestMoveAt(game.start)!);
    expect(game.rowsAt(game.start)).toEqual(['LRX', 'XLR']);
    expect(game.rowsAt(position)).not.toEqual(['LRX', 'XLR']);
  });
});
