/** External programs, run one input at a time. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findExecutable, Program } from '../../../src/engine/exec/program.js';
import type { ProgramLimits } from '../../../src/engine/exec/program-shell.js';
import { temporaryFolder } from '../../cli/boardmill.js';
import { bytesOf } from '../../support/inputs.js';
import { until } from '../../support/until.js';

const folder = temporaryFolder();
const NO_LIMITS: ProgramLimits = { timeoutMs: null, outputBytes: 1 << 20 };

async function run(command: readonly string[], input = '', limits: Partial<ProgramLimits> = {}) {
  const program = new Program(command);
  try {
    const { stdout, failure } = await program.run(bytesOf(input), { ...NO_LIMITS, ...limits });
    return { stdout: Buffer.from(stdout).toString('latin1'), failure };
  } finally {
    program.close();
  }
}

/** Whether a process has ended. A zombie has ended, too: only its parent has not asked how. */
function isGone(pid: string): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

const node = (script: string) => [process.execPath, '-e', script];

test.each([
  ['a pipe', ['cat']],
  ['/dev/stdin', node('process.stdout.write(require("fs").readFileSync("/dev/stdin"))')],
  ['descriptor 0', node('process.stdout.write(require("fs").readFileSync(0))')],
  ['its lines', ['sh', '-c', 'while IFS= read -r line; do printf "%s\\n" "$line"; done']],
])('reads its input as %s', async (_, command) => {
  const input = 'one\ntwo\n'.repeat(5000);
  expect(await run(command, input)).toEqual({ stdout: input, failure: null });
});

test.each([
  { name: 'an exit code', script: 'echo out; exit 3', reason: 'exited with code 3', stdout: 'out\n' },
  {
    name: 'last words',
    script: 'echo a >&2; echo "b c" >&2; exit 1',
    reason: 'exited with code 1; its last line on standard error: "b c"',
  },
  { name: 'a signal', script: 'kill -ABRT $$', reason: 'was killed by SIGABRT' },
])('fails with $name', async ({ script, reason, stdout = '' }) => {
  expect(await run(['sh', '-c', script])).toEqual({ stdout, failure: { kind: 'crash', reason } });
});

test('a program that reads nothing of a long input does not fail', async () => {
  expect(await run(['true'], 'x'.repeat(1 << 20))).toEqual({ stdout: '', failure: null });
});

test('the standard error of a program that succeeds is ignored', async () => {
  expect(await run(['sh', '-c', 'echo debug >&2; echo 1'])).toEqual({ stdout: '1\n', failure: null });
});

test('a program that prints more than the limit is stopped', async () => {
  const { stdout, failure } = await run(['yes'], '', { outputBytes: 1000 });
  expect(failure).toEqual({ kind: 'crash', reason: 'printed more than 1000 bytes' });
  expect(stdout.length).toBeLessThan(1 << 20);
});

/** Runs a program that starts another one, until the time limit kills both. */
async function expectKilledInTime(words: readonly string[]): Promise<void> {
  const command = [...words, 'sh', '-c', 'sleep 1000 & echo $!; wait'];
  let pid = '';
  // On a busy machine the limit may pass before the program has printed the process id: then it gets twice the time.
  for (let timeoutMs = 250; pid === ''; timeoutMs *= 2) {
    const { stdout, failure } = await run(command, '', { timeoutMs });
    expect(failure).toEqual({ kind: 'timeout', reason: 'ran too long' });
    pid = stdout.trim();
  }
  expect(pid).toMatch(/^\d+$/);
  await until(() => isGone(pid));
}

test('a program that runs too long is killed, with all processes that it started', () =>
  expectKilledInTime([]));

const hasTimeout = spawnSync('timeout', ['--version']).status === 0;

test.skipIf(!hasTimeout)(
  'a program that runs too long is killed, even in a process group of its own, which `timeout` makes',
  () => expectKilledInTime(['timeout', '1000']),
);

