/** Tests of file stamps, with which boardmill notices a change of a file without reading the file, and of folders. */
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FileStamp, isSameContentStamp, isSameStamp } from '../../src/core/files/file-stamp.js';
import { fileStampOf, makeDurableFolders } from '../../src/core/files/files.js';
import { FEW_FILES, fileIdentityOf, KnownFolders } from '../../src/core/files/identity.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const folder = temporaryFolder();
const path = join(folder, 'file');
const other = join(folder, 'other');

/**
 * Returns the stamps of a file before and after `change`. It calls `change` only when the clock of the file system
 * shows a later time than the first stamp.
 */
async function stampsAround(change: () => void): Promise<[FileStamp, FileStamp]> {
  writeFileSync(path, 'one\n');
  const before = (await fileStampOf(path)) as FileStamp;
  await until(() => {
    writeFileSync(other, '');
    return statSync(other).ctimeMs > before.ctimeMs;
  });
  change();
  return [before, (await fileStampOf(path)) as FileStamp];
}

test('two stamps of an unchanged file are the same', async () => {
  const [before, after] = await stampsAround(() => {});
  expect(isSameStamp(before, after)).toBe(true);
});

test.each([
  ['appending bytes', () => appendFileSync(path, 'two\n')],
  ['writing other bytes of the same length', () => writeFileSync(path, 'two\n')],
  [
    'replacing the file by another file of the same name',
    () => {
      writeFileSync(other, 'one\n');
      renameSync(other, path);
    },
  ],
])('%s changes both the full stamp and the stamp of the content', async (_, change) => {
  const [before, after] = await stampsAround(change);
  expect(isSameStamp(before, after)).toBe(false);
  expect(isSameContentStamp(before, after)).toBe(false);
});

test('an edit changes the full stamp, even if the time of modification is set back afterwards', async () => {
  const [before, after] = await stampsAround(() => {
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'two\n');
    utimesSync(path, atime, mtime);
  });
  expect(isSameStamp(before, after)).toBe(false);
});

test.each([
  ['adding a hard link to the file', () => linkSync(path, join(folder, 'link'))],
  ['changing the permissions of the file', () => chmodSync(path, 0o600)],
])('%s changes the full stamp, but not the stamp of the content', async (_, change) => {
  const [before, after] = await stampsAround(change);
  expect(isSameStamp(before, after)).toBe(false);
  expect(isSameContentStamp(before, after)).toBe(true);
});

test('a missing file has no stamp, but an identity', async () => {
  expect(await fileStampOf(join(folder, 'missing'))).toBeNull();
  expect(fileIdentityOf(join(folder, 'missing'))).toBe(fileIdentityOf(join(folder, '.', 'missing')));
  expect(fileIdentityOf(join(folder, 'missing'))).not.toBe(fileIdentityOf(join(folder, 'absent')));
});

test('names that were read from their folders lead to the same files as names that are looked up', () => {
  for (const name of ['Big', 'ä', 'plain']) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'sub'));
  for (const [name, target] of [
    ['to-file', 'plain'],
    ['to-nothing', 'sub/none'],
    ['to-folder', 'sub'],
    ['loop', 'loop'],
  ])
    symlinkSync(target, join(folder, name));
  const names = [
    'Big',
    'big',
    'ä',
    'a\u0308',
    'plain',
    'none',
    'sub',
    'sub/',
    'sub/none',
    'to-file',
    'to-nothing',
    'loop',
  ];
  names.push('to-folder/none', 'to-folder', 'no/no', '.', '..', './plain', 'sub/../plain', 'sub/../none');
  for (const known of [new KnownFolders(FEW_FILES + 1), new KnownFolders(FEW_FILES)])
    for (const name of names)
      expect([name, fileIdentityOf(`${folder}/${name}`, known)]).toEqual([
        name,
        fileIdentityOf(`${folder}/${name}`),
      ]);
});

test('folders are made with those that lead to them, and a refusal is an error with the folder', async () => {
  const deep = join(folder, 'a', 'b', 'c');
  await makeDurableFolders(deep);
  await makeDurableFolders(deep);
  expect(statSync(deep).isDirectory()).toBe(true);
  writeFileSync(other, '');
  await expect(makeDurableFolders(other)).rejects.toThrow(`cannot create ${other}: file already exists`);
  await expect(makeDurableFolders(join(other, 'a'))).rejects.toThrow(/cannot create .*: not a directory/);
  // Here, Node's own way to make several folders never returns.
  await expect(makeDurableFolders('/proc/none/a')).rejects.toThrow(/cannot create \/proc\/none: /);
});
