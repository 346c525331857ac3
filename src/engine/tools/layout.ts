/**
 * How the words of an input lie in its lines. Contest programs that read word by word do not care; those that
 * read line by line do, and a validator of a contest wants: one blank between two words of a line and none
 * elsewhere, every line ended by LF, and the preamble, each header and each row on a line of its own.
 */
import { isDigit, LF, SPACE } from '../../core/bytes.js';
import { pluralize } from '../../core/errors.js';
import type { Location } from '../../core/location.js';

/** What a strict reader objects to though `solve` does not. */
export type LayoutRule =
  | 'byte-order-mark'
  | 'carriage-return'
  | 'odd-blank'
  | 'leading-blank'
  | 'trailing-blank'
  | 'double-blank'
  | 'empty-line'
  | 'final-newline'
  | 'leading-zero'
  | 'words-a-line';

export interface LayoutFinding extends Location {
  readonly rule: LayoutRule;
  readonly what: string;
}

export interface LineWords {
  /** Words on the first line that has any; 0: it is a case's. */
  readonly preamble: number;
  /** Whether a row is a word a column, not one word. */
  readonly isRowOfBlocks: boolean;
}

const HEADER_WORDS = 2;
const TAB = 0x09;
const CR = 0x0d;
const ZERO = 0x30;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Is fed all bytes of an input, in order and in pieces of any size. */
export class Layout {
  readonly #tell: (finding: LayoutFinding) => void;
  readonly #words: LineWords;
  #line = 1;
  #column = 1;
  /** Of the line: its words so far, and whether the first is a count. */
  #lineWords = 0;
  #isCountFirst = false;
  /** Of the blanks since the last word or the line's start: how many, and the column of the first. */
  #blanks = 0;
  #blanksFrom = 1;
  /** Of the word at hand: its column, 0 between words; its value if it is a count, else -1. */
  #wordFrom = 0;
  #count = -1;
  #isZeroFirst = false;
  /** The last byte was a CR: what it is depends on the next. */
  #isAfterReturn = false;
  /** Bytes of a byte order mark seen at the start of the input; -1: past that. */
  #markBytes = 0;
  #isPreambleRead: boolean;
  /** Columns of the last header that lies as it should; 0: not known. */
  #cols = 0;

  constructor(words: LineWords, tell: (finding: LayoutFinding) => void) {
    this.#words = words;
    this.#tell = tell;
    this.#isPreambleRead = words.preamble === 0;
  }

