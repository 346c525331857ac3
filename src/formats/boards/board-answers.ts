/**
 * Reads and prints the answers of a board game. Like the checkers of contests, it reads tokens between blanks and ignores
 * how many blanks there are.
 *
 * If answers have labels (`Case #x:`), an answer extends from one label to the next. If answers have no labels, an
 * answer is the smallest number of tokens that form a valid answer. Tokens that form no valid answer count as one
 * malformed answer up to the end of their line. So boardmill still finds the answer after a malformed answer.
 */
import {
  type ByteWriter,
  encodeUtf8,
  isDigit,
  LF,
  latin1,
  parseCount,
  skipBlanks,
  tokenEnd,
} from '../../core/bytes.js';
import {
  type AnswerExtent,
  type AnswerFormat,
  type AnswerScope,
  MAX_BOARD_ANSWER_BYTES,
} from '../answer-format.js';
import { tokensOf } from '../answers/answer-text.js';
import type { Board } from './board.js';

interface BoardAnswerSpec<Answer> {
  /**
   * If answers have labels, the texts directly before and after the number in a label. A label is the token `Case` and
   * a token such as `#1:`. If answers have no labels, `layout` has the number of tokens in the longest valid answer.
   */
  readonly layout:
    | { readonly beforeNumber: string; readonly afterNumber: string }
    | { readonly maxTokens: number };
  /** Describes, for messages, a valid answer to a board of the size `board`, or to any board if `board` is null. */
  describe(board: BoardSize | null): string;
  /** Converts the tokens of an answer, without its label. Returns null if the answer is malformed. */
  parse(tokens: string[], board: BoardSize | null): Answer | null;
  /** Writes an answer in the layout that the contest requires; `caseNumber` counts from 1. */
  print(answer: Answer, caseNumber: number, out: ByteWriter): void;
  /** Under `--on-error mark`, writes the text that replaces the answer to a bad case. */
  printError(caseNumber: number, out: ByteWriter): void;
}

type BoardSize = Pick<Board, 'rows' | 'cols'>;

const CASE_TOKEN = encodeUtf8('Case');
const NO_LABEL = -1;

export class BoardAnswerFormat<Answer> implements AnswerFormat<Board, Answer> {
  /** Answers of board games show where they end, or end before the next label. */
  readonly needsCase = false;
  readonly maxAnswerBytes = MAX_BOARD_ANSWER_BYTES;
  readonly #spec: BoardAnswerSpec<Answer>;
  /** The bytes directly before and after the number in a label; null if answers have no labels. */
  readonly #labelParts: { readonly beforeNumber: Uint8Array; readonly afterNumber: Uint8Array } | null;

  constructor(spec: BoardAnswerSpec<Answer>) {
    this.#spec = spec;
    const { layout } = spec;
    this.#labelParts =
      'beforeNumber' in layout
        ? { beforeNumber: encodeUtf8(layout.beforeNumber), afterNumber: encodeUtf8(layout.afterNumber) }
        : null;
  }

  get hasLabels(): boolean {
    return this.#labelParts !== null;
  }

  /** Returns the label of the answer to this case, or an empty string if answers have no labels. */
  label(caseNumber: number): string {
    const { layout } = this.#spec;
    return 'beforeNumber' in layout ? `Case ${layout.beforeNumber}${caseNumber}${layout.afterNumber}` : '';
  }

  describe(scope: AnswerScope<Board> | null): string {
    return this.#spec.describe(scope?.value ?? null);
  }

  print(answer: Answer, caseNumber: number, out: ByteWriter): void {
    this.#spec.print(answer, caseNumber, out);
  }

  printError(caseNumber: number, out: ByteWriter): void {
    this.#spec.printError(caseNumber, out);
  }

  /** The answers of board games are numbers, texts, rows and plain objects, which JSON shows as they are. */
  toJson(answer: Answer): unknown {
    return answer;
  }

  /**
   * Finds the first answer in bytes[from, end) and writes its range into `extent`. Returns true if it found an
   * answer, false if only blanks remain, and null if the caller must provide more bytes first. If `atEnd` is true, no
   * bytes follow bytes[end - 1], and the method never returns null. The result depends only on the bytes of the
   * output, never on how many bytes are available at this call.
   */
  find(bytes: Uint8Array, from: number, end: number, atEnd: boolean, extent: AnswerExtent): boolean | null {
    const start = skipBlanks(bytes, from, end);
    if (start === end) return atEnd ? false : null;
    const limit = Math.min(end, start + MAX_BOARD_ANSWER_BYTES);
    const isLimitFinal = atEnd || limit < end;
    extent.start = extent.bodyStart = extent.end = start;
    extent.caseNumber = null;
    const isFound = this.hasLabels
      ? this.#findLabelled(bytes, limit, isLimitFinal, extent)
      : this.#findUnlabelled(bytes, limit, isLimitFinal, extent);
    return isFound || null;
  }

