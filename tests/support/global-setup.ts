/**
 * Refuses to run the tests if the build is older than the sources. Unit tests import src/, but tests of the command line
 * run the bundled code in dist/, and some tests use the compiled code in build/.
 */
import { isBuildCurrent } from '../../scripts/source-hash.mjs';

/** Throws an error if the build is missing or old. Vitest calls this function once, before all tests. */
export default function assertBuildIsCurrent(): void {
  if (isBuildCurrent()) return;
  const error = new Error('the build is missing or older than the sources: run `npm run build` first');
  // The stack says nothing about the cause, and would hide the message.
  delete error.stack;
  throw error;
}
