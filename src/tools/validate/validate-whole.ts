/** Validates an input with a grammar, which checks the input as a whole and stops at its first error. */
import { describeMismatch } from '../../core/errors.js';
import { locationAfter, measureSpan, TEXT_START } from '../../core/location.js';
import { DamagedDataError } from '../../engine/input/zstd-frames.js';
import type { WholeCheckResult } from '../../problems/problem.js';
import type { ValidationFinding, ValidationSummary } from './validation.js';

/** Yields the first error of the input, if there is one. The whole input is kept in memory. */
export async function* validateWithGrammar(
  pieces: AsyncIterable<Uint8Array>,
  check: (bytes: Uint8Array) => WholeCheckResult,
): AsyncGenerator<ValidationFinding, ValidationSummary> {
  const { bytes, damage } = await readAll(pieces);
  const { fault, caseStarts } = check(bytes);
  if (fault !== null) {
    const location = locationAfter(TEXT_START, measureSpan(bytes, 0, fault.offset));
    const caseNumber = caseStarts.filter((start) => start <= fault.offset).length || null;
    yield { rule: 'format', caseNumber, ...location, what: describeMismatch(fault) };
  }
  if (damage !== null) {
    const location = locationAfter(TEXT_START, measureSpan(bytes, 0, bytes.length));
    yield { rule: 'damaged', caseNumber: null, ...location, what: damage.description };
  }
  return { cases: caseStarts.length, omitted: new Map() };
}

async function readAll(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ bytes: Uint8Array; damage: DamagedDataError | null }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const piece of pieces) parts.push(piece.slice());
  } catch (error) {
    if (error instanceof DamagedDataError) return { bytes: Buffer.concat(parts), damage: error };
    throw error;
  }
  return { bytes: Buffer.concat(parts), damage: null };
}