  /** Parses the answer in the range `extent`. Returns null if the answer is malformed. */
  parse(
    bytes: Uint8Array,
    { bodyStart, end }: AnswerExtent,
    scope: AnswerScope<Board> | null,
  ): Answer | null {
    return this.#spec.parse(tokensOf(bytes, bodyStart, end), scope?.value ?? null);
  }

  /**
   * Finds the end of an answer that extends to the next label. Returns false if more bytes are needed to decide.
   * `isLimitFinal` is true if bytes after `limit` cannot change the result.
   */
  #findLabelled(bytes: Uint8Array, limit: number, isLimitFinal: boolean, extent: AnswerExtent): boolean {
    const labelEnd = this.#labelEnd(bytes, extent.start, limit, isLimitFinal);
    if (labelEnd !== NO_LABEL) {
      extent.caseNumber = this.#parseLabelNumber(bytes, labelEnd);
      extent.bodyStart = extent.end = labelEnd;
    }
    for (;;) {
      const at = skipBlanks(bytes, extent.end, limit);
      if (at === limit) return isLimitFinal;
      if (at > extent.start && this.#labelEnd(bytes, at, limit, isLimitFinal) !== NO_LABEL) return true;
      extent.end = tokenEnd(bytes, at, limit);
      if (extent.end === limit && !isLimitFinal) return false;
    }
  }

  /**
   * Finds the end of an answer without a label: the smallest number of tokens that form a valid answer, or the rest
   * of the line if the tokens form no valid answer. Returns false if more bytes are needed to decide.
   */
  #findUnlabelled(bytes: Uint8Array, limit: number, isLimitFinal: boolean, extent: AnswerExtent): boolean {
    const { layout } = this.#spec;
    const tokens: string[] = [];
    let at = extent.start;
    const maxTokens = 'maxTokens' in layout ? layout.maxTokens : 0;
    while (tokens.length < maxTokens && at < limit) {
      const to = tokenEnd(bytes, at, limit);
      if (to === limit && !isLimitFinal) return false;
      tokens.push(latin1(bytes, at, to));
      if (this.#spec.parse(tokens, null) !== null) {
        extent.end = to;
        return true;
      }
      at = skipBlanks(bytes, to, limit);
      if (at === limit && !isLimitFinal) return false;
    }
    const lineEnd = bytes.subarray(0, limit).indexOf(LF, extent.start);
    if (lineEnd < 0 && !isLimitFinal) return false;
    extent.end = lastTokenEnd(bytes, extent.start, lineEnd < 0 ? limit : lineEnd);
    return true;
  }

  /**
   * Returns the index of the byte after the label that begins at `at`, or NO_LABEL if no label begins there. A label
   * whose second token ends at `limit` counts as no label if later bytes could still extend that token.
   */
  #labelEnd(bytes: Uint8Array, at: number, limit: number, isLimitFinal: boolean): number {
    if (bytes[at] !== CASE_TOKEN[0]) return NO_LABEL;
    const caseEnd = tokenEnd(bytes, at, limit);
    if (caseEnd - at !== CASE_TOKEN.length || !hasBytesAt(bytes, at, CASE_TOKEN)) return NO_LABEL;
    const numberTokenStart = skipBlanks(bytes, caseEnd, limit);
    const labelEnd = tokenEnd(bytes, numberTokenStart, limit);
    if (labelEnd === limit && !isLimitFinal) return NO_LABEL;
    const { beforeNumber, afterNumber } = this.#labelParts!;
    const isLabel =
      labelEnd - numberTokenStart > beforeNumber.length + afterNumber.length &&
      hasBytesAt(bytes, numberTokenStart, beforeNumber) &&
      hasBytesAt(bytes, labelEnd - afterNumber.length, afterNumber) &&
      parseCount(bytes, numberTokenStart + beforeNumber.length, labelEnd - afterNumber.length) >= 0;
    return isLabel ? labelEnd : NO_LABEL;
  }

  /** Returns the number in the label that ends at `labelEnd`. */
  #parseLabelNumber(bytes: Uint8Array, labelEnd: number): number {
    const to = labelEnd - this.#labelParts!.afterNumber.length;
    let from = to;
    while (isDigit(bytes[from - 1])) from--;
    return parseCount(bytes, from, to);
  }
}

/** Converts a token of decimal digits to a number. Returns null for any other token, and for unsafe integers. */
export function parseCountToken(token: string): number | null {
  const count = /^\d+$/.test(token) ? Number(token) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
}

function hasBytesAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return wanted.every((byte, i) => bytes[at + i] === byte);
}

function lastTokenEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  for (let at = from; at < to; at = skipBlanks(bytes, end, to)) end = tokenEnd(bytes, at, to);
  return end;
}
