/**
 * A sink that stores nothing. It compares the answers, which it gets in input order, with those in an answer file.
 * The file is read no faster than its cases are solved.
 *
 * It compares tokens, as contest checkers do, or bytes. If answers have labels, it uses the labels to find the answer
 * to a case. So if the answer to one case is missing in the file, that is one difference, and the answers to later
 * cases still match.
 */
import { latin1, skipBlanks, tokenEnd } from '../../core/bytes.js';
import type { Location } from '../../core/location.js';
import type { AnswerExtent, AnswerFormat } from '../../problems/answer-format.js';
import { MAX_SHOWN_BYTES } from '../limits.js';
import type { Sink } from '../sink.js';
import { AnswerReader } from './answer-reader.js';

export interface AnswerDifference {
  /**
   * `differs`: another answer; `missing`: the file has no answer to the case; `unexpected`: the file has text that
   * answers no case.
   */
  readonly kind: 'differs' | 'missing' | 'unexpected';
  /** Number of the case; null for an unexpected answer. */
  readonly caseNumber: number | null;
  /** Location in the answer file of the first token (or byte) that differs. */
  readonly location: Location;
  /** Both answers as text, truncated if they are long; null if an answer does not exist. */
  readonly expected: string | null;
  readonly got: string | null;
}

export interface CompareOptions {
  readonly answerFormat: AnswerFormat<unknown>;
  /** Whether bytes are compared instead of tokens. */
  readonly exact: boolean;
  /** `onDifference` is called for the first `maxReported` differences, when they are found. */
  readonly maxReported: number;
  readonly onDifference: (difference: AnswerDifference) => Promise<void>;
}

/** A range of a byte array: bytes[from, to). */
interface ByteRange {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

export class AnswerComparer implements Sink {
  readonly keepsPositions = false;
  readonly resumePosition = null;
  readonly counts = { differs: 0, missing: 0, unexpected: 0 };
  readonly #options: CompareOptions;
  readonly #reader: AnswerReader;
  readonly #expectedExtent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  #answeredCases = 0;
  #reportedDifferences = 0;

  constructor(answers: AsyncIterable<Uint8Array>, options: CompareOptions) {
    this.#options = options;
    this.#reader = new AnswerReader(answers, options.answerFormat);
  }

  get cases(): number {
    return this.#answeredCases;
  }

  get isSame(): boolean {
    const { differs, missing, unexpected } = this.counts;
    return differs + missing + unexpected === 0;
  }

