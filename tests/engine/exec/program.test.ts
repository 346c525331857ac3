/** External programs, run one input at a time. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findExecutable, Program } from '../../../src/engine/exec/program.js';
import type { ProgramLimits } from '../../../src/engine/exec/program-shell.js';
import { temporaryFolder } from '../../cli/boardmill.js';
import { bytesOf } from '../../support/inputs.js';

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

async function untilGone(pid: string): Promise<void> {
  const isGone = () => {
    try {
      return /\) Z /.test(readFileSync(`/proc/${pid.trim()}/stat`, 'utf8'));
    } catch {
      return true;
    }
  };
  while (!isGone()) await new Promise((resolve) => setImmediate(resolve));
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

test('one that reads nothing of a long input does not fail', async () => {
  expect(await run(['true'], 'x'.repeat(1 << 20))).toEqual({ stdout: '', failure: null });
});

test('what it says on standard error while it succeeds is nobody’s business', async () => {
  expect(await run(['sh', '-c', 'echo debug >&2; echo 1'])).toEqual({ stdout: '1\n', failure: null });
});

test('a flood is cut off', async () => {
  const { stdout, failure } = await run(['yes'], '', { outputBytes: 1000 });
  expect(failure).toEqual({ kind: 'crash', reason: 'printed more than 1000 bytes' });
  expect(stdout.length).toBeLessThan(1 << 20);
});

async function expectKilledInTime(words: readonly string[]): Promise<void> {
  const command = [...words, 'sh', '-c', 'sleep 1000 & echo $!; wait'];
  const { stdout, failure } = await run(command, '', { timeoutMs: 500 });
  expect(failure).toEqual({ kind: 'timeout', reason: 'ran too long' });
  await untilGone(stdout);
}

test('over its time it is killed, with all that it started', () => expectKilledInTime([]));

const hasTimeout = spawnSync('timeout', ['--version']).status === 0;

test.skipIf(!hasTimeout)(
  'over its time it is killed, behind timeout, which makes a process group of its own',
  () => expectKilledInTime(['timeout', '1000']),
);

test('one that kills the shell it was started by is killed, too, and the next starts from another', async () => {
  const program = new Program([
    'sh',
    '-c',
    'read -r way; echo $$; [ "$way" = well ] || { kill -9 $PPID; sleep 1000; }',
  ]);
  const pidFile = () => program.run(bytesOf('ill'), NO_LIMITS);
  expect((await pidFile()).failure).toEqual({ kind: 'crash', reason: 'was killed by SIGKILL' });
  expect((await program.run(bytesOf('well'), NO_LIMITS)).failure).toBe(null);
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

  test('reads its own input, and no more', async () => {
    const inputs = ['a long one\n'.repeat(9000), 'short', '', 'nul\0nul\n', 'long again\n'.repeat(100)];
    expect(await texts(['cat'], inputs)).toEqual(inputs);
  });

  test('its output is its own, whatever an earlier one prints late', async () => {
    const script = `
      read -r line
      echo "$line"
      case $line in
        a) { until [ -e "$0/b-runs" ]; do :; done; echo late; : >"$0/is-late"; } & ;;
        b) : >"$0/b-runs"; until [ -e "$0/is-late" ]; do :; done ;;
      esac`;
    expect(await texts(['sh', '-c', script, folder], ['a\n', 'b\n', 'c\n'])).toEqual(['a\n', 'b\n', 'c\n']);
  });

  test('a failure says its own last words', async () => {
    const script = 'read -r line; echo "$line" >&2; exit 1';
    expect(await texts(['sh', '-c', script], ['a longer word\n', 'b\n'])).toEqual([
      'exited with code 1; its last line on standard error: "a longer word"',
      'exited with code 1; its last line on standard error: "b"',
    ]);
  });
});

test('it has the environment, the folder and the open files that boardmill has, and no more', async () => {
  const script = `console.log(JSON.stringify([process.env, process.cwd(), process.argv.slice(1)]))`;
  const { stdout } = await run([...node(script), 'a b', '*', '$HOME', '']);
  const [env, cwd, words] = JSON.parse(stdout);
  // What shells set for themselves.
  for (const name of ['_', 'PWD', 'OLDPWD', 'SHLVL']) env[name] = process.env[name];
  expect({ env, cwd, words }).toEqual({
    env: process.env,
    cwd: process.cwd(),
    words: ['a b', '*', '$HOME', ''],
  });
});

test('what it says on standard error does not fill the disk, and its last words are still known', async () => {
  const script = `const fs = require('fs');
    const text = 'x'.repeat(1 << 20) + '\\n';
    for (let i = 0; i < 8; i++) fs.writeSync(2, text);
    while (fs.fstatSync(2).size > 1 << 20);
    fs.writeSync(2, 'the end');
    process.exit(1);`;
  expect(await run(node(script), '', { timeoutMs: 5000 })).toMatchObject({
    failure: { reason: 'exited with code 1; its last line on standard error: "the end"' },
  });
});

test('close ends what still runs', async () => {
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

test('programs on the PATH and by their path are there', async () => {
  await findExecutable(['sh', '-c', 'exit']);
  await findExecutable(['/bin/sh']);
});
