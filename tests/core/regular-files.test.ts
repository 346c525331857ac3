/** Tests of reading files that a stranger may have made: FIFOs, devices and large files in the place of small ones. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOfFile, digestOfText } from '../../src/core/digest.js';
import type { BoardmillError } from '../../src/core/errors.js';
import {
  openRegularForReading,
  openRegularHandle,
  piecesOfRegularFile,
  readSmallFile,
  readSmallFileIfThere,
} from '../../src/core/files/regular-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const failureOf = async (work: () => unknown) => {
  const error = (await Promise.resolve()
    .then(work)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    )) as BoardmillError | null;
  return error && `${error.kind}: ${error.message.replaceAll(folder, 'DIR')}`;
};
const readAll = async (path: string, maxBytes?: number) => {
  const pieces: Buffer[] = [];
  for await (const piece of piecesOfRegularFile(path, maxBytes)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
};

writeFileSync(at('small'), 'text\n');
writeFileSync(at('empty'), '');
/** More than is read at a time. */
const LARGE = Array.from({ length: 100_000 }, (_, i) => `${i}\n`).join('');
writeFileSync(at('large'), LARGE);
execFileSync('mkfifo', [at('fifo')]);
mkdirSync(at('folder'));
symlinkSync('fifo', at('link-to-fifo'));
symlinkSync('/dev/zero', at('link-to-device'));
symlinkSync('gone', at('link-to-nothing'));
symlinkSync('small', at('link-to-small'));

const NOT_REGULAR = ['fifo', 'link-to-fifo', 'link-to-device'];

describe('what is not a regular file', () => {
  const ways: [string, (path: string) => unknown][] = [
    ['openRegular', openRegularForReading],
    ['openRegularHandle', openRegularHandle],
    ['readSmallFile', (path) => readSmallFile(path, 10)],
    ['readSmallFileIfThere', (path) => readSmallFileIfThere(path, 10)],
    ['piecesOfRegularFile', readAll],
  ];
  test.each(ways)('%s refuses it at once', async (_, read) => {
    for (const name of NOT_REGULAR) {
      const message = `file: cannot open DIR/${name}: it is not a regular file`;
      expect(await failureOf(() => read(at(name)))).toBe(message);
    }
    expect(await failureOf(() => read(at('folder')))).toBe('file: cannot open DIR/folder: it is a directory');
  });

  test('it has no digest', async () => {
    for (const name of [...NOT_REGULAR, 'folder', 'gone']) expect(await digestOfFile(at(name))).toBeNull();
  });
});

describe('a small file', () => {
  test('is read whole, through links, up to the bound', () => {
    expect(readSmallFile(at('small'), 5).toString()).toBe('text\n');
    expect(readSmallFile(at('link-to-small'), 5).toString()).toBe('text\n');
    expect(readSmallFile(at('empty'), 0)).toHaveLength(0);
  });

  test('that has more bytes than the bound is refused, with the kind of error that the caller wants', async () => {
    const message = 'cannot open DIR/small: it has more than 4 bytes';
    expect(await failureOf(() => readSmallFile(at('small'), 4))).toBe(`file: ${message}`);
    expect(await failureOf(() => readSmallFile(at('small'), 4, 'input'))).toBe(`input: ${message}`);
  });

  test('that is missing is an error, or null if the caller asks for that', async () => {
    const message = 'file: cannot open DIR/gone: no such file or directory';
    expect(await failureOf(() => readSmallFile(at('gone'), 4))).toBe(message);
    expect(readSmallFileIfThere(at('gone'), 4)).toBeNull();
    expect(readSmallFileIfThere(at('link-to-nothing'), 4)).toBeNull();
  });

  // Only Linux has such files.
  test.runIf(process.platform === 'linux')('may have more bytes than its size says', async () => {
    expect(readSmallFile('/proc/self/status', 1 << 20).toString()).toContain('VmRSS');
    expect(await failureOf(() => readSmallFile('/proc/self/status', 10))).toContain('more than 10 bytes');
    expect((await readAll('/proc/self/status')).toString()).toContain('VmRSS');
  });
});

test('pieces end at the bound, and have the digest of the whole file', async () => {
  expect((await readAll(at('large'), 300_000)).toString()).toBe(LARGE.slice(0, 300_000));
  expect((await readAll(at('large'))).toString()).toBe(LARGE);
  expect((await readAll(at('small'), 2)).toString()).toBe('te');
  expect(await readAll(at('large'), 0)).toHaveLength(0);
  expect(await digestOfFile(at('large'))).toBe(digestOfText(LARGE));
});
