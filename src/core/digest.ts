/** SHA-256 of texts and files, in hexadecimal. boardmill uses it to recognise files, programs and checkpoints. */
import { createHash, type Hash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { statOrNull } from './files/files.js';
import { piecesOfRegularFile } from './files/regular-files.js';

export function createDigest(): Hash {
  return createHash('sha256');
}

export function digestOfText(text: string): string {
  return createDigest().update(text).digest('hex');
}

/** Shortens a digest for names and messages: so long that still nobody can make two texts with the same one. */
export function shortenDigest(digest: string): string {
  return digest.slice(0, 32);
}

/** Returns the SHA-256 digest of a regular file; null if the path leads to anything else, or if the file cannot be read. */
export async function digestOfFile(path: string): Promise<string | null> {
  const hash = createDigest();
  try {
    for await (const piece of piecesOfRegularFile(path)) hash.update(piece);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/**
 * Returns the digest of names, modes and contents of all files below a folder; null if they cannot be read. Of a link, the
 * digest has the target that it names, because a stranger may have made links to anything; with `followsFiles`, a link to a
 * file counts as that file.
 */
export async function digestOfFolder(folder: string, { followsFiles = false } = {}): Promise<string | null> {
  try {
    const hash = createDigest();
    for (const path of pathsBelow(folder).sort()) {
      const stats = followsFiles && statOrNull(path)?.isFile() ? statSync(path) : lstatSync(path);
      const content = stats.isSymbolicLink() ? readlinkSync(path) : await digestOfFile(path);
      hash.update(JSON.stringify([relative(folder, path), stats.mode, content]));
    }
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/** Returns the paths of all files and folders below a folder. Does not go through links: Node would, and without an end. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
  });
}
