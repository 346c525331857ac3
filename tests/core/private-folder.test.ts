/** Tests of the folders in which boardmill keeps what later runs believe. */
import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPrivateFolder, makePrivateFolder } from '../../src/core/files/private-folder.js';
import { folderForEachTest } from '../support/temporary-folder.js';

const folder = folderForEachTest();
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('it is made with all folders that lead to it, for the user alone', () => {
  const path = makePrivateFolder(folder.at('state'), ['a', 'b']);
  expect(path).toBe(folder.at('state/a/b'));
  expect([modeOf(folder.at('state/a')), modeOf(path)]).toEqual([0o700, 0o700]);
});

test('a folder that others can read becomes private', () => {
  mkdirSync(folder.at('a'));
  chmodSync(folder.at('a'), 0o755);
  expect(findPrivateFolder(folder.path, ['a'])).toBe(folder.at('a'));
  expect(modeOf(folder.at('a'))).toBe(0o700);
});

test('a folder that does not exist is not made by asking for it', () => {
  expect(findPrivateFolder(folder.path, ['a', 'b'])).toBe(null);
  expect(folder.names()).toEqual([]);
});

test.each<[string, (path: string) => void]>([
  ['it is a link', (path) => symlinkSync(folder.at('other'), path)],
  ['it is not a folder', () => folder.write('a', '')],
  ['other users can write into it', (path) => [mkdirSync(path), chmodSync(path, 0o777)]],
  ['other users can write into it', (path) => [mkdirSync(path), chmodSync(path, 0o770)]],
])('it is refused if %s', (reason, prepare) => {
  mkdirSync(folder.at('other'));
  prepare(folder.at('a'));
  const error = { kind: 'file', message: expect.stringContaining(`${folder.at('a')}: ${reason}`) };
  for (const open of [findPrivateFolder, makePrivateFolder])
    expect(() => open(folder.path, ['a'])).toThrow(expect.objectContaining(error));
});
