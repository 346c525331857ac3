import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadProblem } from '../../../src/catalog/registry.js';
import { ByteWriter } from '../../../src/core/bytes.js';
import { Random, Seed } from '../../../src/core/random.js';
import { analyse as analyseBacterialTactics } from '../../../src/games/bacterial-tactics/solve.js';
import { analyse as analyseDarkraft } from '../../../src/games/darkraft/solve.js';
import { analyse as analyseLinkAndPop } from '../../../src/games/link-and-pop/solve.js';
import {
  BOARDS_OF_LONG_BLACK_WINS,
  BOARDS_OF_LONG_RED_WINS,
} from '../../../src/games/river-pawn/long-wins.js';
import { createPortableSolver, type RiverPawnAnswer } from '../../../src/games/river-pawn/solve.js';
import type { BoardProblem } from '../../../src/games/shared/board-problem.js';
import { RandomBoardSource } from '../../../src/games/shared/board-source.js';
import {
  ANY_BOARDS,
  type Board,
  CASE_PROFILES,
  type CaseProfile,
  type RandomCasesRequest,
  type WantedBoards,
} from '../../../src/problems/problem.js';
import { createRandomCaseGenerator, drawRandomCases, generateInput } from '../../../src/tools/cases/draw.js';
import { STYLES, styleOf } from '../../support/inputs.js';
import { readPlainly } from '../../support/plain-reader.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

const problems = new Map<string, BoardProblem>();
for (const { name } of STYLES) problems.set(name, await loadProblem(name));

/** What a test wants to generate. */
interface Order {
  readonly problem: BoardProblem;
  readonly request: Omit<RandomCasesRequest, 'cases'>;
}

function orderOf(
  name: string,
  profile: CaseProfile,
  { seed = '7', ...wishes }: Partial<WantedBoards> & { readonly seed?: string } = {},
): Order {
  const boards = { ...ANY_BOARDS, ...wishes };
  const problem = problems.get(name) as BoardProblem;
  return { problem, request: { seed, profile, maxSize: null, set: null, boards } };
}

