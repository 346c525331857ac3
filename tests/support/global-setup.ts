/**
 * Refuses to run the tests if dist/ is older than the sources. Unit tests import src/, but tests of the command line run
 * the compiled code in dist/.
 */
import { existsSync, readFileSync } from 'node:fs';
import { HASH_FILE, hashSources } from '../../scripts/source-hash.mjs';

/** Throws an error if the build is missing or old. Vitest calls this function once, before all tests. */
export default function assertBuildIsCurrent(): void {
  const built = existsSync(HASH_FILE) ? readFileSync(HASH_FILE, 'utf8') : null;
  if (built === hashSources()) return;
  const state = built === null ? 'missing or incomplete' : 'older than the sources it was built from';
  const error = new Error(`dist/ is ${state}, and the tests use it: run \`npm run build\` first`);
  // The stack says nothing about the cause, and would hide the message.
  delete error.stack;
  throw error;
}
