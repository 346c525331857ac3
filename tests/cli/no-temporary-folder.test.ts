/** Tests of commands that need a folder for temporary files where there can be none. */
import { expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill } from './boardmill.js';

const folder = folderForEachTest();

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['play'],
  ['bench', 'bt', 'a.in', '-q'],
  ['check', 'bt', 'a.in', 'a.ans', '--checker', 'true'],
  ['solve', 'bt', 'a.in', '--exec', 'cat', '-q'],
  ['grade', 'bt', 'a.in', '--program', 'right.py', '--into', 'new', '-q'],
];

test.each(COMMANDS)('%s names the folder for temporary files that does not exist', async (...args) => {
  folder.write('a.in', '1\n2 2\n..\n..\n');
  folder.write('a.ans', 'Case #1: 4\n');
  folder.write('right.py', 'print("Case #1: 4")\n');
  const missing = folder.at('missing');
  const { code, stdout, stderr } = await boardmill(args, { cwd: folder.path, env: { TMPDIR: missing } });
  expect(stderr).toContain(`boardmill: cannot write ${missing}/boardmill-`);
  expect(stderr).toMatch(/: no such file or directory\n$/);
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
});
