/** Tests of what boardmill says if the system gives it no more files or memory. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { EXIT_CODE, reportError } from '../../src/cli/exit.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { MAIN, shell } from './boardmill.js';

allowSlowTests();

const folder = folderForEachTest();

afterEach(() => {
  vi.restoreAllMocks();
});

const NO_FILES =
  'the process may not open more files; raise the limit (ulimit -n), or use fewer workers (-j 1)';
const NO_MEMORY = 'there is not enough memory; raise the limit (ulimit -v), or use fewer workers (-j 1)';

test.each([
  ["EMFILE: too many open files, open '/x/y.js'", NO_FILES],
  ['listen EMFILE: too many open files \0boardmill-1', NO_FILES],
  ['WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance', NO_MEMORY],
  ['WebAssembly.Memory(): could not allocate memory', NO_MEMORY],
  ['Worker terminated due to reaching memory limit: JS heap out of memory', NO_MEMORY],
  ['Array buffer allocation failed', NO_MEMORY],
  ['ENOMEM: not enough memory, read', NO_MEMORY],
])('the error %j of Node is no bug of boardmill', (message, said) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(reportError(new RangeError(message))).toBe(EXIT_CODE.failure);
  expect(write.mock.calls.map(([text]) => text).join('')).toBe(`boardmill: ${said}\n`);
});

test('solve with too few open files says so for each input that it cost, and keeps the answers to the others', async () => {
  for (let i = 10; i < 70; i++) folder.write(`data/${i}.in`, '1\n1 1\n.\n');
  // With so few files boardmill starts, but eight workers need more.
  const script = 'ulimit -n 60; boardmill solve bt data -j 8';
  const { code, stderr } = await shell(script, { cwd: folder.path });
  expect(code).toBeOneOf([2, 4]);
  const solved = readdirSync(folder.at('data')).filter((name) => name.endsWith('.ans')).length;
  const lines = stderr.split('\n').slice(0, -1);
  expect(lines.filter((line) => line.endsWith(NO_FILES))).toHaveLength(60 - solved);
  expect(lines.at(-1)).toMatch(new RegExp(`^boardmill: ${solved} files? solved, ${60 - solved} failed$`));
});

test('if not even the code of boardmill can be loaded, one line says why', async () => {
  folder.write('a.in', '1\n1 1\n.\n');
  // With fewer open files, Node itself cannot open the program. Which file boardmill lacks first depends on the machine.
  let fewest = 12;
  const opens = (files: number) =>
    spawnSync('sh', ['-c', `ulimit -n ${files}; "$0" "$1" --version`, process.execPath, MAIN]).status === 0;
  while (!opens(fewest)) fewest++;
  for (let files = fewest; files < fewest + 5; files++) {
    const { code, stderr } = await shell(`ulimit -n ${files}; boardmill solve bt a.in -o a.ans -f -j 1`, {
      cwd: folder.path,
    });
    expect({ files, code, stderr }).toEqual({
      files,
      code: expect.toBeOneOf([2, 4]),
      stderr: expect.stringMatching(/^boardmill: .*(EMFILE|the process may not open more files).*\n$/),
    });
  }
});

test('in a folder that was removed, solve says so', async () => {
  folder.write('gone/a.in', '1\n1 1\n.\n');
  const { code, stderr } = await shell('cd gone && rm -r ../gone && boardmill solve bt /dev/null', {
    cwd: folder.path,
  });
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: 'boardmill: the working directory has been removed\n',
  });
});

test('judge with too few open files says so, and ends', async () => {
  folder.write('a.in', `60\n${'1 1\n.\n'.repeat(60)}`);
  const script = 'ulimit -n 40; boardmill judge bt a.in --exec cat -j 8';
  const { code, stderr } = await shell(script, { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(NO_FILES) });
});