async function inputOf({ problem, request }: Order, cases: number): Promise<Uint8Array> {
  const drawer = createRandomCaseGenerator(problem, { ...request, cases });
  const pieces: Uint8Array[] = [];
  for await (const piece of generateInput(problem, drawer, cases)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function boardsOf({ problem, request }: Order, cases: number): Board[] {
  const source = new RandomBoardSource(problem.parts, { ...request, cases });
  return Array.from({ length: cases }, (_, index) => copy(source.caseAt(index)));
}

function copy({ rows, cols, cells }: Board): Board {
  return { rows, cols, cells: cells.slice() };
}

const exactly = (size: number) => ({ from: size, to: size });
const from = (low: number, high: number) => ({ from: low, to: high });
const PROBLEMS_AND_PROFILES = STYLES.flatMap(({ name }) =>
  CASE_PROFILES.map((profile) => [name, profile] as const),
);

describe('random numbers of a seed', () => {
  test('the random numbers are those of the published generator xoroshiro128+', () => {
    const state = [0x01234567, -1, 0x7fedcba9, 42];
    const wide = (high: number, low: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    let s0 = wide(state[0], state[1]);
    let s1 = wide(state[2], state[3]);
    const rotate = (word: bigint, by: bigint) => BigInt.asUintN(64, word << by) | (word >> (64n - by));
    const expected = () => {
      const result = BigInt.asUintN(32, s0 + s1);
      s1 ^= s0;
      s0 = rotate(s0, 24n) ^ s1 ^ BigInt.asUintN(64, s1 << 16n);
      s1 = rotate(s1, 37n);
      return Number(result);
    };
    const random = Random.fromState(state);
    for (let i = 0; i < 1000; i++) expect(random.word()).toBe(expected());
  });

  test('the random numbers of a seed and an index are the same in every version of boardmill', () => {
    const draw = (seed: string, index: number) => {
      const random = new Seed(seed).random(index);
      return Array.from({ length: 4 }, () => random.below(1000));
    };
    expect([draw('7', 0), draw('7', 1), draw('07', 0), draw('7', 2 ** 32), draw('', 2 ** 53 - 1)]).toEqual([
      [56, 483, 833, 62],
      [990, 44, 868, 943],
      [399, 408, 706, 805],
      [665, 795, 423, 948],
      [426, 272, 657, 800],
    ]);
  });

  test('the first random numbers of consecutive indices are evenly distributed', () => {
    const seed = new Seed('evenly');
    const counts = new Array<number>(16).fill(0);
    for (let index = 0; index < 16_000; index++) counts[seed.random(index).below(16)]++;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquare).toBeLessThan(37.7); // With 15 degrees of freedom, the value is above 37.7 once in a thousand times.
  });
});

describe('generated inputs', () => {
  test.each(PROBLEMS_AND_PROFILES)(
    '%s, %s: a generated input is well-formed, within the constraints, and has the wanted number of cases',
    async (name, profile) => {
      const order = orderOf(name, profile);
      const cases = profile === 'hard' ? 2 : 200;
      const style = styleOf(name);
      const { inputFormat, parts } = order.problem;
      const reading = readPlainly(style, await inputOf(order, cases));
      expect(reading.fault).toBeNull();
      expect(reading.cases).toHaveLength(cases);
      for (const { rows, cells } of reading.cases) {
        const cols = cells.length / rows / inputFormat.cellBytes;
        expect(rows).toBeGreaterThanOrEqual(parts.constraints.minRows);
        expect(rows).toBeLessThanOrEqual(parts.constraints.maxRows);
        expect(cols).toBeGreaterThanOrEqual(parts.constraints.minCols);
        expect(cols).toBeLessThanOrEqual(parts.constraints.maxCols);
      }
    },
  );

  test.each(PROBLEMS_AND_PROFILES)(
    '%s, %s: parsing a printed board gives the same board',
    (name, profile) => {
      const order = orderOf(name, profile);
      const { inputFormat } = order.problem;
      const parser = inputFormat.createParser();
      for (const board of boardsOf(order, profile === 'hard' ? 1 : 50)) {
        const length = board.rows * board.cols * inputFormat.cellBytes;
        const bytes = printed(order.problem, board);
        const read = parser.parse(bytes, 0, bytes.length, null);
        expect(parser.fault).toBeNull();
        expect(read).toMatchObject({ rows: board.rows, cols: board.cols });
        expect(read?.cells.slice(0, length)).toEqual(board.cells.slice(0, length));
      }
    },
  );

  test.each(STYLES)(
    '$name: a longer input contains the boards of a shorter input of the same seed, in the same order',
    async ({ name }) => {
      const lines = async (cases: number) =>
        Buffer.from(await inputOf(orderOf(name, 'random'), cases))
          .toString()
          .split('\n');
      const { preamble, terminated } = styleOf(name);
      const [head, tail] = [preamble.length > 0 ? 1 : 0, terminated ? 2 : 1];
      const short = await lines(40);
      expect((await lines(900)).slice(head, short.length - tail)).toEqual(
        short.slice(head, short.length - tail),
      );
    },
  );

  test.each(STYLES)('$name: another seed gives other boards', async ({ name }) => {
    const input = (seed: string) => inputOf(orderOf(name, 'random', { seed }), 20);
    expect(await input('7')).not.toEqual(await input('8'));
  });

  test('the profile tiny has every shape up to 4x4 that the game allows', () => {
    for (const { name, minRows, maxRows, maxCols, minCells } of STYLES) {
      const sides = [1, 2, 3, 4];
      const sizes = sides.flatMap((rows) => sides.map((cols) => ({ rows, cols })));
      const shapes = sizes.filter(
        ({ rows, cols }) => rows >= minRows && rows <= maxRows && cols <= maxCols && rows * cols >= minCells,
      ).length;
      const seen = boardsOf(orderOf(name, 'tiny'), shapes).map(({ rows, cols }) => `${rows}x${cols}`);
      expect(new Set(seen).size).toBe(shapes);
      expect(seen.every((shape) => /^[1-4]x[1-4]$/.test(shape))).toBe(true);
    }
  });

  test.each(CASE_PROFILES)(
    'link-and-pop, profile %s: all symbols are capital letters, as in the statement',
    (profile) => {
      const boards = profile === 'hard' ? 4 : 40;
      for (const seed of ['1', '2', '3']) {
        for (const { rows, cols, cells } of boardsOf(orderOf('link-and-pop', profile, { seed }), boards)) {
          const symbols = Buffer.from(cells.subarray(0, rows * cols * 2).filter((_, i) => i % 2 === 0));
          expect(symbols.toString('latin1')).toMatch(/^[A-Z]+$/);
        }
      }
    },
  );

  test('the profile contest-max has only boards of the largest size that the contest allows', () => {
    for (const { name } of STYLES) {
      const { maxRows, maxCols } = problems.get(name)!.parts.constraints;
      for (const { rows, cols } of boardsOf(orderOf(name, 'contest-max'), 10)) {
        expect([rows, cols]).toEqual([maxRows, maxCols]);
      }
    }
  });

  test.each([
    ['bacterial-tactics', 1, (cells: Uint8Array) => cells.filter((code) => code === 1).length],
    ['darkraft', 1, (cells: Uint8Array) => cells.filter((code) => code === 2).length],
    [
      'link-and-pop',
      2,
      (cells: Uint8Array) => cells.filter((code, i) => i % 2 === 1 && code !== 0x53).length,
    ],
    ['river-pawn', 1, (cells: Uint8Array) => cells.filter((code) => code === 1).length],
  ] as const)('%s: --density is the share of the cells that it describes', (name, cellBytes, count) => {
    const pieces = name === 'river-pawn' ? 3 : 0;
    for (const density of [0, 0.25, 1]) {
      const boards = boardsOf(orderOf(name, 'contest-max', { density }), 200);
      const cells = boards.reduce((sum, board) => sum + board.cells.length / cellBytes - pieces, 0);
      const share = boards.reduce((sum, board) => sum + count(board.cells), 0) / cells;
      expect(Math.abs(share - density)).toBeLessThan(density % 1 === 0 ? 1e-9 : 0.02);
    }
  });

  test.each([
    ['bacterial-tactics', from(40, 50), from(1, 2)],
    ['darkraft', exactly(40), exactly(40)],
    ['link-and-pop', from(90, 100), exactly(100)],
    ['river-pawn', exactly(256), exactly(1)],
    ['river-pawn', from(2, 256), from(1, 128)],
  ] as const)('%s: --rows and --cols may exceed the constraints', (name, rows, cols) => {
    const { supportedLimits } = problems.get(name)!.parts;
    for (const board of boardsOf(orderOf(name, 'random', { rows, cols }), 30)) {
      expect(board.rows).toBeGreaterThanOrEqual(rows.from);
      expect(board.rows).toBeLessThanOrEqual(rows.to);
      expect(board.cols).toBeGreaterThanOrEqual(cols.from);
      expect(board.cols).toBeLessThanOrEqual(cols.to);
      expect(board.rows * board.cols).toBeLessThanOrEqual(supportedLimits.maxCells);
    }
  });

  test.each([
    ['bacterial-tactics', exactly(51), null, /--rows needs sizes from 1 to 50, got 51/],
    ['river-pawn', exactly(1), null, /--rows needs sizes from 2 to 256/],
    ['river-pawn', null, exactly(129), /--cols needs sizes from 1 to 128/],
    ['river-pawn', exactly(2), exactly(1), /has 3 to 256 cells, but no size from 2x1 to 2x1 has that many/],
    ['river-pawn', exactly(17), exactly(16), /has 3 to 256 cells/],
  ] as const)(
    '%s: --rows and --cols that no board can have are refused (%#)',
    (name, rows, cols, message) => {
      expect(() => boardsOf(orderOf(name, 'random', { rows, cols }), 1)).toThrow(message);
    },
  );
});

describe('boards of the profile hard', () => {
  test.each(['1', '2', 'x'])(
    'river-pawn, seed %s: hard boards contain long wins of both players, and ties',
    (seed) => {
      const answers = solvePawns(boardsOf(orderOf('river-pawn', 'hard', { seed }), 12));
      const longest = (winner: string) =>
        Math.max(...answers.map((answer) => (answer.winner === winner ? answer.plies! : 0)));
      expect(Math.max(...answers.slice(0, 10).map(({ plies }) => plies ?? 0))).toBeGreaterThanOrEqual(150);
      expect(longest('Black')).toBeGreaterThanOrEqual(40);
      expect(answers.filter(({ winner }) => winner === null).length).toBeGreaterThanOrEqual(2);
    },
  );

  test.each([
    [exactly(6), exactly(6), 43],
    [exactly(5), exactly(10), 45],
    [exactly(12), exactly(13), 150],
  ])('river-pawn: hard boards of another size contain long wins (%o x %o)', (rows, cols, plies) => {
    const answers = solvePawns(boardsOf(orderOf('river-pawn', 'hard', { rows, cols }), 2));
    expect(Math.max(...answers.map((answer) => answer.plies ?? 0))).toBeGreaterThanOrEqual(plies);
  });

  test('river-pawn: hard boards are well-formed, even if they are too small for a long win', async () => {
    const order = orderOf('river-pawn', 'hard', { rows: from(2, 3), cols: from(1, 3) });
    const style = styleOf('river-pawn');
    expect(readPlainly(style, await inputOf(order, 300)).fault).toBeNull();
  });

  test('river-pawn: the wins in long-wins.ts have the given winners and lengths, and the longest is first', () => {
    for (const [winner, wins] of [
      ['Red', BOARDS_OF_LONG_RED_WINS],
      ['Black', BOARDS_OF_LONG_BLACK_WINS],
    ] as const) {
      const answers = solvePawns(wins.map(({ board }) => pawnBoard(board.split('/'))));
      expect(answers).toEqual(wins.map(({ plies }) => ({ winner, plies })));
      const sorted = wins.map(({ plies }) => plies).sort((a, b) => b - a);
      expect(wins.map(({ plies }) => plies)).toEqual(sorted);
    }
  });

  test('bacterial-tactics: hard boards of 15x15 have nimbers of at least 10', () => {
    for (const board of boardsOf(
      orderOf('bacterial-tactics', 'hard', { rows: exactly(15), cols: exactly(15) }),
      8,
    )) {
      expect(analyseBacterialTactics(board).nimber(0, 15, 0, 15)).toBeGreaterThanOrEqual(10);
    }
  });

  test('darkraft: hard boards of 20x20 have a parity class with a nimber of at least 30', () => {
    for (const board of boardsOf(orderOf('darkraft', 'hard', { rows: exactly(20), cols: exactly(20) }), 1)) {
      const [even, odd] = analyseDarkraft(board).classes;
      expect(Math.max(even.totalNimber, odd.totalNimber)).toBeGreaterThanOrEqual(30);
    }
  });

  test('link-and-pop: hard boards of 30x30 take at least 4,600 turns and 400 pops', () => {
    for (const board of boardsOf(
      orderOf('link-and-pop', 'hard', { rows: exactly(30), cols: exactly(30) }),
      8,
    )) {
      const { pops } = analyseLinkAndPop(board);
      expect(pops.reduce((sum, { turns }) => sum + turns, 0)).toBeGreaterThanOrEqual(4600);
      expect(pops.length).toBeGreaterThanOrEqual(400);
    }
  });
});

function printed({ inputFormat }: BoardProblem, board: Board): Uint8Array {
  const out = new ByteWriter();
  inputFormat.printCase(board, out);
  return out.take();
}

function pawnBoard(lines: readonly string[]): Board {
  const cells = Uint8Array.from(lines.join(''), (letter) => '.#XO'.indexOf(letter));
  return { rows: lines.length, cols: lines[0].length, cells };
}

function solvePawns(boards: readonly Board[]): RiverPawnAnswer[] {
  const answers: RiverPawnAnswer[] = [];
  createPortableSolver().solve(boards, boards.length, answers);
  return answers;
}

describe('a signal is noticed between cases that take long to draw:', () => {
  test('a drawer returns the cases that it has after a while', async () => {
    const drawer = createRandomCaseGenerator(await loadProblem('bacterial-tactics'), {
      seed: 'slow',
      profile: 'tiny',
      cases: 10,
      maxSize: null,
      set: null,
      boards: ANY_BOARDS,
    });
    let seconds = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => 1000 * seconds++);
    onTestFinished(() => clock.mockRestore());
    expect((await drawer.draw(0, 10)).starts).toHaveLength(2);
  });

  test('drawCases pauses after each draw', async () => {
    let pauses = 0;
    const pausesBefore: number[] = [];
    const draw = async () => {
      pausesBefore.push(pauses);
      setImmediate(() => pauses++);
      return { bytes: Uint8Array.of(1), starts: Uint32Array.of(0, 1) };
    };
    await drawRandomCases({ head: null, draw }, 0, 3);
    expect(pausesBefore).toEqual([0, 1, 2]);
  });
});
