/**
 * A sink that stores nothing. It compares the answers, which it gets in input order, with those in an answer file. The answer
 * file is read no faster than the cases are solved.
 *
 * If answers have labels, the comparison uses the labels to find the answer to a case. So if the answer to one case is missing
 * in the file, that is one difference, and the answers to later cases still match.
 */
import { KIB, LF } from '../../core/bytes.js';
import { Interrupted, pluralize } from '../../core/errors.js';
import { type Location, TEXT_START } from '../../core/location.js';
import {
  type AnswerComparator,
  type AnswerMismatch,
  type ByteRange,
  compareAnswerPairAsync,
  textOfByteRange,
} from '../../engine/comparators.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import type { RunPosition } from '../../engine/position.js';
import type { CasesWithoutAnswers, Sink } from '../../engine/sink.js';
import type { AnswerExtent, AnswerFormat, AnswerScope } from '../../formats/answer-format.js';
import type { InputFormat } from '../../formats/input-format.js';
import { AnswerScopeParser } from '../cases/case-scopes.js';
import { AnswerReader, lineEndAfter } from './answer-reader.js';

/** Largest number of bytes that `check` shows of an answer that differs. */
export const MAX_SHOWN_BYTES = 16 * KIB;

export interface AnswerDifference {
  /**
   * `differs`: the answer is another one; `missing`: the file has no answer to the case; `unexpected`: the file has text that
   * answers no case.
   */
  readonly kind: 'differs' | 'missing' | 'unexpected';
  /** Number of the case; null for an unexpected answer. */
  readonly caseNumber: number | null;
  /** Number of the case whose answer is expected at `location`; null after the answer to the last case. */
  readonly dueCase: number | null;
  /** Location in the answer file of the first token (or byte) that differs. */
  readonly location: Location;
  /** The expected answer as text, truncated if it is long; null if the text at `location` answers no case. */
  readonly expected: string | null;
  readonly got: string | null;
  /** Why the answer is wrong, in the words of a checker or of the problem's author; null if neither gives a reason. */
  readonly reason: string | null;
}

export interface CompareOptions {
  readonly inputFormat: InputFormat;
  readonly answerFormat: AnswerFormat;
  readonly comparator: AnswerComparator;
  /** Whether answers are compared byte by byte, with all whitespace up to the end of their line. */
  readonly wholeLines: boolean;
  /** `onDifference` is called for the first `maxReported` differences, in the order of the answers. */
  readonly maxReported: number;
  readonly onDifference: (difference: AnswerDifference) => Promise<void>;
}

/** A difference that was found, or a comparison that is still running. */
type Finding = AnswerDifference | null | Promise<AnswerDifference | null>;

export class AnswerComparingSink implements Sink {
  readonly wantsCases = true;
  readonly counts = { differs: 0, missing: 0, unexpected: 0 };
  readonly #options: CompareOptions;
  readonly #reader: AnswerReader;
  readonly #scopes: AnswerScopeParser;
  readonly #expectedExtent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  /** With `wholeLines`, the blank lines after the last expected answer that was compared. */
  #expectedSurplus: Uint8Array = new Uint8Array();
  #answeredCases = 0;
  /** Number of cases whose comparison has ended. */
  #comparedCases = 0;
  #reportedDifferences = 0;
  /** Number of differences, or possible differences, whose locations were computed. */
  #locatedDifferences = 0;
  /** What was found in the current chunk, in the order of the answers. */
  #findings: Finding[] = [];

  constructor(answers: AsyncIterable<Uint8Array>, options: CompareOptions) {
    this.#options = options;
    this.#reader = new AnswerReader(answers, options.answerFormat);
    this.#scopes = new AnswerScopeParser(options.inputFormat);
  }

  get cases(): number {
    return this.#answeredCases;
  }

  get isSame(): boolean {
    const { differs, missing, unexpected } = this.counts;
    return differs + missing + unexpected === 0;
  }

  /** Compares the next expected answers with the answer file. `bytes` are whole answers, as boardmill prints them. */
  async write(
    answers: Uint8Array,
    _position: RunPosition | null,
    cases?: CasesWithoutAnswers,
  ): Promise<void> {
    if (cases === undefined) throw new Error('the comparison needs the cases that were answered');
    const bytes = this.#withSurplus(answers);
    try {
      await this.#compareAll(bytes, cases);
    } finally {
      // If reading the answer file fails, the differences before the failure are reported nevertheless.
      await this.#reportFindings();
    }
  }

