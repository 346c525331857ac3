/** Validates an input with a grammar, which checks the input as a whole and stops at its first error. */
import { describeMismatch } from '../../core/errors.js';
import { locationAfter, measureSpan, TEXT_START } from '../../core/location.js';
import { DamagedDataError } from '../../engine/input/zstd-frames.js';
import type { CaseExtent, InputFormat } from '../../formats/input-format.js';
import { NO_TAIL } from '../../formats/input-format.js';
import type { ValidationFinding, ValidationSummary } from './validation.js';

/** Yields the first error of the input, if there is one. The whole input is kept in memory. */
export async function* validateWithGrammar(
  pieces: AsyncIterable<Uint8Array>,
  format: InputFormat,
  check: (bytes: Uint8Array) => { offset: number; expected: string; got: string } | null,
): AsyncGenerator<ValidationFinding, ValidationSummary> {
  const { bytes, damage } = await readAll(pieces);
  const fault = check(bytes);
  const starts = findCases(format, bytes);
  if (fault !== null) {
    const location = locationAfter(TEXT_START, measureSpan(bytes, 0, fault.offset));
    const caseNumber = starts.filter((start) => start <= fault.offset).length || null;
    yield { rule: 'format', caseNumber, ...location, what: describeMismatch(fault) };
  }
  if (damage !== null) {
    const location = locationAfter(TEXT_START, measureSpan(bytes, 0, bytes.length));
    yield { rule: 'damaged', caseNumber: null, ...location, what: damage.description };
  }
  return { cases: starts.length, omitted: new Map() };
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

/** Returns the index at which each case begins, up to the first invalid case. */
function findCases(format: InputFormat, bytes: Uint8Array): number[] {
  const starts: number[] = [];
  const scanner = format.createScanner();
  const head = scanner.readHead(bytes, bytes.length, true);
  if (head === null || 'offset' in head) return starts;
  const promised = head.cases ?? Number.POSITIVE_INFINITY;
  const extent: CaseExtent = { end: head.length, neededEnd: 0, isInvalid: false };
  while (!extent.isInvalid && starts.length < promised) {
    const start = scanner.skipToCase(bytes, extent.end, bytes.length);
    if (start === bytes.length) break;
    scanner.useIndex?.(starts.length);
    if (scanner.findTail(bytes, start, bytes.length, true, false) !== NO_TAIL) break;
    starts.push(start);
    scanner.findCase(bytes, start, bytes.length, true, extent);
  }
  return starts;
}