  /** Compares the next expected answers with the answer file. `bytes` are whole answers, as boardmill prints them. */
  async write(bytes: Uint8Array): Promise<void> {
    const { answerFormat } = this.#options;
    for (let from = 0; answerFormat.find(bytes, from, bytes.length, true, this.#expectedExtent); ) {
      this.#answeredCases++;
      // boardmill prints one line end after the last token.
      const line = { bytes, from, to: Math.min(this.#expectedExtent.end + 1, bytes.length) };
      await this.#compare(this.#options.exact ? line : { ...line, to: this.#expectedExtent.end });
      from = line.to;
    }
  }

  /** Called after all cases are answered. Reports a difference if the answer file has more answers. */
  async finish(): Promise<void> {
    const isThere = await this.#findNextAnswer();
    const { bytes, from, end } = this.#reader;
    if (isThere) await this.#reportDifference('unexpected', null, this.#gotRange(), 0);
    else if (this.#options.exact && end > from)
      await this.#reportDifference('unexpected', null, { bytes, from, to: end }, 0);
  }

  async abandon(): Promise<boolean> {
    return false;
  }

  async #compare(expected: ByteRange): Promise<void> {
    if (!(await this.#findAnswerToCase())) {
      return this.#reportDifference('missing', expected, null, 0);
    }
    const got = this.#gotRange();
    const equalBytes = this.#options.exact
      ? findByteDifference(expected, got)
      : findTokenDifference(expected, got);
    if (equalBytes !== null) await this.#reportDifference('differs', expected, got, equalBytes);
    this.#reader.skipTo(got.to);
  }

  /** Whether the file has an answer to the current case. Reports and skips answers that belong to no case. */
  async #findAnswerToCase(): Promise<boolean> {
    const { extent } = this.#reader;
    while (await this.#findNextAnswer()) {
      if (!this.#options.answerFormat.hasLabels || extent.caseNumber === this.#answeredCases) return true;
      if (extent.caseNumber !== null && extent.caseNumber > this.#answeredCases) return false;
      const got = this.#gotRange();
      await this.#reportDifference('unexpected', null, got, 0);
      this.#reader.skipTo(got.to);
    }
    return false;
  }

  async #findNextAnswer(): Promise<boolean> {
    const isThere = this.#reader.findNextAnswerInMemory() ?? (await this.#reader.findNextAnswer());
    if (isThere && this.#options.exact) await this.#reader.readRestOfLine();
    return isThere;
  }

  /** Returns the bytes of the file's current answer to compare: its tokens, or all bytes up to the end of its line. */
  #gotRange(): ByteRange {
    const { bytes, from, extent } = this.#reader;
    return this.#options.exact
      ? { bytes, from, to: this.#reader.lineEndIndex() }
      : { bytes, from: extent.start, to: extent.end };
  }

  /**
   * Counts a difference, and reports it if few have been reported. `equalBytes`: number of bytes of `got` before
   * the difference.
   */
  async #reportDifference(
    kind: AnswerDifference['kind'],
    expected: ByteRange | null,
    got: ByteRange | null,
    equalBytes: number,
  ): Promise<void> {
    this.counts[kind]++;
    const { maxReported, onDifference } = this.#options;
    if (this.#reportedDifferences++ >= maxReported) return;
    await onDifference({
      kind,
      caseNumber: expected === null ? null : this.#answeredCases,
      location: this.#reader.locationOf(
        got === null ? this.#reader.nextAnswerIndex() : got.from + equalBytes,
      ),
      expected: expected && textOf(expected),
      got: got && textOf(got),
    });
  }
}

/** Returns the number of equal bytes at the start of two byte ranges, or null if the ranges are equal. */
function findByteDifference(expected: ByteRange, got: ByteRange): number | null {
  const length = Math.min(expected.to - expected.from, got.to - got.from);
  let equalBytes = 0;
  while (
    equalBytes < length &&
    expected.bytes[expected.from + equalBytes] === got.bytes[got.from + equalBytes]
  )
    equalBytes++;
  return equalBytes === expected.to - expected.from && equalBytes === got.to - got.from ? null : equalBytes;
}

/** Number of bytes of `got` before the first token that differs from `expected`; null if all tokens are equal. */
function findTokenDifference(expected: ByteRange, got: ByteRange): number | null {
  let expectedAt = expected.from;
  let gotAt = got.from;
  while (expectedAt < expected.to && gotAt < got.to) {
    const expectedEnd = tokenEnd(expected.bytes, expectedAt, expected.to);
    const gotEnd = tokenEnd(got.bytes, gotAt, got.to);
    const token = { ...expected, from: expectedAt, to: expectedEnd };
    if (findByteDifference(token, { ...got, from: gotAt, to: gotEnd }) !== null) break;
    expectedAt = skipBlanks(expected.bytes, expectedEnd, expected.to);
    gotAt = skipBlanks(got.bytes, gotEnd, got.to);
  }
  return expectedAt === expected.to && gotAt === got.to ? null : gotAt - got.from;
}

function textOf({ bytes, from, to }: ByteRange): string {
  const isCut = to - from > MAX_SHOWN_BYTES;
  return latin1(bytes, from, isCut ? from + MAX_SHOWN_BYTES : to) + (isCut ? '...' : '');
}
