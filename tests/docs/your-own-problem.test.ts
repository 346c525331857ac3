/**
 * Test that follows docs/your-own-problem.md as a reader does, in a folder that is empty at first: it writes the files
 * that the page shows, types the page's commands in their order, and compares what they print with what the page shows.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, shell, temporaryFolder } from '../cli/boardmill.js';
import { followPage } from '../support/page.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

test('the commands of the tutorial print what the page shows', async () => {
  const { files, commands } = await followPage('docs/your-own-problem.md', temporaryFolder());
  expect(files).toBeGreaterThan(4);
  expect(commands).toBeGreaterThan(12);
});

test('the module and the library example of the README work', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [module, library] = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules/boardmill'));
  writeFileSync(join(cwd, 'sums.mjs'), module);
  writeFileSync(join(cwd, 'library.mjs'), library);
  writeFileSync(join(cwd, 'big.in'), '2\n2\n20 22\n1\n-1\n');
  const board = '1 1\n3 2\nO.\n.X\nO.\n';
  const { code, stdout, stderr } = await shell('node library.mjs', { cwd, stdin: board });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^1 \{ winner: .* \}\n(?:WIN|LOSE)\n$/);
  expect(readFileSync(join(cwd, 'big.ans'), 'utf8')).toBe('Case #1: 42\nCase #2: -1\n');
});
