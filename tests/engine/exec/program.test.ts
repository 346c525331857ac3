/** Tests of `ProgramRunner`, which runs an external program once for each input. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findExecutable, ProgramRunner } from '../../../src/engine/exec/program.js';
import type { ProgramLimits, ProgramSettings } from '../../../src/engine/exec/program-shell.js';
import { canRunInForeground } from '../../../src/engine/exec/shell-script.js';
import { bytesOf } from '../../support/inputs.js';
import { isGone } from '../../support/processes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const folder = temporaryFolder();
const NO_LIMITS: ProgramLimits = { timeoutMs: null, outputBytes: 1 << 20 };

async function run(
  command: readonly string[],
  input = '',
  limits: Partial<ProgramLimits> = {},
  settings: ProgramSettings = {},
) {
  const program = new ProgramRunner(command, settings);
  try {
    const { stdout, failure } = await program.run(bytesOf(input), { ...NO_LIMITS, ...limits });
    return { stdout: Buffer.from(stdout).toString('latin1'), failure };
  } finally {
    program.close();
  }
}

const node = (script: string) => [process.execPath, '-e', script];

test.each([
  ['standard input, as cat does', ['cat']],
  ['the file /dev/stdin', node('process.stdout.write(require("fs").readFileSync("/dev/stdin"))')],
  ['file descriptor 0', node('process.stdout.write(require("fs").readFileSync(0))')],
  ['single lines', ['sh', '-c', 'while IFS= read -r line; do printf "%s\\n" "$line"; done']],
])('a program may read its input from %s', async (_, command) => {
  const input = 'one\ntwo\n'.repeat(5000);
  expect(await run(command, input)).toEqual({ stdout: input, failure: null });
});

test.each([
  {
    name: 'it exits with a code other than 0',
    script: 'echo out; exit 3',
    reason: 'exited with code 3',
    stdout: 'out\n',
  },
  {
    name: 'it exits with such a code after lines on standard error, of which the last one is quoted',
    script: 'echo a >&2; echo "b c" >&2; exit 1',
    reason: 'exited with code 1; its last line on standard error: "b c"',
  },
  { name: 'a signal kills it', script: 'kill -ABRT $$', reason: 'was killed by SIGABRT' },
])('a program fails if $name', async ({ script, reason, stdout = '' }) => {
  expect(await run(['sh', '-c', script])).toEqual({ stdout, failure: { kind: 'crash', reason } });
});

// Only some shells tell the two apart, such as dash.
const listsEndedJobs = spawnSync('sh', ['-c', '(exit 137) & wait $!; jobs']).stdout.includes('Done');

test.skipIf(!listsEndedJobs)(
  'the exit code of a program may be the status of one that a signal kills',
  async () => {
    const failureOf = async (script: string) => (await run(['sh', '-c', script])).failure?.reason;
    expect(await failureOf('exit 137')).toBe('exited with code 137 (as if killed by SIGKILL)');
    expect(await failureOf('kill -KILL $$')).toBe('was killed by SIGKILL');
    expect(await failureOf('exit 250')).toBe('exited with code 250');
  },
);

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

/** Where the shell runs the program, if its path has a slash. */
const FOREGROUND: ProgramSettings = { inForeground: true };
const PLACES = [
  { place: 'background', settings: {} },
  { place: 'foreground', settings: FOREGROUND },
];

/** Returns a command that can run in the foreground, too. */
const withPath = async ([name, ...args]: readonly string[]) => [await findExecutable([name]), ...args];

/**
 * Expects the time limit to kill a program and the process that it has started. `wrapper` is a command that runs it.
 */
async function expectKilledInTime(wrapper: readonly string[], settings: ProgramSettings): Promise<void> {
  const command = await withPath([...wrapper, 'sh', '-c', 'sleep 1000 & echo $!; wait']);
  let pid = '';
  // On a busy machine, the time may be over before the program has printed the process id. Then it gets twice the time.
  for (let timeoutMs = 250; pid === ''; timeoutMs *= 2) {
    const { stdout, failure } = await run(command, '', { timeoutMs }, settings);
    expect(failure).toEqual({ kind: 'timeout', reason: 'ran too long' });
    pid = stdout.trim();
  }
  expect(pid).toMatch(/^\d+$/);
  await until(() => isGone(pid));
}

const hasTimeout = spawnSync('timeout', ['--version']).status === 0;

