/** The last stage: takes answers in order and gets them to where the user wants them. */
import type { Writable } from 'node:stream';
import { BoardmillError } from '../core/errors.js';
import { kindOf, openFile, writeAll, writeFailure } from './files.js';
import { openPartialFile, type PartialFileOptions } from './partial-file.js';
import type { Sink } from './sink.js';

/** `-` is standard output. Fails with kind `file` where FILE cannot be created or must not be overwritten. */
export async function openSink(path: string, options: PartialFileOptions): Promise<Sink> {
  if (path === '-') return streamSink(process.stdout);
  const kind = await kindOf(path);
  if (kind === 'directory') throw new BoardmillError('file', `cannot create ${path}: it is a directory`);
  if (kind === 'special') return deviceSink(path);
  return openPartialFile(path, options);
}

const NOTHING_TO_KEEP = { keepsMarks: false, resumed: null, finish: async () => {}, abandon: async () => {} };

/** A sink on any stream; the process that reads it may go away (kind `closed-pipe`). */
export function streamSink(stream: Writable): Sink {
  let failure: Error | null = null;
  stream.on('error', (error) => {
    failure = error;
  });
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
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
