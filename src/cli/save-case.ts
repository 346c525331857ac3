/** Keeps a case that its solver failed on, as an input of its own. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { systemReason } from '../core/errors.js';
import type { FailedCase } from '../engine/run-options.js';
import { optionsToRepeat, type Solving } from './arguments/solving-options.js';
import { INPUT_ENDING } from './inputs/expand-inputs.js';

/** Writes the case into the current folder; says where, and how to repeat it. */
export async function saveCase(solving: Solving, input: string, failed: FailedCase): Promise<string> {
  const { problem } = solving;
  const origin = input === '-' ? problem.name : `${problem.name}-${basename(input, INPUT_ENDING)}`;
  const bytes = problem.inputFormat.assembleInput(failed.bytes, 1, failed.id);
  let file: string;
  try {
    file = await writeUnique(`${origin}-case-${failed.caseNumber}`, bytes);
  } catch (error) {
    return `(could not save it: ${systemReason(error)})`;
  }
  return `saved; repeat with: boardmill solve ${problem.name} ${file} -j 1${optionsToRepeat(solving)}`;
}

/** The name it got: inputs of the same name lie in many folders, and what is there may be all that is left of a failure. */
async function writeUnique(name: string, bytes: Uint8Array): Promise<string> {
  for (let number = 1; ; number++) {
    const file = `${name}${number === 1 ? '' : `-${number}`}${INPUT_ENDING}`;
    try {
      await writeFile(file, bytes, { flag: 'wx' });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (await holds(file, bytes)) return file;
    }
  }
}

/** The same failure once more. */
async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  const there = await readFile(file).catch(() => null);
  return there?.equals(bytes) ?? false;
}
