/**
 * The digest of a build: of all files of the program. By it, boardmill notices when a build in the cache was changed. The
 * digest is not a signature: a program that knows about it can write one that fits. It is kept beside the program's folder,
 * where nothing that a build in a sandbox leaves can be in its place, such as a link to a file of the user.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfFolder } from '../../../../core/digest.js';
import { writeFailure } from '../../../../core/files/files.js';
import { readSmallFileIfThere } from '../../../../core/files/regular-files.js';

/** The names in the folder of a build. */
const PROGRAM_NAME = 'program';
const RECORD_NAME = 'digest';
const MAX_RECORD_BYTES = 100;

/** Returns the folder of the program in the folder of a build. */
export function programFolderOf(build: string): string {
  return join(build, PROGRAM_NAME);
}

/** Writes the digest of a build's program. Returns false if the program's folder cannot be read. */
export async function writeBuildDigest(build: string): Promise<boolean> {
  const digest = await digestOfFolder(programFolderOf(build));
  if (digest === null) return false;
  try {
    // Without a sandbox, a build may have put a link here, which must not be followed.
    writeFileSync(join(build, RECORD_NAME), `${digest}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    throw writeFailure(build, error);
  }
}

/** Returns the digest that a build had when it was made; null if the folder of the build has no digest. */
export function readBuildDigest(build: string): string | null {
  try {
    return readSmallFileIfThere(join(build, RECORD_NAME), MAX_RECORD_BYTES)?.toString().trim() ?? null;
  } catch {
    return null;
  }
}
