/** Tests of scripts/new-game.mjs, in a copy of the repository: the game that it makes is built, solved and complete. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

allowSlowTests();

/** What the copy does not need. `build` is copied, so that the script compiles only what is new. */
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'release', join('bench', 'runs'), join('docs', 'play')];
const NAME = 'fill-the-gaps';

/** Tests with a part for each game. */
const TESTS_OF_GAMES = [
  'tests/games/every-game.test.ts',
  'tests/games/symmetries.test.ts',
  'tests/cli/invalid.test.ts',
  'tests/verify/reading.test.ts',
  'tests/verify/verify.test.ts',
];
/** Tests of all games together, which a new game must not break. */
const TESTS_OF_LISTS = [
  'tests/cli/advice.test.ts',
  'tests/docs/census.test.ts',
  'tests/tools/cases/generate.test.ts',
];
const NAMES_OF_THEIR_TESTS = 'names several commands|has a number in each cell|tiny has every shape';

const root = join(temporaryFolder(), 'copy');

function node(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

beforeAll(() => {
  cpSync(ROOT, root, {
    recursive: true,
    filter: (path) => !LEFT_OUT.includes(relative(ROOT, path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
});

test.each([['Chess'], ['a--b'], ['../chess'], ['darkraft'], ['bt']])('the name %s is refused', (name) => {
  const { status, stderr } = node('scripts/new-game.mjs', name);
  expect({ status, isReason: /^new-game: .*(kebab case|already)/.test(stderr) }).toEqual({
    status: 1,
    isReason: true,
  });
});

test('a game that the script makes compiles, solves its sample, and lacks nothing', () => {
  const before = readdirSync(join(root, 'src/games')).sort();
  const { status, stderr } = node('scripts/new-game.mjs', NAME);
  expect(status, stderr).toBe(0);
  expect(readdirSync(join(root, 'src/games')).sort()).toEqual([...before, NAME].sort());
  const sample = join(root, 'data', NAME, 'sample/statement');
  const solve = ['dist/src/cli/main.js', 'solve', NAME, `${sample}.in`];
  expect(node(...solve).stdout).toBe(readFileSync(`${sample}.ans`, 'utf8'));
  const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
  execFileSync(process.execPath, [...vitest, ...TESTS_OF_GAMES, '-t', NAME], { cwd: root });
  execFileSync(process.execPath, [...vitest, ...TESTS_OF_LISTS, '-t', NAMES_OF_THEIR_TESTS], { cwd: root });
  const made = [`src/games/${NAME}`, `tests/oracles/${NAME}.ts`, `tests/fixtures/problems/${NAME}.mjs`];
  const changed = [...made, 'src/catalog/registry.ts'];
  expect(node('node_modules/@biomejs/biome/bin/biome', 'check', ...changed).status).toBe(0);
  // A second game of the same name would overwrite the first one.
  expect(node('scripts/new-game.mjs', NAME)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('already'),
  });
});