describe.each(PLACES)('in the $place', ({ place, settings }) => {
  test('a program that runs too long is killed, with all processes that it started', () =>
    expectKilledInTime([], settings));

  test.skipIf(!hasTimeout)(
    'a program that runs too long is killed, even if the command `timeout` has put it into a separate process group',
    () => expectKilledInTime(['timeout', '1000'], settings),
  );

  test('a program that runs too long is killed, even if it has stopped the shell and all processes of its group', async () => {
    const { failure } = await run(
      await withPath(['sh', '-c', 'kill -STOP 0']),
      '',
      { timeoutMs: 250 },
      settings,
    );
    expect(failure).toEqual({ kind: 'timeout', reason: 'ran too long' });
  });

  test('a program that kills the shell that started it is killed, too, and the next run gets a new shell', async () => {
    const pidFile = join(folder, `pid-of-killer-${place}`);
    const script = 'read -r way; [ "$way" = well ] || { echo $$ > "$0"; kill -9 $PPID; sleep 1000; }';
    const program = new ProgramRunner(await withPath(['sh', '-c', script, pidFile]), settings);
    const killing = await program.run(bytesOf('ill\n'), NO_LIMITS);
    expect(killing.failure).toEqual({ kind: 'crash', reason: 'was killed by SIGKILL' });
    const pid = readFileSync(pidFile, 'utf8').trim();
    await until(() => isGone(pid));
    expect((await program.run(bytesOf('well\n'), NO_LIMITS)).failure).toBe(null);
    program.close();
  });

  test('a program gets the environment and the folder of boardmill, and its arguments unchanged', async () => {
    const script = `console.log(JSON.stringify([process.env, process.cwd(), process.argv.slice(1)]))`;
    const { stdout } = await run([...node(script), 'a b', '*', '$HOME', ''], '', {}, settings);
    const [env, cwd, args] = JSON.parse(stdout);
    // The shell that starts the program sets these variables itself, so the test ignores them.
    for (const name of ['_', 'PWD', 'OLDPWD', 'SHLVL']) env[name] = process.env[name];
    expect({ env, cwd, args }).toEqual({
      env: process.env,
      cwd: process.cwd(),
      args: ['a b', '*', '$HOME', ''],
    });
  });

  test('the shell does not take a program of the PATH for a command of its own', async () => {
    writeFileSync(join(folder, 'exit'), '#!/bin/sh\necho "exit $1"\n', { mode: 0o755 });
    const environment = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    expect(await run(['exit', '7'], '', {}, { ...settings, environment })).toEqual({
      stdout: 'exit 7\n',
      failure: null,
    });
  });

  test('a program that crashes leaves nothing on the standard error of the next run', async () => {
    const script = 'read -r way; [ "$way" = ill ] && kill -SEGV $$; exit 3';
    const program = new ProgramRunner(await withPath(['sh', '-c', script]), settings);
    await program.run(bytesOf('ill\n'), NO_LIMITS);
    const { failure } = await program.run(bytesOf('well\n'), NO_LIMITS);
    program.close();
    expect(failure?.reason).toBe('exited with code 3');
  });
});

test('how a program has ended in the foreground may be unknown, but after a failure it runs in the background', async () => {
  // A line without its end, after which the shell may print one of its own.
  const script = 'read -r line; printf bad >&2; [ "$line" = exit ] && exit 4; kill -SEGV $$';
  const command = await withPath(['sh', '-c', script]);
  const program = new ProgramRunner(command, FOREGROUND);
  const reasonOf = async (line: string) =>
    (await program.run(bytesOf(`${line}\n`), NO_LIMITS)).failure?.reason;
  const lastLine = '; its last line on standard error: "bad"';
  const killed = `was killed by SIGSEGV${lastLine}`;
  expect(await reasonOf('crash')).toBe(
    canRunInForeground(command) ? `exited with code 139, or ${killed}` : killed,
  );
  expect(await reasonOf('crash')).toBe(killed);
  expect(await reasonOf('exit')).toBe(`exited with code 4${lastLine}`);
  program.close();
});

test.skipIf(!canRunInForeground(['/bin/sh']))(
  'a program in the foreground ignores SIGINT and SIGQUIT, which dash lets those in the background ignore',
  async () => {
    const { stdout } = await run(
      await withPath(['grep', '^SigIgn', '/proc/self/status']),
      '',
      {},
      FOREGROUND,
    );
    const ignored = Number.parseInt(stdout.split(':')[1], 16);
    expect(ignored & 0b110).toBe(0b110);
  },
);

test('a run whose shell is killed while the run waits for its turn gets a new shell', async () => {
  const program = new ProgramRunner(['sh', '-c', 'cat; echo $PPID']);
  const pid = Buffer.from((await program.run(bytesOf(''), NO_LIMITS)).stdout)
    .toString()
    .trim();
  const { stdout, failure } = await program.run(bytesOf('input '), NO_LIMITS, async (start) => {
    process.kill(Number(pid), 'SIGKILL');
    // Until this process has learned of its end, the shell is a zombie.
    await until(() => !existsSync(`/proc/${pid}`));
    return start();
  });
  program.close();
  expect(failure).toBeNull();
  expect(Buffer.from(stdout).toString()).toMatch(/^input \d+\n$/);
  expect(Buffer.from(stdout).toString()).not.toContain(` ${pid}\n`);
});

test('a failed run does not quote what a process of an earlier run printed while it waited for its turn', async () => {
  const script = `
    read -r line
    [ "$line" = late ] || exit 5
    { until [ -e "$0/print" ]; do sleep 0.01; done; echo late >&2; : >"$0/printed"; } &`;
  const program = new ProgramRunner(['sh', '-c', script, folder]);
  expect((await program.run(bytesOf('late\n'), NO_LIMITS)).failure).toBeNull();
  const { failure } = await program.run(bytesOf('silent\n'), NO_LIMITS, async (start) => {
    writeFileSync(join(folder, 'print'), '');
    await until(() => existsSync(join(folder, 'printed')));
    return start();
  });
  program.close();
  expect(failure?.reason).toBe('exited with code 5');
});

