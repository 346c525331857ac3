/** The last stage: takes answers in order and gets them to where the user wants them. */
import type { Writable } from 'node:stream';
import { BoardmillError } from '../../core/errors.js';
import {
  fileError,
  followLinks,
  kindOf,
  lstatOrNull,
  openForWriting,
  writeAll,
  writeFailure,
} from '../../core/files.js';
import type { Sink } from '../sink.js';
import { type AnswerFileOptions, chooseStart, openAnswerFile } from './answer-file.js';
import { checkpointPaths } from './checkpoint.js';
import { type FreshFileOptions, openFreshFile } from './fresh-file.js';

/** `-` is standard output. Fails with kind `file` where FILE cannot be created or must not be overwritten. */
export function openSink(path: string, options: AnswerFileOptions): Promise<Sink> {
  return openAt(path, (file) => openAnswerFile(file, options));
}

/** Fails as openSink would with these options, but touches nothing. */
export async function assertSinkUsable(path: string, options: AnswerFileOptions): Promise<void> {
  const silent = { ...options, note: () => {} };
  const { kind, file } = await findTarget(path);
  if (kind === 'regular') await chooseStart(file, silent);
}

/** As openSink, for an output that is quicker made again than gone on with: no checkpoint, nothing left behind. */
export function openFreshSink(path: string, options: FreshFileOptions): Promise<Sink> {
  return openAt(path, (file) => openFreshFile(file, options));
}

async function openAt(path: string, openRegular: (file: string) => Promise<Sink>): Promise<Sink> {
  const { kind, file } = await findTarget(path);
  if (kind === 'stdout') return streamSink(process.stdout);
  return kind === 'special' ? deviceSink(path) : openRegular(file);
}

/** A link stays one: the file that it leads to is what comes to be, whether it is there yet or not. */
async function findTarget(path: string): Promise<{ kind: 'stdout' | 'special' | 'regular'; file: string }> {
  if (path === '-') return { kind: 'stdout', file: path };
  const kind = await kindOf(path, 'create');
  if (kind === 'directory') throw new BoardmillError('file', `cannot create ${path}: it is a directory`);
  if (kind === 'special') return { kind, file: path };
  if (path.endsWith('/')) throw new BoardmillError('file', `cannot create ${path}: it names a folder`);
  const file = await followLinks(path);
  // The names beside it are longer: they must be possible, too.
  for (const beside of checkpointPaths(file)) {
    await lstatOrNull(beside).catch((error) => {
      throw fileError('create', path, error);
    });
  }
  return { kind: 'regular', file };
}

const NOTHING_TO_KEEP = {
  keepsPositions: false,
  resumePosition: null,
  finish: async () => {},
  abandon: async () => false,
};

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
  const handle = await openForWriting(path, 'w');
  const close = () => handle.close();
  return {
    ...NOTHING_TO_KEEP,
    write: (bytes) => writeAll(path, handle, bytes),
    finish: close,
    abandon: async () => {
      await close();
      return false;
    },
  };
}
