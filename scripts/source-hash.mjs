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
  'scripts/native-tsc.mjs',
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
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return hashFiles(SOURCES, version);
}

/** Returns the SHA-256 of all that the compiled kernels depend on. */
export function hashKernels() {
  return hashFiles(['workers/kernels', 'package-lock.json', 'scripts/build.mjs'], '');
}

/** Returns the SHA-256 of a text and of files and folders: of their paths and their contents. */
function hashFiles(sources, text) {
  const hash = createHash('sha256').update(text);
  for (const path of sources.flatMap(filesOf)) {
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
