/**
 * Tests of inputs that come through a real pipe or FIFO, or a redirection, and that are so large that workers scan most of it.
 * Standard input that Node makes for a child process is not a pipe but a socket, so these tests use a FIFO or a shell.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { shell, textOf } from './boardmill.js';
import { ANSWERS, CASE_LENGTH, LINES_PER_CASE, PART, PART_CASES, startWithFifo, WHOLE } from './pipe-runs.js';

allowSlowTests();

const folder = folderForEachTest();

beforeEach(() => {
  expect(spawnSync('mkfifo', [folder.at('fifo')]).status).toBe(0);
});

/** Resolves when so many lines have come. */
async function lines(stream: NodeJS.ReadableStream, count: number): Promise<string> {
  let text = '';
  for (let seen = 0; seen < count; ) {
    const [piece] = await once(stream, 'data');
    text += piece;
    seen = text.split('\n').length - 1;
  }
  return text;
}

test('a large input through standard input is answered completely and in order', async () => {
  folder.write('whole.in', WHOLE);
  const script = 'cat whole.in | boardmill solve darkraft - -j 4 --chunk 300K -o answers.out';
  const { code, stderr } = await shell(script, { cwd: folder.path });
  expect([code, stderr]).toEqual([0, '']);
  expect(folder.read('answers.out')).toBe(await ANSWERS);
});

test('standard input that is a file is read from where it is', async () => {
  folder.write('whole.in', `?${WHOLE}`);
  const skip = 'dd bs=1 count=1 of=/dev/null status=none';
  const script = `{ ${skip}; boardmill solve darkraft - -j 4 --chunk 300K -o answers.out; } < whole.in`;
  const { code, stderr } = await shell(script, { cwd: folder.path });
  expect([code, stderr]).toEqual([0, '']);
  expect(folder.read('answers.out')).toBe(await ANSWERS);
});

test.each([
  ['before boardmill begins to read', 2000],
  ['before workers begin to scan', 350_000],
])('the end of a FIFO whose writer has ended %s is noticed', async (_, bytes) => {
  // The FIFO can hold all of a short input, and all that follows the first chunk of a long one, so its writer does not wait.
  folder.write('short.in', WHOLE.slice(0, CASE_LENGTH * Math.ceil(bytes / CASE_LENGTH)));
  const script = 'cat short.in > fifo & boardmill solve darkraft - -j 1 --chunk 300K < fifo';
  const { code, stdout } = await shell(script, { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).toBe((await ANSWERS).slice(0, stdout.length));
  expect(stdout.split('\n')).toHaveLength(Math.ceil(bytes / CASE_LENGTH) + 1);
});

test('a program that waits for answers before it writes more gets them', async () => {
  const { child, writer, ended } = startWithFifo(folder, PART);
  // A case is answered when the next one has begun, which tells that it has no more rows.
  let text = await lines(child.stdout, PART_CASES - 1);
  const rest = WHOLE.slice(PART.length);
  writer.write(rest.slice(0, CASE_LENGTH));
  text += await lines(child.stdout, 1);
  writer.write(rest.slice(CASE_LENGTH));
  writer.end();
  text += await textOf(child.stdout);
  expect(await ended).toBe(0);
  expect(text).toBe(await ANSWERS);
});

test('an invalid case is reported while the program that writes is still waiting', async () => {
  const { child, writer, ended, stderr } = startWithFifo(folder, `${PART}9 x\n`);
  const stdout = await textOf(child.stdout);
  expect(await ended).toBe(3);
  expect(await stderr).toBe(
    `boardmill: fifo:${PART_CASES * LINES_PER_CASE + 1}:3: case ${PART_CASES + 1}: expected the number of columns (1 to 40), got "x"\n`,
  );
  expect(stdout.split('\n')).toHaveLength(PART_CASES + 1);
  writer.destroy();
});
