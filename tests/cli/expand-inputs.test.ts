import files, { symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import { expandInputs } from '../../src/cli/inputs/expand-inputs.js';
import { folderForEachTest } from '../support/temporary-folder.js';

const folder = folderForEachTest();

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Makes the system deny access to a path, as it does to users other than root, who may run these tests. */
function denyAccess(denied: string): void {
  vi.spyOn(files, 'accessSync').mockImplementation((path) => {
    if (path === denied)
      throw Object.assign(new Error('EACCES: permission denied, access'), { code: 'EACCES' });
  });
  syncBuiltinESMExports();
}

test('a link to nothing may have led to a folder with inputs, and a hidden one is from an editor', async () => {
  folder.write('a.in', '');
  for (const name of ['disk', 'b.in', '.lock', '.#a.in']) symlinkSync('gone', folder.at(name));
  symlinkSync('itself', folder.at('itself'));
  const { files: found, unusableInputs } = await expandInputs([folder.path]);
  expect(found).toEqual([folder.at('a.in')]);
  expect(unusableInputs.map(({ message }) => message)).toEqual(
    ['b.in', 'disk', 'itself'].map((name) => `cannot open ${folder.at(name)}: it is a link to nothing`),
  );
});

test('a file in a folder that the user may not read keeps no other file from being read', async () => {
  folder.write('a.in', '');
  folder.write('b.in', '');
  denyAccess(folder.at('a.in'));
  const { files: found, unusableInputs } = await expandInputs([folder.path]);
  expect(found).toEqual([folder.at('b.in')]);
  expect(unusableInputs.map(({ message }) => message)).toEqual([
    `cannot open ${folder.at('a.in')}: permission denied`,
  ]);
});
