/** Finds where the answers of an output begin and end. All answer formats share this code. */
import { findTokenEnd, LF, parseCount, skipWhitespace } from '../../core/bytes.js';
import type { AnswerExtent, AnswerScope } from '../answer-format.js';

/** The part of an output that may belong to an answer: bytes[start, end). */
export interface AnswerCandidate {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Whether no bytes after `end` belong to the answer. */
  readonly atEnd: boolean;
  /** Whether the output continues after `end`, but an answer that reaches `end` is already too long. */
  readonly isCutOff?: boolean;
}

/** A label that was found: its number, and the index where it ends. */
export interface LabelMatch {
  /** Index of the byte after the label: after the colon, if there is one. */
  readonly end: number;
  readonly caseNumber: number;
}

/** Recognises the labels of answers. */
export interface LabelFinder {
  /**
   * Returns the label that begins with the token at `at`; null if no label begins there. If more bytes follow bytes[end - 1],
   * they may belong to the label, too.
   */
  match(bytes: Uint8Array, at: number, end: number): LabelMatch | null;
}

const ZERO = 0x30;

/**
 * Parses the number of a label in bytes[from, to), as `parseCount` does. With leading zeros it is no number: to the checkers of
 * contests, `#01:` is not `#1:`, so it must not be printed as `#1:` either.
 */
export function parseLabelNumber(bytes: Uint8Array, from: number, to: number): number {
  return bytes[from] === ZERO && to - from > 1 ? -1 : parseCount(bytes, from, to);
}

/** The parts of finding an answer in which answer formats differ. */
export interface AnswerFinder<Case> {
  readonly maxAnswerBytes: number;
  /** Recognises the labels; null if answers have no labels. */
  readonly labels: LabelFinder | null;
  /** Returns the index at which the first answer in bytes[from, end) begins; `end` if only whitespace is left. */
  startOf(bytes: Uint8Array, from: number, end: number): number;
  /** Returns the end of an answer without a label; null if more bytes are needed to decide. */
  endOf(range: AnswerCandidate, scope: AnswerScope<Case> | null): number | null;
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
 * Writes the label of the answer into `extent`. Returns the end of the last token before the next label; null if more bytes are
 * needed to find it. An answer that is too long ends exactly where it is cut off, so that `parse` sees that it is too long.
 */
function endBeforeLabel(range: AnswerCandidate, labels: LabelFinder, extent: AnswerExtent): number | null {
  const { bytes, start, end, atEnd, isCutOff } = range;
  const label = matchLabel(range, labels, start);
  if (label !== null) {
    extent.caseNumber = label.caseNumber;
    extent.bodyStart = label.end;
  }
  let answerEnd = label?.end ?? findTokenEnd(bytes, start, end);
  for (;;) {
    const at = skipWhitespace(bytes, answerEnd, end);
    if (at === end) return isCutOff ? end : atEnd ? answerEnd : null;
    if (matchLabel(range, labels, at) !== null) return answerEnd;
    answerEnd = findTokenEnd(bytes, at, end);
  }
}

/** Returns the label at `at`; null if there is none, or if bytes that have not arrived could make the label longer. */
function matchLabel(
  { bytes, end, atEnd }: AnswerCandidate,
  labels: LabelFinder,
  at: number,
): LabelMatch | null {
  const label = labels.match(bytes, at, end);
  return label !== null && (atEnd || label.end < end) ? label : null;
}

/** Returns the end of the line on which `at` is, where a malformed answer ends; null if more bytes are needed to find it. */
export function endOfLine({ bytes, end, atEnd }: AnswerCandidate, at: number): number | null {
  const lineEnd = bytes.subarray(0, end).indexOf(LF, at);
  if (lineEnd >= 0) return lineEnd;
  return atEnd ? end : null;
}

/** Returns the index after the last line end in bytes[from, to); null if there is no line end. */
export function findLineStart(bytes: Uint8Array, from: number, to: number): number | null {
  for (let at = to; at > from; at--) if (bytes[at - 1] === LF) return at;
  return null;
}