test('a run that is refused its turn does not start, and the next one uses its shell', async () => {
  const program = new ProgramRunner(['sh', '-c', 'cat; echo $PPID']);
  const parentOf = async (input: string) =>
    Buffer.from((await program.run(bytesOf(input), NO_LIMITS)).stdout).toString();
  const shell = await parentOf('');
  const refused = program.run(bytesOf('refused'), NO_LIMITS, () => Promise.reject(new Error('no turn')));
  await expect(refused).rejects.toThrow('no turn');
  expect(await parentOf('next ')).toBe(`next ${shell}`);
  program.close();
});

describe('several runs of one program, one after another', () => {
  const outcomesOf = async (command: readonly string[], inputs: readonly string[]) => {
    const program = new ProgramRunner(command);
    const outcomes: string[] = [];
    for (const input of inputs) {
      const { stdout, failure } = await program.run(bytesOf(input), NO_LIMITS);
      outcomes.push(failure === null ? Buffer.from(stdout).toString('latin1') : failure.reason);
    }
    program.close();
    return outcomes;
  };

  test('each run reads exactly its own input', async () => {
    const inputs = ['a long one\n'.repeat(9000), 'short', '', 'nul\0nul\n', 'long again\n'.repeat(100)];
    expect(await outcomesOf(['cat'], inputs)).toEqual(inputs);
  });

  test('the output of a run does not contain what a process of an earlier run prints late', async () => {
    const script = `
      read -r line
      echo "$line"
      case $line in
        a) { until [ -e "$0/b-runs" ]; do sleep 0.01; done; echo late; : >"$0/is-late"; } & ;;
        b) : >"$0/b-runs"; until [ -e "$0/is-late" ]; do sleep 0.01; done ;;
      esac`;
    expect(await outcomesOf(['sh', '-c', script, folder], ['a\n', 'b\n', 'c\n'])).toEqual([
      'a\n',
      'b\n',
      'c\n',
    ]);
  });

  test('the message about a failed run quotes the last line of that run', async () => {
    const script = 'read -r line; echo "$line" >&2; exit 1';
    expect(await outcomesOf(['sh', '-c', script], ['a longer word\n', 'b\n'])).toEqual([
      'exited with code 1; its last line on standard error: "a longer word"',
      'exited with code 1; its last line on standard error: "b"',
    ]);
  });
});

test('long output on standard error does not lie on the disk, and its last line is still quoted', async () => {
  const script = `const fs = require('fs');
    const bytes = Buffer.alloc(1 << 20, 'x');
    for (let i = 0; i < 64; i++) for (let at = 0; at < bytes.length; ) at += fs.writeSync(2, bytes, at);
    const folder = require('path').dirname(fs.readlinkSync('/proc/self/fd/0'));
    const sizes = fs.readdirSync(folder).map((name) => fs.statSync(folder + '/' + name).size);
    fs.writeSync(2, Math.max(...sizes) === 0 ? '\\nthe end' : '\\nsizes ' + sizes);
    process.exit(1);`;
  expect(await run(node(script))).toMatchObject({
    failure: { reason: 'exited with code 1; its last line on standard error: "the end"' },
  });
});

test('a program may open /dev/stderr', async () => {
  expect(await run(['sh', '-c', 'echo opened >/dev/stderr; exit 1'])).toMatchObject({
    failure: { reason: 'exited with code 1; its last line on standard error: "opened"' },
  });
});

test('a failed run that prints nothing does not quote an earlier run', async () => {
  const program = new ProgramRunner([
    'sh',
    '-c',
    'read -r line; [ "$line" = quiet ] || echo "$line" >&2; exit 1',
  ]);
  const reasons = [];
  for (const line of ['first\n', 'quiet\n'])
    reasons.push((await program.run(bytesOf(line), NO_LIMITS)).failure?.reason);
  program.close();
  expect(reasons).toEqual([
    'exited with code 1; its last line on standard error: "first"',
    'exited with code 1',
  ]);
});

test('close() kills a program that is still running', async () => {
  const program = new ProgramRunner(['sleep', '1000']);
  const running = program.run(bytesOf(''), NO_LIMITS);
  program.close();
  expect((await running).failure).toEqual({ kind: 'crash', reason: 'was killed by SIGKILL' });
});

test.each(['no-such-program', './no/such/program', './package.json', '/'])(
  '%s is refused, because it is not a program',
  async (name) => {
    const error = { kind: 'usage', message: expect.stringContaining(`cannot run ${name}: `) };
    await expect(findExecutable([name]).then(() => run([name]))).rejects.toMatchObject(error);
    await expect(run([name])).rejects.toMatchObject(error);
  },
);

test('a program is found by its name on the PATH, and by its own path', async () => {
  await expect(findExecutable(['sh', '-c', 'exit'])).resolves.toMatch(/\/sh$/);
  await expect(findExecutable(['/bin/sh'])).resolves.toBe('/bin/sh');
});
