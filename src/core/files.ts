/** File operations that fail the way users are told: kind `file` when opening, `io` under way. */
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BoardmillError, systemReason } from './errors.js';

export type FileKind = 'missing' | 'regular' | 'directory' | 'special';

/** What a path leads to, through links. `verb` says in the message what could not be done with it. */
export async function kindOf(path: string, verb: 'open' | 'create'): Promise<FileKind> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return 'directory';
    return stats.isFile() ? 'regular' : 'special';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw fileError(verb, path, error);
  }
}

/** Opens a file for writing. */
export async function openForWriting(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    throw fileError('create', path, error);
  }
}

export function fileError(verb: 'open' | 'create', path: string, error: unknown): BoardmillError {
  return new BoardmillError('file', `cannot ${verb} ${path}: ${systemReason(error)}`, { cause: error });
}

/** As many links as Linux follows before it calls them a loop. */
const MAX_LINKS = 40;

/** The file that a path leads to through links, whether or not it is there; fails with kind `file` on a loop of links. */
export async function followLinks(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const next = await readlink(target).catch(() => null);
    if (next === null) return target;
    // A link says where it leads from the folder that it really lies in.
    target = resolve(await realpath(dirname(target)), next);
  }
  throw new BoardmillError('file', `cannot create ${path}: too many links lead on from it`);
}

/**
 * The same text for the same regular file, by whatever path it is named; a file that is not there has one as well.
 * Null for devices, pipes and folders: they hold nothing that could be lost.
 */
export async function identityOf(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  if (stats !== null) return stats.isFile() ? identityOfStats(stats) : null;
  const target = await followLinks(path);
  const folder = await stat(dirname(target)).catch(() => null);
  return folder === null ? resolve(target) : join(identityOfStats(folder), basename(target));
}

export function identityOfStats({ dev, ino }: Pick<Stats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}

/** Null where nothing has this name; a link is not followed. */
export async function lstatOrNull(path: string): Promise<Stats | null> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/**
 * What tells without reading a file whether it has changed. The time of change (ctime) cannot be set back, as `touch -r`
 * sets back the time of modification (mtime).
 */
export interface FileStamp {
  readonly identity: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** The stamp of the file that a path leads to; null if there is none. */
export async function stampOf(path: string): Promise<FileStamp | null> {
  const stats = await stat(path).catch(() => null);
  return stats === null ? null : stampOfStats(stats);
}

export function stampOfStats(stats: Stats): FileStamp {
  const { size, mtimeMs, ctimeMs } = stats;
  return { identity: identityOfStats(stats), size, mtimeMs, ctimeMs };
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return isSameContentStamp(one, other) && one.ctimeMs === other.ctimeMs;
}

/** As `isSameStamp`, but a new link to the file, or another owner or mode, is no change. */
export function isSameContentStamp(one: FileStamp, other: FileStamp): boolean {
  return one.identity === other.identity && one.size === other.size && one.mtimeMs === other.mtimeMs;
}

/** Appends all of the bytes. */
export async function writeAll(path: string, handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** What users are told when writing failed; a failure that is already worded for them stays as it is. */
export function writeFailure(name: string, error: unknown): BoardmillError {
  if (error instanceof BoardmillError) return error;
  const isClosed = (error as NodeJS.ErrnoException).code === 'EPIPE';
  const message = `cannot write ${name}: ${systemReason(error)}`;
  return new BoardmillError(isClosed ? 'closed-pipe' : 'io', message, { cause: error });
}

/** What systems say that cannot sync a folder, or not one that may only be written to. */
const NO_FOLDER_SYNC = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Makes a rename in the folder itself survive a power loss, where the system can do that. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

export async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
