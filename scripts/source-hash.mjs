/**
 * Computes the hash of all sources. The build records this hash, and the tests compare it, so tests never run on
 * an old build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The folders and files that the build reads. */
const SOURCES = [
  'src',
  'workers',
  'tsconfig.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/make-man.mjs',
  'scripts/source-hash.mjs',
];

/** The file in which the build records the hash of its sources. */
export const HASH_FILE = join(ROOT, 'build', 'sources.sha256');

/** Whether the build was made from the sources as they are now. */
export function isBuildCurrent() {
  return existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hashSources();
}

/** Returns the SHA-256 of all sources: of their paths, their contents and the version in package.json. */
export function hashSources() {
  const hash = createHash('sha256');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  hash.update(version);
  for (const path of SOURCES.flatMap(filesOf)) {
    const content = readFileSync(join(ROOT, path));
    // Each file is hashed with its length, so moving bytes from one file to the next file changes the hash.
    hash.update(`\0${path.replaceAll('\\', '/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Returns `source` itself if it is a file, or the paths of all files in the folder, sorted. */
function filesOf(source) {
  if (/\.\w+$/.test(source)) return [source];
  return readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}
