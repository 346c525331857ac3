/**
 * Plain lines: tokens of printable ASCII characters with a single space between them. If each answer is a line, most outputs
 * consist of plain lines, and plain lines can be read fast. A line that is not plain may be an answer, too.
 */
import { LF, SPACE } from '../../core/bytes.js';
import { ERROR_MARK, MAX_CUSTOM_ANSWER_BYTES } from '../answer-format.js';
import { constantValue, isExpressionCount } from '../language/expression.js';
import type { AnswerTree, Bound, NumberField, WordsField } from '../language/tree.js';
import { MAX_EXACT_DIGITS, MINUS_BYTE, ZERO_BYTE } from '../tree/numbers.js';

const DELETE = 0x7f;
const FIRST_OF_MARK = ERROR_MARK.charCodeAt(0);

/** Reads the value of an answer that is one plain line; undefined if the line is no such answer, or if that is not clear. */
type ReadValue = (line: string) => unknown;

/** The plain lines of an answer format whose every answer is one line. */
export interface PlainLineRule {
  readonly readValue: ReadValue;
  /** Whether every plain line is an answer, or each of this many tokens. Null if that depends on the tokens. */
  readonly tokens: number | 'any' | null;
}

/** Returns the plain lines of an answer format; null if its answers may be anything but lines. */
export function plainLineRuleOf({ label, body }: AnswerTree): PlainLineRule | null {
  if (label !== null) return null;
  switch (body?.kind) {
    case 'line':
      return body.mayBeEmpty ? null : { tokens: 'any', readValue: (line) => line };
    case 'word':
      return body.letters === null ? { tokens: 1, readValue: wordOf } : null;
    case 'words':
      return plainWords(body);
    case 'scalar':
      return plainInteger(body);
    default:
      return null;
  }
}

function wordOf(line: string): string | undefined {
  return line.includes(' ') ? undefined : line;
}

function plainWords({ letters, count }: WordsField): PlainLineRule | null {
  const tokens = isExpressionCount(count) ? Number(constantValue(count) ?? 0) : 0;
  if (letters !== null || !(tokens >= 1)) return null;
  const readValue = (line: string) => {
    const words = line.split(' ');
    return words.length === tokens ? words : undefined;
  };
  return { tokens, readValue };
}

function plainInteger({ of, isCount, min, max }: NumberField): PlainLineRule | null {
  const low = constantBound(min, Number.NEGATIVE_INFINITY);
  const high = constantBound(max, Number.POSITIVE_INFINITY);
  if (of !== 'int' || isCount || low === null || high === null) return null;
  const readValue = (line: string) => {
    const value = integerOf(line);
    return value >= low && value <= high ? value : undefined;
  };
  return { tokens: null, readValue };
}

function constantBound(bound: Bound, missing: number): number | null {
  if (bound === null) return missing;
  return bound.kind === 'constant' ? Number(bound.value) : null;
}

/** Returns the integer that the text is, without zeros before it; NaN if the text is anything else, or has many digits. */
function integerOf(text: string): number {
  const first = text.charCodeAt(0) === MINUS_BYTE ? 1 : 0;
  const digits = text.length - first;
  if (digits === 0 || digits > MAX_EXACT_DIGITS) return Number.NaN;
  if (text.charCodeAt(first) === ZERO_BYTE) return text === '0' ? 0 : Number.NaN;
  let value = 0;
  for (let at = first; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO_BYTE;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return first === 0 ? value : -value;
}

/** Reads the value of an answer from its line; undefined if the line is not plain, no answer, or if that is not clear. */
export function valueOfPlainLine(line: string, { readValue, tokens }: PlainLineRule): unknown {
  if (
    tokens !== null &&
    (!isPlain(line) || line.startsWith(ERROR_MARK) || line.length >= MAX_CUSTOM_ANSWER_BYTES)
  )
    return undefined;
  return readValue(line);
}

function isPlain(line: string): boolean {
  let before = SPACE;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code <= SPACE ? code !== SPACE || before === SPACE : code >= DELETE) return false;
    before = code;
  }
  return before !== SPACE;
}

/** Whether an output consists of exactly `count` plain lines that are answers. Returns false if that is not clear. */
export function hasPlainLines(output: Uint8Array, count: number, lines: PlainLineRule): boolean {
  if (lines.tokens === null) return false;
  let left = count;
  for (let at = 0; at < output.length; left--) {
    const end = endOfPlainLine(output, at, lines);
    if (end < 0) return false;
    at = end + 1;
  }
  return left === 0;
}

/** Returns the index of the line end after the plain line that begins at `start`; -1 if there is no such line. */
function endOfPlainLine(output: Uint8Array, start: number, { tokens }: PlainLineRule): number {
  if (output[start] === FIRST_OF_MARK && beginsWith(output, start, ERROR_MARK)) return -1;
  let found = 1;
  for (let at = start; ; at++) {
    const byte = output[at];
    if (byte > SPACE && byte < DELETE) continue;
    const isAfterToken = at > start && output[at - 1] !== SPACE;
    if (!isAfterToken || (byte !== SPACE && byte !== LF)) return -1;
    if (byte === SPACE) found++;
    else return (tokens === 'any' || tokens === found) && at - start < MAX_CUSTOM_ANSWER_BYTES ? at : -1;
  }
}

function beginsWith(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
