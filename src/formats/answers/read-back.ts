/** Reads the answers that the code of a module has printed. */
import { ByteWriter } from '../../core/bytes.js';
import type { AnswerExtent, AnswerScope } from '../answer-format.js';
import type { RecordValue } from '../language/tree.js';
import {
  appendWithLineEnd,
  type ParsedAnswer,
  type TreeAnswer,
  type TreeAnswerFormat,
  withLineEnd,
} from './answers.js';

/** Holds the bytes of the answer that is read. No value keeps them. To allocate a buffer would take longer than to read one. */
const sharedBuffer = new ByteWriter();
/** A longer answer gets a buffer of its own, because a buffer never shrinks. */
const MAX_SHARED_LENGTH = 1 << 16;

/**
 * Reads an answer from the text that a module has printed. Returns null if the text is not exactly one answer to the case with
 * this number.
 */
export function parsePrintedAnswer(
  format: TreeAnswerFormat,
  text: string,
  caseNumber: number,
  scope: AnswerScope<RecordValue> | null,
): TreeAnswer | null {
  return readWhole(format, text, caseNumber, scope)?.answer ?? null;
}

/** Reads an answer like `parsePrintedAnswer`, and keeps the printed text so that boardmill can write exactly that text. */
export function readBackAnswer(
  format: TreeAnswerFormat,
  text: string,
  caseNumber: number,
  scope: AnswerScope<RecordValue> | null,
): TreeAnswer | null {
  const plain = format.readPlain(text);
  if (plain !== null) return plain;
  const whole = readWhole(format, text, caseNumber, scope);
  if (whole === null) return null;
  const { answer, linesAtEnd } = whole;
  if (linesAtEnd === 0) return withPrinted(answer, text);
  // A module that joins lines with line ends prints none after an empty last line, so line ends are added. `extent` of an
  // answer with a label ends after its last token, so its empty last lines always count as missing.
  const printed = withLineEnd(format.hasLabels ? text.trimEnd() : text) + '\n'.repeat(linesAtEnd);
  return withPrinted(answer, printed);
}

/** Names each property, because `...answer` takes as long as reading a small answer. */
function withPrinted({ text, value, separator, isNothing }: TreeAnswer, printed: string): TreeAnswer {
  return isNothing === undefined
    ? { text, value, separator, printed }
    : { text, value, separator, printed, isNothing };
}

function readWhole(
  format: TreeAnswerFormat,
  text: string,
  caseNumber: number,
  scope: AnswerScope<RecordValue> | null,
): ParsedAnswer | null {
  const buffer = text.length > MAX_SHARED_LENGTH ? new ByteWriter(text.length + 1) : sharedBuffer;
  if (text !== '' || !format.isNothing(scope)) appendWithLineEnd(text, buffer);
  const bytes = buffer.lend();
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  if (!format.find(bytes, 0, bytes.length, true, extent, scope)) return null;
  if (format.hasLabels && extent.caseNumber !== caseNumber) return null;
  return format.isOver(bytes, extent.end) ? format.parseWhole(bytes, extent, scope) : null;
}
