/** A fast look at an output whose answers are lines: whether it is byte for byte what boardmill itself would print. */
import { LF, SPACE } from '../../core/bytes.js';
import { constantValue, isExpression } from '../language/expression.js';
import type { Field, RecordTree } from '../language/tree.js';

const DELETE = 0x7f;

/** The lines of an answer format whose every answer is one line. */
export interface PlainLines {
  /** Number of tokens on each line; null if a line may have any number of tokens. */
  readonly tokens: number | null;
  /** No line may begin with this text. */
  readonly notBegin: string;
  /** Each line has fewer bytes than this. */
  readonly maxBytes: number;
}

/** Returns the number of tokens on the only line of an answer, null if any number; returns 0 if answers need not be lines. */
export function tokensOnLine(body: Field | RecordTree | null): number | null {
  if (body?.kind === 'line') return body.mayBeEmpty ? 0 : null;
  if (body?.kind !== 'words' || body.letters !== null || !isExpression(body.count)) return 0;
  return Number(constantValue(body.count) ?? 0);
}

/**
 * Whether an output consists of exactly `count` plain lines: each consists of tokens of printable ASCII characters, with a
 * single space between them.
 */
export function hasPlainLines(output: Uint8Array, count: number, lines: PlainLines): boolean {
  let left = count;
  for (let at = 0; at < output.length; left--) {
    const end = endOfPlainLine(output, at, lines);
    if (end < 0) return false;
    at = end + 1;
  }
  return left === 0;
}

/** Returns the index of the line end after the plain line that begins at `start`; -1 if there is no such line. */
function endOfPlainLine(
  output: Uint8Array,
  start: number,
  { tokens, notBegin, maxBytes }: PlainLines,
): number {
  if (output[start] === notBegin.charCodeAt(0) && beginsWith(output, start, notBegin)) return -1;
  let found = 1;
  for (let at = start; ; at++) {
    const byte = output[at];
    if (byte > SPACE && byte < DELETE) continue;
    const isAfterToken = at > start && output[at - 1] !== SPACE;
    if (!isAfterToken || (byte !== SPACE && byte !== LF)) return -1;
    if (byte === SPACE) found++;
    else return (tokens ?? found) === found && at - start < maxBytes ? at : -1;
  }
}

function beginsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
