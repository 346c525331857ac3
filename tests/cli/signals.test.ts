/** What ends a run from outside: signals, readers that go away, disks that are full, files that are not there. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/engine/run.js';
import { Tally } from '../../src/engine/tally.js';
import { defer } from '../support/deferred.js';
import { InProcess } from '../support/in-process.js';
import { bulkInput, styleOf } from '../support/inputs.js';
import { boardOf, MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { until } from '../support/until.js';
import { boardmill, exitOf, folderForEachTest, MAIN, start, textOf } from './boardmill.js';

allowSlowTests();

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const codeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal];

const folder = folderForEachTest();
const { at, read } = folder;

const hasAnswers = () => existsSync(at('answers.partial')) && read('answers.partial') !== '';

const input = bulkInput(styleOf('bacterial-tactics'), 2000, 5, 3);
const half = input.slice(0, input.length / 2);

/** Boards whose answers take more room than they do: with so many, far more than a pipe has. */
const FLOOD = Buffer.from('1 1\n.\n'.repeat(1_000_000));
const FLOODS = 9;

function flood(stdin: Writable): void {
  stdin.on('error', () => {});
  stdin.write(`${1_000_000 * FLOODS}\n`);
  for (let i = 0; i < FLOODS; i++) stdin.write(FLOOD);
}

/** A run on the flood whose answers nobody reads on after the first. */
async function stalledRun() {
  const child = start(['solve', 'bt', '-j', '1', '--chunk', '4M'], { cwd: folder.path });
  const stderr = textOf(child.stderr);
  flood(child.stdin);
  await once(child.stdout, 'readable');
  return { child, ended: exitOf(child), stderr };
}

/** The program as a shell starts it that has set something up before. */
function inShell(script: string, args: readonly string[], stdin = '') {
  const command = ['-c', script, process.execPath, MAIN, 'solve', 'bt', '-j', '1', ...args];
  return spawnSync('sh', command, { cwd: folder.path, input: stdin, encoding: 'utf8' });
}

describe.each(SIGNALS)('%s', (signal) => {
  test('once: what was read is answered, and --resume goes on from there', async () => {
    const child = start(['solve', 'bt', '-', '-o', 'answers', '-j', '2', '--chunk', '1K'], {
      cwd: folder.path,
    });
    const ended = exitOf(child);
    const stderr = textOf(child.stderr);
    child.stdin.on('error', () => {});
    child.stdin.write(half);
    // A run that has answered nothing leaves nothing to go on from.
    await until(hasAnswers);
    child.kill(signal);
    expect(await ended).toBe(codeOf(signal));
    const { cases } = JSON.parse(read('answers.checkpoint')).position.scan;
    const told = `stopped by ${signal} after ${cases} cases; the same command with --resume continues`;
    // On a busy machine the end takes so long that boardmill prints its note about a second signal first.
    const lastLine = (await stderr).replace(/^boardmill: \w+: finishing .*\n/, '');
    expect(lastLine.replace('1 case;', '1 cases;')).toBe(`boardmill: ${told}\n`);
    expect(existsSync(at('answers'))).toBe(false);
    expect(
      (await boardmill(['solve', 'bt', '-', '-o', 'answers', '--resume'], { cwd: folder.path, stdin: input }))
        .code,
    ).toBe(0);
    expect(read('answers')).toBe((await boardmill(['solve', 'bt'], { stdin: input })).stdout);
  });

  test('twice: the end at once, though answers are on their way', async () => {
    const { child, ended, stderr } = await stalledRun();
    child.kill(signal);
    // The first signal has been heard.
    await once(child.stderr, 'data');
    child.kill(signal);
    await once(child, 'exit');
    child.stdout.resume();
    expect(await ended).toBe(codeOf(signal));
    expect(await stderr).toBe(
      `boardmill: ${signal}: finishing the cases that are being solved; a second signal stops at once\n`,
    );
  });
});

