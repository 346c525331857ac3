import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSimdSolver } from '../../src/problems/link-and-pop/kernel.js';
import {
  analyse,
  createPortableSolver,
  type FinalRows,
  limits,
} from '../../src/problems/link-and-pop/solve.js';
import type { Board, Solver } from '../../src/problems/problem.js';
import { solveLiterally } from '../oracles/link-and-pop.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

/** Boards differ most by who moves: everyone, nobody, one way only, two ways only. */
const MOVERS = ['UDLRS', 'S', 'U', 'D', 'L', 'R', 'UD', 'LR', 'UL', 'UR', 'DL', 'DR', 'LS', 'DS'];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function boardOf(rows: number, cols: number, blockAt: (row: number, col: number) => string): Board {
  const cells = new Uint8Array(2 * rows * cols);
  for (let i = 0; i < rows * cols; i++) {
    const block = blockAt(Math.floor(i / cols), i % cols);
    cells.set([block.charCodeAt(0), block.charCodeAt(1)], 2 * i);
  }
  return { rows, cols, cells };
}

function parseBoard(text: string): Board {
  const lines = text.trim().split('\n');
  const blocks = lines.map((line) => line.trim().split(/\s+/));
  return boardOf(blocks.length, blocks[0].length, (row, col) => blocks[row][col]);
}

function show({ rows, cols, cells }: Board): string {
  const blocks = Array.from({ length: rows * cols }, (_, i) =>
    String.fromCharCode(cells[2 * i], cells[2 * i + 1]),
  );
  return Array.from({ length: rows }, (_, row) => blocks.slice(row * cols, (row + 1) * cols).join(' ')).join(
    '\n',
  );
}

/** A small generator of its own, so that a large board costs fast-check one seed and not 20,000 draws. */
function randomBoard(rows: number, cols: number, symbols: number, ways: string, seed: number): Board {
  let state = seed >>> 0;
  const draw = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return boardOf(rows, cols, () => LETTERS[draw(symbols)] + ways[draw(ways.length)]);
}

function boards(maxRows: number, maxCols: number, maxSymbols: number): fc.Arbitrary<Board> {
  return fc
    .record({
      rows: fc.integer({ min: 1, max: maxRows }),
      cols: fc.integer({ min: 1, max: maxCols }),
      symbols: fc.integer({ min: 1, max: maxSymbols }),
      ways: fc.constantFrom(...MOVERS),
      seed: fc.nat(),
    })
    .map(({ rows, cols, symbols, ways, seed }) => randomBoard(rows, cols, symbols, ways, seed));
}

const portable = createPortableSolver();

/** The longest side of a board that the kernel takes. */
const KERNEL_SIDE = 30;
const wasm = new WebAssembly.Module(
  readFileSync(new URL('../../dist/workers/kernels/link-and-pop.wasm', import.meta.url)),
);
const simd = createSimdSolver(wasm);

function solveOne(board: Board, solver: Solver<FinalRows> = portable): FinalRows {
  const answers: FinalRows[] = [];
  solver.solve([board], 1, answers);
  return answers[0];
}

function expectSimdAgrees(board: Board): void {
  const [found, wanted] = [solveOne(board, simd), solveOne(board)];
  if (found.join() !== wanted.join()) expect(found, show(board)).toEqual(wanted);
}

/** Every board of this size, up to the naming of symbols: a block may use the symbols so far and one new. */
function* everyBoard(rows: number, cols: number, ways: string): Generator<Board> {
  const blocks: string[] = [];
  function* place(used: number): Generator<Board> {
    if (blocks.length === rows * cols) {
      yield boardOf(rows, cols, (row, col) => blocks[row * cols + col]);
      return;
    }
    for (let symbol = 0; symbol <= used; symbol++)
      for (const way of ways) {
        blocks.push(LETTERS[symbol] + way);
        yield* place(Math.max(used, symbol + 1));
        blocks.pop();
      }
  }
  yield* place(0);
}

function readTruth(): { boards: Board[]; answers: string } {
  const folder = new URL('../../data/link-and-pop/truth/', import.meta.url);
  const lines = readFileSync(new URL('readings.in', folder), 'latin1').split('\n');
  const answers = readFileSync(new URL('readings.ans', folder), 'latin1');
  const boards: Board[] = [];
  for (let at = 0; ; ) {
    const rows = Number(lines[at].split(' ')[0]);
    if (rows === 0) return { boards, answers };
    boards.push(parseBoard(lines.slice(at + 1, at + 1 + rows).join('\n')));
    at += 1 + rows;
  }
}

function printCases(answers: readonly FinalRows[]): string {
  return answers.map((rows, i) => `Case ${i + 1}\n${rows.join('\n')}\n`).join('');
}

