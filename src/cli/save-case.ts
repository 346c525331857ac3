/** Saves a case on which its solver failed as an input of its own, so that the user can repeat the failure. */

import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { formatCommandLine } from '../core/command-line.js';
import { systemReason } from '../core/errors.js';
import { readSmallFile } from '../core/files/regular-files.js';
import { INPUT_ENDING, pathWithoutEndings } from '../engine/input/file-names.js';
import type { FailedCase } from '../engine/run-options.js';
import { assembleInput } from '../formats/assemble-input.js';
import type { SolveRequest } from '../library/solve-request.js';
import type { Column } from '../problems/output-columns.js';
import { optionsThatRepeatFailure } from './arguments/solving-options.js';

/** The options that make boardmill call the function `nimber` of a module, whose result only a column shows. */
const ASKING_FOR_NIMBERS = ' --format ndjson --columns nimber';

/**
 * Writes the failed case to a new file in the current folder. Returns the end of the error message: the command that
 * repeats the failure, or why the case could not be saved.
 */
export async function saveFailedCase(
  request: SolveRequest,
  input: string,
  failed: FailedCase,
  columns: readonly Column[] = [],
): Promise<string> {
  const { problem } = request;
  const origin = input === '-' ? problem.name : `${problem.name}-${basename(pathWithoutEndings(input))}`;
  const bytes = assembleInput(problem.inputFormat, [failed.bytes], failed.head);
  let file: string;
  try {
    file = await writeUnderUniqueName(`${origin}-case-${failed.caseNumber}`, bytes);
  } catch (error) {
    return `(the case could not be saved: ${systemReason(error)})`;
  }
  return `case saved; repeat with: boardmill solve ${formatCommandLine(problem.words)} ${formatCommandLine([file])} -j 1${optionsThatRepeatFailure(request)}${columns.includes('nimber') ? ASKING_FOR_NIMBERS : ''}`;
}

/**
 * Writes the bytes to a file whose name begins with `name`, and returns the name of the file. An existing file is
 * never overwritten: it may be a case of another input of the same name, or the only copy of an earlier failure. If a
 * file with the same content exists, its name is returned.
 */
export async function writeUnderUniqueName(name: string, bytes: Uint8Array): Promise<string> {
  for (let number = 1; ; number++) {
    const file = `${name}${number === 1 ? '' : `-${number}`}${INPUT_ENDING}`;
    try {
      await writeFile(file, bytes, { flag: 'wx' });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (hasExactContent(file, bytes)) return file;
    }
  }
}

/** Whether the file has exactly these bytes. */
function hasExactContent(file: string, bytes: Uint8Array): boolean {
  try {
    return readSmallFile(file, bytes.length).equals(bytes);
  } catch {
    return false;
  }
}