test('a second signal ends a run that writes to a FIFO which is no longer read', async () => {
  expect(spawnSync('mkfifo', [at('fifo')]).status).toBe(0);
  const child = start(['solve', 'bt', '-o', 'fifo', '-j', '1', '--chunk', '4M'], { cwd: folder.path });
  const ended = exitOf(child);
  const reminded = once(child.stderr, 'data');
  flood(child.stdin);
  const reader = await open(at('fifo'), 'r');
  await reader.read(Buffer.alloc(1));
  child.kill('SIGINT');
  await reminded;
  child.kill('SIGINT');
  // Shells call both 130.
  expect(['SIGINT', 130]).toContain(await ended);
  await reader.close();
});

test('a signal on a run to standard output leaves whole answers, and promises no --resume', async () => {
  const child = start(['solve', 'bt', '-j', '1', '--chunk', '1K'], { cwd: folder.path });
  const ended = exitOf(child);
  const stderr = textOf(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.write(half);
  await once(child.stdout, 'readable');
  child.kill('SIGINT');
  const stdout = await textOf(child.stdout);
  expect(await ended).toBe(130);
  const whole = (await boardmill(['solve', 'bt'], { stdin: input })).stdout;
  expect(whole.startsWith(stdout) && stdout.endsWith('\n')).toBe(true);
  expect(await stderr).toMatch(/^boardmill: stopped by SIGINT after \d+ cases?\n$/);
});

test.each([
  { of: 'a pipe is not taken for the end of the input', size: null, isInterrupted: true },
  { of: 'a file is: nothing is missing', size: 1, isInterrupted: false },
])('when a signal came before the last answer, the end of $of', async ({ size, isInterrupted }) => {
  const gate = defer();
  const stop = new AbortController();
  const dispatcher = new InProcess(widthProblem);
  const held = {
    slots: 2,
    close: dispatcher.close,
    solve: async (task: Parameters<InProcess['solve']>[0]) => {
      await gate.promise;
      return dispatcher.solve(task);
    },
  };
  const pieces = (async function* () {
    yield new TextEncoder().encode(boardOf(1));
    // The input is over, and its answer is still to come.
    setImmediate(() => {
      stop.abort('SIGINT');
      gate.resolve();
    });
  })();
  const sink = new MemorySink();
  const source = { ...sourceOf(''), size, pieces };
  const running = run(source, sink, held, runOptions({ stop: stop.signal }), new Tally());
  if (isInterrupted) await expect(running).rejects.toMatchObject({ kind: 'interrupted', signal: 'SIGINT' });
  else await running;
  expect(sink.text).toBe('1\n');
});

test('a failure is told at once, though the input goes on and nobody writes to it', async () => {
  const child = start(['solve', 'bt', '-j', '1', '--chunk', '1'], { cwd: folder.path });
  const ended = exitOf(child);
  const stderr = textOf(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.write('9\n1 1\n.\n1 1\nz\n1 1\n.\n');
  expect(await ended).toBe(3);
  expect(await stderr).toMatch(/^boardmill: <stdin>:5:1: case 2: expected .*\n$/);
});

test('a reader that goes away ends the run quietly', async () => {
  const { child, ended, stderr } = await stalledRun();
  child.stdout.destroy();
  expect(await ended).toBe(141);
  expect(await stderr).toBe('');
});

test('a standard error that is closed changes nothing else', () => {
  const { status, stdout } = inShell('exec "$0" "$@" 2>&-', ['-'], '2\n1 1\n.\n1 1\nz\n');
  expect({ status, stdout }).toEqual({ status: 3, stdout: 'Case #1: 2\n' });
});

describe('a disk that is full', () => {
  test('as a device given with -o', async () => {
    const { code, stderr } = await boardmill(['solve', 'bt', '-o', '/dev/full'], { stdin: input });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: 'boardmill: cannot write /dev/full: no space left on device\n',
    });
  });

  test('behind standard output', async () => {
    const child = start(['solve', 'bt'], { stdio: ['pipe', openSync('/dev/full', 'w'), 'pipe'] });
    const stderr = textOf(child.stderr);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    expect(await exitOf(child)).toBe(4);
    expect(await stderr).toBe('boardmill: cannot write standard output: no space left on device\n');
  });

  test('under FILE.partial, once there is room again, does no harm', async () => {
    // A limit on the size of files stands for the disk; the system tells of it in other words only.
    writeFileSync(at('all.in'), input);
    const limited = inShell('ulimit -f 8; exec "$0" "$@"', ['all.in', '-o', 'answers', '--chunk', '1K']);
    expect(limited.status).toBe(4);
    expect(limited.stderr).toBe('boardmill: cannot write answers.partial: file too large\n');
    const { code } = await boardmill(['solve', 'bt', 'all.in', '-o', 'answers', '--resume'], {
      cwd: folder.path,
    });
    expect(code).toBe(0);
    expect(read('answers')).toBe((await boardmill(['solve', 'bt', 'all.in'], { cwd: folder.path })).stdout);
  });
});

