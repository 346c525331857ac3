/** SHA-256 of texts and files, in hexadecimal. boardmill uses it to recognise files, programs and checkpoints. */
import { createHash, type Hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { piecesOfRegularFile } from './files/regular-files.js';

export function createDigest(): Hash {
  return createHash('sha256');
}

export function digestOfText(text: string): string {
  return createDigest().update(text).digest('hex');
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

/** Returns the digest of names, modes and contents of all files below a folder except `omitted`; null if one is unreadable. */
export async function digestOfFolder(folder: string, omitted: string | null = null): Promise<string | null> {
  try {
    const hash = createDigest();
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (name === omitted) continue;
      const path = join(folder, name);
      hash.update(JSON.stringify([name, statSync(path).mode, await digestOfFile(path)]));
    }
    return hash.digest('hex');
  } catch {
    return null;
  }
}
