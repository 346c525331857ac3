/** The place up to which an answer has been read. The answer's last lines may be missing, and more bytes may arrive later. */
import { findTokenEnd, findTrimmedEnd, LF, skipWhitespace } from '../../core/bytes.js';
import { CaseCursor } from '../tree/case-cursor.js';
import {
  NEEDS_MORE,
  READ_OK,
  type ReadStatus,
  STRUCTURE_LOST,
  skipWhitespaceOnLine,
} from '../tree/cursor.js';

/** Number of elements that an answer may have even if no element takes any bytes. */
const FREE_ELEMENTS = 1 << 16;

export class AnswerCursor extends CaseCursor {
  /** Whether the parser stopped because the bytes ended before the answer was complete. */
  isMissing = false;
  /** Number of empty lines that the parser counted as read although the bytes had ended before them. */
  linesAtEnd = 0;

  override start(bytes: Uint8Array, at: number, end: number, atEnd: boolean): void {
    super.start(bytes, at, end, atEnd);
    this.isMissing = false;
    this.linesAtEnd = 0;
    this.maxEmptyElements = FREE_ELEMENTS + end - at;
  }

  override reportMissing(expected: string): ReadStatus {
    this.isMissing = true;
    return this.reportLost(this.end, expected, '');
  }

  /**
   * Finds the next line and leaves out whitespace at its end. If an empty line is allowed, the line may be missing at the end
   * of the bytes.
   */
  override skipLine(mayBeEmpty: boolean): ReadStatus {
    const status = super.skipLine(mayBeEmpty);
    if (status === READ_OK) this.to = findTrimmedEnd(this.bytes, this.from, this.to);
    if (status !== STRUCTURE_LOST || !mayBeEmpty) return status;
    this.at = this.from = this.to = this.end;
    this.isAtLineStart = true;
    this.linesAtEnd++;
    return READ_OK;
  }

  override findLine(): ReadStatus {
    const status = super.findLine();
    if (status !== STRUCTURE_LOST) return status;
    this.isAtLineStart = true;
    return READ_OK;
  }

  /** Whether bytes that have not arrived may change what was read. A token at the end of the available bytes may continue. */
  mayGoOn(): boolean {
    if (this.atEnd) return false;
    if (!this.isStopped) return this.at === this.end && !this.isAtLineStart;
    // The parser may have looked at the next token before it stopped, so that token counts here.
    const nextToken = skipWhitespace(this.bytes, this.at, this.end);
    return this.isMissing || findTokenEnd(this.bytes, nextToken, this.end) === this.end;
  }

  /** Moves past the rest of the line if it is blank. */
  finishLine(): ReadStatus {
    const next = skipWhitespaceOnLine(this.bytes, this.at, this.end);
    if (this.isAtLineStart || (next < this.end && this.bytes[next] !== LF)) return READ_OK;
    if (next === this.end && !this.atEnd) return NEEDS_MORE;
    this.at = Math.min(next + 1, this.end);
    this.isAtLineStart = true;
    return READ_OK;
  }
}
