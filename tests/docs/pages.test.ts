/**
 * Tests that follow pages of the documentation as a reader does, each in a folder that is empty at first: they write the files that
 * a page shows, type the page's commands in their order, and compare what they print with what the page shows.
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAIN, ROOT, shell, temporaryFolder } from '../cli/boardmill.js';
import { followPage } from '../support/page.js';
import { hasCompiler, hasRedis } from '../support/programs.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const programs = temporaryFolder();

/** Puts boardmill on the PATH, because scripts on the pages run it, too. */
beforeAll(() => {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
  writeFileSync(join(programs, 'boardmill'), script);
  chmodSync(join(programs, 'boardmill'), 0o755);
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
});

afterAll(() => vi.unstubAllEnvs());

/** A page, with the numbers of files and commands that a reader finds on it. */
interface Page {
  readonly path: string;
  readonly files: number;
  readonly commands: number;
  /** What the machine needs for the commands of the page, besides boardmill and Node. */
  readonly needs?: 'g++' | 'redis-server';
}

const PAGES: readonly Page[] = [
  { path: 'docs/tour.md', files: 0, commands: 38 },
  { path: 'docs/inputs.md', files: 1, commands: 3 },
  { path: 'docs/outputs.md', files: 1, commands: 7 },
  { path: 'docs/testing-programs.md', files: 1, commands: 6 },
  { path: 'docs/explain.md', files: 1, commands: 9 },
  { path: 'docs/setters.md', files: 9, commands: 13 },
  { path: 'docs/your-own-problem.md', files: 6, commands: 17 },
];

const IS_INSTALLED = { 'g++': hasCompiler, 'redis-server': hasRedis };

describe.each(PAGES)('$path', ({ path, needs, ...counts }) => {
  const isPossible = needs === undefined || IS_INSTALLED[needs];
  const skipped = isPossible ? '' : ` (skipped: ${needs} is not installed)`;

  test.skipIf(!isPossible)(`its commands print what it shows${skipped}`, async () => {
    expect(await followPage(path, folderOfReader())).toEqual(counts);
  });
});

test('the commands of the README print what it shows, and its example of the library works', async () => {
  const cwd = folderOfReader();
  expect(await followPage('README.md', cwd)).toEqual({ files: 2, commands: 6 });
  const stdin = '1 1\n3 2\nO.\n.X\nO.\n';
  const { code, stdout, stderr } = await shell('node library.mjs && cmp sums.ans library.ans', {
    cwd,
    stdin,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^1 \{ winner: .* \}\n(?:WIN|LOSE)\n$/);
});

/** Returns an empty folder in which programs can import boardmill. */
function folderOfReader(): string {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules/boardmill'));
  return cwd;
}