test('a program that kills the shell it was started by is killed, too, and the next run gets a new shell', async () => {
  const pidFile = join(folder, 'pid-of-killer');
  const script = 'read -r way; [ "$way" = well ] || { echo $$ > "$0"; kill -9 $PPID; sleep 1000; }';
  const program = new Program(['sh', '-c', script, pidFile]);
  const killing = await program.run(bytesOf('ill\n'), NO_LIMITS);
  expect(killing.failure).toEqual({ kind: 'crash', reason: 'was killed by SIGKILL' });
  const pid = readFileSync(pidFile, 'utf8').trim();
  await until(() => isGone(pid));
  expect((await program.run(bytesOf('well\n'), NO_LIMITS)).failure).toBe(null);
  program.close();
});

describe('one run after another', () => {
  const texts = async (command: readonly string[], inputs: readonly string[]) => {
    const program = new Program(command);
    const found: string[] = [];
    for (const input of inputs) {
      const { stdout, failure } = await program.run(bytesOf(input), NO_LIMITS);
      found.push(failure === null ? Buffer.from(stdout).toString('latin1') : failure.reason);
    }
    program.close();
    return found;
  };

  test('each run reads exactly its own input', async () => {
    const inputs = ['a long one\n'.repeat(9000), 'short', '', 'nul\0nul\n', 'long again\n'.repeat(100)];
    expect(await texts(['cat'], inputs)).toEqual(inputs);
  });

  test('what an earlier run prints late is not in the output of a later run', async () => {
    const script = `
      read -r line
      echo "$line"
      case $line in
        a) { until [ -e "$0/b-runs" ]; do sleep 0.01; done; echo late; : >"$0/is-late"; } & ;;
        b) : >"$0/b-runs"; until [ -e "$0/is-late" ]; do sleep 0.01; done ;;
      esac`;
    expect(await texts(['sh', '-c', script, folder], ['a\n', 'b\n', 'c\n'])).toEqual(['a\n', 'b\n', 'c\n']);
  });

  test('a failure quotes the last line of its own run', async () => {
    const script = 'read -r line; echo "$line" >&2; exit 1';
    expect(await texts(['sh', '-c', script], ['a longer word\n', 'b\n'])).toEqual([
      'exited with code 1; its last line on standard error: "a longer word"',
      'exited with code 1; its last line on standard error: "b"',
    ]);
  });
});

test('a program gets the environment and the folder of boardmill, and its arguments unchanged', async () => {
  const script = `console.log(JSON.stringify([process.env, process.cwd(), process.argv.slice(1)]))`;
  const { stdout } = await run([...node(script), 'a b', '*', '$HOME', '']);
  const [env, cwd, words] = JSON.parse(stdout);
  // Shells set these variables themselves.
  for (const name of ['_', 'PWD', 'OLDPWD', 'SHLVL']) env[name] = process.env[name];
  expect({ env, cwd, words }).toEqual({
    env: process.env,
    cwd: process.cwd(),
    words: ['a b', '*', '$HOME', ''],
  });
});

test('a long standard error does not fill the disk, and its last line is still quoted', async () => {
  const script = `const fs = require('fs');
    const text = 'x'.repeat(1 << 20) + '\\n';
    for (let i = 0; i < 8; i++) fs.writeSync(2, text);
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (fs.fstatSync(2).size > 1 << 20) Atomics.wait(pause, 0, 0, 5);
    fs.writeSync(2, 'the end');
    process.exit(1);`;
  expect(await run(node(script))).toMatchObject({
    failure: { reason: 'exited with code 1; its last line on standard error: "the end"' },
  });
});

test('close ends programs that still run', async () => {
  const program = new Program(['sleep', '1000']);
  const running = program.run(bytesOf(''), NO_LIMITS);
  program.close();
  expect((await running).failure).toEqual({ kind: 'crash', reason: 'was killed by SIGKILL' });
});

test.each(['no-such-program', './no/such/program', './package.json', '/'])(
  '%s is no program',
  async (name) => {
    const told = { kind: 'usage', message: expect.stringContaining(`cannot run ${name}: `) };
    await expect(findExecutable([name]).then(() => run([name]))).rejects.toMatchObject(told);
    await expect(run([name])).rejects.toMatchObject(told);
  },
);

test('programs are found on the PATH and by their own path', async () => {
  await expect(findExecutable(['sh', '-c', 'exit'])).resolves.toMatch(/\/sh$/);
  await expect(findExecutable(['/bin/sh'])).resolves.toBe('/bin/sh');
});
