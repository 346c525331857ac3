/** File operations that fail the way users are told: kind `file` when opening, `io` under way. */
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { BoardmillError, systemReason } from '../core/errors.js';

export type FileKind = 'missing' | 'regular' | 'directory' | 'special';

export async function kindOf(path: string): Promise<FileKind> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return 'directory';
    return stats.isFile() ? 'regular' : 'special';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}

export async function openFile(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    throw new BoardmillError('file', `cannot create ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/** Appends all of the bytes. */
export async function writeAll(path: string, handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    throw writeFailure(path, error);
  }
}

export function writeFailure(name: string, error: unknown): BoardmillError {
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
