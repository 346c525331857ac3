/** Tests of `boardmill verify` that run the build. */

import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { printInput, randomCase, styleOf } from '../support/inputs.js';
import { Random } from '../support/random.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { explain } from '../verify/explained.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();
const style = styleOf('darkraft');
const random = new Random(1);
const CASES = Array.from({ length: 3 }, () => randomCase(style, 3, 3, random));
const EXPLANATIONS = await Promise.all(CASES.map((plain, i) => explain(style, plain, i + 1)));
const GOOD = EXPLANATIONS.map((explanation) => `${JSON.stringify(explanation)}\n`).join('');

const run = (...words: string[]) => boardmill(words, { cwd: folder.path });

beforeEach(() => {
  folder.write('three.in', printInput(style, CASES));
  folder.write('good.json', GOOD);
});

test('verify accepts good explanations from a file and from a pipe, also of a compressed input', async () => {
  const outcome = { code: 0, stdout: '', stderr: 'boardmill: 3 explanations hold\n' };
  expect(await run('verify', 'cf138d', 'three.in', 'good.json')).toEqual(outcome);
  writeFileSync(folder.at('three.in.gz'), gzipSync(folder.read('three.in')));
  const words = ['verify', 'darkraft', 'three.in.gz', '-', '-q'];
  expect(await boardmill(words, { cwd: folder.path, stdin: GOOD })).toEqual({ ...outcome, stderr: '' });
});

test('verify says how many cases have an explanation, unless all have', async () => {
  const cut = GOOD.slice(0, GOOD.indexOf('\n') + 1);
  const verify = (input: string, json = cut) =>
    boardmill(['verify', 'darkraft', input, '-'], { cwd: folder.path, stdin: json });
  const saying = (stderr: string) => ({ code: 0, stdout: '', stderr: `boardmill: ${stderr}\n` });
  expect(await verify('three.in')).toEqual(saying('1 explanation holds, for 1 of 3 cases'));
  expect(await verify('three.in', cut + cut + cut)).toEqual(saying('3 explanations hold, for 1 of 3 cases'));
  folder.write('bad.in', `${printInput(style, CASES)}x`);
  expect(await verify('bad.in')).toEqual(
    saying('1 explanation holds, for 1 case; the input cannot be read to its end'),
  );
});

test('verify says so of an input whose head has the number of cases, too', async () => {
  folder.write('two.in', '2\n1 1\n.\n1 1\n#\n');
  const { stdout } = await run('explain', 'bt', 'two.in', '--case', '2', '--json', '--proof');
  const { stderr } = await boardmill(['verify', 'bt', 'two.in', '-'], { cwd: folder.path, stdin: stdout });
  expect(stderr).toBe('boardmill: 1 explanation holds, for 1 of 2 cases\n');
});

test('verify names the line, the case and the first statement that does not hold, with exit code 1', async () => {
  const [first, second] = EXPLANATIONS;
  folder.write('bad.json', `${JSON.stringify(first)}\n\n${JSON.stringify({ ...second, answer: 'TIE' })}\n`);
  const { code, stdout, stderr } = await run('verify', 'darkraft', 'three.in', 'bad.json');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^boardmill: bad\.json:3: case 2: answer is "TIE", expected "(WIN|LOSE)": the nimber is \d+\n$/,
  );
});

test.each<[string, string[], number, RegExp]>([
  ['both files from standard input', ['bt', '-', '-'], 2, /cannot both be standard input/],
  [
    'a problem of the user',
    ['./mine.mjs', 'three.in', 'good.json'],
    2,
    /verify knows only the games bacterial-tactics, /,
  ],
  ['an explanation that does not exist', ['darkraft', 'three.in', 'gone.json'], 2, /cannot open gone\.json/],
  [
    'an input of another problem',
    ['bt', 'three.in', 'good.json'],
    1,
    /good\.json:1: problem is "darkraft", expected "bact/,
  ],
  [
    'a file that has no JSON',
    ['darkraft', 'three.in', 'three.in'],
    3,
    /three\.in:1:3: expected one explanation as JSON, but /,
  ],
])('verify refuses %s with one line', async (_, words, code, message) => {
  const outcome = await run('verify', ...words);
  expect(outcome).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
  expect(outcome.stderr.trim().split('\n')).toHaveLength(1);
});
