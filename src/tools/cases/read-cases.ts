/** Reads a whole input into memory, cut into its cases. */
import { CaseError } from '../../core/errors.js';
import { copyHeadToSharedMemory } from '../../engine/cut/task-head.js';
import { sourceOfBytes } from '../../engine/input/source.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import type { Problem } from '../../problems/problem.js';
import type { CasesAsBytes } from '../stress/shrink.js';
import { validateInput } from '../validate/validate.js';
import type { ValidationOptions } from '../validate/validation.js';
import { GoodCaseReader } from './extract.js';

export interface CasesOfInput {
  readonly head: InputHeadOfTask;
  readonly cases: CasesAsBytes;
}

/** Reads an input that `solve` accepts. Fails with a CaseError of kind `input` at its first fault. */
export async function readCases(
  name: string,
  bytes: Uint8Array,
  { inputFormat }: Problem,
): Promise<CasesOfInput> {
  const reader = new GoodCaseReader(sourceOfBytes(name, bytes), inputFormat);
  const cases: Uint8Array[] = [];
  for await (const { bytes: group, starts } of reader.readCases()) {
    for (let i = 0; i + 1 < starts.length; i++) cases.push(group.slice(starts[i], starts[i + 1]));
  }
  return { head: copyHeadToSharedMemory(reader.head), cases };
}

/**
 * Fails with a CaseError of kind `input` at the first error that `validate` finds in an input. Errors that concern only
 * whitespace are ignored, unless the format itself prescribes the whitespace.
 */
export async function assertInputValid(
  name: string,
  bytes: Uint8Array,
  problem: Problem,
  findInvalid: ValidationOptions['findInvalid'],
): Promise<void> {
  const options = { contest: false, set: null, ...(findInvalid === undefined ? {} : { findInvalid }) };
  for await (const { rule, what, ...place } of validateInput(
    sourceOfBytes(name, bytes).pieces,
    problem,
    options,
  )) {
    if (rule === 'format' || rule === 'valid')
      throw new CaseError('input', { input: name, description: what, ...place });
  }
}