test.each([
  {
    what: 'a folder that is missing',
    args: ['-', '-o', 'missing/answers'],
    says: 'cannot create missing/answers: no such',
  },
  {
    what: 'a folder that is a file',
    args: ['-', '-o', 'good.in/answers'],
    says: 'cannot create good.in/answers: not a dir',
  },
  {
    what: 'a folder that takes no files',
    args: ['-', '-o', '/proc/answers'],
    says: 'cannot create /proc/answers',
  },
  { what: 'an output that is a folder', args: ['-', '-o', '.'], says: 'cannot create .: it is a directory' },
  { what: 'an input that is missing', args: ['missing.in'], says: 'cannot open missing.in: no such file' },
  {
    what: 'an input that is under a file',
    args: ['good.in/x'],
    says: 'good.in/x: not a directory',
  },
  {
    what: 'an output that is the input',
    args: ['good.in', '-f', '-o', './good.in'],
    says: 'is both input and output',
  },
])('$what is one clear line and exit code 2', async ({ args, says }) => {
  writeFileSync(at('good.in'), '1\n1 1\n.\n');
  const { code, stdout, stderr } = await boardmill(['solve', 'bt', ...args], {
    cwd: folder.path,
    stdin: '1\n1 1\n.\n',
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^boardmill: .*\n$/);
  expect(stderr).toContain(says);
  expect(read('good.in')).toBe('1\n1 1\n.\n');
});

test('an input that cannot be read under way is one clear line and exit code 4', async () => {
  const { code, stderr } = await boardmill(['solve', 'bt', '/proc/self/mem'], { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 4, stderr: 'boardmill: cannot read /proc/self/mem: i/o error\n' });
});

test('a case over its time is saved, and the command in the message repeats it', async () => {
  // A quarter of a second of work.
  const rowOf = (row: number) =>
    `${'.'.repeat(40)}\n`.replace(/./g, (cell, col) =>
      row % 5 === 0 && col === (row * 7 + 3) % 40 ? '#' : cell,
    );
  const slow = `40 40\n${Array.from({ length: 40 }, (_, row) => rowOf(row)).join('')}`;
  const args = ['solve', 'bt', '-', '--timeout', '0.01', '--solver', 'portable', '--on-error', 'mark'];
  const { code, stdout, stderr } = await boardmill(args, {
    cwd: folder.path,
    stdin: `3\n1 1\n.\n${slow}1 1\n.\n`,
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'Case #1: 2\nCase #2: ERROR\nCase #3: 2\n' });
  const told =
    /^boardmill: <stdin>:4:1: case 2: no answer within 0\.01 s; case saved; repeat with: boardmill (.*)\n$/;
  expect(stderr).toMatch(told);
  const again = await boardmill((told.exec(stderr)?.[1] ?? '').split(' '), { cwd: folder.path });
  expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 4, stdout: '' });
  expect(again.stderr).toContain('bacterial-tactics-case-2.in:2:1: case 1: no answer within 0.01 s');
});