describe('the statement', () => {
  const samples: [string, FinalRows][] = [
    ['AD AU CL\nHS GU HL\nCS FD GS', ['...', '...', '.F.']],
    ['BS BL', ['..']],
  ];

  it.each(samples)('sample %#', (text, rows) => {
    expect(solveLiterally(parseBoard(text))).toEqual(rows);
    expect(solveOne(parseBoard(text))).toEqual(rows);
  });

  it('lines may run along the ring', () => {
    expect(solveOne(parseBoard('AS BS AS'))).toEqual(['.B.']);
    expect(solveOne(parseBoard('AS BS\nCS AS'))).toEqual(['AB', 'CA']);
    expect(solveOne(parseBoard('AS BS AS\nCS DS ES'))).toEqual(['.B.', 'CDE']);
  });

  it('agrees with the settled readings', () => {
    const { boards, answers } = readTruth();
    const found: FinalRows[] = [];
    portable.solve(boards, boards.length, found);
    expect(printCases(found)).toBe(answers);
    const small = boards.filter(({ rows, cols }) => rows * cols <= 36);
    expect(small.map((board) => solveOne(board))).toEqual(small.map(solveLiterally));
  });
});

describe('portable against the oracle', () => {
  const sizes: [number, number, string][] = [
    [1, 1, 'UDLRS'],
    [1, 3, 'UDLRS'],
    [3, 1, 'UDLRS'],
    [1, 4, 'LRS'],
    [4, 1, 'UDS'],
    [2, 2, 'UDLRS'],
    [2, 3, 'DR'],
    [3, 2, 'UL'],
    [2, 4, 'S'],
    [3, 3, 'S'],
  ];

  it.each(sizes)('every %d x %d board, moving %s', (rows, cols, ways) => {
    for (const board of everyBoard(rows, cols, ways))
      if (solveOne(board).join() !== solveLiterally(board).join())
        expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
  });

  it('random boards', () => {
    fc.assert(
      fc.property(boards(7, 7, 9), (board) => {
        expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
      }),
      { numRuns: 1500 },
    );
  });

  it('long and thin boards', () => {
    fc.assert(
      fc.property(fc.oneof(boards(1, 40, 12), boards(40, 1, 12), boards(2, 20, 12)), (board) => {
        expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
      }),
      { numRuns: 300 },
    );
  });
});

const STRUCTURES: Record<string, (row: number, col: number) => string> = {
  'one symbol': () => 'AS',
  'row stripes': (row) => `${LETTERS[row % 52]}S`,
  'column stripes': (_, col) => `${LETTERS[col % 52]}D`,
  'diagonals, falling': (row, col) => `${LETTERS[(row + col) % 26]}D`,
  'antidiagonals, rising': (row, col) => `${LETTERS[(row - col + 104) % 52]}U`,
  'chequered, drifting apart': (row, col) => ((row + col) % 2 ? 'AL' : 'BR'),
  'rings, to the corners': (row, col) => `${LETTERS[Math.min(row, col) % 52]}${'UDLR'[(row + 2 * col) % 4]}`,
  'walls that stand, the rest moves': (row, col) =>
    row % 2 ? `${LETTERS[col % 7]}S` : `${LETTERS[col % 5]}R`,
};

describe('structured boards', () => {
  it.each(Object.entries(STRUCTURES))('%s', (_, blockAt) => {
    for (const [rows, cols] of [
      [5, 7],
      [6, 6],
      [7, 3],
    ]) {
      const board = boardOf(rows, cols, blockAt);
      expect(solveOne(board), show(board)).toEqual(solveLiterally(board));
    }
  });
});

describe('sizes at the limits', () => {
  const { maxRows, maxCols } = limits;

  it.each([
    [maxRows, maxCols, 52, 'UDLRS'],
    [maxRows, maxCols, 26, 'S'],
    [1, maxCols, 52, 'L'],
    [maxRows, 1, 26, 'D'],
  ])('%d x %d, %d symbols, moving %s', (rows, cols, symbols, ways) => {
    const board = randomBoard(rows, cols, symbols, ways, 20041);
    const left = solveOne(board);
    expect(left).toHaveLength(rows);
    for (const row of left) expect(row).toMatch(new RegExp(`^[A-Za-z.]{${cols}}$`));
  });

  it('no symbol loses an odd number of blocks', () => {
    const board = randomBoard(maxRows, maxCols, 52, 'UDLRS', 7);
    const before = Array.from(board.cells).filter((_, i) => i % 2 === 0);
    const after = solveOne(board).join('');
    for (const letter of LETTERS) {
      const had = before.filter((code) => code === letter.charCodeAt(0)).length;
      expect((had - after.split(letter).length + 1) % 2).toBe(0);
    }
  });
});

