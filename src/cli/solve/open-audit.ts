/** Prepares `solve --audit`. */
import { randomInt } from 'node:crypto';
import { systemReason } from '../../core/errors.js';
import { Audit, type AuditDifference } from '../../engine/audit/audit.js';
import { assembleInput } from '../../formats/assemble-input.js';
import type { Problem } from '../../problems/problem.js';
import { usageError } from '../arguments/usage-error.js';
import { writeUnderUniqueName } from '../save-case.js';

/** Opens an audit of this share of the cases. Fails with kind `usage` if boardmill knows no symmetries of the problem. */
export function openAudit(problem: Problem, share: number): Audit {
  if (problem.cases.symmetries === undefined) {
    throw usageError(
      `--audit needs a problem whose symmetries boardmill knows, and it knows none of ${problem.name}; it knows those of the board games`,
    );
  }
  return new Audit({
    problem,
    share,
    random: secretRandom,
    save: (difference) => saveBoth(problem, difference),
  });
}

/** Returns a random number from 0 to 1 that nobody can predict. */
function secretRandom(): number {
  return randomInt(2 ** 32) / 2 ** 32;
}

/** Saves the two cases in the current folder. Returns where they are, or why they could not be saved. */
async function saveBoth(
  { name, inputFormat }: Problem,
  { caseNumber, bytes, twin, head }: AuditDifference,
): Promise<string> {
  try {
    const files: string[] = [];
    for (const [ending, board] of [
      ['', bytes],
      ['-twin', twin],
    ] as const) {
      const input = assembleInput(inputFormat, [board], head);
      files.push(await writeUnderUniqueName(`audit-${name}-${caseNumber}${ending}`, input));
    }
    return `both boards are saved as ${files.join(' and ')}`;
  } catch (error) {
    return `the boards could not be saved: ${systemReason(error)}`;
  }
}
