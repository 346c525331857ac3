/** What is said if somebody else changes a package while it is read. */
import { readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BoardmillError } from '../../../../../src/core/errors.js';
import { whileUnchanged } from '../../../../../src/tools/judge/package/read/changed-package.js';
import { folderForEachTest } from '../../../../support/temporary-folder.js';

const folder = folderForEachTest();

test('a folder that was a link a moment before is an ordinary failure, which names it', () => {
  const path = folder.enter('package');
  const read = () => whileUnchanged(folder.path, () => readlinkSync(path));
  const message = `cannot read ${path}: invalid argument; was the package changed while it was read?`;
  expect(read).toThrow(expect.objectContaining({ kind: 'file', message }));
});

test('other failures stay what they are', () => {
  const failure = new BoardmillError('input', 'no tests');
  const read = () =>
    whileUnchanged(folder.path, () => {
      throw failure;
    });
  expect(read).toThrow(failure);
});
