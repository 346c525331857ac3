/**
 * Tests that every game of the registry is complete: each message says what is missing, and in which file. `npm run new-game`
 * makes a game that passes.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadProblem, PROBLEMS } from '../../src/catalog/registry.js';
import { ByteWriter } from '../../src/core/bytes.js';
import { CELL_LOOKS } from '../../src/explain/drawing/cells.js';
import { pageProblem } from '../../src/explain/page/games.js';
import { GAME_RULES } from '../../src/explain/page/state/rules.js';
import { EXPLAINED_GAMES } from '../../src/explain/page-file/boards.js';
import { NARRATIONS } from '../../src/explain/text/text.js';
import type { Board } from '../../src/formats/boards/board.js';
import type { BoardProblem } from '../../src/games/shared/board-problem.js';
import { ANY_BOARDS, CASE_PROFILES, type CaseProfile } from '../../src/problems/problem.js';
import { createRandomCaseGenerator, generateInput } from '../../src/tools/cases/draw.js';
import { fixtureOf, PROBLEM_FIXTURES } from '../fixtures/problems.mjs';
import { answerTo, printRow } from '../model/answers.js';
import { everyBoard } from '../support/every-board.js';
import { styleOf } from '../support/inputs.js';

const ROOT = new URL('../../', import.meta.url);
const exists = (path: string) => existsSync(new URL(path, ROOT));
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const listFolders = (path: string) => readdirSync(new URL(path, ROOT)).sort();

const NAMES = PROBLEMS.map(({ name }) => name).sort();
/** Its symmetries rename the symbols of the answer, too; symmetries.test.ts has tests of its own. */
const RENAMES_ANSWERS = 'link-and-pop';

describe.each(PROBLEMS)('$name', ({ name }) => {
  test.each([
    `src/games/${name}/README.md`,
    `tests/oracles/${name}.ts`,
    `tests/fixtures/problems/${name}.mjs`,
    ...['sample/statement.in', 'sample/statement.ans', 'sample/tiny.in', 'sample/random.in', 'invalid'].map(
      (path) => `data/${name}/${path}`,
    ),
  ])('has %s', (path) => {
    expect(exists(path), `${name} lacks ${path}`).toBe(true);
  });

  test('is in the table of built-in games of README.md', () => {
    const row = `| [\`${name}\`](https://github.com/boardmill/boardmill/blob/main/src/games/${name}/README.md) |`;
    expect(read('README.md').includes(row), `the table "Built-in games" of README.md lacks ${name}`).toBe(
      true,
    );
  });

  test('has the sample of the statement, as in its data', async () => {
    const { samples = [] } = await loadProblem(name);
    expect(samples.length, `src/games/${name}/samples.ts has no sample`).toBeGreaterThan(0);
    const where = `samples.ts and data/${name}/sample/statement.* differ`;
    expect(samples[0].input, where).toBe(read(`data/${name}/sample/statement.in`));
    expect(samples[0].answers, where).toBe(read(`data/${name}/sample/statement.ans`));
  });

  test('has the limits of its solvers in its fixture, of which tests make boards', async () => {
    const { maxRows, maxCols, maxCells } = (await loadProblem(name)).parts.supportedLimits;
    const { statement } = fixtureOf(name);
    const where = `statement in tests/fixtures/problems/${name}.mjs, and supportedLimits in solve.ts`;
    expect(statement, where).toMatchObject({ maxRows, maxCols, maxCells });
  });

  test('says which boards --profile all lists, and which changes of a board keep its answer', async () => {
    const { listing, symmetries } = (await loadProblem(name)).parts;
    expect(
      listing,
      `src/games/${name}/index.ts has no listing (createAllLettersAutomaton, or a listing.ts)`,
    ).toBeDefined();
    expect(symmetries, `src/games/${name}/index.ts has no symmetries (a symmetries.ts)`).toBeDefined();
  });

  test('is solved as its oracle solves it, on small boards and on the boards that are equal to them', async () => {
    const { solveLiterally } = await import(`../oracles/${name}.ts`);
    const problem = await loadProblem(name);
    for (const board of await smallBoards(problem)) {
      const expected = solveLiterally(board);
      expect(answerOf(problem, board), textOf(board)).toEqual(expected);
      if (name === RENAMES_ANSWERS) continue;
      for (const twin of problem.cases.symmetries?.variantsOf(board) ?? []) {
        const where = `${textOf(twin)}, which symmetries.ts makes of ${textOf(board)}`;
        expect(isSupported(problem, twin), `${where}, is not within supportedLimits`).toBe(true);
        expect(solveLiterally(twin), where).toEqual(expected);
        expect(answerOf(problem, twin), where).toEqual(expected);
      }
    }
  });

  test('has an explainer if and only if explain and play offer it', async () => {
    const isExplained = (await loadProblem(name)).loadExplainer !== undefined;
    const where = `BOARDS_TO_PLAY in src/explain/page-file/boards.ts and loadExplainer of ${name} differ`;
    expect(EXPLAINED_GAMES.includes(name), where).toBe(isExplained);
    const missing = `NARRATIONS in src/explain/text/text.ts and loadExplainer of ${name} differ`;
    expect(name in NARRATIONS, missing).toBe(isExplained);
    if (!isExplained) return;
    expect(CELL_LOOKS[name], 'src/explain/drawing/cells.ts says what its cells look like').toBeDefined();
    expect(GAME_RULES[name], 'src/explain/page/state/rules.ts has its rules').toBeDefined();
    expect(() => pageProblem(name), 'src/explain/page/games.ts has it').not.toThrow();
  });

  test('is known to tests/model/answers.ts: how its answers are printed, and its nimbers', async () => {
    const problem = await loadProblem(name);
    const out = new ByteWriter();
    for (const board of (await smallBoards(problem)).slice(0, BOARDS_OF_MODEL)) {
      const cells = problem.caseColumns!.board(board).join('').replaceAll(' ', '');
      const answer = answerTo(styleOf(name), { rows: board.rows, cells });
      problem.answerFormat.print(answerOf(problem, board) as never, 1, out);
      expect(printRow(styleOf(name), AS_TEXT, { ...FIRST_ROW, answer })).toBe(
        Buffer.from(out.take()).toString(),
      );
      expect(answer.nimber, `the nimber that SOLVERS has for ${textOf(board)}`).toBe(
        nimberOf(problem, board),
      );
    }
  });

  test('has nimbers of all its small boards, if any, and loses at 0', async () => {
    const problem = await loadProblem(name);
    if (problem.hasNimbers !== true) return;
    const answers = { lost: new Set<unknown>(), won: new Set<unknown>() };
    for (const board of await smallBoards(problem)) {
      const nimber = nimberOf(problem, board);
      expect(nimber, `the solver writes no nimber into context.nimbers`).toEqual(expect.any(Number));
      answers[nimber === 0 ? 'lost' : 'won'].add(answerOf(problem, board));
    }
    expect([...answers.lost].filter((answer) => answers.won.has(answer))).toEqual([]);
  });

  test.each(CASE_PROFILES)(
    'generates the input of the profile %s that its test data say',
    async (profile) => {
      const { cases, sha256 } = fixtureOf(name).generated[profile];
      const problem = await loadProblem(name);
      const hash = await hashOfInput(problem, profile, cases);
      const where = `generated.${profile}.sha256 in tests/fixtures/problems/${name}.mjs is "${sha256}", but generate makes "${hash}"`;
      expect(sha256 === hash, where).toBe(true);
    },
  );
});

