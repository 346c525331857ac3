/** Tests of `boardmill explain`: which cases it explains, in which form, and where the explanations go. */
import { expect, test } from 'vitest';
import type { Explanation } from '../../src/problems/explanation.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();

/** 300 different boards of one row, so that the cases are in many chunks. */
const ROWS = Array.from({ length: 300 }, (_, i) =>
  [...(i + 512).toString(2)].map((digit) => (digit === '0' ? '.' : '#')).join(''),
);
const BOARDS = `300\n${ROWS.map((row) => `1 10\n${row}\n`).join('')}`;

function explain(line: string, stdin?: string) {
  const options = { cwd: folder.path, ...(stdin === undefined ? {} : { stdin }) };
  return boardmill(['explain', ...line.split(' '), ...(line.includes(' -j ') ? [] : ['-j', '1'])], options);
}

function parseLines(text: string): Explanation[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('--json explains every case of the input in order, for any number of workers', async () => {
  folder.write('b.in', BOARDS);
  const outcomes = await Promise.all([explain('bt b.in --json -j 1'), explain('bt b.in --json -j 3')]);
  expect(outcomes[0]).toEqual(outcomes[1]);
  const explanations = parseLines(outcomes[0].stdout);
  expect(explanations.map((each) => each.case)).toEqual(ROWS.map((_, i) => i + 1));
  expect(explanations.map(({ board }) => board)).toEqual(ROWS.map((row) => [row]));
  expect(explanations[0].schema).toBe('boardmill/explanation/1');
  const { stdout } = await boardmill(['solve', 'bt', 'b.in', '--format', 'ndjson'], { cwd: folder.path });
  expect(explanations.map(({ answer }) => answer)).toEqual(parseLines(stdout).map(({ answer }) => answer));
});

test('--case and --cases explain only those cases, and read no further', async () => {
  folder.write('b.in', `${BOARDS}unexpected text`);
  const all = (await explain('bt b.in --json')).stdout.split('\n');
  const some = await explain('bt b.in --json --cases 200..203');
  expect(some).toEqual({ code: 0, stdout: `${all.slice(199, 203).join('\n')}\n`, stderr: '' });
  expect(await explain('bt - --json --case 300', BOARDS)).toMatchObject({ code: 0, stdout: `${all[299]}\n` });
  expect(await explain('bt b.in --json --case 301')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('b.in:602:1: expected the end of the input'),
  });
  folder.write('b.in', BOARDS);
  expect(await explain('bt b.in --json --cases 299..301')).toEqual({
    code: 2,
    stdout: `${all.slice(298, 300).join('\n')}\n`,
    stderr: 'boardmill: b.in has only 300 cases\n',
  });
});

test('an invalid case before the wanted one ends the run', async () => {
  folder.write('b.in', '3\n1 1\n.\n1 1\n?\n1 1\n#\n');
  expect(await explain('bt b.in --json --case 3')).toEqual({
    code: 3,
    stdout: '',
    stderr: 'boardmill: b.in:5:1: case 2: expected row 1 of 1 (1 of ".#"), got "?"\n',
  });
});

test('--svg draws a case into a file, and several cases into a folder', async () => {
  folder.write('b.in', BOARDS);
  expect(await explain('bt b.in --case 7 --svg seven.svg --moves')).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect(folder.read('seven.svg')).toMatch(/^<svg [\s\S]*<\/svg>\n?$/);
  expect((await explain('bt b.in --cases 5..7 --svg drawings/')).code).toBe(0);
  folder.write('drawings/case-9.svg', 'mine');
  const refused = await explain('bt b.in --cases 7..9 --svg drawings');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('drawings/case-9.svg exists and is not a drawing that explain wrote');
  folder.enter('drawings');
  expect(folder.names()).toEqual(['case-5.svg', 'case-6.svg', 'case-7.svg', 'case-9.svg']);
});

test('--json, --html and --svg can be used together', async () => {
  folder.write('b.in', BOARDS);
  const { stdout } = await explain('bt b.in --json --case 8');
  expect(stdout).not.toBe('');
  const all = await explain('bt b.in --json --case 8 --html 8.html --svg 8.svg');
  expect(all).toEqual({ code: 0, stdout, stderr: '' });
  expect(await explain('bt b.in --json --case 8 --svg d/')).toEqual(all);
  expect(folder.read('8.svg')).toBe(folder.read('d/case-8.svg'));
  expect(folder.read('8.html')).toContain(`"rows":["${ROWS[7]}"]`);
});

test('text is separated by empty lines, and is as wide as the terminal at most', async () => {
  folder.write('b.in', BOARDS);
  const { code, stdout } = await explain('bt b.in --cases 8..10');
  expect(code).toBe(0);
  expect(stdout.match(/^Case \d+/gm)).toEqual(['Case 8', 'Case 9', 'Case 10']);
  expect(stdout).toMatch(/^Case 8/);
  expect(stdout).toMatch(/\n\nCase 9/);
  expect(stdout).not.toMatch(/\n\n\n/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test.each([
  ['bt b.in --html x.html', 'a page shows one case, and b.in has several: --case K chooses one'],
  ['bt b.in --html x.html --cases 1..2', 'a page shows one case; --case K chooses it'],
  [
    'bt b.in --svg x.svg',
    '--svg FILE draws one case (a folder takes several), and b.in has several: --case K',
  ],
  ['bt b.in --svg x.svg --cases 1..2', '--svg x.svg is one file; name a folder (x.svg/) for several cases'],
  ['bt b.in --case 1 --svg x --html x', 'x is both page and drawing'],
  ['bt d/case-3.svg --case 3 --svg d -f', 'd/case-3.svg is both input and drawing'],
  ['bt b.in --svg e -f', 'cannot create e/case-2.svg: it is a directory'],
  ['bt b.in --proof', '--proof needs --json'],
  ['bt b.in --json --moves', '--moves needs --svg'],
  ['bt b.in --case 1 --cases 1..2', '--case and --cases cannot be used together'],
  ['bt b.in --svg b.in --case 1', 'b.in'],
  ['./g.ctd b.in --json', 'g cannot be explained: boardmill explains only bacterial-tactics, darkraft, '],
])('is refused without leaving a file: explain %s', async (line, message) => {
  folder.write('b.in', BOARDS);
  folder.write('g.ctd', 'INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE END');
  folder.write('d/case-3.svg', BOARDS);
  folder.write('e/case-2.svg/x', '');
  const { code, stdout, stderr } = await explain(line);
  expect(stderr).toContain(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(folder.names()).toEqual(['b.in', 'd', 'e', 'g.ctd']);
  expect(folder.read('d/case-3.svg')).toBe(BOARDS);
});
