/**
 * How the answers to the cases of an input lie in an output, read as checkers read: tokens between blanks. One
 * piece of code for all who read answers: --exec, check and merge.
 *
 * With a label (`Case #x:`) an answer goes from one label to the next. Without, it is the fewest words that make
 * an answer; words that make none are taken for one answer up to the end of their line. So a broken answer does
 * not take the next one with it.
 */
import { isDigit, LF, latin1, parseCount, skipBlanks, tokenEnd } from '../core/bytes.js';
import type { Board } from './board.js';

export interface AnswerFormatSpec<Answer> {
  /** A label is the word `Case` and a number between these; without labels, words of the longest answer. */
  readonly layout: { readonly before: string; readonly after: string } | { readonly maxWords: number };
  /** What the answer to such a board looks like, for messages; null: to any board. */
  describe(board: BoardSize | null): string;
  /** The answer that these words make (no label among them), null if they make none. */
  parse(words: string[], board: BoardSize | null): Answer | null;
}

export type BoardSize = Pick<Board, 'rows' | 'cols'>;

/** Where an answer lies in an output. Reused from answer to answer. */
export interface AnswerExtent {
  start: number;
  /** Behind the label; `start` if there is none. */
  body: number;
  /** Behind the last word. */
  end: number;
  /** What the label says; null if there is none. */
  number: number | null;
}

/** An answer that goes on for longer is cut there, and is none. */
export const MAX_ANSWER_BYTES = 1 << 20;

const CASE = Buffer.from('Case');
const NO_LABEL = -1;

export class AnswerFormat<Answer> {
  readonly #spec: AnswerFormatSpec<Answer>;
  /** What stands around the number in a label; null: answers have none. */
  readonly #around: { readonly before: Uint8Array; readonly after: Uint8Array } | null;

  constructor(spec: AnswerFormatSpec<Answer>) {
    this.#spec = spec;
    const { layout } = spec;
    this.#around =
      'before' in layout ? { before: Buffer.from(layout.before), after: Buffer.from(layout.after) } : null;
  }

  get labelled(): boolean {
    return this.#around !== null;
  }

  /** What stands before the answer to that case; nothing, where answers have no label. */
  label(caseNumber: number): string {
    const { layout } = this.#spec;
    return 'before' in layout ? `Case ${layout.before}${caseNumber}${layout.after}` : '';
  }

  describe(board: BoardSize | null): string {
    return this.#spec.describe(board);
  }

  /**
   * Finds the first answer in bytes[from, end); false: only blanks are left; null: more bytes are needed to
   * tell, which `atEnd` rules out. What is found depends on the bytes alone, never on how many are there.
   */
  find(bytes: Uint8Array, from: number, end: number, atEnd: boolean, extent: AnswerExtent): boolean | null {
    const start = skipBlanks(bytes, from, end);
    if (start === end) return atEnd ? false : null;
    const limit = Math.min(end, start + MAX_ANSWER_BYTES);
    const isWhole = atEnd || limit < end;
    extent.start = extent.body = extent.end = start;
    extent.number = null;
    const isFound = this.labelled
      ? this.#findLabelled(bytes, limit, isWhole, extent)
      : this.#findWords(bytes, limit, isWhole, extent);
    return isFound || null;
  }

  /** The answer in an extent, null if it is malformed. */
  parse(bytes: Uint8Array, { body, end }: AnswerExtent, board: BoardSize | null): Answer | null {
    return this.#spec.parse(wordsOf(bytes, body, end), board);
  }

  /** From the label, if there is one, to the next. False: more bytes are needed. */
  #findLabelled(bytes: Uint8Array, limit: number, isWhole: boolean, extent: AnswerExtent): boolean {
    const behind = this.#labelEnd(bytes, extent.start, limit, isWhole);
    if (behind !== NO_LABEL) {
      extent.number = this.#numberBefore(bytes, behind);
      extent.body = extent.end = behind;
    }
    for (;;) {
      const at = skipBlanks(bytes, extent.end, limit);
      if (at === limit) return isWhole;
      if (at > extent.start && this.#labelEnd(bytes, at, limit, isWhole) !== NO_LABEL) return true;
      extent.end = tokenEnd(bytes, at, limit);
      if (extent.end === limit && !isWhole) return false;
    }
  }

  /** The fewest words that make an answer, or the rest of the line. False: more bytes are needed. */
  #findWords(bytes: Uint8Array, limit: number, isWhole: boolean, extent: AnswerExtent): boolean {
    const { layout } = this.#spec;
    const words: string[] = [];
    let at = extent.start;
    const maxWords = 'maxWords' in layout ? layout.maxWords : 0;
    while (words.length < maxWords && at < limit) {
      const to = tokenEnd(bytes, at, limit);
      if (to === limit && !isWhole) return false;
      words.push(latin1(bytes, at, to));
      if (this.#spec.parse(words, null) !== null) {
        extent.end = to;
        return true;
      }
      at = skipBlanks(bytes, to, limit);
      if (at === limit && !isWhole) return false;
    }
    const lineEnd = bytes.subarray(0, limit).indexOf(LF, extent.start);
    if (lineEnd < 0 && !isWhole) return false;
    extent.end = lastWordEnd(bytes, extent.start, lineEnd < 0 ? limit : lineEnd);
    return true;
  }

  /** Index behind the label that begins at `at`. One that the bytes may end within is none yet. */
  #labelEnd(bytes: Uint8Array, at: number, limit: number, isWhole: boolean): number {
    if (bytes[at] !== CASE[0]) return NO_LABEL;
    const caseEnd = tokenEnd(bytes, at, limit);
    if (caseEnd - at !== CASE.length || !hasAt(bytes, at, CASE)) return NO_LABEL;
    const second = skipBlanks(bytes, caseEnd, limit);
    const behind = tokenEnd(bytes, second, limit);
    if (behind === limit && !isWhole) return NO_LABEL;
    const { before, after } = this.#around!;
    const isLabel =
      behind - second > before.length + after.length &&
      hasAt(bytes, second, before) &&
      hasAt(bytes, behind - after.length, after) &&
      parseCount(bytes, second + before.length, behind - after.length) >= 0;
    return isLabel ? behind : NO_LABEL;
  }

  /** The number in the label that ends at `behind`. */
  #numberBefore(bytes: Uint8Array, behind: number): number {
    const to = behind - this.#around!.after.length;
    let from = to;
    while (isDigit(bytes[from - 1])) from--;
    return parseCount(bytes, from, to);
  }
}

/** The count that a word stands for, null if it is none. */
export function countOf(word: string): number | null {
  const count = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
}

export function wordsOf(bytes: Uint8Array, from: number, to: number): string[] {
  return latin1(bytes, from, to).match(/[^ \t\n\v\f\r]+/g) ?? [];
}

const QUOTED_CHARS = 60;

/** An answer as an error message shows it: its words in quotes, cut when long. */
export function quoteAnswer(bytes: Uint8Array, from: number, to: number): string {
  const words = wordsOf(bytes, from, to).join(' ');
  return words.length > QUOTED_CHARS
    ? `${JSON.stringify(words.slice(0, QUOTED_CHARS))}...`
    : JSON.stringify(words);
}

function hasAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return wanted.every((byte, i) => bytes[at + i] === byte);
}

function lastWordEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  for (let at = from; at < to; at = skipBlanks(bytes, end, to)) end = tokenEnd(bytes, at, to);
  return end;
}
