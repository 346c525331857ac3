/** Reads the answers in a stream one after another. It keeps only one read and the current answer in memory. */
import { isWhitespace, LF, skipWhitespace } from '../../core/bytes.js';
import { type Location, locationAfter, measureSpan, TEXT_START } from '../../core/location.js';
import { InputWindow } from '../../engine/input/window.js';
import { MAX_BYTES_PER_READ } from '../../engine/limits.js';
import type { AnswerExtent, AnswerFormat, AnswerScope } from '../../formats/answer-format.js';

export class AnswerReader {
  /** The extent of the current answer in `bytes`, after `findNextAnswer` has found one. */
  readonly extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #answerFormat: AnswerFormat;
  readonly #window = new InputWindow();
  #isStreamOver = false;
  #isAnswerFound = false;
  /** Line and column of the first byte in the window. */
  #windowLocation: Location = TEXT_START;

  constructor(pieces: AsyncIterable<Uint8Array>, format: AnswerFormat) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#answerFormat = format;
  }

  /**
   * The buffer of the reader. The bytes that were read and not yet skipped are bytes[from, end); reading more bytes
   * may move them.
   */
  get bytes(): Uint8Array {
    return this.#window.bytes;
  }

  get from(): number {
    return this.#window.start;
  }

  get end(): number {
    return this.#window.end;
  }

  /**
   * Finds the next answer in the bytes that were read. Returns false if the stream has no more answers, and null if
   * more bytes must be read; then the caller calls `findNextAnswer`. `scope` is the case that the answer belongs to; it
   * may be null if the format finds answers without their cases.
   */
  findNextAnswerInMemory(scope: AnswerScope | null): boolean | null {
    if (this.#isAnswerFound) return true;
    const { bytes, start, end } = this.#window;
    const found = this.#answerFormat.find(bytes, start, end, this.#isStreamOver, this.extent, scope);
    this.#isAnswerFound = found === true;
    return found;
  }

  /** Finds the next answer, and reads more bytes if necessary. Returns false if the stream has no more answers. */
  async findNextAnswer(scope: AnswerScope | null): Promise<boolean> {
    for (;;) {
      const found = this.findNextAnswerInMemory(scope);
      if (found !== null) return found;
      await this.#readMore();
    }
  }

  /** Finds the next line with text on it, whether or not it is an answer. Returns false if only whitespace remains. */
  async findAnyText(): Promise<boolean> {
    for (;;) {
      const start = skipWhitespace(this.bytes, this.from, this.end);
      const lineEnd = this.bytes.subarray(0, this.end).indexOf(LF, start);
      if (start < this.end && (lineEnd >= 0 || this.#isStreamOver)) {
        this.extent.start = this.extent.bodyStart = start;
        this.extent.end = lineEnd >= 0 ? lineEnd : this.end;
        this.#isAnswerFound = true;
        return true;
      }
      if (this.#isStreamOver) return false;
      await this.#readMore();
    }
  }

  /** Reads more bytes until the line in which the current answer ends is complete. */
  async readRestOfLine(): Promise<void> {
    while (
      !this.#isStreamOver &&
      this.lineEndIndex() === this.end &&
      this.end - this.extent.end < MAX_BYTES_PER_READ
    ) {
      await this.#readMore();
    }
  }

  /** Skips the bytes up to index `to`. */
  skipTo(to: number): void {
    this.#windowLocation = this.locationOf(to);
    this.#window.start = to;
    this.#isAnswerFound = false;
  }

  /** Returns the index after the current answer, including the whitespace after the answer and the end of its line. */
  lineEndIndex(): number {
    return lineEndAfter(this.bytes, this.extent.end, this.end);
  }

  /** Returns the index at which the current answer begins, or the end of the bytes if no answer was found. */
  nextAnswerIndex(): number {
    return this.#isAnswerFound ? this.extent.start : this.end;
  }

  locationOf(index: number): Location {
    return locationAfter(this.#windowLocation, measureSpan(this.bytes, this.from, index));
  }

  async #readMore(): Promise<void> {
    this.#dropWhitespace();
    const { done, value } = await this.#pieces.next();
    if (done) this.#isStreamOver = true;
    else {
      const shift = this.#window.append(value);
      this.extent.start -= shift;
      this.extent.bodyStart -= shift;
      this.extent.end -= shift;
    }
  }

  /** Skips whitespace before the next answer, so that the reader needs little memory even if the whitespace is long. */
  #dropWhitespace(): void {
    if (this.end - this.from < MAX_BYTES_PER_READ) return;
    for (let at = this.from; at < this.end; at++) if (!isWhitespace(this.bytes[at])) return;
    // One whitespace character is kept, because an exact comparison reports surplus whitespace.
    this.skipTo(this.end - 1);
  }
}

/**
 * Returns the index after the line in which an answer ends. An answer that may consist of empty lines includes the end of
 * its last line, so nothing of that line is left.
 */
export function lineEndAfter(bytes: Uint8Array, answerEnd: number, end: number): number {
  if (answerEnd > 0 && bytes[answerEnd - 1] === LF) return answerEnd;
  let at = answerEnd;
  while (at < end && isWhitespace(bytes[at]) && bytes[at] !== LF) at++;
  return at < end && bytes[at] === LF ? at + 1 : at;
}
