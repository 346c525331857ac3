/** Stamps: how boardmill finds out, without reading a file, that it has changed. */
import {
  appendFileSync,
  chmodSync,
  linkSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type FileStamp,
  identityOf,
  isSameContentStamp,
  isSameStamp,
  stampOf,
} from '../../src/core/files.js';
import { temporaryFolder } from '../cli/boardmill.js';
import { until } from '../support/until.js';

const folder = temporaryFolder();
const path = join(folder, 'file');
const other = join(folder, 'other');

/** Returns the stamps before and after `change`, made once the clock of the file system has moved on. */
async function stampsAround(change: () => void): Promise<[FileStamp, FileStamp]> {
  writeFileSync(path, 'one\n');
  const before = (await stampOf(path)) as FileStamp;
  await until(() => {
    writeFileSync(other, '');
    return statSync(other).ctimeMs > before.ctimeMs;
  });
  change();
  return [before, (await stampOf(path)) as FileStamp];
}

test('two stamps of an unchanged file are the same', async () => {
  const [before, after] = await stampsAround(() => {});
  expect(isSameStamp(before, after)).toBe(true);
});

test.each([
  ['more bytes', () => appendFileSync(path, 'two\n')],
  ['other bytes of the same length', () => writeFileSync(path, 'two\n')],
  [
    'another file under its name',
    () => {
      writeFileSync(other, 'one\n');
      renameSync(other, path);
    },
  ],
])('%s change both kinds of stamp', async (_, change) => {
  const [before, after] = await stampsAround(change);
  expect(isSameStamp(before, after)).toBe(false);
  expect(isSameContentStamp(before, after)).toBe(false);
});

test('an edit whose time of modification is set back changes the full stamp', async () => {
  const [before, after] = await stampsAround(() => {
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'two\n');
    utimesSync(path, atime, mtime);
  });
  expect(isSameStamp(before, after)).toBe(false);
});

test.each([
  ['a new link', () => linkSync(path, join(folder, 'link'))],
  ['another mode', () => chmodSync(path, 0o600)],
])('%s changes the full stamp, but not the stamp of the content', async (_, change) => {
  const [before, after] = await stampsAround(change);
  expect(isSameStamp(before, after)).toBe(false);
  expect(isSameContentStamp(before, after)).toBe(true);
});

test('a missing file has no stamp, but an identity', async () => {
  expect(await stampOf(join(folder, 'missing'))).toBeNull();
  expect(await identityOf(join(folder, 'missing'))).toBe(await identityOf(join(folder, '.', 'missing')));
  expect(await identityOf(join(folder, 'missing'))).not.toBe(await identityOf(join(folder, 'absent')));
});
