/** More tests than those of signal-grace.test.ts of the time that a run has after the first signal: all commands. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isGone } from '../support/processes.js';
import { folderForEachTest, temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { exitOf, ROOT, start, textOf } from './boardmill.js';
import { expectEnd, type HangingRun } from './hanging-run.js';

const folder = folderForEachTest();

test.each<HangingRun>([
  { what: 'a run that hangs in the middle of a chunk', target: 'a.ans', options: ['--chunk', '1M'] },
  { what: 'a run to standard output', target: '-', options: [] },
])('one signal ends $what, and the answers before are kept', async (run) => {
  await expectEnd(folder, run);
});

/**
 * Writes a module that answers at once, two that never answer or never compare, and a program that ignores SIGTERM and
 * never ends, as a process that it starts and whose number it writes.
 */
function writeHanging(folder: string): void {
  const started = join(folder, 'started');
  const module = (name: string, body: string, equal = '') => `
    import { writeFileSync } from 'node:fs';
    import { defineProblem, formats } from '${ROOT}/dist/src/index.js';
    export default defineProblem({
      name: '${name}',
      input: formats.counted({ n: formats.int(0, 9) }),
      solve({ n }) { ${body} },
      ${equal}
    });`;
  const hang = `writeFileSync('${started}', ''); return new Promise(() => {});`;
  const note = `echo $! >${started}.new\nmv ${started}.new ${started}`;
  const program = `#!/bin/sh\ntrap '' TERM\nsleep 1000 &\n${note}\nwait\nexit 0\n`;
  const files: Readonly<Record<string, string>> = {
    'quick.mjs': module('quick', 'return n;'),
    'hangs.mjs': module('hangs', hang),
    'equal.mjs': module('equal', 'return n;', `equal() { ${hang.replace('return', 'for (;;)')} },`),
    'a.in': '1\n3\n',
    'wrong.ans': '4\n',
    hang: program,
    'package/problem.yaml': 'name: p\nlimits:\n  time_limit: 1000\n',
    'package/data/secret/1.in': '1\n',
    'package/data/secret/1.ans': '1\n',
    'package/submissions/accepted/hang.sh': program,
  };
  mkdirSync(join(folder, 'package/data/secret'), { recursive: true });
  mkdirSync(join(folder, 'package/submissions/accepted'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chmodSync(join(folder, 'hang'), 0o755);
}

const root = temporaryFolder();

describe.concurrent('one signal ends, although a solver or a program never does,', () => {
  const slow = ['--timeout', '1000'];
  test.each<[string, readonly string[]]>([
    ['judge-program', ['judge', './quick.mjs', 'a.in', '--exec', './hang', ...slow]],
    ['judge-reference', ['judge', './quick.mjs', 'a.in', '--exec', 'cat', '--reference', './hang', ...slow]],
    ['judge-solver', ['judge', './hangs.mjs', 'a.in', '--exec', 'cat', ...slow]],
    ['judge-package', ['judge', '--package', 'package']],
    ['stress-program', ['stress', './quick.mjs', '--exec', './hang', ...slow]],
    ['stress-solver', ['stress', './hangs.mjs', '--exec', 'cat', ...slow]],
    ['stress-slowest', ['stress', './quick.mjs', '--exec', './hang', '--slowest', ...slow]],
    ['bench-program', ['bench', './quick.mjs', 'a.in', '--exec', './hang']],
    ['bench-solver', ['bench', './hangs.mjs', 'a.in']],
    ['bench-command', ['bench', './quick.mjs', 'a.in', '--vs', './hang']],
    ['check-checker', ['check', './quick.mjs', 'a.in', 'wrong.ans', '--checker', './hang', ...slow]],
    ['check-equal', ['check', './equal.mjs', 'a.in', 'wrong.ans', ...slow]],
    [
      'judge-checker',
      ['judge', './quick.mjs', 'a.in', '--exec', 'tail -n 1', '--checker', './hang', ...slow],
    ],
    ['stress-checker', ['stress', './quick.mjs', '--exec', 'tail -n 1', '--checker', './hang', ...slow]],
    ['bench-checker', ['bench', './quick.mjs', 'a.in', '--vs', 'cat', '--checker', './hang']],
  ])('%s', async (name, args) => {
    const cwd = join(root, name);
    mkdirSync(cwd);
    writeHanging(cwd);
    const child = start(args, { cwd, env: { XDG_CACHE_HOME: cwd } });
    const [ended, stdout, stderr] = [exitOf(child), textOf(child.stdout), textOf(child.stderr)];
    await until(() => existsSync(join(cwd, 'started')));
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(await stderr).toContain(
      'SIGTERM: a case is still being solved after 4 s; stopped without its answer',
    );
    const started = readFileSync(join(cwd, 'started'), 'utf8').trim();
    if (started !== '') await until(() => isGone(started));
    // A command that gives up ends by itself, and says so. Otherwise the process is ended later, without a word.
    expect((await stderr).split('\n').at(-2)).toMatch(
      /^boardmill: (stopped by SIGTERM|no difference in 0 cases)/,
    );
    expect(await stdout).not.toContain('killed');
  });
});

test('a second signal also ends the program that bench measures', async () => {
  writeHanging(folder.path);
  const args = ['bench', './quick.mjs', 'a.in', '--vs', './hang'];
  const child = start(args, { cwd: folder.path, env: { XDG_CACHE_HOME: folder.path } });
  const [ended, stderr] = [exitOf(child), textOf(child.stderr)];
  await until(() => existsSync(folder.at('started')));
  child.stderr.on('data', (piece) => {
    if (String(piece).includes('a second signal stops at once')) child.kill('SIGTERM');
  });
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  expect(await stderr).not.toContain('stopped');
  await until(() => isGone(folder.read('started').trim()));
});
