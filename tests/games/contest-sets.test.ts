/** The sets of contests: which boards belong to a set, random boards of a set, and sums over all cases. */
import { describe, expect, test } from 'vitest';
import { loadProblem, PROBLEMS } from '../../src/catalog/registry.js';
import type { Board } from '../../src/formats/boards/board.js';
import type { HeadExtent } from '../../src/formats/input-format.js';
import { formats } from '../../src/formats/language/formats.js';
import { createPortableSolver, type RiverPawnAnswer } from '../../src/games/river-pawn/solve.js';
import type { BoardProblem } from '../../src/games/shared/board-problem.js';
import { defineProblem } from '../../src/problems/modules/define-problem.js';
import { createModuleProblem } from '../../src/problems/modules/module-problem.js';
import { ANY_BOARDS, CASE_PROFILES, type Problem } from '../../src/problems/problem.js';
import {
  createRandomCaseGenerator,
  drawRandomCases,
  generateInput,
  type RandomCaseGenerator,
} from '../../src/tools/cases/draw.js';
import { validateInput } from '../../src/tools/validate/validate.js';
import { bytesOf } from '../support/inputs.js';
import { inPieces } from '../support/scanning.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

/** The sizes of the boards of each set, as the statements give them: fewest and most rows, fewest and most columns. */
const SIZES: Record<string, Record<string, readonly [number, number, number, number]>> = {
  'bacterial-tactics': { '1': [1, 4, 1, 4], '2': [1, 15, 1, 15] },
  darkraft: { '1': [1, 20, 1, 20] },
  'link-and-pop': { '1': [1, 30, 1, 30] },
  'river-pawn': {
    '1-4': [2, 10, 1, 10],
    '5-6': [4, 10, 1, 10],
    '7-9': [2, 10, 1, 1],
    '10-13': [2, 10, 1, 10],
    '14-20': [2, 10, 1, 10],
  },
};
const FIRST_IDS: Record<string, number> = { '1-4': 1, '5-6': 5, '7-9': 7, '10-13': 10, '14-20': 14 };
const { counted, int, ints } = formats;
const SETS = Object.entries(SIZES).flatMap(([name, sets]) => Object.keys(sets).map((set) => [name, set]));

const problems = new Map<string, Problem>();
for (const { name } of PROBLEMS) problems.set(name, (await loadProblem(name)) as Problem);
const riverPawn = problems.get('river-pawn') as Problem;

async function findingsOf(
  problem: Problem,
  input: Uint8Array | string,
  set: string | null,
): Promise<string[]> {
  const bytes = typeof input === 'string' ? bytesOf(input) : input;
  const found = validateInput(inPieces(bytes, 1 << 16), problem, { contest: true, set });
  const findings: string[] = [];
  for await (const { rule, line, column, caseNumber, what } of found)
    findings.push(`${rule} ${line}:${column} ${caseNumber} ${what}`);
  return findings;
}

const requestOf = (seed: string, set: string | null, cases: number, wishes = {}) => ({
  ...{ seed, profile: 'random' as const, cases, maxSize: null, set },
  boards: ANY_BOARDS,
  ...wishes,
});

