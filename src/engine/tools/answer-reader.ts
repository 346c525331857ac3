/** Reads the answers in a stream one after another; what is in memory is one read and the answer at hand. */
import { isBlank, LF } from '../../core/bytes.js';
import { advance, type Location, measureSpan, TEXT_START } from '../../core/location.js';
import type { AnswerExtent, AnswerFormat } from '../../problems/answer-format.js';
import { READ_BYTES } from '../limits.js';
import { Window } from '../window.js';

export class AnswerReader {
  /** Where the answer at hand lies in `bytes`, after `peek` has found one. */
  readonly extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #format: AnswerFormat<unknown>;
  readonly #window = new Window(2 * READ_BYTES);
  #atEnd = false;
  #isAtHand = false;
  /** Of the window's start. */
  #position: Location = TEXT_START;

  constructor(pieces: AsyncIterable<Uint8Array>, format: AnswerFormat<unknown>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#format = format;
  }

  /** What was read and is not yet passed: bytes[from, end). They move when more is read. */
  get bytes(): Uint8Array {
    return this.#window.bytes;
  }

  get from(): number {
    return this.#window.start;
  }

  get end(): number {
    return this.#window.end;
  }

  /** Finds the next answer; false: there is none. Null: ask `peek`, which reads on. */
  peekAtHand(): boolean | null {
    if (this.#isAtHand) return true;
    const { bytes, start, end } = this.#window;
    const found = this.#format.find(bytes, start, end, this.#atEnd, this.extent);
    this.#isAtHand = found === true;
    return found;
  }

  async peek(): Promise<boolean> {
    for (;;) {
      const found = this.peekAtHand();
      if (found !== null) return found;
      await this.#readOn();
    }
  }

  /** Reads on to the end of the line that the answer at hand ends in. */
  async readLine(): Promise<void> {
    while (!this.#atEnd && this.lineEnd() === this.end && this.end - this.extent.end < READ_BYTES) {
      await this.#readOn();
    }
  }

  /** Goes on behind the index `to`. */
  pass(to: number): void {
    this.#position = this.placeOf(to);
    this.#window.start = to;
    this.#isAtHand = false;
  }

  /** Behind the answer at hand and the blanks after it, up to the end of its line. */
  lineEnd(): number {
    const { bytes, end } = this.#window;
    let at = this.extent.end;
    while (at < end && isBlank(bytes[at]) && bytes[at] !== LF) at++;
    return at < end && bytes[at] === LF ? at + 1 : at;
  }

  /** Where the next answer begins, or would. */
  nextIndex(): number {
    return this.#isAtHand ? this.extent.start : this.end;
  }

  placeOf(index: number): Location {
    return advance(this.#position, measureSpan(this.bytes, this.from, index));
  }

  async #readOn(): Promise<void> {
    this.#dropBlanks();
    const { done, value } = await this.#pieces.next();
    if (done) this.#atEnd = true;
    else {
      const shift = this.#window.append(value);
      this.extent.start -= shift;
      this.extent.bodyStart -= shift;
      this.extent.end -= shift;
    }
  }

  /** However many blanks there are, they must not fill the memory. */
  #dropBlanks(): void {
    if (this.end - this.from < READ_BYTES) return;
    for (let at = this.from; at < this.end; at++) if (!isBlank(this.bytes[at])) return;
    // One is left, to show that there were some.
    this.pass(this.end - 1);
  }
}
