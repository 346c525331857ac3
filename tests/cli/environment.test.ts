/** Tests of which environment variables reach the programs and the modules that boardmill runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { SUM_DATA, writePackage } from '../tools/judge/package/package-folder.js';
import { boardmill as boardmillInOwnProcess, ROOT } from './boardmill.js';
import { COMMANDS, expectQueueHidden, MODULE, SECRETS, STARTING_COMMANDS } from './environment-spy.js';
import { boardmill } from './in-turn.js';

const folder = folderForEachTest();

test.each(STARTING_COMMANDS)(
  'a program of %s gets the environment of the user without the URL of the queue',
  async (name) => {
    await expectQueueHidden(folder, COMMANDS[name]);
  },
);

test('a module does not see the URL of the queue', async () => {
  folder.write('env.mjs', MODULE);
  const { stdout } = await boardmillInOwnProcess(['solve', 'env.mjs'], {
    cwd: folder.path,
    env: SECRETS,
    stdin: '1\n5\n',
  });
  expect(stdout).toBe('1\n');
});

/** A package with a program whose build script notes what it sees. The program prints that, and what it sees itself. */
const PACKAGE = {
  ...SUM_DATA,
  'submissions/accepted/built/build': `#!/bin/sh
    printf '#!/bin/sh\\necho "%s" "$GITHUB_TOKEN" "$ADDED" >&2\\nexit 1\\n' "\${GITHUB_TOKEN-none}" >run\nchmod +x run\n`,
};

test('the programs of a package get only the allowed variables and those of --env', async () => {
  writePackage(folder.at('package'), PACKAGE);
  const judged = async (...options: readonly string[]) => {
    const env = { ...SECRETS, ADDED: 'added', XDG_CACHE_HOME: folder.at(`cache${options.length}`) };
    const { stdout } = await boardmillInOwnProcess(['judge', '--package', 'package', '--json', ...options], {
      cwd: folder.path,
      env,
    });
    const [{ message }] = stdout.split('\n', 1).map((line) => JSON.parse(line) as { message: string });
    return /error: "(.*)"$/.exec(message)?.[1];
  };
  expect(await judged()).toBe('none');
  expect(await judged('--env', 'ADDED', '--env', 'GITHUB_TOKEN')).toBe('token token added');
});

test.each([
  [['judge', '--package', 'p', '--env', 'A=b'], '--env takes the name of an environment variable'],
  [['judge', 'bt', '--exec', 'true', '--env', 'HOME'], '--env needs --package'],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await boardmill(args, { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

/**
 * Every file that starts a process or a thread. Add a file only after making sure that what it starts gets no secret: threads
 * and processes inherit the environment of boardmill, out of which main.ts takes the URL of the queue; the programs of a
 * package are started by command-runner.ts alone.
 */
const STARTERS = [
  'src/engine/exec/checker.ts: spawn',
  'src/engine/exec/external-solver.ts: ProgramRunner',
  'src/engine/exec/generator.ts: ProgramRunner',
  'src/engine/exec/judged-program.ts: ProgramRunner',
  'src/engine/exec/program-shell.ts: spawn',
  'src/engine/exec/sandbox-folder.ts: spawn',
  'src/engine/exec/sandbox.ts: ProgramRunner',
  'src/problems/modules/module-mistake.ts: execFile',
  'src/tools/bench/measure.ts: spawn',
  'src/tools/bench/stopwatch.ts: ProgramRunner',
  'src/tools/grade/trial.ts: ProgramRunner',
  'src/tools/judge/package/programs/command-runner.ts: ProgramRunner',
  'src/tools/stress/report.ts: ProgramRunner',
];

const START =
  /\b(?:new (ProgramRunner)\(|(spawn|spawnSync|execFile|execFileSync|exec|execSync|fork)\b[^;]*?from 'node:child_process')/;

test('no other file starts a program', () => {
  const files = ['src', 'workers'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name}`),
  );
  const found = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const match = START.exec(readFileSync(join(ROOT, file), 'utf8'));
      return match === null ? [] : [`${file}: ${match[1] ?? match[2]}`];
    });
  expect(found.sort()).toEqual(STARTERS);
});