async function inputOf(
  problem: Problem,
  drawer: RandomCaseGenerator,
  cases: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of generateInput(problem, drawer, cases)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** What the statement says about the boards of a set of river-pawn. */
const RIVER_PAWN_RULES: Record<string, (rows: readonly string[], answer: RiverPawnAnswer) => boolean> = {
  '1-4': (_, { winner, plies }) => winner === null || plies === 0,
  '5-6': (rows) => {
    const above = rows.slice(0, -2).join('');
    const wall = rows.at(-2) as string;
    return (
      /^#+$/.test(wall) &&
      /^[^#]*$/.test(above + rows.at(-1)) &&
      /^[.XO]*$/.test(above) &&
      above.split('O').length === 2 &&
      above.includes('X')
    );
  },
  '7-9': (rows) => rows[0].length === 1,
  '10-13': (_, { winner, plies }) => winner === null || (plies as number) <= 9,
  '14-20': () => true,
};

/** Reads the boards of a printed input. */
function boardsOf({ inputFormat }: Problem, input: Uint8Array, cases: number): Board[] {
  const scanner = inputFormat.createScanner();
  const parser = inputFormat.createParser();
  let { length: at } = scanner.readHead(input, input.length, true) as HeadExtent;
  return Array.from({ length: cases }, () => {
    const extent = { end: 0, neededEnd: 0, isInvalid: false };
    scanner.findCase(input, at, input.length, true, extent);
    const board = parser.parse(input, at, extent.end, null) as Board;
    at = extent.end;
    return board;
  });
}

const riverPawnSolver = createPortableSolver();

function answerOf(board: Board): RiverPawnAnswer {
  const answers: RiverPawnAnswer[] = [];
  riverPawnSolver.solve([board], 1, answers);
  return answers[0];
}

function rowsOf({ rows, cols, cells }: Board): string[] {
  const letters = Array.from(cells.subarray(0, rows * cols), (code) => '.#XO'[code]).join('');
  return Array.from({ length: rows }, (_, row) => letters.slice(row * cols, (row + 1) * cols));
}

describe.each(SETS)('%s, set %s', (name, set) => {
  const problem = problems.get(name) as Problem;
  const [minRows, maxRows, minCols, maxCols] = SIZES[name][set];

  test.each(CASE_PROFILES)('boards of the profile %s are in the set', async (profile) => {
    const cases = { hard: 1, 'contest-max': 2 }[profile as string] ?? 8;
    const drawer = createRandomCaseGenerator(problem, requestOf('set', set, cases, { profile }));
    const input = await inputOf(problem, drawer, cases);
    const boards = boardsOf(problem, input, cases);
    for (const board of boards) {
      expect(board.rows >= minRows && board.rows <= maxRows).toBe(true);
      expect(board.cols >= minCols && board.cols <= maxCols).toBe(true);
      if (name === 'river-pawn')
        expect(RIVER_PAWN_RULES[set](rowsOf(board), answerOf(board)), rowsOf(board).join('\n')).toBe(true);
    }
    expect(await findingsOf(problem, input, set)).toEqual([]);
  });

  test('boards of the largest size of the set are drawn', () => {
    const source = problem.cases.createSource(requestOf('set', set, 1, { profile: 'contest-max' }));
    expect(source.caseAt(0)).toMatchObject({ rows: maxRows, cols: maxCols });
  });

  test('boards that are larger or smaller than those of the set are refused', async () => {
    const wider = (side: 'rows' | 'cols', size: number) =>
      requestOf('set', set, 1, { boards: { ...ANY_BOARDS, [side]: { from: size, to: size } } });
    expect(() => problem.cases.createSource(wider('rows', maxRows + 1))).toThrow(
      `--rows needs sizes from ${minRows} to ${maxRows}, got ${maxRows + 1}`,
    );
    expect(() => problem.cases.createSource(wider('cols', maxCols + 1))).toThrow('--cols needs sizes');
    if ((problem as BoardProblem).parts.supportedLimits.maxRows === maxRows) return;
    const source = problem.cases.createSource({ ...wider('rows', maxRows + 1), set: null });
    const parser = problem.contest!.createFormat(set).createParser();
    parser.useHead(null);
    const printed = createRandomCaseGenerator(problem, { ...wider('rows', maxRows + 1), set: null });
    expect((source.caseAt(0) as Board).rows).toBe(maxRows + 1);
    const { bytes } = await printed.draw(0, 1);
    expect(parser.parse(bytes, 0, bytes.length, null)).toBe(null);
    expect(parser.fault).toMatchObject({ expected: `the number of rows (${minRows} to ${maxRows})` });
  });
});

test('the sets, and their order, are those of the contests', () => {
  for (const [name, sets] of Object.entries(SIZES))
    expect(Object.keys(problems.get(name)!.contest!.data.sets)).toEqual(Object.keys(sets));
});

test('the widest set has the limits of the contest', () => {
  for (const { contest } of problems.values()) expect(contest?.data.cases).toBeGreaterThan(0);
  expect(problems.get('bacterial-tactics')?.contest?.data).toMatchObject({ seconds: 30, megabytes: 1024 });
  expect(problems.get('link-and-pop')?.contest?.data).toMatchObject({
    cases: 30,
    seconds: 10,
    megabytes: 32,
  });
});

/** Boards of river-pawn with their answer, and the sets that they are in. All are in 14-20. */
const PLANTED: readonly (readonly [what: string, rows: readonly string[], sets: readonly string[]])[] = [
  ['Black 0', ['...#O', '.#..#', '#O#..', '.#..X'], ['1-4', '10-13']],
  ['Black 2', ['#.#', 'O.O', '.X.'], ['10-13']],
  ['Tie', ['.....', '.....', '..O..', '#..#.', 'O#.X.'], ['1-4', '10-13']],
  [
    'Red 75',
    [
      '...######',
      '.#.......',
      '.#######.',
      '.#.#.....',
      '.#O#.####',
      '.#.#.....',
      '.#######.',
      '.#X......',
      '.O.......',
    ],
    [],
  ],
  ['Red 1', ['O', 'X', '.', 'O'], ['7-9', '10-13']],
  ['Red 1', ['O', 'X', '#', 'O'], ['5-6', '7-9', '10-13']],
  ['Red 1', ['O.', 'X.', '##', '.O'], ['5-6', '10-13']],
  ['Red 3', ['O.#', '..X', '###', '.O.'], ['10-13']],
  ['Red 9', ['O.O.', '..#.', '...X'], ['10-13']],
  ['Red 11', ['OO..', '..#.', '..X.'], []],
  ['Black 8', ['O.#.', 'O#..', '.X..'], ['10-13']],
  ['Black 10', ['O#..', '###O', 'X...'], []],
  ['Red 1', ['O.', 'X.', '#.', '.O'], ['10-13']],
  ['Black 0', ['..', '#X', 'O#', '#O'], ['1-4', '10-13']],
  ['Red 1', ['OO', 'X.', '##', '..'], ['10-13']],
];

describe('a planted board', () => {
  test.each(PLANTED)('of river-pawn (%s, %j) is in the right sets', async (what, rows, sets) => {
    const board = `${rows.length} ${rows[0].length}\n${rows.join('\n')}\n`;
    const parser = riverPawn.inputFormat.createParser();
    const bytes = bytesOf(board);
    const { winner, plies } = answerOf(parser.parse(bytes, 0, bytes.length, null) as Board);
    expect(winner === null ? 'Tie' : `${winner} ${plies}`).toBe(what);
    for (const [set, id] of Object.entries(FIRST_IDS)) {
      const byOption = await findingsOf(riverPawn, `0 1\n${board}`, set);
      const byId = await findingsOf(riverPawn, `${id} 1\n${board}`, null);
      expect(byId, set).toEqual(byOption);
      expect(byId.length === 0, set).toBe(set === '14-20' || sets.includes(set));
      for (const finding of byId) expect(finding).toMatch(/^contest [2-9]:\d+ 1 in the contest: expected /);
    }
  });

  const WINS = '2 2\nO.\nXO\n';

  test.each([
    ['4', 1],
    ['04', 1],
    ['0', 0],
    ['14', 0],
    ['20', 0],
    ['21', 0],
    ['99999999999999999999', 0],
  ])('is held to the set that the id %s names, or else to the widest one', async (id, count) => {
    const findings = await findingsOf(riverPawn, `${id} 1\n${WINS}`, null);
    expect(findings.filter((finding) => finding.startsWith('contest'))).toHaveLength(count);
  });

  test('that a set does not allow is reported at its size line, with its answer', async () => {
    expect(await findingsOf(riverPawn, `0 2\n4 2\n..\n#X\nO#\n#O\n${WINS}`, '1-4')).toEqual([
      'contest 7:1 2 in the contest: expected a board that ends in a tie, or on which Red cannot move, got "Red 1" (set 1-4)',
    ]);
  });

  test('is reported with the constraint that it breaks', async () => {
    const brokenBy = async (input: string, set: string | null) => {
      const found = validateInput(inPieces(bytesOf(input), 1 << 16), riverPawn, { contest: true, set });
      return (await found.next()).value;
    };
    expect(await brokenBy('7 1\n2 2\nOO\nX.\n', null)).toMatchObject({
      broken: { constraint: 'the number of columns (1 to 1)', set: '7-9' },
    });
    expect(await brokenBy(`0 1\n11 2\nOO\nX.\n${'..\n'.repeat(9)}`, null)).toMatchObject({
      broken: { constraint: 'the number of rows (2 to 10)', set: null },
    });
  });

  test('with a wrong wall is reported at the cell that is wrong', async () => {
    const wrong = (board: string) => findingsOf(riverPawn, `5 1\n${board}`, null);
    expect(await wrong('4 2\nO.\nX.\n#.\n.O\n')).toEqual([
      'contest 5:2 1 in the contest: expected an obstacle in row 3, got "." (set 5-6)',
    ]);
    expect(await wrong('4 2\nO#\nX.\n##\n.O\n')).toEqual([
      'contest 3:2 1 in the contest: expected no obstacle outside row 3, got "#" (set 5-6)',
    ]);
    expect(await wrong('4 2\nO.\n..\n##\nXO\n')).toEqual([
      'contest 6:1 1 in the contest: expected X above row 3, got "X" (set 5-6)',
    ]);
    expect(await wrong('4 2\nOO\nX.\n##\n..\n')).toEqual([
      'contest 2:1 1 in the contest: expected a board with one O above row 3 and one below, got 2 above (set 5-6)',
    ]);
    expect(await wrong('3 2\nOO\nX.\n##\n')).toEqual([
      'contest 2:1 1 in the contest: expected the number of rows (4 to 10), got "3" (set 5-6)',
    ]);
  });
});

describe('the random boards of a set', () => {
  test('have a head with the first test of the set', async () => {
    for (const [set, id] of Object.entries(FIRST_IDS)) {
      const input = await inputOf(riverPawn, createRandomCaseGenerator(riverPawn, requestOf('7', set, 3)), 3);
      expect(Buffer.from(input).toString().split('\n')[0]).toBe(`${id} 3`);
    }
  });

  test('depend on the seed and their index alone', async () => {
    const draw = async (cases: number) =>
      Buffer.concat(
        await drawRandomCases(createRandomCaseGenerator(riverPawn, requestOf('7', '1-4', cases)), 0, cases),
      ).toString();
    const ten = await draw(10);
    expect(await draw(10)).toBe(ten);
    expect(ten.startsWith(await draw(4))).toBe(true);
  });

  test('are given up if no board of the requested size is in the set', () => {
    const size = { from: 3, to: 3 };
    const boards = { rows: size, cols: { from: 1, to: 1 }, density: null };
    const source = riverPawn.cases.createSource(requestOf('7', '1-4', 1, { boards }));
    expect(() => source.caseAt(0)).toThrow(
      'none of 1000 random boards is in the set 1-4 of river-pawn; try other sizes, another density or another profile',
    );
  });

  test('are refused if the set does not exist, or has no choice of a density', () => {
    const { cases, contest } = riverPawn;
    const message = 'river-pawn has no set "4"; its sets are 1-4, 5-6, 7-9, 10-13, 14-20';
    expect(() => cases.createSource(requestOf('7', '4', 1))).toThrow(message);
    expect(() => contest!.createFormat('4')).toThrow(message);
    expect(() => contest!.createFormat('constructor')).toThrow('river-pawn has no set "constructor"');
    const boards = { ...ANY_BOARDS, density: 0.5 };
    expect(() => cases.createSource(requestOf('7', '5-6', 1, { boards }))).toThrow(
      '--density cannot be used with the set 5-6 of river-pawn, which fixes it',
    );
  });
});

describe('a module', () => {
  const { description } = defineProblem({
    name: 'sums',
    input: counted({ n: int(1, 1000), a: ints('n', 0, 9) }, { total: { n: 10, 'n * n': 50 } }),
    contest: { sets: { small: { n: [1, 3] } }, cases: 5, seconds: 2 },
  }) as never as { description: Parameters<typeof createModuleProblem>[0] };
  const sums = createModuleProblem(description, { typed: './sums.mjs', url: 'file:///sums.mjs' }) as Problem;
  const inputWith = (...sizes: number[]) =>
    `${sizes.length}\n${sizes.map((n) => `${n}\n${Array(n).fill(0).join(' ')}\n`).join('')}`;

  test('has the sets that its author defines', async () => {
    expect(sums.contest?.data).toMatchObject({ sets: { small: { n: [1, 3] } }, cases: 5, seconds: 2 });
    expect(await findingsOf(sums, inputWith(3, 4), 'small')).toEqual([
      'contest 4:1 2 in the contest: expected n (1 to 3), got "4" (set small)',
    ]);
    expect(() => sums.contest!.createFormat('large')).toThrow('sums has no set "large"; its sets are small');
    expect(() => sums.contest!.createFormat('toString')).toThrow('sums has no set "toString"');
  });

  test('bounds sums over all cases, which are reported at the end of the input', async () => {
    expect(await findingsOf(sums, inputWith(5, 3, 2), null)).toEqual([]);
    expect(await findingsOf(sums, inputWith(5, 4, 2), null)).toEqual([
      'contest 8:1 null in the contest: expected a sum of n over all cases of at most 10, got 11',
    ]);
    expect(await findingsOf(sums, inputWith(8, 3), null)).toEqual([
      'contest 6:1 null in the contest: expected a sum of n over all cases of at most 10, got 11',
      'contest 6:1 null in the contest: expected a sum of n * n over all cases of at most 50, got 73',
    ]);
  });

  test('may bound sums that are not safe integers', async () => {
    const large = defineProblem({
      name: 'large',
      input: counted({ n: int() }, { total: { 'n * n': 2e15 } }),
    }) as never as { description: Parameters<typeof createModuleProblem>[0] };
    const origin = { typed: './large.mjs', url: 'file:///large.mjs' };
    const problem = createModuleProblem(large.description, origin) as Problem;
    expect(await findingsOf(problem, '2\n9007199254740991\n1\n', null)).toEqual([
      'contest 4:1 null in the contest: expected a sum of n * n over all cases of at most 2000000000000000, got 81129638414606663681390495662082',
    ]);
  });
});
