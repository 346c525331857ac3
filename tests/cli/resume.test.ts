/** Runs of the program that are killed under way, and what `--resume` makes of what they left. */
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bulkInput, STYLES, styleOf } from '../support/inputs.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import { boardmill, exitOf, folderForEachTest, start } from './boardmill.js';

allowSlowTests();

const FILE = 'all.ans';
const folder = folderForEachTest();
const { at, read, write } = folder;

const solve = (problem: string, args: readonly string[], stdin = '') =>
  boardmill(['solve', problem, '-j', '1', ...args], { cwd: folder.path, stdin });

/** Returns the number of answered cases in the checkpoint, or 0 if there is no checkpoint yet. */
function checkpointedCases(): number {
  if (!existsSync(at(`${FILE}.checkpoint`))) return 0;
  return JSON.parse(read(`${FILE}.checkpoint`)).position.scan.cases as number;
}

/** Rewrites the checkpoint, and its digest with it. */
function changeCheckpoint(change: (checkpoint: { terms: Record<string, string> }) => void): void {
  const { digest: _, ...content } = JSON.parse(read(`${FILE}.checkpoint`));
  change(content);
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  write(`${FILE}.checkpoint`, `${JSON.stringify({ ...content, digest })}\n`);
}

/** Resolves when the checkpoint says that at least this number of cases is answered. */
async function untilCheckpointed(cases: number): Promise<void> {
  await until(() => checkpointedCases() >= cases);
}

/** A run that has got the first part of its input, has a checkpoint, and is killed without warning. */
async function killedRun(problem: string, args: readonly string[], part: string): Promise<number> {
  const child = start(['solve', problem, '-', '-o', FILE, '-j', '2', '--chunk', '2K', ...args], {
    cwd: folder.path,
  });
  const ended = exitOf(child);
  child.stdin.on('error', () => {});
  child.stdin.write(part);
  await untilCheckpointed(1);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
  expect(existsSync(at(FILE))).toBe(false);
  return checkpointedCases();
}

const CASES = 3000;
const bt = styleOf('bacterial-tactics');
const input = bulkInput(bt, CASES, 5, 1);
const half = input.slice(0, input.length / 2);
/** A third of the way in, and close to the end, cases are bad. */
const marred = input
  .split('\n')
  .map((line, i, lines) => (i === Math.floor(lines.length / 3) || i === lines.length - 3 ? `${line}?` : line))
  .join('\n');

/** The bytes and the exit code of a run that nobody disturbed. */
async function undisturbed(problem: string, args: readonly string[], text: string) {
  const { code } = await solve(problem, ['-', '-o', 'undisturbed', ...args], text);
  return { code, answers: existsSync(at('undisturbed')) ? read('undisturbed') : read('undisturbed.partial') };
}

