/** Tests of `boardmill play`. A script takes the place of the program that opens files on Linux. */
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { emptyBoard } from '../../src/explain/page-file/boards.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill as boardmillInOwnProcess } from './boardmill.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();

/** Runs `boardmill play` with a program xdg-open that does this. Returns also the page that it wrote. */
async function play(args: readonly string[], opener: string) {
  folder.write('bin/xdg-open', `#!/bin/sh\n${opener}\n`);
  chmodSync(folder.at('bin/xdg-open'), 0o755);
  const env = { ...process.env, DISPLAY: ':9', PATH: `${folder.at('bin')}:${process.env.PATH}` };
  const outcome = await boardmillInOwnProcess(['play', ...args], { cwd: folder.path, env });
  const path = outcome.stdout.trimEnd();
  if (outcome.code !== 0) return { ...outcome, path, page: '' };
  const page = readFileSync(path, 'utf8');
  rmSync(dirname(path), { recursive: true });
  return { ...outcome, path, page };
}

test.runIf(process.platform === 'linux')('play opens a page with the board of a case', async () => {
  folder.write('r.in', '2\n1 1\n.\n1 3\n.#.\n');
  const opener = 'echo "$1" > opened';
  const { code, stderr, path, page } = await play(['bt', 'r.in', '--case', '2'], opener);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(folder.read('opened')).toBe(`${path}\n`);
  expect(page).toContain('"rows":[".#."]');
  expect(page).toContain('<title>bacterial-tactics, case 2 of r.in</title>');
});

test.runIf(process.platform === 'linux')('play says where the page is if no browser opens it', async () => {
  const { code, stderr, path, page } = await play([], 'exit 3');
  expect(code).toBe(0);
  expect(stderr).toBe('boardmill: no browser was found; open this file in one\n');
  expect(path).toMatch(/\/bacterial-tactics\.html$/);
  expect(page).toContain("default-src 'none'");
});

test.runIf(process.platform === 'linux')(
  'play opens an empty board of the size that is asked for',
  async () => {
    const { code, page } = await play(['zu', '--rows', '3', '--cols', '4'], 'exit 0');
    expect(code).toBe(0);
    expect(page).toContain(`"rows":${JSON.stringify(['O..O', '....', '..X.'])}`);
  },
);

test.each([
  ['bacterial-tactics', 2, 3, ['...', '...']],
  ['darkraft', 1, 2, ['LL']],
  ['link-and-pop', 2, 2, ['AS AS', 'AS AS']],
  ['river-pawn', 3, 4, ['O..O', '....', '..X.']],
  ['river-pawn', 3, 1, ['O', 'O', 'X']],
])('an empty board of %s with %d rows and %d columns is %j', (problem, rows, cols, board) => {
  expect(emptyBoard(problem, rows, cols)).toEqual(board);
});

test.each([
  [['bt', '--rows', '2'], '--rows and --cols must be used together'],
  [['bt', 'r.in', '--rows', '2', '--cols', '2'], '--rows and --cols cannot be used with an input'],
  [['bt', '--rows', '51', '--cols', '2'], 'no empty board of 51 x 2 cells: expected'],
  [
    ['zu', '--rows', '2', '--cols', '1'],
    'no empty board of 2 x 1 cells: expected a board with exactly two O',
  ],
  [['zu', '--rows', '99999', '--cols', '99999'], 'a board of 99999 x 99999 cells is too large'],
  [['bt', '--case', '2'], '--case needs an input'],
  [['bt', 'r.in'], 'a page shows one case, and r.in has several: --case K chooses one'],
  [['./g.ctd'], 'g cannot be explained: boardmill explains only bacterial-tactics, darkraft, '],
])('play is refused: %s', async (args, message) => {
  folder.write('r.in', '2\n1 1\n.\n1 3\n.#.\n');
  folder.write('g.ctd', 'INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE END');
  const { code, stdout, stderr } = await boardmill(['play', ...args], { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
