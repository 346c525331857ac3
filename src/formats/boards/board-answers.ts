/**
 * Reads and prints the answers of a board game. Like the checkers of contests, it reads tokens between whitespace and ignores
 * how much whitespace there is.
 *
 * If answers have labels (`Case #x:`), an answer extends from one label to the next. If answers have no labels, an answer is
 * the smallest number of tokens that form a valid answer. Tokens that form no valid answer count as one malformed answer up to
 * the end of their line. So boardmill still finds the answers after a malformed answer.
 */
import {
  type ByteWriter,
  decodeLatin1,
  encodeUtf8,
  findTokenEnd,
  findTrimmedEnd,
  skipWhitespace,
} from '../../core/bytes.js';
import {
  type AnswerExtent,
  type AnswerFormat,
  type AnswerScope,
  MAX_BOARD_ANSWER_BYTES,
} from '../answer-format.js';
import { tokensOf } from '../answers/answer-text.js';
import {
  type AnswerCandidate,
  type AnswerFinder,
  endOfLine,
  findAnswer,
  type LabelFinder,
  type LabelMatch,
  parseLabelNumber,
} from '../answers/find-answer.js';
import type { Board } from './board.js';

interface BoardAnswerSpec<Answer> {
  /**
   * If answers have labels, the texts directly before and after the number in a label, and the blank between a label and its
   * answer. A label is the token `Case` and a token such as `#1:`. If answers have no labels, `layout` has the number of tokens
   * in the longest valid answer.
   */
  readonly layout:
    | { readonly beforeNumber: string; readonly afterNumber: string; readonly blank: string }
    | { readonly maxTokens: number };
  /** Describes, for messages, a valid answer to a board of the size `board`, or to any board if `board` is null. */
  describe(board: BoardSize | null): string;
  /** Parses the tokens of an answer, without its label. Returns null if the answer is malformed. */
  parse(tokens: string[], board: BoardSize | null): Answer | null;
  /** Writes an answer, without its label, in the layout that the contest requires. */
  print(answer: Answer, out: ByteWriter): void;
}

type BoardSize = Pick<Board, 'rows' | 'cols'>;

export class BoardAnswerFormat<Answer> implements AnswerFormat<Board, Answer> {
  /** The answers of board games can be found without their cases: an answer shows its end, or ends before the next label. */
  readonly needsCase = false;
  readonly maxAnswerBytes = MAX_BOARD_ANSWER_BYTES;
  readonly #spec: BoardAnswerSpec<Answer>;
  /** The text before and after the number in a label; null if answers have no labels. */
  readonly #label: { readonly beforeNumber: string; readonly afterNumber: string } | null;
  readonly #finder: AnswerFinder<Board>;