describe('after SIGKILL, --resume gives the bytes and the exit code of an undisturbed run', () => {
  test.each(STYLES)('$name, from standard input fed again', async (style) => {
    const text = bulkInput(style, 1200, 4, 2);
    await killedRun(style.name, [], text.slice(0, text.length / 2));
    const { code } = await solve(style.name, ['-', '-o', FILE, '--resume'], text);
    expect({ code, answers: read(FILE) }).toEqual(await undisturbed(style.name, [], text));
  });

  test.each([
    { args: ['--on-error', 'mark'], text: marred },
    { args: ['--on-error', 'mark', '--format', 'ndjson'], text: marred },
    { args: ['--format', 'ndjson'], text: input },
    { args: ['--on-error', 'stop'], text: marred },
  ])('$args', async ({ args, text }) => {
    // Under `stop` the run would end at the first bad case by itself.
    const part = args.includes('stop') ? text.slice(0, text.length / 4) : text.slice(0, text.length / 2);
    const done = await killedRun('bt', args, part);
    const { code } = await solve('bt', ['-', '-o', FILE, '--resume', '--stats', 'stats.json', ...args], text);
    const answers = read(existsSync(at(FILE)) ? FILE : `${FILE}.partial`);
    expect({ code, answers }).toEqual(await undisturbed('bt', args, text));
    expect(JSON.parse(read('stats.json'))).toMatchObject({ resumedCases: done });
  });

  test('killed again and again, with other chunks and workers each time', async () => {
    for (const part of [3, 2, 1.5]) {
      const child = start(['solve', 'bt', '-', '-o', FILE, '-j', '2', '--chunk', '1K', '--resume'], {
        cwd: folder.path,
      });
      const ended = exitOf(child);
      child.stdin.on('error', () => {});
      const before = checkpointedCases();
      child.stdin.write(input.slice(0, input.length / part));
      await untilCheckpointed(before + 1);
      child.kill('SIGKILL');
      await ended;
    }
    expect((await solve('bt', ['-', '-o', FILE, '--resume', '--chunk', '7'], input)).code).toBe(0);
    expect({ code: 0, answers: read(FILE) }).toEqual(await undisturbed('bt', [], input));
    expect(folder.names()).toEqual([FILE, 'undisturbed']);
  });

  test('an input file is read on from where the run was', async () => {
    write('all.in', input);
    await killedRun('bt', [], half);
    expect(await solve('bt', ['all.in', '-o', FILE, '--resume'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect({ code: 0, answers: read(FILE) }).toEqual(await undisturbed('bt', [], input));
    expect(folder.names()).toEqual([FILE, 'all.in', 'undisturbed']);
  });
});

describe('cut off between naming the answers and dropping the checkpoint', () => {
  test('the run goes on', async () => {
    await killedRun('bt', [], half);
    renameSync(at(`${FILE}.partial`), at(FILE));
    expect((await solve('bt', ['-', '-o', FILE, '--resume'], input)).code).toBe(0);
    expect({ code: 0, answers: read(FILE) }).toEqual(await undisturbed('bt', [], input));
  });

  test('a file of the same name that is something else is left alone', async () => {
    await killedRun('bt', [], half);
    renameSync(at(`${FILE}.partial`), at('elsewhere'));
    write(FILE, 'mine\n');
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input);
    expect(code).toBe(2);
    expect(stderr).toContain(`${FILE} is not what the interrupted run wrote`);
    expect(read(FILE)).toBe('mine\n');
  });
});

test('a checkpoint that was cut off while it was being written is of no consequence', async () => {
  await killedRun('bt', [], half);
  write(`${FILE}.checkpoint.new`, read(`${FILE}.checkpoint`).slice(0, 40));
  expect((await solve('bt', ['-', '-o', FILE, '--resume'], input)).code).toBe(0);
  expect(folder.names()).toEqual([FILE]);
});

describe('a bad case stops the run', () => {
  const good = input.split('\n');
  const line = Math.floor((2 * good.length) / 3);
  const bad = good.with(line, `${good[line]}?`).join('\n');

  test('and once mended, it goes on from the checkpoint', async () => {
    expect((await solve('bt', ['-', '-o', FILE, '--chunk', '1K'], bad)).code).toBe(3);
    const done = checkpointedCases();
    expect(done).toBeGreaterThan(CASES / 2);
    const { code } = await solve('bt', ['-', '-o', FILE, '--resume', '--stats', 'stats.json'], input);
    expect({ code, answers: read(FILE) }).toEqual(await undisturbed('bt', [], input));
    expect(JSON.parse(read('stats.json'))).toMatchObject({ cases: CASES, resumedCases: done });
  });

  test('and where an answered case was changed as well, going on is refused with the place', async () => {
    await solve('bt', ['-', '-o', FILE, '--chunk', '1K'], bad);
    const partial = read(`${FILE}.partial`);
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input.replace('#', '.'));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /<stdin> is not the input of the interrupted run: something differs before line \d+, /,
    );
    expect(read(`${FILE}.partial`).length).toBeLessThanOrEqual(partial.length);
    expect((await solve('bt', ['-', '-o', FILE, '--resume'], input)).code).toBe(0);
  });

  test('and an input that is shorter than what was read is refused', async () => {
    await solve('bt', ['-', '-o', FILE, '--chunk', '1K'], bad);
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input.slice(0, 100));
    expect(code).toBe(2);
    expect(stderr).toMatch(/it has 100 bytes, the run had read \d+/);
  });
});

