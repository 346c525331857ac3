/**
 * File operations that fail with messages for the user: kind `file` if a file cannot be opened, `io` after that. Operations
 * that only read the properties of a file, or remove its name, are synchronous: the system answers faster than Node could hand
 * them to a thread. A folder of a thousand small files needs ten thousand such operations.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  write,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { access, type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BoardmillError, systemReason } from '../errors.js';
import { CoalescedWork } from '../overlap.js';
import { assertNotStopped } from '../stop.js';
import type { FileStamp } from './file-stamp.js';

type FileKind = 'missing' | 'regular' | 'directory' | 'special';

/**
 * Returns the kind of file that a path leads to, through links. If the kind cannot be found out, the error message
 * says that boardmill cannot open or create the file, as `verb` says.
 */
export async function fileKindOf(path: string, verb: 'open' | 'create'): Promise<FileKind> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'missing';
    if (stats.isDirectory()) return 'directory';
    return stats.isFile() ? 'regular' : 'special';
  } catch (error) {
    throw fileError(verb, path, error);
  }
}

/**
 * Fails with kind `file` unless an output may have this name, which boardmill has chosen. What lies there may be anybody's: a
 * FIFO would be waited for, and a link would lead to a file that the user has not named.
 */
export async function assertAutomaticNameIsSafe(path: string): Promise<void> {
  if (isNothingAt(path)) return;
  if ((await fileKindOf(path, 'create')) === 'special')
    throw new BoardmillError('file', `cannot create ${path}: it is not a regular file`);
  if (isLinkToMissingOrEmpty(path, statOrNull(path)))
    throw new BoardmillError(
      'file',
      `cannot create ${path}: it is a link to a file that is missing or empty`,
    );
}

/** Whether there is neither a file nor a link with this path. False also if that cannot be found out. */
export function isNothingAt(path: string): boolean {
  try {
    return lstatOrNull(path) === null;
  } catch {
    return false;
  }
}

/**
 * Whether the path is a link to a file that is missing or empty, so that writing would make a file elsewhere. `stats` are those
 * of the file that the path leads to, null if it is missing.
 */
export function isLinkToMissingOrEmpty(path: string, stats: Stats | null): boolean {
  if (stats !== null && stats.size > 0) return false;
  try {
    return lstatOrNull(path)?.isSymbolicLink() === true;
  } catch {
    // Creating the file will say what is wrong with its path.
    return false;
  }
}

/** Returns the path with all links followed. Fails if it does not lead to a regular file that can be read. */
export async function resolveReadableFile(path: string): Promise<string> {
  const kind = await fileKindOf(path, 'open');
  if (kind === 'directory') throw new BoardmillError('file', `cannot open ${path}: it is a folder`);
  if (kind === 'special') throw new BoardmillError('file', `cannot open ${path}: it is not a regular file`);
  try {
    await access(path, constants.R_OK);
    return await realpath(path);
  } catch (error) {
    throw fileError('open', path, error);
  }
}

/** Opens the file of an output for writing, or creates it. Returns its descriptor. An error names the file `name`. */
export function openOutputFile(path: string, flags: string, name = path): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw fileError('create', name, error);
  }
}

/** Milliseconds between two looks whether another process has a FIFO open to read it. */
const READER_LOOK_MS = 20;

/**
 * Opens a device or a FIFO for writing. Waits until another process reads the FIFO, and fails with an Interrupted if `stop` is
 * aborted meanwhile. Node's own `open` would wait in a thread that nobody can stop.
 */
export async function openPipeForWriting(path: string, stop: AbortSignal | null): Promise<FileHandle> {
  try {
    if (!statSync(path).isFIFO()) return await open(path, 'w');
    for (;;) {
      const probe = await openWithoutWaiting(path);
      try {
        if (probe !== null) return await open(path, 'w');
      } finally {
        await probe?.close();
      }
      if (stop !== null) assertNotStopped(stop);
      await delay(READER_LOOK_MS);
    }
  } catch (error) {
    throw error instanceof BoardmillError ? error : fileError('create', path, error);
  }
}

/** Opens a FIFO for writing; returns null if no process has it open to read it. */
async function openWithoutWaiting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return null;
    throw error;
  }
}

export function fileError(verb: 'open' | 'create' | 'remove', path: string, error: unknown): BoardmillError {
  return new BoardmillError('file', `cannot ${verb} ${path}: ${systemReason(error)}`, { cause: error });
}

/**
 * Makes a folder, and the folders that lead to it, and returns those that were missing. Fails with kind `file` if one of them
 * cannot be made. Node's own way to make several folders (`recursive`) never returns if the system denies one of them as if its
 * parent were missing, as in /proc.
 */
export function makeFolders(path: string, mode = 0o777): string[] {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) makeFolder(folder, mode);
  if (missing.length === 0 && !statSync(path).isDirectory())
    throw new BoardmillError('file', `cannot create ${path}: file already exists`);
  return missing;
}

/** Fails with kind `file` unless files can be made in a folder. If the folder is missing, it must be possible to make it. */
export function assertFolderCanHoldFiles(path: string): void {
  let above = resolve(path);
  while (!existsSync(above)) above = dirname(above);
  if (!statSync(above).isDirectory())
    throw new BoardmillError('file', `cannot create files in ${path}: ${above} is not a folder`);
  try {
    accessSync(above, constants.W_OK);
  } catch (error) {
    throw fileError('create', path, error);
  }
}

