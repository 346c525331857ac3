/**
 * Runs in the process of a test file, before it is loaded. In a recording, whatever the test file starts notes the mutants
 * that it reaches in a file of this test file.
 */
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { nameOfRecord } from './record-name.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.env.BOARDMILL_MUTANTS_RECORD;
if (folder !== undefined) {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error('vitest does not say which test file it runs');
  process.env.BOARDMILL_MUTANTS_REACHED = join(folder, nameOfRecord(relative(root, testPath)));
}
