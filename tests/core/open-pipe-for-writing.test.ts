/** A FIFO is opened for writing when another process reads it, and the wait for that process can be stopped. */
import { execFileSync, spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Interrupted } from '../../src/core/errors.js';
import { openPipeForWriting } from '../../src/core/files/files.js';
import { folderForEachTest } from '../support/temporary-folder.js';

const folder = folderForEachTest();

test('the wait for the reader of a FIFO ends when it is stopped', async () => {
  const fifo = folder.at('fifo');
  execFileSync('mkfifo', [fifo]);
  const controller = new AbortController();
  const opening = openPipeForWriting(fifo, controller.signal);
  controller.abort('SIGTERM');
  await expect(opening).rejects.toThrow(Interrupted);
});

test('the reader of a FIFO gets all that is written, even if it comes later', async () => {
  const fifo = folder.at('fifo');
  execFileSync('mkfifo', [fifo]);
  const opening = openPipeForWriting(fifo, null);
  const read = textOf(spawn('cat', [fifo]).stdout);
  const handle = await opening;
  await handle.write('answers\n');
  await handle.close();
  expect(await read).toBe('answers\n');
});

test('a device is opened at once, and a missing file is an error', async () => {
  await (await openPipeForWriting('/dev/null', null)).close();
  await expect(openPipeForWriting(folder.at('none/x'), null)).rejects.toMatchObject({ kind: 'file' });
});
