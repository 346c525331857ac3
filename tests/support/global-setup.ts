/**
 * Prepares a test run: refuses an old build, draws the seed of the run, and makes the folder for all temporary files. Unit tests
 * import src/, but tests of the command line run the bundled code in dist/, and some tests use the compiled code in build/.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBuildCurrent } from '../../scripts/source-hash.mjs';
import { removeFolder } from './temporary-folder.js';

const MAX_SEED = 1e9;

/** Vitest calls this function once, before all tests, and the returned one after them. */
export default function prepareTests(): () => void {
  assertBuildIsCurrent();
  // The processes of tests inherit these variables.
  process.env.BOARDMILL_TEST_SEED ??= `${Math.floor(Math.random() * MAX_SEED)}`;
  const folder = mkdtempSync(join(tmpdir(), 'boardmill-tests-'));
  process.env.BOARDMILL_TEST_FOLDER = folder;
  return () => removeFolder(folder);
}

function assertBuildIsCurrent(): void {
  if (isBuildCurrent()) return;
  console.error('the build is missing or older than the sources: run `npm run build` first');
  // After an error, vitest would first say that it has found no test files.
  process.exit(1);
}
