/** Tests of runs that end early: signals, readers that close the pipe, full disks, missing files, timeouts. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { defer } from '../support/deferred.js';
import { dispatcherOf } from '../support/dispatchers.js';
import { InProcess } from '../support/in-process.js';
import { isGone } from '../support/processes.js';
import { boardOf, MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, MAIN, start, textOf } from './boardmill.js';
import { boardmill } from './in-turn.js';
import {
  exitCodeOf,
  expectEndAtOnce,
  expectOrderlyEnd,
  half,
  input,
  startStalledRun,
  writeManyBoards,
} from './signal-runs.js';

allowSlowTests();

const folder = folderForEachTest();
const { at, read } = folder;

/**
 * Runs `solve bt` in a shell script, in which `"$0" "$@"` is the command.
 * The script can set a limit or close a stream before it runs the command.
 */
function solveInShell(script: string, args: readonly string[], stdin = '') {
  const command = ['-c', script, process.execPath, MAIN, 'solve', 'bt', '-j', '1', ...args];
  return spawnSync('sh', command, { cwd: folder.path, input: stdin, encoding: 'utf8' });
}

test('after one SIGTERM, boardmill answers the cases it has read, and --resume continues', async () => {
  await expectOrderlyEnd(folder, 'SIGTERM');
});

test('a second SIGINT ends the run at once, even if nobody reads the answers', async () => {
  await expectEndAtOnce(folder, 'SIGINT');
});

describe('check --checker', () => {
  /** The checker notes that it runs, and waits for the file `go`. */
  const CHECKER = 'echo $$ >> "$0"; until [ -e "$0.go" ]; do sleep 0.05; done';

  /** Starts `check` on three cases with a checker that runs in two processes, and waits for both. */
  async function startChecking() {
    writeFileSync(at('boards.in'), '3\n1 1\n.\n1 1\n.\n1 1\n.\n');
    writeFileSync(at('boards.ans'), 'Case #1: 2\nCase #2: 2\nCase #3: 2\n');
    const checker = `sh -c '${CHECKER}' pids`;
    const child = start(['check', 'bt', 'boards.in', 'boards.ans', '-j', '2', '--checker', checker], {
      cwd: folder.path,
    });
    const ended = exitOf(child);
    const stderr = textOf(child.stderr);
    const pids = await until(() => {
      const lines = existsSync(at('pids')) ? read('pids').trim().split('\n') : [];
      return lines.length === 2 && lines;
    });
    return { child, ended, stderr, pids };
  }

  const NOTE =
    'boardmill: SIGTERM: finishing the cases that are being compared, for at most 4 s; a second signal stops at once\n';

  test('after a signal, it waits for the checkers that run, and starts no other', async () => {
    const { child, ended, stderr } = await startChecking();
    child.kill('SIGTERM');
    await once(child.stderr, 'data');
    writeFileSync(at('pids.go'), '');
    expect(await ended).toBe(exitCodeOf('SIGTERM'));
    expect(await stderr).toBe(`${NOTE}boardmill: stopped by SIGTERM after 2 cases\n`);
    expect(read('pids').trim().split('\n')).toHaveLength(2);
  });

  test('after a second signal, no checker goes on', async () => {
    const { child, ended, stderr, pids } = await startChecking();
    child.kill('SIGTERM');
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect(await ended).toBe(exitCodeOf('SIGTERM'));
    expect(await stderr).toBe(NOTE);
    await until(() => pids.every((pid) => isGone(pid)));
  });
});

test('a second signal ends a run that writes to a FIFO that nobody reads', async () => {
  expect(spawnSync('mkfifo', [at('fifo')]).status).toBe(0);
  const child = start(['solve', 'bt', '-o', 'fifo', '-j', '1', '--chunk', '64K'], { cwd: folder.path });
  const ended = exitOf(child);
  const noteAfterFirstSignal = once(child.stderr, 'data');
  writeManyBoards(child.stdin);
  const reader = await open(at('fifo'), 'r');
  await reader.read(Buffer.alloc(1));
  child.kill('SIGINT');
  await noteAfterFirstSignal;
  child.kill('SIGINT');
  // A shell reports both outcomes as exit code 130.
  expect(['SIGINT', 130]).toContain(await ended);
  await reader.close();
});