  /** Of the next byte. */
  get position(): Location {
    return { line: this.#line, column: this.#column };
  }

  feed(bytes: Uint8Array, from = 0, to = bytes.length): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (this.#markBytes >= 0 && this.#isByteOrderMark(byte)) continue;
      if (this.#isAfterReturn) this.#readReturn(byte);
      if (byte === LF) this.#endLine();
      else if (byte > SPACE) this.#addToWord(byte);
      else this.#readBlank(byte);
    }
  }

  /** There are no more bytes. */
  end(): void {
    if (this.#isAfterReturn) this.#readReturn(0);
    if (this.#column === 1) return;
    this.#endWord();
    const { line, column } = this.position;
    this.#checkLine();
    this.#tell({ rule: 'final-newline', line, column, what: 'the last line does not end in LF' });
  }

  #isByteOrderMark(byte: number): boolean {
    if (byte !== BYTE_ORDER_MARK[this.#markBytes]) {
      this.#markBytes = -1;
      return false;
    }
    this.#column++;
    if (++this.#markBytes === BYTE_ORDER_MARK.length) {
      this.#markBytes = -1;
      this.#blanksFrom = this.#column;
      this.#tell({ rule: 'byte-order-mark', line: 1, column: 1, what: 'a byte order mark' });
    }
    return true;
  }

  #addToWord(byte: number): void {
    if (this.#wordFrom === 0) this.#beginWord(byte);
    const isCount = this.#count >= 0 && isDigit(byte);
    this.#count = isCount ? this.#count * 10 + (byte - ZERO) : -1;
    this.#column++;
  }

  #beginWord(byte: number): void {
    if (this.#blanks > 0) {
      if (this.#lineWords === 0) this.#tellBlanks('leading-blank', 'before the first word of the line');
      else if (this.#blanks > 1) this.#tellBlanks('double-blank', 'between two words');
    }
    this.#blanks = 0;
    this.#wordFrom = this.#column;
    this.#isZeroFirst = byte === ZERO;
    this.#count = 0;
    if (this.#lineWords++ === 0) this.#isCountFirst = isDigit(byte);
    // Told once a line.
    if (this.#lineWords === this.#wordsExpected() + 1) this.#tellWords('here is one more');
  }

  #endWord(): void {
    if (this.#wordFrom === 0) return;
    const isPadded = this.#isZeroFirst && this.#count >= 0 && this.#column - this.#wordFrom > 1;
    if (isPadded) {
      const what = `leading zeros in a count (${this.#count})`;
      this.#tell({ rule: 'leading-zero', line: this.#line, column: this.#wordFrom, what });
    }
    this.#wordFrom = 0;
  }

  #readBlank(byte: number): void {
    this.#endWord();
    if (this.#blanks++ === 0) this.#blanksFrom = this.#column;
    if (byte === CR) this.#isAfterReturn = true;
    else if (byte !== SPACE) this.#tellOddBlank(byte, this.#column);
    this.#column++;
  }

  /** The byte before this one was a CR: part of the line's end, or a blank like others. */
  #readReturn(next: number): void {
    this.#isAfterReturn = false;
    const column = this.#column - 1;
    if (next !== LF) {
      this.#tellOddBlank(CR, column);
      return;
    }
    this.#blanks--;
    this.#tell({ rule: 'carriage-return', line: this.#line, column, what: 'the line ends in CR LF' });
  }

  #endLine(): void {
    this.#endWord();
    this.#checkLine();
    this.#line++;
    this.#column = 1;
    this.#lineWords = 0;
    this.#blanks = 0;
    this.#blanksFrom = 1;
  }

  #checkLine(): void {
    const words = this.#lineWords;
    if (words === 0) {
      this.#tell({ rule: 'empty-line', line: this.#line, column: 1, what: 'an empty line' });
      return;
    }
    if (this.#blanks > 0) this.#tellBlanks('trailing-blank', 'at the end of the line', this.#blanksFrom);
    if (words < this.#wordsExpected()) this.#tellWords(`this line ends after ${words}`);
    const isHeader = this.#isPreambleRead && this.#isCountFirst;
    if (isHeader) this.#cols = words === HEADER_WORDS ? Math.max(0, this.#count) : 0;
    this.#isPreambleRead = true;
  }

  /** Words that a line that begins like this one should have. Where nobody knows, it has them. */
  #wordsExpected(): number {
    if (!this.#isPreambleRead) return this.#words.preamble;
    if (this.#isCountFirst) return HEADER_WORDS;
    if (!this.#words.isRowOfBlocks) return 1;
    return this.#cols > 0 ? this.#cols : this.#lineWords;
  }

  #tellWords(got: string): void {
    const expected = this.#wordsExpected();
    const what = `${this.#lineName()} is a line of its own, of ${pluralize(expected, 'word')}; ${got}`;
    this.#tell({ rule: 'words-a-line', line: this.#line, column: this.#column, what });
  }

  #lineName(): string {
    if (!this.#isPreambleRead) return 'the start of the input';
    return this.#isCountFirst ? 'a header' : 'a row';
  }

  #tellBlanks(rule: LayoutRule, where: string, column = this.#column): void {
    const blanks = this.#blanks === 1 ? 'a blank' : `${this.#blanks} blanks`;
    this.#tell({ rule, line: this.#line, column, what: `${blanks} ${where}` });
  }

  #tellOddBlank(byte: number, column: number): void {
    const name = byte === TAB ? 'a tab' : `the byte \\x${byte.toString(16).padStart(2, '0')}`;
    this.#tell({ rule: 'odd-blank', line: this.#line, column, what: `${name} for a blank` });
  }
}
