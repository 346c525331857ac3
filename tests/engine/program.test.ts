/** External programs, run one input at a time. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Program, requireProgram } from '../../src/engine/program.js';
import type { ProgramLimits } from '../../src/engine/program-shell.js';
import { bytesOf } from '../support/inputs.js';

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
    reason: 'exited with code 1, saying "b c"',
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

test('over its time it is killed, with all that it started', async () => {
  const { stdout, failure } = await run(['sh', '-c', 'sleep 1000 & echo $!; wait'], '', { timeoutMs: 500 });
  expect(failure).toEqual({ kind: 'timeout', reason: 'ran too long' });
  const isGone = () => {
    try {
      return /\) Z /.test(readFileSync(`/proc/${stdout.trim()}/stat`, 'utf8'));
    } catch {
      return true;
    }
  };
  while (!isGone()) await new Promise((resolve) => setImmediate(resolve));
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
    await expect(requireProgram([name]).then(() => run([name]))).rejects.toMatchObject(told);
    await expect(run([name])).rejects.toMatchObject(told);
  },
);

test('programs on the PATH and by their path are there', async () => {
  await requireProgram(['sh', '-c', 'exit']);
  await requireProgram(['/bin/sh']);
});