test('after SIGHUP, a run to standard output ends after a complete answer, without a hint at --resume', async () => {
  const child = start(['solve', 'bt', '-j', '1', '--chunk', '1K'], { cwd: folder.path });
  const ended = exitOf(child);
  const stderr = textOf(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.write(half);
  await once(child.stdout, 'readable');
  child.kill('SIGHUP');
  const stdout = await textOf(child.stdout);
  expect(await ended).toBe(129);
  const whole = (await boardmill(['solve', 'bt'], { stdin: input })).stdout;
  expect(whole.startsWith(stdout) && stdout.endsWith('\n')).toBe(true);
  expect(await stderr).toMatch(/^boardmill: stopped by SIGHUP after [\d,]+ cases?\n$/);
});

test.each([
  { what: 'the end of a pipe does not count as the end of the input', size: null, isInterrupted: true },
  { what: 'the end of a file counts as the end of the input', size: 1, isInterrupted: false },
])('if a signal comes before the last answer, $what', async ({ size, isInterrupted }) => {
  const gate = defer();
  const stop = new AbortController();
  const dispatcher = new InProcess(widthProblem);
  const blockedDispatcher = dispatcherOf(async (task) => {
    await gate.promise;
    return dispatcher.solve(task);
  }, 2);
  const pieces = (async function* () {
    yield new TextEncoder().encode(boardOf(1));
    // The input has ended, but its only case is not answered yet.
    setImmediate(() => {
      stop.abort('SIGINT');
      gate.resolve();
    });
  })();
  const sink = new MemorySink();
  const source = sourceOf('', undefined, { size, pieces });
  const running = solveInput(
    source,
    sink,
    blockedDispatcher,
    runOptions({ stop: stop.signal }),
    new RunTally(),
  );
  if (isInterrupted) await expect(running).rejects.toMatchObject({ kind: 'interrupted', signal: 'SIGINT' });
  else await running;
  expect(sink.text).toBe('1\n');
});

test('an invalid case is reported at once, even if the input stays open and nobody writes to it', async () => {
  const child = start(['solve', 'bt', '-j', '1', '--chunk', '1'], { cwd: folder.path });
  const ended = exitOf(child);
  const stderr = textOf(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.write('9\n1 1\n.\n1 1\nz\n1 1\n.\n');
  expect(await ended).toBe(3);
  expect(await stderr).toMatch(/^boardmill: <stdin>:5:1: case 2: expected .*\n$/);
});

test('solve ends silently with exit code 141 if the reader closes the pipe', async () => {
  const { child, ended, stderr } = await startStalledRun(folder);
  child.stdout.destroy();
  expect(await ended).toBe(141);
  expect(await stderr).toBe('');
});

test('solve prints its answers and exits with the usual code if standard error is closed', () => {
  const { status, stdout } = solveInShell('exec "$0" "$@" 2>&-', ['-'], '2\n1 1\n.\n1 1\nz\n');
  expect({ status, stdout }).toEqual({ status: 3, stdout: 'Case #1: 2\n' });
});

describe('a full disk', () => {
  test('solve with -o /dev/full exits with code 4 and one line', async () => {
    const { code, stderr } = await boardmill(['solve', 'bt', '-o', '/dev/full'], { stdin: input });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: 'boardmill: cannot write /dev/full: no space left on device\n',
    });
  });

  test('solve exits with code 4 and one line if standard output is a full device', async () => {
    const child = start(['solve', 'bt'], { stdio: ['pipe', openSync('/dev/full', 'w'), 'pipe'] });
    const stderr = textOf(child.stderr);
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    expect(await exitOf(child)).toBe(4);
    expect(await stderr).toBe('boardmill: cannot write standard output: no space left on device\n');
  });

  test('after a full disk, --resume completes the run once there is room again', async () => {
    // A limit on the file size simulates a full disk. Only the message of the system differs.
    writeFileSync(at('all.in'), input);
    const limited = solveInShell('ulimit -f 8; exec "$0" "$@"', ['all.in', '-o', 'answers', '--chunk', '1K']);
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
    what: 'an output in a missing folder',
    args: ['-', '-o', 'missing/answers'],
    message: 'cannot create missing/answers: no such',
  },
  {
    what: 'an output below a regular file',
    args: ['-', '-o', 'good.in/answers'],
    message: 'cannot create good.in/answers: not a dir',
  },
  {
    what: 'an output in a folder without write access',
    args: ['-', '-o', '/proc/answers'],
    message: 'cannot create /proc/answers',
  },
  {
    what: 'an output that is a folder',
    args: ['-', '-o', '.'],
    message: '--output needs a file, and . is a folder',
  },
  { what: 'an input that is missing', args: ['missing.in'], message: 'cannot open missing.in: no such file' },
  {
    what: 'an input below a regular file',
    args: ['good.in/x'],
    message: 'good.in/x: not a directory',
  },
  {
    what: 'an output that is the input',
    args: ['good.in', '-f', '-o', './good.in'],
    message: 'is both input and output',
  },
])('solve reports $what in one line and exits with code 2', async ({ args, message }) => {
  writeFileSync(at('good.in'), '1\n1 1\n.\n');
  const { code, stdout, stderr } = await boardmill(['solve', 'bt', ...args], {
    cwd: folder.path,
    stdin: '1\n1 1\n.\n',
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^boardmill: .*\n$/);
  expect(stderr).toContain(message);
  expect(read('good.in')).toBe('1\n1 1\n.\n');
});

test('a read error during the run is reported in one line with exit code 4', async () => {
  const { code, stderr } = await boardmill(['solve', 'bt', '/proc/self/mem'], { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 4, stderr: 'boardmill: cannot read /proc/self/mem: i/o error\n' });
});

test('a case that exceeds --timeout is saved, and the command in the message repeats the failure', async () => {
  // Solving this board takes about a quarter of a second.
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
  const expectedMessage =
    /^boardmill: <stdin>:4:1: case 2: no answer within 0\.01 s; case saved; repeat with: boardmill (.*)\n$/;
  expect(stderr).toMatch(expectedMessage);
  const again = await boardmill((expectedMessage.exec(stderr)?.[1] ?? '').split(' '), { cwd: folder.path });
  expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 4, stdout: '' });
  expect(again.stderr).toContain('bacterial-tactics-case-2.in:2:1: case 1: no answer within 0.01 s');
});