  async #compareAll(bytes: Uint8Array, cases: CasesWithoutAnswers): Promise<void> {
    let from = 0;
    for (let index = 0; index < cases.count; index++) {
      const caseBytes = cases.bytes.subarray(cases.starts[index], cases.starts[index + 1]);
      const scope = this.#scopeOf(caseBytes, cases.head);
      const answerEnd = this.#findExpected(bytes, from, scope);
      this.#answeredCases++;
      const { start, end } = this.#expectedExtent;
      const expected = this.#options.wholeLines
        ? { bytes, from, to: answerEnd }
        : { bytes, from: start, to: end };
      await this.#compare(expected, scope, caseBytes, cases.head);
      from = answerEnd;
    }
    if (this.#options.wholeLines) this.#expectedSurplus = bytes.slice(from);
  }

  /** Called after all cases are answered. Reports a difference if the answer file has more text, or whitespace that counts. */
  async finish(): Promise<void> {
    if (await this.#reader.findAnyText()) this.#addUnexpected(this.#gotRange(), null);
    else if (this.#options.wholeLines) this.#compareSurplus();
    await this.#reportFindings();
  }

  /** Returns the next expected answers, with the blank lines before them that were left over from the answers before. */
  #withSurplus(answers: Uint8Array): Uint8Array {
    return this.#expectedSurplus.length === 0 ? answers : Buffer.concat([this.#expectedSurplus, answers]);
  }

  /** Reports a difference if the whitespace after the last answer differs. */
  #compareSurplus(): void {
    const { bytes, from, end } = this.#reader;
    const expected = { bytes: this.#expectedSurplus, from: 0, to: this.#expectedSurplus.length };
    if (Buffer.compare(bytes.subarray(from, end), this.#expectedSurplus) === 0) return;
    if (end > from) this.#addUnexpected({ bytes, from, to: end }, null);
    else {
      const location = this.#reader.locationOf(from);
      this.#findings.push(this.#describe('missing', this.#answeredCases, location, expected, null));
    }
  }

  async abandon(): Promise<boolean> {
    return false;
  }

  /** Parses the case if the length of its answer depends on it. */
  #scopeOf(caseBytes: Uint8Array, head: InputHeadOfTask): AnswerScope | null {
    if (!this.#options.answerFormat.needsCase) return null;
    return this.#scopes.scopeOf(caseBytes, this.#answeredCases, head);
  }

  /** Finds the first expected answer after `from`. Returns the index after the answer and the end of its line. */
  #findExpected(bytes: Uint8Array, from: number, scope: AnswerScope | null): number {
    const extent = this.#expectedExtent;
    if (!this.#options.answerFormat.find(bytes, from, bytes.length, true, extent, scope))
      throw new Error('an expected answer is missing');
    return isEmpty(extent) ? extent.end : lineEndAfter(bytes, extent.end, bytes.length);
  }

  async #compare(
    expected: ByteRange,
    scope: AnswerScope | null,
    caseBytes: Uint8Array,
    head: InputHeadOfTask,
  ): Promise<void> {
    if (!(await this.#findAnswerToCase(scope))) {
      const location = this.#locate(this.#reader.nextAnswerIndex());
      this.#findings.push(this.#describe('missing', this.#answeredCases, location, expected, null));
      return;
    }
    const got = this.#gotRange();
    this.#findings.push(this.#match(expected, got, caseBytes, head));
    this.#reader.skipTo(got.to);
  }

  /** Compares two answers: synchronously if the comparator can, otherwise in a promise that has copies of the answers. */
  #match(expected: ByteRange, got: ByteRange, caseBytes: Uint8Array, head: InputHeadOfTask): Finding {
    const { comparator } = this.#options;
    const caseNumber = this.#answeredCases;
    const verdict = comparator.compareSync({ caseNumber, caseBytes, head, expected, got });
    if (verdict === null) return null;
    const location = (mismatch: AnswerMismatch) => this.#locate(got.from + mismatch.equalBytes);
    const describe = (mismatch: AnswerMismatch, at: Location, copy: ByteRange) =>
      this.#describe('differs', caseNumber, at, expected, copy, mismatch.reason);
    if (verdict !== undefined) return describe(verdict, location(verdict), got);
    const at = this.#reader.locationOf(got.from);
    const copy = { bytes: got.bytes.slice(got.from, got.to), from: 0, to: got.to - got.from };
    const later = compareAnswerPairAsync(comparator, { caseNumber, caseBytes, head, expected, got: copy });
    const finding = later.then((mismatch) => (mismatch === null ? null : describe(mismatch, at, copy)));
    // The promise is awaited with the other findings of the chunk, perhaps after another comparison has failed.
    finding.catch(() => {});
    return finding;
  }

  /** Whether the file has an answer to the current case. Reports and skips answers that belong to no case. */
  async #findAnswerToCase(scope: AnswerScope | null): Promise<boolean> {
    const { extent } = this.#reader;
    while (await this.#findNextAnswer(scope)) {
      if (!this.#options.answerFormat.hasLabels || extent.caseNumber === this.#answeredCases) return true;
      if (extent.caseNumber !== null && extent.caseNumber > this.#answeredCases) return false;
      const got = this.#gotRange();
      this.#addUnexpected(got, this.#answeredCases);
      this.#reader.skipTo(got.to);
    }
    return false;
  }

  async #findNextAnswer(scope: AnswerScope | null): Promise<boolean> {
    const isThere = this.#reader.findNextAnswerInMemory(scope) ?? (await this.#reader.findNextAnswer(scope));
    if (isThere && this.#options.wholeLines) await this.#reader.readRestOfLine();
    return isThere;
  }

  /** Returns the part of the file's current answer that is compared: its tokens, or all bytes up to the end of its line. */
  #gotRange(): ByteRange {
    const { bytes, from, extent } = this.#reader;
    if (!this.#options.wholeLines) return { bytes, from: extent.start, to: extent.end };
    return { bytes, from, to: isEmpty(extent) ? extent.end : this.#reader.lineEndIndex() };
  }

  #addUnexpected(got: ByteRange, dueCase: number | null): void {
    const location = this.#locate(got.from);
    this.#findings.push(this.#describe('unexpected', dueCase, location, null, got));
  }

  /** Returns the location of a byte of the answer file. Differences that are counted but not reported need no location. */
  #locate(index: number): Location {
    return this.#locatedDifferences++ < this.#options.maxReported
      ? this.#reader.locationOf(index)
      : TEXT_START;
  }

  #describe(
    kind: AnswerDifference['kind'],
    dueCase: number | null,
    location: Location,
    expected: ByteRange | null,
    got: ByteRange | null,
    reason: string | null = null,
  ): AnswerDifference {
    const [right, given] = [expected, got].map((range) =>
      shownText(this.#options.wholeLines ? range : withoutLineEnd(range)),
    );
    const caseNumber = kind === 'unexpected' ? null : dueCase;
    return { kind, caseNumber, dueCase, location, expected: right, got: given, reason };
  }

  /** Waits for all comparisons of the chunk, counts the differences, and reports the first ones. */
  async #reportFindings(): Promise<void> {
    const findings = this.#findings;
    this.#findings = [];
    for (const finding of findings) {
      const difference = finding instanceof Promise ? await this.#wait(finding) : finding;
      if (difference?.kind !== 'unexpected') this.#comparedCases++;
      if (difference === null) continue;
      this.counts[difference.kind]++;
      if (this.#reportedDifferences++ < this.#options.maxReported)
        await this.#options.onDifference(difference);
    }
  }

  /** Waits for a comparison. If a signal has kept it from starting, the error says how many cases were compared before. */
  async #wait(finding: Promise<AnswerDifference | null>): Promise<AnswerDifference | null> {
    try {
      return await finding;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw new Interrupted(
        error.signal,
        `stopped by ${error.signal} after ${pluralize(this.#comparedCases, 'case')}`,
      );
    }
  }
}

function shownText(range: ByteRange | null): string | null {
  if (range === null) return null;
  const isCut = range.to - range.from > MAX_SHOWN_BYTES;
  return (
    textOfByteRange(isCut ? { ...range, to: range.from + MAX_SHOWN_BYTES } : range) + (isCut ? '...' : '')
  );
}

/** Leaves out the line end that belongs to an answer of empty lines, because messages show answers without a line end. */
function withoutLineEnd(range: ByteRange | null): ByteRange | null {
  if (range === null || range.to === range.from || range.bytes[range.to - 1] !== LF) return range;
  return { ...range, to: range.to - 1 };
}

/** Whether an answer has no bytes. A line end after it belongs to the next answer, because nothing need be printed for it. */
function isEmpty({ start, end }: AnswerExtent): boolean {
  return end === start;
}
