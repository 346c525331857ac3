/**
 * Folders in which boardmill keeps files that later runs trust: builds and the ledger. Whoever can write there decides what
 * these runs do, so boardmill uses such a folder only if it belongs to the user, and nobody else can write into it.
 */
import { chmodSync, lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../errors.js';
import { fileError, makeDurableFolders, makeFolders } from './files.js';

const PRIVATE_MODE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;
const ANY_ACCESS_BY_OTHERS = 0o077;

/** Somebody else may have written into a folder whose files decide what later runs do. */
export class NotPrivateError extends BoardmillError {
  constructor(message: string) {
    super('file', message);
  }
}

/** The folders that were found to be private. Their parent folders are private too, so nobody else can replace them. */
const checked = new Set<string>();

/**
 * Makes nested private folders: `names[0]` in `base`, `names[1]` in `names[0]`, and so on. Returns the path of the innermost
 * one. Fails with kind `file` if a folder cannot be made, is a link, or belongs to another user.
 */
export function makePrivateFolder(base: string, names: readonly string[]): string {
  const found = findPrivateFolder(base, names);
  if (found !== null) return found;
  makeFolders(join(base, ...names), PRIVATE_MODE);
  return findPrivateFolder(base, names)!;
}

/** Like `makePrivateFolder`, but returns when the folders are on the disk. */
export async function makeDurablePrivateFolder(base: string, names: readonly string[]): Promise<string> {
  const found = findPrivateFolder(base, names);
  if (found !== null) return found;
  await makeDurableFolders(join(base, ...names), PRIVATE_MODE);
  return findPrivateFolder(base, names)!;
}

/** Returns the path of the nested folders `names` in `base`; null if one is missing. Fails (`file`) if one is not private. */
export function findPrivateFolder(base: string, names: readonly string[]): string | null {
  let path = base;
  for (const name of names) {
    path = join(path, name);
    if (checked.has(path)) continue;
    const stats = lstatIfThere(path);
    if (stats === null) return null;
    assertPrivate(path, stats);
    checked.add(path);
  }
  return path;
}

/** Returns the stats of a folder; null if it is missing, also if what should be its parent is a file. */
function lstatIfThere(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw fileError('open', path, error);
  }
}

function assertPrivate(path: string, stats: Stats): void {
  const obstacle = obstacleOf(stats);
  if (obstacle !== null) throw new NotPrivateError(`cannot use the folder ${path}: ${obstacle}`);
  if ((stats.mode & ANY_ACCESS_BY_OTHERS) !== 0 && process.getuid !== undefined)
    chmodSync(path, PRIVATE_MODE);
}

/** Returns why a folder is not private; null if it is. */
function obstacleOf(stats: Stats): string | null {
  if (stats.isSymbolicLink()) return 'it is a link; remove it, or make a folder in its place';
  if (!stats.isDirectory()) return 'it is not a folder';
  // Windows has other ways to protect a folder.
  if (process.getuid === undefined) return null;
  if (stats.uid !== process.getuid()) return 'it belongs to another user';
  const isWritable = (stats.mode & WRITABLE_BY_OTHERS) !== 0;
  return isWritable ? 'other users can write into it; look at what is in it, then run chmod 700' : null;
}
