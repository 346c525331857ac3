/**
 * The digest of a build: of all files in its folder. It is kept in the folder itself, so that a build in the cache that was
 * changed is noticed. That is no signature: a program that knows about it can write a digest that fits.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDigest } from '../core/digest.js';

/** No source has a name that begins with a dot. */
const RECORD_NAME = '.boardmill-digest';

/** Returns the digest of a build; null if a file in it cannot be read. */
export function digestOfBuild(folder: string): string | null {
  try {
    const hash = newDigest();
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (name === RECORD_NAME) continue;
      const stats = statSync(join(folder, name));
      hash.update(JSON.stringify([name, stats.mode, stats.isFile() ? stats.size : null]));
      if (stats.isFile()) hash.update(readFileSync(join(folder, name)));
    }
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/** Keeps the digest of a build in its folder. */
export function recordDigest(folder: string): void {
  writeFileSync(join(folder, RECORD_NAME), `${digestOfBuild(folder)}\n`);
}

/** Returns the digest that a build had when it was made; null if none was kept. */
export function recordedDigest(folder: string): string | null {
  try {
    return readFileSync(join(folder, RECORD_NAME), 'utf8').trim();
  } catch {
    return null;
  }
}