  constructor(spec: BoardAnswerSpec<Answer>) {
    this.#spec = spec;
    const { layout } = spec;
    this.#label =
      'maxTokens' in layout
        ? null
        : { beforeNumber: `Case ${layout.beforeNumber}`, afterNumber: layout.afterNumber + layout.blank };
    this.#finder = {
      maxAnswerBytes: MAX_BOARD_ANSWER_BYTES,
      labels: 'maxTokens' in layout ? null : new CaseLabels(layout.beforeNumber, layout.afterNumber),
      startOf: skipWhitespace,
      endOf: (range) => this.#endOf(range, 'maxTokens' in layout ? layout.maxTokens : 0),
    };
  }

  get hasLabels(): boolean {
    return this.#finder.labels !== null;
  }

  /** Returns the label of the answer to this case, or an empty string if answers have no labels. */
  label(caseNumber: number): string {
    if (this.#label === null) return '';
    const { beforeNumber, afterNumber } = this.#label;
    return `${beforeNumber}${caseNumber}${afterNumber}`.trimEnd();
  }

  describe(scope: AnswerScope<Board> | null): string {
    return this.#spec.describe(scope?.value ?? null);
  }

  print(answer: Answer, caseNumber: number, out: ByteWriter): void {
    this.#printLabel(caseNumber, out);
    this.#spec.print(answer, out);
  }

  printError(caseNumber: number, out: ByteWriter): void {
    this.#printLabel(caseNumber, out);
    out.ascii('ERROR\n');
  }

  /** The answers of board games are numbers, texts, rows and plain objects, which JSON shows as they are. */
  toJson(answer: Answer): unknown {
    return answer;
  }

  find(bytes: Uint8Array, from: number, end: number, atEnd: boolean, extent: AnswerExtent): boolean | null {
    return findAnswer(this.#finder, bytes, from, end, atEnd, extent, null);
  }

  /** Parses the answer in the range `extent`. Returns null if the answer is malformed. */
  parse(
    bytes: Uint8Array,
    { bodyStart, end }: AnswerExtent,
    scope: AnswerScope<Board> | null,
  ): Answer | null {
    return this.#spec.parse(tokensOf(bytes, bodyStart, end), scope?.value ?? null);
  }

  #printLabel(caseNumber: number, out: ByteWriter): void {
    if (this.#label === null) return;
    out.ascii(this.#label.beforeNumber);
    out.integer(caseNumber);
    out.ascii(this.#label.afterNumber);
  }

  /**
   * Returns the end of an answer without a label: the smallest number of tokens that form a valid answer, or the rest of the
   * line if the tokens form no valid answer. Returns null if more bytes are needed to decide.
   */
  #endOf(range: AnswerCandidate, maxTokens: number): number | null {
    const { bytes, start, end, atEnd } = range;
    const tokens: string[] = [];
    for (let at = start; tokens.length < maxTokens && at < end; ) {
      const to = findTokenEnd(bytes, at, end);
      if (to === end && !atEnd) return null;
      tokens.push(decodeLatin1(bytes, at, to));
      if (this.#spec.parse(tokens, null) !== null) return to;
      at = skipWhitespace(bytes, to, end);
      if (at === end && !atEnd) return null;
    }
    const lineEnd = endOfLine(range, start);
    return lineEnd === null ? null : findTrimmedEnd(bytes, start, lineEnd);
  }
}

const CASE_TOKEN = encodeUtf8('Case');

/** Recognises labels that consist of the token `Case` and a token such as `#1:`, with any whitespace between them. */
class CaseLabels implements LabelFinder {
  readonly #beforeNumber: Uint8Array;
  readonly #afterNumber: Uint8Array;

  constructor(beforeNumber: string, afterNumber: string) {
    this.#beforeNumber = encodeUtf8(beforeNumber);
    this.#afterNumber = encodeUtf8(afterNumber);
  }

  match(bytes: Uint8Array, at: number, end: number): LabelMatch | null {
    if (bytes[at] !== CASE_TOKEN[0]) return null;
    const caseEnd = findTokenEnd(bytes, at, end);
    if (caseEnd - at !== CASE_TOKEN.length || !hasBytesAt(bytes, at, CASE_TOKEN)) return null;
    const tokenStart = skipWhitespace(bytes, caseEnd, end);
    const labelEnd = findTokenEnd(bytes, tokenStart, end);
    const from = tokenStart + this.#beforeNumber.length;
    const to = labelEnd - this.#afterNumber.length;
    const hasParts =
      from < to &&
      hasBytesAt(bytes, tokenStart, this.#beforeNumber) &&
      hasBytesAt(bytes, to, this.#afterNumber);
    const caseNumber = hasParts ? parseLabelNumber(bytes, from, to) : -1;
    return caseNumber < 0 ? null : { end: labelEnd, caseNumber };
  }
}

/**
 * Converts a token of decimal digits to a number. Returns null for any other token, and for unsafe integers. A token with a
 * leading zero is not a number: to the checkers of contests, `02` is not `2`, so it must not be printed as `2` either.
 */
export function parseCountToken(token: string): number | null {
  const count = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
}

function hasBytesAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return wanted.every((byte, i) => bytes[at + i] === byte);
}
