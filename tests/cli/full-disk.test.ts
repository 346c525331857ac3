/**
 * Tests of programs whose output does not fit on the disk. Most programs do not notice that, and end with exit code 0, so
 * boardmill must. The small disk is a mount of bubblewrap.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { launcher } from '../support/sandbox.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { folderForEachTest } from '../support/temporary-folder.js';
import { writePackage } from '../tools/judge/package/package-folder.js';
import { MAIN } from './boardmill.js';

allowSlowTests();

const folder = folderForEachTest();
const { at, write } = folder;

const LINES = 60_000;
const ANSWERS = Array.from({ length: LINES }, (_, i) => `${i + 1}\n`).join('');
/** Prints all lines, and does not look whether it could. */
const CARELESS = `#!/bin/sh\ncat > /dev/null\nseq ${LINES} 2> /dev/null\nexit 0\n`;

/** Runs boardmill with a disk of this size at `small`. */
function boardmillWith(kibibytes: number, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const disk = ['--dev-bind', '/', '/', '--size', `${kibibytes * 1024}`, '--tmpfs', at('small')];
  const { status, stderr } = spawnSync('bwrap', [...disk, process.execPath, MAIN, ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', XDG_CACHE_HOME: at('cache'), ...environment },
  });
  return { code: status, stderr };
}

describe.skipIf(launcher === null)('a disk that is full', () => {
  beforeEach(() => {
    mkdirSync(at('small'));
    write('n.ctd', `INT(1,${LINES},n) NEWLINE EOF\n`);
    write('a.in', `${LINES}\n`);
    write('a.ans', ANSWERS);
    write('careless.sh', CARELESS);
    writePackage(at('package'), {
      'problem.yaml': 'limits: {time_limit: 20}\n',
      'data/secret/1.in': `${LINES}\n`,
      'data/secret/1.ans': ANSWERS,
      'submissions/accepted/right.sh': CARELESS,
    });
  });

  const EXEC = ['--exec', 'sh careless.sh'];
  const COMMANDS: readonly (readonly string[])[] = [
    ['solve', './n.ctd', 'a.in', ...EXEC, '-o', 'a.out', '-f'],
    ['check', './n.ctd', 'a.in', 'a.ans', ...EXEC],
    ['judge', './n.ctd', 'a.in', ...EXEC],
    ['judge', '--package', 'package', '--junit', 'r.xml', '-f'],
  ];

  test.each(COMMANDS)('where programs write ends %s %s, and one with room does not', (...args) => {
    const cut = boardmillWith(200, args, { TMPDIR: at('small') });
    expect(cut.stderr).toContain(
      `the disk of ${at('small')} is full, so what programs have written there may be cut\n`,
    );
    expect(cut.code).toBe(4);
    expect(boardmillWith(20_000, args, { TMPDIR: at('small') }).code).toBe(0);
  });

  test('where programs are built ends judge --package, and its reports say so', () => {
    writeFileSync(at('r.xml'), '');
    const fill = `head -c 195k /dev/zero > small/fill; exec "$@"`;
    const disk = ['--dev-bind', '/', '/', '--size', `${200 * 1024}`, '--tmpfs', at('small')];
    const args = ['judge', '--package', 'package', '--junit', 'r.xml', '-f'];
    const { status, stderr } = spawnSync(
      'bwrap',
      [...disk, 'sh', '-c', fill, 'sh', process.execPath, MAIN, ...args],
      { cwd: folder.path, encoding: 'utf8', env: { ...process.env, XDG_CACHE_HOME: at('small/cache') } },
    );
    expect([status, stderr]).toEqual([
      4,
      expect.stringMatching(/cannot write .*\/small\/cache\/.*: no space left/),
    ]);
    expect(readFileSync(at('r.xml'), 'utf8')).toContain('This run was ended by an error');
  });
});
