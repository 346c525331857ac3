/** Finds where the answers of an output begin and end. All answer formats find them by these steps. */
import { LF, skipWhitespace, tokenEnd } from '../../core/bytes.js';
import type { AnswerExtent, AnswerScope } from '../answer-format.js';

/** The bytes of an output that may belong to an answer: bytes[start, end). */
export interface AnswerBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Whether no later bytes belong to the answer. */
  readonly atEnd: boolean;
  /** Whether the output goes on, but an answer may not: one that reaches the end is too long. */
  readonly isCutOff?: boolean;
}

/** Where a label ends, and its number. */
export interface LabelMatch {
  /** Index of the byte after the label: after the colon, if there is one. */
  readonly end: number;
  readonly caseNumber: number;
}

/** Recognises the labels of answers. */
export interface Labels {
  /**
   * Returns the label that begins with the token at `at`; null if no label begins there. The label may be a longer one if
   * more bytes follow bytes[end - 1].
   */
  match(bytes: Uint8Array, at: number, end: number): LabelMatch | null;
}

/** What distinguishes the answers of a format from those of others. */
export interface AnswerFinder<Case> {
  readonly maxAnswerBytes: number;
  /** Null if answers have no labels. */
  readonly labels: Labels | null;
  /** Returns the index at which the first answer in bytes[from, end) begins; `end` if only whitespace is left. */
  startOf(bytes: Uint8Array, from: number, end: number): number;
  /** Returns the end of an answer without a label; null if more bytes are needed to decide. */
  endOf(range: AnswerBytes, scope: AnswerScope<Case> | null): number | null;
}

/** Finds the first answer in bytes[from, end), as `AnswerFormat.find` promises. */
export function findAnswer<Case>(
  finder: AnswerFinder<Case>,
  bytes: Uint8Array,
  from: number,
  end: number,
  atEnd: boolean,
  extent: AnswerExtent,
  scope: AnswerScope<Case> | null,
): boolean | null {
  const start = finder.startOf(bytes, from, end);
  extent.start = extent.bodyStart = extent.end = start;
  extent.caseNumber = null;
  if (start === end) return atEnd ? false : null;
  const limit = Math.min(end, start + finder.maxAnswerBytes);
  const isCutOff = limit < end;
  const range = { bytes, start, end: limit, atEnd: atEnd || isCutOff, isCutOff };
  const { labels } = finder;
  const answerEnd = labels === null ? finder.endOf(range, scope) : endBeforeLabel(range, labels, extent);
  if (answerEnd === null) return null;
  extent.end = answerEnd;
  return true;
}

/**
 * Records the label of the answer. Returns the end of the last token before the next label; null if more bytes are needed.
 * An answer that is cut off ends exactly at the end, so that `parse` sees that it is too long.
 */
function endBeforeLabel(range: AnswerBytes, labels: Labels, extent: AnswerExtent): number | null {
  const { bytes, start, end, atEnd, isCutOff } = range;
  const label = matchLabel(range, labels, start);
  if (label !== null) {
    extent.caseNumber = label.caseNumber;
    extent.bodyStart = label.end;
  }
  let answerEnd = label?.end ?? tokenEnd(bytes, start, end);
  for (;;) {
    const at = skipWhitespace(bytes, answerEnd, end);
    if (at === end) return isCutOff ? end : atEnd ? answerEnd : null;
    if (matchLabel(range, labels, at) !== null) return answerEnd;
    answerEnd = tokenEnd(bytes, at, end);
  }
}

/** Returns the label at `at`. A label that touches the end may go on, so it is none unless no bytes follow. */
function matchLabel({ bytes, end, atEnd }: AnswerBytes, labels: Labels, at: number): LabelMatch | null {
  const label = labels.match(bytes, at, end);
  return label !== null && (atEnd || label.end < end) ? label : null;
}

/** Returns the end of the line of `at`, up to which text that is not an answer is malformed; null if more bytes are needed. */
export function endOfLine({ bytes, end, atEnd }: AnswerBytes, at: number): number | null {
  const lineEnd = bytes.subarray(0, end).indexOf(LF, at);
  if (lineEnd >= 0) return lineEnd;
  return atEnd ? end : null;
}

/** Returns the index of the byte after the last line end in bytes[from, to); null if there is none. */
export function findLineStart(bytes: Uint8Array, from: number, to: number): number | null {
  for (let at = to; at > from; at--) if (bytes[at - 1] === LF) return at;
  return null;
}