/** Like `makeFolders`, but returns when the folders are on the disk: what is written there would be lost with its folder. */
export async function makeDurableFolders(path: string, mode?: number): Promise<void> {
  for (const folder of makeFolders(path, mode)) await syncFolder(dirname(folder));
}

function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made the folder meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError('create', path, error);
  }
}

/** Returns the stats of the file that a path leads to, or null if they cannot be read. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export function identityOfStats({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

/**
 * Returns the stats of the file with this name, or null if the file does not exist. If the name is a link, the stats
 * are those of the link itself.
 */
export function lstatOrNull(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Returns the stamp of the file that a path leads to, or null if the file does not exist. */
export async function fileStampOf(path: string): Promise<FileStamp | null> {
  const stats = statOrNull(path);
  return stats === null ? null : stampOfFileStats(stats);
}

export function stampOfFileStats(stats: Stats): FileStamp {
  const { size, mtimeMs, ctimeMs } = stats;
  return { identity: identityOfStats(stats), size, mtimeMs, ctimeMs };
}

/** Up to this size, bytes are written synchronously: handing the write to a thread would take longer. */
const MAX_SMALL_WRITE_BYTES = 1 << 16;
const writeOnThread = promisify(write);

/** Appends all bytes to the regular file with this descriptor. */
export async function appendAll(path: string, descriptor: number, bytes: Uint8Array): Promise<void> {
  const isSmall = bytes.length <= MAX_SMALL_WRITE_BYTES;
  try {
    for (let at = 0; at < bytes.length; ) {
      at += isSmall
        ? writeSync(descriptor, bytes, at)
        : (await writeOnThread(descriptor, bytes, at, bytes.length - at)).bytesWritten;
    }
  } catch (error) {
    throw errorOfFailedWrite(path, error);
  }
}

/** Writes a file that boardmill itself needs, such as a copy for a program. Fails with kind `io` if it cannot be written. */
export function writeInternalFile(path: string, bytes: Uint8Array | string): void {
  try {
    writeFileSync(path, bytes);
  } catch (error) {
    throw errorOfFailedWrite(path, error);
  }
}

/** Makes a new folder whose name begins with `prefix`. Fails with kind `io` if it cannot be made. */
export function makeTemporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(prefix);
  } catch (error) {
    throw errorOfFailedWrite(prefix, error);
  }
}

/** Writes all bytes to an open file of any kind. */
export async function writeAll(path: string, handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    throw errorOfFailedWrite(path, error);
  }
}

/**
 * The error for the user when writing failed. An error that already has a message for the user is returned
 * unchanged.
 */
export function errorOfFailedWrite(name: string, error: unknown): BoardmillError {
  if (error instanceof BoardmillError) return error;
  const isPipeClosed = (error as NodeJS.ErrnoException).code === 'EPIPE';
  const message = `cannot write ${name}: ${systemReason(error)}`;
  return new BoardmillError(isPipeClosed ? 'closed-pipe' : 'io', message, { cause: error });
}

/** Error codes that mean that the system cannot sync the folder at all, or cannot sync it without read permission. */
const FOLDER_SYNC_ERROR_CODES = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Syncs an open file or folder to the disk, without blocking this thread. */
export const syncToDisk: (descriptor: number) => Promise<void> = promisify(fsync);

const folderSyncs = new CoalescedWork(syncFolderNow);

/**
 * Syncs a folder to the disk, so that a rename in the folder survives a power loss. Does nothing if the system cannot
 * sync folders. Callers that wait for the same folder share one sync, which begins after the renames of all of them.
 */
export function syncFolder(path: string): Promise<void> {
  return folderSyncs.run(path);
}

async function syncFolderNow(path: string): Promise<void> {
  try {
    const folder = openSync(path, 'r');
    await syncToDisk(folder).finally(() => closeSync(folder));
  } catch (error) {
    if (!FOLDER_SYNC_ERROR_CODES.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Replaces a small file in one step: after a power loss, either the old or the new file exists, and is complete. Until then,
 * `nextOf` has the name of the new file. Several files of one folder that get the same text become names (hard links) of one
 * file, which costs one sync; each of them can be replaced on its own later.
 */
export async function replaceDurably(
  paths: readonly string[],
  nextOf: (path: string) => string,
  text: string,
  mode = 0o666,
): Promise<void> {
  const [first, ...others] = paths;
  const next = nextOf(first);
  await removeFileIfThere(next);
  const descriptor = openSync(next, 'wx', mode);
  try {
    writeFileSync(descriptor, text);
    await syncToDisk(descriptor);
    for (const path of others) await replaceByLink(next, path, nextOf(path));
  } catch (error) {
    // On a full disk, an empty file would remain, so the file is removed.
    await removeFileIfThere(next).catch(() => {});
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, first);
  await syncFolder(dirname(first));
}

/** Makes `path` another name of a file. A file that has this name is replaced in one step. */
async function replaceByLink(file: string, path: string, next: string): Promise<void> {
  if (lstatOrNull(path) === null) {
    linkSync(file, path);
    return;
  }
  await removeFileIfThere(next);
  linkSync(file, next);
  renameSync(next, path);
}

export async function removeFileIfThere(path: string): Promise<void> {
  // Asking first is faster than catching the error that the file is missing.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError('remove', path, error);
  }
}
