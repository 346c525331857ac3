/**
 * The digest of a build: of all files of the program. By it, boardmill notices when a build in the cache was changed. The
 * digest is not a signature: a program that knows about it can write one that fits. It is kept beside the program's folder,
 * where nothing that a build in a sandbox leaves can be in its place, such as a link to a file of the user.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOfFolder } from '../../../../core/digest.js';
import { errorOfFailedWrite } from '../../../../core/files/files.js';
import { readSmallFileIfThere } from '../../../../core/files/regular-files.js';
import { excessOfBuild } from './build-excess.js';

/** The names in the folder of a build. */
const PROGRAM_NAME = 'program';
const RECORD_NAME = 'digest';
const MAX_RECORD_BYTES = 100;

/** Returns the folder of the program in the folder of a build. */
export function programFolderOf(build: string): string {
  return join(build, PROGRAM_NAME);
}

/** Writes the digest of a build's program. Returns why the program has none, or null. */
export async function writeBuildDigest(build: string): Promise<string | null> {
  const folder = programFolderOf(build);
  const excess = excessOfBuild(folder);
  if (excess !== null) return `the build left ${excess}`;
  const digest = await digestOfFolder(folder);
  if (digest === null) return 'the build made files or folders that cannot be read';
  try {
    // Without a sandbox, a build may have put a link here, which must not be followed.
    writeFileSync(join(build, RECORD_NAME), `${digest}\n`, { flag: 'wx' });
    return null;
  } catch (error) {
    throw errorOfFailedWrite(build, error);
  }
}

/** Whether the folder of a program still has this digest. Not if it has more than a build may leave, which is not read. */
export async function hasBuildDigest(folder: string, digest: string): Promise<boolean> {
  return excessOfBuild(folder) === null && (await digestOfFolder(folder)) === digest;
}

/** Returns the digest that a build had when it was made; null if the folder of the build has no digest. */
export function readBuildDigest(build: string): string | null {
  try {
    return readSmallFileIfThere(join(build, RECORD_NAME), MAX_RECORD_BYTES)?.toString().trim() ?? null;
  } catch {
    return null;
  }
}