describe('simd against portable', () => {
  const sizes: [number, number, string][] = [
    [1, 1, 'UDLRS'],
    [1, 4, 'LRS'],
    [4, 1, 'UDS'],
    [2, 2, 'UDLRS'],
    [2, 3, 'ULR'],
    [3, 2, 'UDL'],
    [3, 3, 'S'],
  ];

  it.each(sizes)('every %d x %d board, moving %s', (rows, cols, ways) => {
    for (const board of everyBoard(rows, cols, ways)) expectSimdAgrees(board);
  });

  it('the settled readings', () => {
    const { boards, answers } = readTruth();
    const found: FinalRows[] = [];
    simd.solve(boards, boards.length, found);
    expect(printCases(found)).toBe(answers);
  });

  it('random boards of every size', () => {
    fc.assert(fc.property(boards(KERNEL_SIDE, KERNEL_SIDE, 52), expectSimdAgrees), { numRuns: 400 });
    fc.assert(fc.property(boards(9, 9, 12), expectSimdAgrees), { numRuns: 3000 });
  });

  it.each(MOVERS)('full size, moving %s', (ways) => {
    for (const [seed, symbols] of [26, 52, 5].entries())
      expectSimdAgrees(randomBoard(KERNEL_SIDE, KERNEL_SIDE, symbols, ways, seed));
  });

  it.each(Object.entries(STRUCTURES))('structured: %s', (_, blockAt) => {
    for (const rows of [1, 2, 7, 29, 30])
      for (const cols of [1, 2, 13, 29, 30]) expectSimdAgrees(boardOf(rows, cols, blockAt));
  });

  it('every side up to the kernel limit, one row or one column', () => {
    for (let side = 1; side <= KERNEL_SIDE; side++) {
      expectSimdAgrees(randomBoard(1, side, 5, 'LRS', side));
      expectSimdAgrees(randomBoard(side, 1, 5, 'UDS', side));
    }
    expect(simd.fallbackCases).toBe(0);
  });

  it('boards past the kernel limit go to portable and are counted', () => {
    const solver = createSimdSolver(wasm);
    const past = [
      randomBoard(KERNEL_SIDE + 1, 3, 9, 'UDLRS', 1),
      randomBoard(KERNEL_SIDE, KERNEL_SIDE, 9, 'UDLRS', 2),
      randomBoard(3, KERNEL_SIDE + 1, 9, 'UDLRS', 3),
    ];
    const answers: FinalRows[] = [];
    solver.solve(past, past.length, answers);
    expect(answers).toEqual(past.map((board) => solveOne(board)));
    expect(solver.fallbackCases).toBe(2);
  });

  it('batches of mixed sizes answer each board at its own index and leave the rest alone', () => {
    fc.assert(
      fc.property(fc.array(boards(40, 40, 52), { minLength: 1, maxLength: 9 }), (batch) => {
        const answers: FinalRows[] = Array.from(batch, () => ['kept']);
        simd.solve(batch, batch.length - 1, answers);
        const wanted = batch.slice(0, -1).map((board) => solveOne(board));
        expect(answers).toEqual([...wanted, ['kept']]);
      }),
      { numRuns: 40 },
    );
  });

  it('cells left behind a board by a larger one are not read', () => {
    const small = randomBoard(3, 4, 3, 'UDLRS', 11);
    const large = randomBoard(20, 20, 26, 'UDLRS', 12);
    const reused: Board = { rows: 3, cols: 4, cells: large.cells.slice() };
    reused.cells.set(small.cells);
    expect(solveOne(reused, simd)).toEqual(solveOne(small));
    expect(solveOne(reused)).toEqual(solveOne(small));
  });
});

describe('analyse', () => {
  it('tells each pop with the bends of its link and the turns after it', () => {
    const { pops, rows } = analyse(parseBoard('AS BD AS\nCS CS DS'));
    expect(pops).toEqual([
      {
        symbol: 'C',
        first: { row: 1, col: 0 },
        second: { row: 1, col: 1 },
        segments: 1,
        bends: [],
        turns: 1,
      },
      {
        symbol: 'A',
        first: { row: 0, col: 0 },
        second: { row: 0, col: 2 },
        segments: 1,
        bends: [],
        turns: 0,
      },
    ]);
    expect(rows).toEqual(['...', '.BD']);
  });

  it('bends lie on one line with what they join', () => {
    fc.assert(
      fc.property(boards(8, 8, 9), (board) => {
        const { pops, rows } = analyse(board);
        expect(rows).toEqual(solveOne(board));
        for (const { first, bends, second, segments } of pops) {
          const corners = [first, ...bends, second];
          expect(corners).toHaveLength(segments + 1);
          for (const [i, to] of corners.slice(1).entries())
            expect((corners[i].row === to.row) !== (corners[i].col === to.col)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
