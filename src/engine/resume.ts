/**
 * Brings a resumed run to the position at which the interrupted run stopped: reads the part before this position
 * again, and checks by its hash that the part has not changed.
 */
import { decodeLatin1, isDigit, isWhitespace, skipWhitespace } from '../core/bytes.js';
import { BoardmillError } from '../core/errors.js';
import { type Location, locationAfter, measureSpan, TEXT_START } from '../core/location.js';
import type { InputHasher } from './input/input-hash.js';
import type { RunPosition } from './position.js';

/**
 * Skips the part of an input that the interrupted run has answered, which is not empty, and yields the rest. Fails with kind
 * `file` if the skipped part has changed. The hash includes the skipped part, so the run can continue with the same hash.
 */
export async function* skipAnsweredPart(
  pieces: AsyncIterable<Uint8Array>,
  position: RunPosition,
  hash: InputHasher,
  input: string,
): AsyncGenerator<Uint8Array> {
  const { offset, next, cases, promised } = position.scan;
  // Text behind the last case of the input does not belong there, and the user may have removed it since.
  const mayBeRemoved = next !== '' && cases === promised;
  let remainingBytes = offset;
  let location = TEXT_START;
  // The bytes after the skipped part. They are held back until there are enough of them to compare with the token `next` of the
  // position.
  let bytesToCompare: Uint8Array = new Uint8Array(0);
  let isCompared = false;
  for await (const piece of pieces) {
    const skipped = piece.subarray(0, Math.min(remainingBytes, piece.length));
    hash.update(skipped);
    location = locationAfter(location, measureSpan(skipped, 0, skipped.length));
    remainingBytes -= skipped.length;
    if (remainingBytes === 0 && skipped.length > 0) assertSameSkippedPart(position, hash, location, input);
    const rest = piece.subarray(skipped.length);
    if (isCompared) {
      if (rest.length > 0) yield rest;
      continue;
    }
    bytesToCompare = Buffer.concat([bytesToCompare, rest]);
    if (mayBeRemoved) {
      const token = skipWhitespace(bytesToCompare, 0, bytesToCompare.length);
      if (token > 0) yield bytesToCompare.subarray(0, token);
      bytesToCompare = bytesToCompare.subarray(token);
    }
    if (remainingBytes > 0 || bytesToCompare.length < Math.max(1, next.length)) continue;
    assertSameNextToken(position, bytesToCompare, input);
    isCompared = true;
    yield bytesToCompare;
  }
  if (remainingBytes > 0)
    throw changedInputError(input, `it has ${offset - remainingBytes} bytes, the run had read ${offset}`);
  if (isCompared || (mayBeRemoved && bytesToCompare.length === 0)) return;
  assertSameNextToken(position, bytesToCompare, input);
  yield bytesToCompare;
}

function assertSameSkippedPart(
  position: RunPosition,
  hash: InputHasher,
  location: Location,
  input: string,
): void {
  const isSameLocation = location.line === position.line && location.column === position.column;
  if (isSameLocation && hash.digest() === position.scan.digest) return;
  throw changedInputError(input, `something differs before ${describePosition(position)}`);
}

/**
 * Fails with kind `file` if the token after the last answered case has changed, because this token decided whether
 * that case is good.
 */
function assertSameNextToken(position: RunPosition, bytes: Uint8Array, input: string): void {
  if (isSameCaseEnd(position.scan.next, bytes)) return;
  throw changedInputError(input, `something differs at ${describePosition(position)}`);
}

/** Whether a case that ended before the token `next` would end at the same place if these bytes followed. */
function isSameCaseEnd(next: string, bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  if (next === '') return isWhitespace(bytes[0]);
  // A token that begins with a digit always begins another case. Any other token may be a surplus row of the case.
  if (isDigit(bytes[0])) return true;
  return !isDigit(next.charCodeAt(0)) && decodeLatin1(bytes, 0, Math.min(next.length, bytes.length)) === next;
}

function describePosition({ line, column, scan }: RunPosition): string {
  const first = (scan.shardStart?.cases ?? 0) + 1;
  return `line ${line}, column ${column} (byte ${scan.offset}), up to where cases ${first} to ${scan.cases} were answered`;
}

function changedInputError(input: string, what: string): BoardmillError {
  const message = `${input} does not match the checkpoint: it is not the input of that run: ${what}; --force starts over`;
  return new BoardmillError('file', message);
}
