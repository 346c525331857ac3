/** Looks whether a build has left more than boardmill reads: a build script of a stranger can make files of any size. */
import { type Dirent, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { MIB } from '../../../../core/bytes.js';
import { MAX_BUILT_BYTES, MAX_BUILT_FILES, MAX_BUILT_FOLDER_DEPTH } from '../limits.js';

/** What may still be in the rest of a folder. */
interface Room {
  bytes: number;
  files: number;
}

/**
 * Says what a folder has too much of; null if it has not, or if it cannot be read. Looking ends as soon as a bound is exceeded,
 * and opens no file.
 */
export function excessOfBuild(folder: string): string | null {
  try {
    return excessBelow(folder, { bytes: MAX_BUILT_BYTES, files: MAX_BUILT_FILES }, 1);
  } catch {
    return null;
  }
}

function excessBelow(folder: string, room: Room, depth: number): string | null {
  if (depth > MAX_BUILT_FOLDER_DEPTH)
    return `folders that are nested more than ${MAX_BUILT_FOLDER_DEPTH} deep`;
  for (const entry of entriesOneByOne(folder)) {
    const path = join(folder, entry.name);
    room.files--;
    if (entry.isFile()) room.bytes -= lstatSync(path).size;
    if (room.files < 0) return `more than ${MAX_BUILT_FILES} files and folders`;
    if (room.bytes < 0) return `more than ${MAX_BUILT_BYTES / MIB} MiB`;
    const excess = entry.isDirectory() ? excessBelow(path, room, depth + 1) : null;
    if (excess !== null) return excess;
  }
  return null;
}

/** Yields the entries of a folder without keeping them: there may be millions. */
function* entriesOneByOne(folder: string): Generator<Dirent> {
  const listing = opendirSync(folder);
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) yield entry;
  } finally {
    listing.closeSync();
  }
}
