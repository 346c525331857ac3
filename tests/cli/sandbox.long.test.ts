/** Tests of the option `--sandbox`. */
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, openSync, symlinkSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launcher } from '../support/sandbox.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill, MAIN } from './boardmill.js';

const folder = folderForEachTest();

/** Prints the answer 1, or 2 if it can read the file `secret` of the user, to each of its cases. */
const program = (secret: string) => `#!/bin/sh
read -r cases
answer=1
[ -e ${secret} ] && answer=2
i=0
while [ $((i += 1)) -le "$cases" ]; do echo "Case #$i: $answer"; done
`;

/** A program that solves every case below in a sandbox, and none without one. */
function writeProgram(): void {
  folder.write('mine', program(folder.at('secret')));
  chmodSync(folder.at('mine'), 0o755);
  folder.write('secret', '');
  folder.write('a.in', '1\n1 1\n.\n');
  folder.write('a.ans', 'Case #1: 1\n');
}

describe.skipIf(launcher === null)('in a sandbox, a program cannot see the files of the user', () => {
  test.each<[string, readonly string[], string]>([
    ['solve', ['solve', 'bt', 'a.in', '--exec', './mine'], 'Case #1: 1\n'],
    ['check', ['check', 'bt', 'a.in', 'a.ans', '--exec', './mine'], ''],
    ['judge', ['judge', 'bt', 'a.in', '--exec', './mine', '--json'], '"verdict":"AC"'],
  ])('%s', async (_, args, output) => {
    writeProgram();
    const run = (more: readonly string[]) => boardmill([...args, ...more], { cwd: folder.path });
    const within = await run(['--sandbox']);
    expect(within).toMatchObject({ code: 0, stdout: expect.stringContaining(output) });
    expect((await run([])).stdout).not.toBe(within.stdout);
  });
});

test.skipIf(launcher === null)(
  'a program in a sandbox gets no file that whoever started boardmill has opened',
  () => {
    // Node keeps only the first sixteen descriptors, and those that follow them without a gap, from other programs.
    const number = 20;
    folder.write('mine', `#!/bin/sh\nreadlink /proc/self/fd/${number} >&2\nexit 1\n`);
    chmodSync(folder.at('mine'), 0o755);
    const descriptor = openSync(folder.path, 'r');
    const stdio = [
      ...Array.from({ length: number }, (_, i) => (i < 3 ? ('pipe' as const) : ('ignore' as const))),
      descriptor,
    ];
    const args = [MAIN, 'solve', 'bt', '-', '--exec', './mine', '--retries', '0'];
    const run = (more: readonly string[]) =>
      spawnSync(process.execPath, [...args, ...more], {
        cwd: folder.path,
        input: '1\n1 1\n.\n',
        stdio,
        encoding: 'utf8',
      }).stderr;
    expect(run(['--sandbox'])).toContain('its last line on standard error: "/dev/null"');
    expect(run([])).toContain(`its last line on standard error: "${folder.path}"`);
    closeSync(descriptor);
  },
);

test.skipIf(launcher === null).each([[[]], [['--slowest']]])(
  'stress %j: in a sandbox, a program cannot write files of the user',
  async (more) => {
    folder.write('mine', `#!/bin/sh\n: >${folder.at('seen')}\necho 'Case #1: 0'\n`);
    chmodSync(folder.at('mine'), 0o755);
    const args = ['stress', 'bt', '--exec', './mine', '--rounds', '1', '--exec-cases', '1', ...more];
    await boardmill([...args, '--sandbox'], { cwd: folder.path });
    expect(folder.names()).not.toContain('seen');
    await boardmill(args, { cwd: folder.path });
    expect(folder.names()).toContain('seen');
  },
);

test.skipIf(launcher === null)('in a sandbox, a program can read what --also-compare names', async () => {
  writeProgram();
  const args = ['solve', 'bt', 'a.in', '--exec', './mine', '--sandbox', '--also-compare', 'secret'];
  expect(await boardmill(args, { cwd: folder.path })).toMatchObject({ code: 0, stdout: 'Case #1: 2\n' });
});

describe('--sandbox is refused', () => {
  const solve = ['solve', 'bt', '-', '--exec', 'cat', '--sandbox'];

  test.each<[string, string | null, string]>([
    ['if there is no bwrap', null, '--sandbox needs bubblewrap, and there is no bwrap on the PATH'],
    [
      'if bwrap cannot make namespaces, with its reason',
      '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
      'exited with code 1; its last line on standard error: "bwrap: No permissions to create new namespace"',
    ],
  ])('%s', async (_, bwrap, message) => {
    for (const name of ['sh', 'cat', 'rm', 'mkfifo']) {
      const path = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
      symlinkSync(path, folder.at(name));
    }
    if (bwrap !== null) {
      folder.write('bwrap', bwrap);
      chmodSync(folder.at('bwrap'), 0o755);
    }
    const { code, stderr } = await boardmill(solve, { cwd: folder.path, env: { PATH: folder.path } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('if there is no program', async () => {
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const { code, stderr } = await boardmill(['solve', 'bt', '-', '--sandbox'], { env: { PATH: path } });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--sandbox needs --exec'),
    });
  });
});
