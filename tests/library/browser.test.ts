/** The file of the library for browsers, `boardmill/browser`, in Node. browser.long.test.ts runs it in a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { solveOne } from '../../src/library/solve-one.js';
import { ROOT } from '../cli/boardmill.js';

const FILE = join(ROOT, 'dist/src/library/browser/index.js');
const CODE = readFileSync(FILE, 'utf8');

test('the file for browsers is complete in itself and uses nothing of Node', () => {
  expect(CODE).not.toMatch(/\bimport\s*[("'{*]|\bfrom\s*["']/);
  expect(CODE).not.toMatch(
    /\bnode:|\brequire\(|\bBuffer\b|\b__dirname\b|\bglobalThis\.process\b|[^.\w]process\./,
  );
  // The test would pass on an empty file.
  expect(CODE).toMatch(/export\s*\{/);
});

test.each([
  ['src/library/browser/index.d.ts', []],
  // `@types/node` and `lib` DOM have this name.
  ['src/index.d.ts', ["Cannot find name 'AbortSignal'."]],
])('the types in %s compile in a program with the library of ES2020', (name, expected) => {
  const types = join(ROOT, 'dist', name);
  const { ES2020: target } = ts.ScriptTarget;
  const { NodeNext: module } = ts.ModuleKind;
  const program = ts.createProgram([types], {
    target,
    module,
    lib: ['lib.es2020.d.ts'],
    types: [],
    strict: true,
  });
  const files = program.getSourceFiles().filter((file) => !program.isSourceFileDefaultLibrary(file));
  expect(files.length).toBeGreaterThan(1);
  const mistakes = files.flatMap((file) => program.getSemanticDiagnostics(file));
  expect(mistakes.map(({ messageText }) => messageText)).toEqual(expected);
});

test.each([
  ['bacterial-tactics', '...\n.#.\n...'],
  ['darkraft', 'LRX\nRLX\nXLR'],
  ['link-and-pop', 'AD AU CL\nHS GU HL\nCS FD GS'],
  ['river-pawn', 'O..\n.#X\n.O.'],
])('it answers a board of %s as the library for Node does', async (problem, board) => {
  const forBrowsers: typeof import('../../src/library/browser/index.js') = await import(
    /* @vite-ignore */ pathToFileURL(FILE).href
  );
  expect(await forBrowsers.solveOne(problem, board)).toEqual(await solveOne(problem, board, {}, null));
});
