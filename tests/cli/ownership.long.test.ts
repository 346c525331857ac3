/** More redirections, and more changes during a run, than those of ownership.test.ts. */
import { appendFileSync, existsSync, linkSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { shell as runShell } from './boardmill.js';
import { INPUT, startHalfway } from './halfway.js';

const folder = folderForEachTest();
const { at, read, write } = folder;

beforeEach(() => {
  write('g.in', INPUT);
});

const shell = (script: string) => runShell(script, { cwd: folder.path, stdin: INPUT });

describe('an output that is also an input or another output of the same run', () => {
  beforeEach(() => {
    linkSync(at('g.in'), at('hard.in'));
  });

  test.each([
    ['input and standard output', 'boardmill solve bt < g.in >> g.in'],
    ['input and standard output', 'boardmill validate bt g.in >> g.in'],
    ['input and --stats', 'boardmill solve bt -f --stats g.in < g.in'],
    ['output and standard output', 'boardmill solve bt hard.in -f -o out > out'],
    ['input and output', 'boardmill extract bt --cases 1 -f -o g.in < g.in'],
  ])('boardmill refuses a file that is both %s: %s', async (roles, script) => {
    const { code, stderr } = await shell(script);
    expect(stderr).toContain(`is both ${roles}`);
    expect(code).toBe(2);
    expect(read('g.in')).toBe(INPUT);
  });

  test.each(['validate bt g.in 2>> g.in', 'solve bt 2>> g.in < g.in'])(
    'if standard error is redirected to the input, boardmill refuses without a message: %s',
    async (line) => {
      expect(await shell(`boardmill ${line}`)).toEqual({ code: 2, stdout: '', stderr: '' });
      expect(read('g.in')).toBe(INPUT);
    },
  );
});

describe('changes by another program during a run', () => {
  test.each<[string, () => void]>([
    ['truncated', () => write('out.partial', '')],
    ['extended', () => appendFileSync(at('out.partial'), 'more\n'.repeat(20))],
  ])(
    'if FILE.partial is %s by another program, FILE does not appear and the exit code is 4',
    async (_, change) => {
      const { finish } = await startHalfway(folder);
      change();
      const { code, stderr } = await finish();
      expect(stderr).toMatch(
        /^boardmill: somebody else (changed|removed) out\.partial while boardmill was writing it, so out was not written\n$/,
      );
      expect(code).toBe(4);
      expect(existsSync(at('out'))).toBe(false);
    },
  );
});