describe('what does not fit is refused, saying what differs', () => {
  let left = '';

  // One run is killed for all of them.
  beforeAll(async () => {
    left = folder.enter('cut-off');
    await killedRun('bt', [], half);
  });

  beforeEach(() => cpSync(left, folder.path, { recursive: true }));

  const refused = async (problem: string, args: readonly string[], text = input) => {
    const before = read(`${FILE}.checkpoint`);
    const { code, stderr } = await solve(problem, ['-', '-o', FILE, ...args], text);
    expect(code).toBe(2);
    expect(read(`${FILE}.checkpoint`)).toBe(before);
    expect(existsSync(at(FILE))).toBe(false);
    return stderr;
  };

  test.each([
    {
      what: 'the problem',
      problem: 'darkraft',
      args: [],
      says: 'problem was bacterial-tactics, is darkraft',
    },
    { what: 'the format', problem: 'bt', args: ['--format', 'ndjson'], says: '--format was text, is ndjson' },
    { what: 'the policy', problem: 'bt', args: ['--on-error', 'mark'], says: '--on-error was stop, is mark' },
  ])('$what', async ({ problem, args, says }) => {
    expect(await refused(problem, ['--resume', ...args])).toContain(says);
  });

  test('the version', async () => {
    changeCheckpoint(({ terms }) => {
      terms.version = '0.0.1';
    });
    expect(await refused('bt', ['--resume'])).toContain('version was 0.0.1, is ');
  });

  test.each([
    { what: 'no JSON', spoil: () => '{' },
    { what: 'another JSON', spoil: () => '{"terms":{},"mark":{"input":{"offset":0}}}' },
    {
      what: 'a number that is none',
      spoil: (text: string) => text.replace(/"outputBytes":\d+/, '"outputBytes":-1'),
    },
  ])('a checkpoint that is $what', async ({ spoil }) => {
    write(`${FILE}.checkpoint`, spoil(read(`${FILE}.checkpoint`)));
    expect(await refused('bt', ['--resume'])).toContain('is not a checkpoint of boardmill');
  });

  test('answers that were changed', async () => {
    write(`${FILE}.partial`, read(`${FILE}.partial`).replace('Case #1: ', 'Case #1: 9'));
    expect(await refused('bt', ['--resume'])).toContain(
      `${FILE}.partial is not what the interrupted run wrote`,
    );
  });

  test('answers that were cut', async () => {
    truncateSync(at(`${FILE}.partial`), 5);
    expect(await refused('bt', ['--resume'])).toContain(
      `${FILE}.partial is not what the interrupted run wrote`,
    );
  });

  test('answers that are gone', async () => {
    renameSync(at(`${FILE}.partial`), at('elsewhere'));
    expect(await refused('bt', ['--resume'])).toContain(`${FILE}.partial is missing`);
  });

  test('neither --resume nor --force', async () => {
    expect(await refused('bt', [])).toMatch(
      /interrupted after \d+ cases; --resume continues, --force starts over/,
    );
  });

  test('--force drops the cut-off run', async () => {
    const { code } = await solve('bt', ['-', '-o', FILE, '--force', '--stats', 'stats.json'], input);
    expect(code).toBe(0);
    expect(JSON.parse(read('stats.json'))).toMatchObject({ cases: CASES, resumedCases: 0 });
    expect(folder.names()).toEqual([FILE, 'stats.json']);
  });

  test('answers of another hand under the final name', async () => {
    write(FILE, 'mine\n');
    const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input);
    expect(code).toBe(2);
    expect(stderr).toContain(`${FILE} exists and is not an answer file that solve wrote`);
    expect(read(FILE)).toBe('mine\n');
  });
});

test('--resume without a checkpoint starts afresh, and says so', async () => {
  const { code, stderr } = await solve('bt', ['-', '-o', FILE, '--resume'], input);
  expect(code).toBe(0);
  expect(stderr).toBe(`boardmill: there is no checkpoint of ${FILE}: starting from the beginning\n`);
});

test('two runs on one file at once are kept apart, by whatever path it is named', async () => {
  mkdirSync(at('real'));
  symlinkSync('real', at('linked'));
  const first = start(['solve', 'bt', '-', '-o', `real/${FILE}`, '-j', '1'], { cwd: folder.path });
  const ended = exitOf(first);
  folder.enter('real');
  first.stdin.write(half);
  await untilCheckpointed(1);
  for (const path of [FILE, join('..', 'linked', FILE)]) {
    for (const args of [[], ['--resume'], ['--force']]) {
      const { code, stderr } = await solve('bt', ['-', '-o', path, ...args], input);
      expect(code).toBe(2);
      expect(stderr).toContain('is being written by another run');
    }
  }
  first.stdin.end(input.slice(half.length));
  expect(await ended).toBe(0);
  expect(folder.names()).toEqual([FILE]);
  expect({ code: 0, answers: read(FILE) }).toEqual(await undisturbed('bt', [], input));
});

test('a link stays a link: the file it points to holds the answers', async () => {
  write('target', '');
  symlinkSync('target', at(FILE));
  expect((await solve('bt', ['-', '-o', FILE], input)).code).toBe(0);
  copyFileSync(at('target'), at('copy'));
  expect({ code: 0, answers: read('copy') }).toEqual(await undisturbed('bt', [], input));
});
