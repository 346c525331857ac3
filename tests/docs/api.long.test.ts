/** The reference in docs/api is made from the docstrings of the library. These tests compare the two. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from '../cli/boardmill.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

allowSlowTests();

const COMMITTED = join(ROOT, 'docs/api');
const folder = temporaryFolder();

/** Returns the texts of the files in the folder, by name. */
function readPages(path: string): Record<string, string> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}

beforeAll(() => {
  const program = join(
    dirname(createRequire(import.meta.url).resolve('typedoc/package.json')),
    'bin/typedoc',
  );
  execFileSync(process.execPath, [program, '--out', folder, '--logLevel', 'Warn'], { cwd: ROOT });
});

test('docs/api is what `npm run docs` makes from the docstrings', () => {
  expect(readPages(COMMITTED)).toEqual(readPages(folder));
});

test('every function and class of the library has a description', () => {
  // A heading with the name, an optional signature, and then a paragraph instead of the next heading or table.
  const [, functions] = readPages(folder)['boardmill.md'].split(/\n## Functions\n/);
  const sections = functions.split(/\n### /).slice(1);
  expect(sections.map((text) => text.split('(')[0])).toEqual([
    'defineProblem',
    'solveFile',
    'solveOne',
    'solveStream',
  ]);
  const bare = sections.filter((text) => !/```\n\n[A-Z]/.test(text));
  expect(bare).toEqual([]);
});
