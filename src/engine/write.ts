/** The last stage: takes answers in order and gets them to where the user wants them. */
import { lstat, realpath } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { BoardmillError } from '../core/errors.js';
import { kindOf, openFile, writeAll, writeFailure } from './files.js';
import { openFreshFile } from './fresh-file.js';
import { chooseStart, openPartialFile, type PartialFileOptions } from './partial-file.js';
import type { Sink } from './sink.js';

/** `-` is standard output. Fails with kind `file` where FILE cannot be created or must not be overwritten. */
export function openSink(path: string, options: PartialFileOptions): Promise<Sink> {
  return openAt(path, (file) => openPartialFile(file, options));
}

/** Fails as openSink would with these options, but touches nothing. */
export async function checkSink(path: string, options: PartialFileOptions): Promise<void> {
  const kind = await kindOf(path);
  if (kind === 'directory') throw isDirectory(path);
  if (kind !== 'special' && !options.force) await chooseStart(path, options);
}

/** As openSink, for an output that is quicker made again than gone on with: no checkpoint, nothing left behind. */
export function openFreshSink(path: string, options: { readonly force: boolean }): Promise<Sink> {
  return openAt(path, (file) => openFreshFile(file, options.force));
}

async function openAt(path: string, openRegular: (file: string) => Promise<Sink>): Promise<Sink> {
  if (path === '-') return streamSink(process.stdout);
  const kind = await kindOf(path);
  if (kind === 'directory') throw isDirectory(path);
  if (kind === 'special') return deviceSink(path);
  return openRegular(kind === 'missing' ? path : await targetOf(path));
}

function isDirectory(path: string): BoardmillError {
  return new BoardmillError('file', `cannot create ${path}: it is a directory`);
}

/** A link stays one: the file it points to is what comes to be. */
async function targetOf(path: string): Promise<string> {
  return (await lstat(path)).isSymbolicLink() ? realpath(path) : path;
}

const NOTHING_TO_KEEP = { keepsMarks: false, resumed: null, finish: async () => {}, abandon: async () => {} };

/** A sink on any stream; the process that reads it may go away (kind `closed-pipe`). */
export function streamSink(stream: Writable): Sink {
  let failure: Error | null = null;
  let fail = (_: Error) => {};
  stream.on('error', (error) => {
    failure = error;
    // A stream that breaks under way need not say so to the write it was at.
    fail(writeFailure('standard output', error));
  });
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      fail = reject;
      stream.write(bytes, (error) => (error ? reject(writeFailure('standard output', error)) : resolve()));
    });
  return {
    ...NOTHING_TO_KEEP,
    async write(bytes) {
      if (failure !== null) throw writeFailure('standard output', failure);
      if (bytes.length > 0) await write(bytes);
    },
  };
}

/** A device or a FIFO is written directly: there is nothing to rename. */
async function deviceSink(path: string): Promise<Sink> {
  const handle = await openFile(path, 'w');
  return {
    keepsMarks: false,
    resumed: null,
    write: (bytes) => writeAll(path, handle, bytes),
    finish: () => handle.close(),
    abandon: () => handle.close(),
  };
}
