/**
 * The digest of a build: of all files in its folder. The digest is kept in the same folder, so that boardmill notices when a
 * build in the cache was changed. The digest is not a signature: a program that knows about it can write one that fits.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfFolder } from '../../../../core/digest.js';
import { readSmallFileIfThere } from '../../../../core/files/regular-files.js';

/** No source has a name that begins with a dot. */
const RECORD_NAME = '.boardmill-digest';
const MAX_RECORD_BYTES = 100;

/** Returns the digest of a build; null if the build cannot be read. */
export function digestOfBuild(folder: string): Promise<string | null> {
  return digestOfFolder(folder, RECORD_NAME);
}

/** Writes the digest of a build into its folder. */
export async function writeBuildDigest(folder: string): Promise<void> {
  writeFileSync(join(folder, RECORD_NAME), `${await digestOfBuild(folder)}\n`);
}

/** Returns the digest that a build had when it was made; null if the folder of the build has no digest. */
export function readBuildDigest(folder: string): string | null {
  try {
    return readSmallFileIfThere(join(folder, RECORD_NAME), MAX_RECORD_BYTES)?.toString().trim() ?? null;
  } catch {
    return null;
  }
}
