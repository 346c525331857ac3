/** A folder with one input, in which commands must not overwrite a file of the user, and what ownership tests expect in it. */
import { existsSync } from 'node:fs';
import { beforeEach, expect } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { shell as runShell } from './boardmill.js';
import { INPUT, startHalfway } from './halfway.js';
import { boardmill } from './in-turn.js';

/** For each test of the calling file, a new folder with the input g.in. Command lines of the shell get the same input. */
export function ownedFolder() {
  const folder = folderForEachTest();
  beforeEach(() => {
    folder.write('g.in', INPUT);
  });
  const shell = (script: string) => runShell(script, { cwd: folder.path, stdin: INPUT });
  const run = (...args: string[]) => boardmill(args, { cwd: folder.path, stdin: INPUT });
  const solve = (...args: string[]) => run('solve', 'bt', '-j', '1', ...args);

  /** A file would be both an output and something else that `roles` names. */
  async function expectRefusal(roles: string, script: string): Promise<void> {
    const { code, stderr } = await shell(script);
    expect(stderr).toContain(`is both ${roles}`);
    expect(code).toBe(2);
    expect(folder.read('g.in')).toBe(INPUT);
  }

  /** The message would go into the input. */
  async function expectSilentRefusal(line: string): Promise<void> {
    expect(await shell(`boardmill ${line}`)).toEqual({ code: 2, stdout: '', stderr: '' });
    expect(folder.read('g.in')).toBe(INPUT);
  }

  /** Another program changes out.partial while boardmill writes it. */
  async function expectNoOutputAfter(change: () => void): Promise<void> {
    const { finish } = await startHalfway(folder);
    change();
    const { code, stderr } = await finish();
    expect(stderr).toMatch(
      /^boardmill: somebody else (changed|removed) out\.partial while boardmill was writing it, so out was not written\n$/,
    );
    expect(code).toBe(4);
    expect(existsSync(folder.at('out'))).toBe(false);
  }

  return { folder, shell, run, solve, expectRefusal, expectSilentRefusal, expectNoOutputAfter };
}
