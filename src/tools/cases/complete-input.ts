import type { InputHeadOfTask } from '../../engine/messages.js';
import { assembleInput, UnfitCasesError } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import type { CasesAsBytes } from '../stress/shrink.js';

/** Whether some cases of an input are an input by themselves. */
export function isCompleteInput(
  { inputFormat }: Problem,
  { bytes }: InputHeadOfTask,
  cases: CasesAsBytes,
): boolean {
  if (inputFormat.joint === undefined) return true;
  try {
    assembleInput(inputFormat, cases, bytes);
    return true;
  } catch (error) {
    if (error instanceof UnfitCasesError) return false;
    throw error;
  }
}