test.each([
  ['src/games', listFolders('src/games').filter((name) => name !== 'shared')],
  ['data', listFolders('data').filter((name) => name !== 'census')],
  ['tests/oracles', listFolders('tests/oracles').map((file) => file.replace(/\.ts$/, ''))],
  ['tests/fixtures/problems', Object.keys(PROBLEM_FIXTURES).sort()],
])('everything in %s belongs to a game of the registry', (folder, names) => {
  const others = names.filter((name) => !NAMES.includes(name));
  expect(others, `${folder} has games that src/catalog/registry.ts does not have`).toEqual([]);
});

test('a game without test data is reported by name, with the file that is missing', () => {
  expect(() => fixtureOf('chess')).toThrow(
    'no test data for the problem chess: add the file tests/fixtures/problems/chess.mjs',
  );
});

/** How far the sides of small boards are above the smallest ones, and how many boards of a size are taken. */
const SIDES_ABOVE_SMALLEST = 2;
const BOARDS_OF_SIZE = 60;
/** How many small boards are given to the model. */
const BOARDS_OF_MODEL = 20;
const AS_TEXT = { format: 'text', columns: [], onError: 'stop', fileFirst: false } as const;
const FIRST_ROW = { caseNumber: 1, fault: null, isFailure: false, values: {} } as const;

/** Boards of the smallest sizes, evenly taken from all boards of each size. */
async function smallBoards({ name, parts }: BoardProblem): Promise<Board[]> {
  const { minRows, maxRows, minCols, maxCols } = parts.supportedLimits;
  const mostRows = Math.min(maxRows, minRows + SIDES_ABOVE_SMALLEST);
  const mostCells = minRows * minCols + SIDES_ABOVE_SMALLEST;
  const boards: Board[] = [];
  for (let rows = minRows; rows <= mostRows; rows++) {
    for (let cols = minCols; cols <= maxCols && rows * cols <= mostCells; cols++) {
      const all = await everyBoard(name, rows, cols);
      const step = Math.ceil(all.length / BOARDS_OF_SIZE);
      boards.push(...all.filter((_, index) => index % step === 0));
    }
  }
  return boards;
}

function isSupported({ parts }: BoardProblem, { rows, cols }: Board): boolean {
  const { minRows, maxRows, minCols, maxCols, maxCells } = parts.supportedLimits;
  return rows >= minRows && rows <= maxRows && cols >= minCols && cols <= maxCols && rows * cols <= maxCells;
}

function answerOf(problem: BoardProblem, board: Board): unknown {
  const answers: unknown[] = [];
  void problem.solvers.createPortable().solve([board], 1, answers);
  return answers[0];
}

/** Returns the nimber that the solver writes; null if the game has none. */
function nimberOf(problem: BoardProblem, board: Board): number | null | undefined {
  if (problem.hasNimbers !== true) return null;
  const nimbers: number[] = [];
  void problem.solvers.createPortable().solve([board], 1, [], { firstCase: 1, head: null, nimbers });
  return nimbers[0];
}

function textOf({ rows, cols, cells }: Board): string {
  return `the board ${rows} ${cols} ${cells.join(' ')}`;
}

async function hashOfInput(problem: BoardProblem, profile: CaseProfile, cases: number): Promise<string> {
  const wishes = { seed: '7', maxSize: null, set: null, boards: ANY_BOARDS };
  const drawer = createRandomCaseGenerator(problem as never, { ...wishes, profile, cases });
  const hash = createHash('sha256');
  for await (const piece of generateInput(problem as never, drawer, cases)) hash.update(piece);
  return hash.digest('hex').slice(0, 16);
}
