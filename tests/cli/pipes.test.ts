/**
 * Tests of inputs that come through a real pipe or FIFO, or a redirection, and that are so large that workers scan most of it.
 * Standard input that Node makes for a child process is not a pipe but a socket, so these tests use a FIFO or a shell.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { beforeEach, expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { boardmill, exitOf, shell, start, textOf } from './boardmill.js';

allowSlowTests();

const folder = folderForEachTest();

/** Chunks of this size are large enough for workers to scan the rest, however fast the machine is. */
const CHUNK = '300K';
/** More than two processors can run: the last ones start while the pipe is read. */
const WORKERS = '4';

/** The input has more than one segment of memory: 5 MB. All cases have the same length. */
const CASES = 40_000;
const PART_CASES = 30_000;
const random = new Random(47);
const board = () =>
  Array.from({ length: 9 }, () => Array.from({ length: 12 }, () => random.pick('LRX')).join(''));
const boards = Array.from({ length: CASES }, () => ['9 12', ...board(), ''].join('\n'));
const LINES_PER_CASE = 10;
const WHOLE = boards.join('');
const PART = boards.slice(0, PART_CASES).join('');
const CASE_LENGTH = WHOLE.length / CASES;

const ANSWERS = boardmill(['solve', 'darkraft', '-'], { stdin: WHOLE }).then(({ stdout }) => stdout);

beforeEach(() => {
  expect(spawnSync('mkfifo', [folder.at('fifo')]).status).toBe(0);
});

/** Starts boardmill with a FIFO as its input, and writes the text into the FIFO, which stays open. */
function startWithFifo(text: string, args: readonly string[] = []) {
  const child = start(['solve', 'darkraft', 'fifo', '-j', WORKERS, '--chunk', CHUNK, ...args], {
    cwd: folder.path,
  });
  const writer = createWriteStream(folder.at('fifo'));
  // boardmill may end before it has read everything.
  writer.on('error', () => {});
  writer.write(text);
  return { child, writer, ended: exitOf(child), stderr: textOf(child.stderr) };
}

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

async function endInput(writer: WriteStream): Promise<void> {
  writer.end();
  await finished(writer);
}

test.each([
  ['standard input', 'cat whole.in | boardmill solve darkraft - -j 4 --chunk 300K -o answers.out'],
  ['standard input that is a file', 'boardmill solve darkraft - -j 4 --chunk 300K -o answers.out < whole.in'],
  ['a FIFO', 'cat whole.in > fifo & boardmill solve darkraft fifo -j 4 --chunk 300K -o answers.out'],
  [
    'standard input, in pieces of odd sizes',
    'dd if=whole.in bs=7777 status=none | boardmill solve darkraft - -j 4 --chunk 300K -o answers.out',
  ],
])('a large input through %s is answered completely and in order', async (_, script) => {
  folder.write('whole.in', WHOLE);
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

test('a program that waits for answers before it writes more gets them', async () => {
  const { child, writer, ended } = startWithFifo(PART);
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
  const { child, writer, ended, stderr } = startWithFifo(`${PART}9 x\n`);
  const stdout = await textOf(child.stdout);
  expect(await ended).toBe(3);
  expect(await stderr).toBe(
    `boardmill: fifo:${PART_CASES * LINES_PER_CASE + 1}:3: case ${PART_CASES + 1}: expected the number of columns (1 to 40), got "x"\n`,
  );
  expect(stdout.split('\n')).toHaveLength(PART_CASES + 1);
  writer.destroy();
});

test('an input that ends within a case is truncated, as a file is', async () => {
  const text = WHOLE.slice(0, PART.length + CASE_LENGTH - 5);
  folder.write('short.in', text);
  const { stdout, stderr } = await boardmill(['solve', 'darkraft', 'short.in'], { cwd: folder.path });
  const run = startWithFifo(text);
  await endInput(run.writer);
  expect(await textOf(run.child.stdout)).toBe(stdout);
  expect(await run.ended).toBe(3);
  expect(await run.stderr).toBe(stderr.replace('short.in', 'fifo'));
});

test('after a signal a run ends at once, and another one continues it from the whole pipe', async () => {
  const { child, writer, ended, stderr } = startWithFifo(PART, ['-o', 'answers.out']);
  await until(
    () => folder.names().includes('answers.out.partial') && folder.read('answers.out.partial') !== '',
  );
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(await stderr).toMatch(/stopped by SIGINT after \d+ cases/);
  writer.destroy();
  const second = startWithFifo(WHOLE, ['-o', 'answers.out', '--resume', '--stats', 'stats.json']);
  await endInput(second.writer);
  expect(await second.ended).toBe(0);
  expect(folder.read('answers.out')).toBe(await ANSWERS);
  const { cases, resumedCases } = JSON.parse(readFileSync(folder.at('stats.json'), 'utf8'));
  expect(cases).toBe(CASES);
  expect(resumedCases).toBeGreaterThan(0);
});
