/** The last stage: opens the sink that writes the answers where the user wants them. */
import type { Writable } from 'node:stream';
import { BoardmillError } from '../../core/errors.js';
import {
  assertAutomaticNameIsSafe,
  errorOfFailedWrite,
  fileError,
  fileKindOf,
  isNothingAt,
  lstatOrNull,
  openPipeForWriting,
  removeFileIfThere,
  writeAll,
} from '../../core/files/files.js';
import { followLinks, type KnownFolders } from '../../core/files/identity.js';
import { makeStandardOutputWriteFully } from '../../core/files/standard-output.js';
import { compressionOf } from '../input/decompress.js';
import { NO_SINK_ENDING, type Sink } from '../sink.js';
import { type AnswerFileOptions, findInterruptedRun, hasPartial, openAnswerFile } from './answer-file.js';
import { CheckpointRefusal, checkpointPath, checkpointPaths } from './checkpoint.js';
import { type FreshFileOptions, openFreshFile } from './fresh-file.js';
import { describeFileInUse, isFileLocked } from './lock.js';
import { partialPath } from './partial-file.js';

/**
 * Opens a sink for answers; `-` is standard output. Fails with kind `file` if FILE cannot be created or must not be
 * overwritten. If FILE is a FIFO, this waits for its reader until `stop` is aborted.
 */
export function openSink(
  path: string,
  options: AnswerFileOptions,
  stop: AbortSignal | null = null,
): Promise<Sink> {
  return openTarget(path, stop, (file) => openAnswerFile(file, options));
}

/**
 * Fails if `openSink` would fail with the same path and options, but changes no file. If `folders` tell that nothing lies at
 * FILE or beside it, it looks no further.
 */
export async function assertSinkUsable(
  path: string,
  options: AnswerFileOptions,
  folders: KnownFolders,
): Promise<void> {
  const silentOptions = { ...options, note: () => {} };
  const { kind, file } = await findTarget(path, folders);
  if (kind !== 'regular' || filesOfRun(file).every((each) => folders.areWithout(each))) return;
  try {
    await findInterruptedRun(file, silentOptions);
  } catch (error) {
    // If another run is still writing FILE, its checkpoint is not that of an interrupted run.
    if (error instanceof CheckpointRefusal && (await isFileLocked(file)))
      throw new CheckpointRefusal(describeFileInUse(file));
    throw error;
  }
}

/** Whether an unfinished run has left its files beside FILE. A run that was killed when FILE had its name does not count. */
export function hasUnfinishedRun(path: string): boolean {
  const file = followLinks(path);
  return lstatOrNull(checkpointPath(file)) !== null && hasPartial(file);
}

/**
 * Removes what a run has left beside FILE that was killed after FILE had its name. `assertSinkUsable` has checked that this is
 * allowed.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const file = followLinks(path);
  const [, ...beside] = filesOfRun(file);
  const left = beside.filter((each) => lstatOrNull(each) !== null);
  if (left.length === 0 || (await isFileLocked(file))) return;
  for (const each of left) await removeFileIfThere(each);
}

/** Returns the paths of FILE, and of what a run may leave beside FILE. */
function filesOfRun(file: string): string[] {
  return [file, partialPath(file), ...checkpointPaths(file)];
}

/** Fails with kind `file` if no file can have this name, such as that of a folder. */
export async function assertNameUsable(path: string): Promise<void> {
  await findTarget(path);
}

/**
 * Opens a sink for an output that cannot be resumed: the output has no checkpoint, and a failed run leaves no file. If it is a
 * FIFO, this waits for its reader until `stop` is aborted.
 */
export function openFreshSink(
  path: string,
  options: FreshFileOptions,
  stop: AbortSignal | null = null,
): Promise<Sink> {
  return openTarget(path, stop, (file) => openFreshFile(file, options));
}

/** Like `openFreshSink`, for a name that boardmill has chosen. Fails with kind `file` if something else lies there. */
export async function openSinkAtAutomaticName(path: string, options: FreshFileOptions): Promise<Sink> {
  await assertAutomaticNameIsSafe(path);
  return openFreshSink(path, options);
}

async function openTarget(
  path: string,
  stop: AbortSignal | null,
  openRegular: (file: string) => Promise<Sink>,
): Promise<Sink> {
  const { kind, file } = await findTarget(path);
  if (kind === 'stdout') {
    makeStandardOutputWriteFully();
    return streamSink(process.stdout);
  }
  return kind === 'special' ? deviceSink(path, stop) : openRegular(file);
}

/**
 * Finds out what kind of output a path leads to, and the path of the file to write. If the path is a link, boardmill
 * keeps the link and writes the file that the link leads to, even if that file does not exist yet.
 */
async function findTarget(
  path: string,
  folders?: KnownFolders,
): Promise<{ kind: 'stdout' | 'special' | 'regular'; file: string }> {
  if (path === '-') return { kind: 'stdout', file: path };
  const isMissing = folders?.areWithout(path) || isNothingAt(path);
  const kind = isMissing ? 'missing' : await fileKindOf(path, 'create');
  if (kind === 'directory') throw new BoardmillError('file', `cannot create ${path}: it is a directory`);
  if (kind === 'special') return { kind, file: path };
  if (path.endsWith('/')) throw new BoardmillError('file', `cannot create ${path}: it names a folder`);
  assertUncompressed(path);
  const file = isMissing ? path : followLinks(path);
  // The name of a checkpoint file is longer than FILE, so it is checked, too.
  try {
    lstatOrNull(checkpointPaths(file).at(-1)!);
  } catch (error) {
    throw fileError('create', path, error);
  }
  return { kind: 'regular', file };
}

/**
 * Refuses an output whose name is that of a compressed file: boardmill writes plain text, and would later fail to decompress
 * the file.
 */
function assertUncompressed(path: string): void {
  const compression = compressionOf(path);
  if (compression === null) return;
  throw new BoardmillError(
    'usage',
    `cannot create ${path}: boardmill does not compress its outputs; use a name without ${compression.ending}`,
  );
}

/**
 * A sink that writes to any stream. Fails with kind `closed-pipe` if the process that reads the stream has ended. Each write
 * goes through `during`, which calls the function that it gets.
 */
export function streamSink(
  stream: Writable,
  during: (write: () => Promise<void>) => Promise<void> = (write) => write(),
): Sink {
  let failure: Error | null = null;
  let fail = (_: Error) => {};
  stream.on('error', (error) => {
    failure = error;
    // If a stream fails during a write, Node may not call the callback of that write.
    fail(errorOfFailedWrite('standard output', error));
  });
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      fail = reject;
      stream.write(bytes, (error) =>
        error ? reject(errorOfFailedWrite('standard output', error)) : resolve(),
      );
    });
  return {
    ...NO_SINK_ENDING,
    writesAtOnce: true,
    async write(bytes) {
      if (failure !== null) throw errorOfFailedWrite('standard output', failure);
      if (bytes.length > 0) await during(() => write(bytes));
    },
  };
}

/** A sink that writes directly to a device or a FIFO, which cannot be renamed. */
async function deviceSink(path: string, stop: AbortSignal | null): Promise<Sink> {
  const handle = await openPipeForWriting(path, stop);
  const close = () => handle.close();
  return {
    writesAtOnce: true,
    write: (bytes) => writeAll(path, handle, bytes),
    finish: close,
    abandon: async () => {
      await close();
      return false;
    },
  };
}
