/**
 * Tests of all pages of the repository: their tables render, and their relative links lead to files and headings that exist.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { anchorOf } from '../../scripts/site/pages.mjs';
import { formats } from '../../src/formats/language/formats.js';
import { ROOT } from '../cli/boardmill.js';

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
});
/** All pages but those in docs/api, which typedoc makes. */
const PAGES = listed.split('\n').filter((path) => path !== '' && !path.startsWith('docs/api/'));

/** Returns the lines of a page, in which the lines of blocks of code are empty. */
function proseOf(path: string): string[] {
  let isCode = false;
  return readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .map((line) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) isCode = !isCode;
      return isCode || isFence ? '' : line;
    });
}

/** The number of cells of a row. A bar in backquotes or after a backslash is part of a cell. */
function cellsIn(row: string): number {
  return row
    .trim()
    .replaceAll(/\\\||`[^`]*`/g, '')
    .split('|').length;
}

/** Returns what is wrong with the tables of a page. */
function findBrokenTables(lines: readonly string[]): string[] {
  const isRow = (line: string | undefined) => /^ {0,3}\|/.test(line ?? '');
  let start = 0;
  return lines.flatMap((line, index) => {
    if (!isRow(line)) return [];
    if (!isRow(lines[index - 1])) start = index;
    const isFirst = index === start;
    if (isFirst && !/^\s*\|[-:| ]+\|$/.test(lines[index + 1]))
      return [`${index + 1}: a table without a head`];
    return cellsIn(line) === cellsIn(lines[start]) ? [] : [`${index + 1}: ${cellsIn(line)} cells`];
  });
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  const headings = proseOf(path).flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  return headings.map(anchorOf);
}

function findBrokenLinks(path: string): string[] {
  const links = proseOf(path).flatMap((line) =>
    [...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link),
  );
  return links.filter((link) => {
    if (/^(?:https?|mailto):/.test(link)) return false;
    const [file, anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
}

test.each(PAGES)('the tables of %s render', (path) => {
  expect(findBrokenTables(proseOf(path))).toEqual([]);
});

test.each(PAGES)('the links of %s lead somewhere', (path) => {
  expect(findBrokenLinks(path)).toEqual([]);
});

test('a table in two pieces and a row with a cell too few are noticed', () => {
  const pieces = ['| a | b |', '|---|---|', '| 1 | 2 |', '', '| 3 | `|` |'];
  expect(findBrokenTables(pieces)).toEqual(['5: a table without a head']);
  expect(findBrokenTables([...pieces.slice(0, 3), '| 3 |'])).toEqual(['4: 3 cells']);
});

/** Files and folders of the repository, each with a slash in front. */
const PATHS = new Set(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .flatMap((path) => path.split('/').map((_, depth, parts) => `/${parts.slice(0, depth + 1).join('/')}`)),
);
/** What a build makes, and the ending of some data. */
const NO_PATHS = ['site/', 'release/', 'build/', 'dist/', '.expect.json'];
const ENDINGS = ['', '.ts', '.test.ts', '.long.test.ts'];

/** Returns the paths in backquotes that the repository does not have. A page may leave out the first folders, and the ending of a test. */
function findWrongPaths(lines: readonly string[]): string[] {
  const quoted = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
  const isPath = (text: string) =>
    /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(text) && /\/|\.(?:[cm]?ts|tsx|[cm]js|md|json)$/.test(text);
  const paths = [...PATHS];
  const exists = (text: string) => {
    const end = `/${text.replace(/\/$/, '')}`;
    return ENDINGS.some((ending) => paths.some((path) => path.endsWith(end + ending)));
  };
  return quoted.filter(
    (text) => isPath(text) && !text.includes('NAME') && !NO_PATHS.includes(text) && !exists(text),
  );
}

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('the files and folders that %s names exist', (path) => {
  expect(findWrongPaths(proseOf(path))).toEqual([]);
  expect(findWrongPaths(['`engine/run`, `tests/games/every-board.test.ts` and `tree.ts`'])).toEqual([
    'tests/games/every-board.test.ts',
  ]);
});

test('the tables of docs/your-own-problem.md have all that a module gets from `formats`', () => {
  const rows = proseOf('docs/your-own-problem.md').filter((line) => line.startsWith('|'));
  const isIn = (row: string, name: string) => new RegExp(`\`${name}[(\`]`).test(row);
  const missing = Object.keys(formats).filter((name) => !rows.some((row) => isIn(row, name)));
  // These are named below the table of fields, as letters of words and grids.
  expect(missing).toEqual(['lower', 'upper', 'digits']);
});
