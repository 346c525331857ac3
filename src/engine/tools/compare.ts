/**
 * A sink that keeps nothing: it holds the answers, as they come in order, to those in an answer file, case by case.
 * The file is read no faster than its cases are solved.
 *
 * Compared are words, as checkers do, or bytes. Where answers have labels they go by these: a case that the file
 * leaves out is one difference, and does not put all others in the wrong.
 */
import { latin1, skipBlanks, tokenEnd } from '../../core/bytes.js';
import type { Location } from '../../core/location.js';
import type { AnswerExtent, AnswerFormat } from '../../problems/answer-format.js';
import { MAX_SHOWN_BYTES } from '../limits.js';
import type { Sink } from '../sink.js';
import { AnswerReader } from './answer-reader.js';

export interface AnswerDifference {
  /** `missing`: the file has no answer to the case; `unexpected`: an answer to no case that was due. */
  readonly kind: 'differs' | 'missing' | 'unexpected';
  /** Null for a unexpected answer. */
  readonly caseNumber: number | null;
  /** In the answer file: of the first word (or byte) that differs. */
  readonly place: Location;
  /** As they stand, cut off when long; null: there is none. */
  readonly expected: string | null;
  readonly got: string | null;
}

export interface CompareOptions {
  readonly answerFormat: AnswerFormat<unknown>;
  /** Bytes, not words. */
  readonly exact: boolean;
  /** Told the first `max` differences, as they are found. */
  readonly max: number;
  readonly onDifference: (difference: AnswerDifference) => Promise<void>;
}

/** A stretch of bytes. */
interface Stretch {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

export class AnswerComparer implements Sink {
  readonly keepsPositions = false;
  readonly resumed = null;
  readonly counts = { differs: 0, missing: 0, unexpected: 0 };
  readonly #options: CompareOptions;
  readonly #reader: AnswerReader;
  readonly #due: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  #cases = 0;
  #told = 0;

  constructor(answers: AsyncIterable<Uint8Array>, options: CompareOptions) {
    this.#options = options;
    this.#reader = new AnswerReader(answers, options.answerFormat);
  }

  get cases(): number {
    return this.#cases;
  }

  get isSame(): boolean {
    const { differs, missing, unexpected } = this.counts;
    return differs + missing + unexpected === 0;
  }

  /** `bytes`: whole answers, as boardmill prints them. */
  async write(bytes: Uint8Array): Promise<void> {
    const { answerFormat } = this.#options;
    for (let from = 0; answerFormat.find(bytes, from, bytes.length, true, this.#due); ) {
      this.#cases++;
      // Behind the words there is one line end.
      const line = { bytes, from, to: Math.min(this.#due.end + 1, bytes.length) };
      await this.#compare(this.#options.exact ? line : { ...line, to: this.#due.end });
      from = line.to;
    }
  }

  /** All cases are answered: nothing may be left. */
  async finish(): Promise<void> {
    const isThere = await this.#peek();
    const { bytes, from, end } = this.#reader;
    if (isThere) await this.#tell('unexpected', null, this.#got(), 0);
    else if (this.#options.exact && end > from)
      await this.#tell('unexpected', null, { bytes, from, to: end }, 0);
  }

  async abandon(): Promise<boolean> {
    return false;
  }

  async #compare(due: Stretch): Promise<void> {
    if (!(await this.#isNext())) {
      return this.#tell('missing', due, null, 0);
    }
    const got = this.#got();
    const same = this.#options.exact ? sameBytes(due, got) : sameWords(due, got);
    if (same !== null) await this.#tell('differs', due, got, same);
    this.#reader.pass(got.to);
  }

  /** Whether the file's next answer is for the case at hand. Those that are for none are passed over. */
  async #isNext(): Promise<boolean> {
    const { extent } = this.#reader;
    while (await this.#peek()) {
      if (!this.#options.answerFormat.hasLabels || extent.caseNumber === this.#cases) return true;
      if (extent.caseNumber !== null && extent.caseNumber > this.#cases) return false;
      const got = this.#got();
      await this.#tell('unexpected', null, got, 0);
      this.#reader.pass(got.to);
    }
    return false;
  }

  async #peek(): Promise<boolean> {
    const isThere = this.#reader.peekAtHand() ?? (await this.#reader.peek());
    if (isThere && this.#options.exact) await this.#reader.readLine();
    return isThere;
  }

  /** What is compared of the answer at hand: its words, or all bytes up to the end of its line. */
  #got(): Stretch {
    const { bytes, from, extent } = this.#reader;
    return this.#options.exact
      ? { bytes, from, to: this.#reader.lineEnd() }
      : { bytes, from: extent.start, to: extent.end };
  }

  /** `same`: bytes of `got` that are as they ought to be. */
  async #tell(
    kind: AnswerDifference['kind'],
    due: Stretch | null,
    got: Stretch | null,
    same: number,
  ): Promise<void> {
    this.counts[kind]++;
    const { max, onDifference } = this.#options;
    if (this.#told++ >= max) return;
    await onDifference({
      kind,
      caseNumber: due === null ? null : this.#cases,
      place: this.#reader.placeOf(got === null ? this.#reader.nextIndex() : got.from + same),
      expected: due && textOf(due),
      got: got && textOf(got),
    });
  }
}

/** How many bytes of `got` are those of `due`; null: all, and there are no more. */
function sameBytes(due: Stretch, got: Stretch): number | null {
  const length = Math.min(due.to - due.from, got.to - got.from);
  let same = 0;
  while (same < length && due.bytes[due.from + same] === got.bytes[got.from + same]) same++;
  return same === due.to - due.from && same === got.to - got.from ? null : same;
}

/** How many bytes of `got` stand before the first word that is not as in `due`; null: there is none. */
function sameWords(due: Stretch, got: Stretch): number | null {
  let dueAt = due.from;
  let gotAt = got.from;
  while (dueAt < due.to && gotAt < got.to) {
    const dueEnd = tokenEnd(due.bytes, dueAt, due.to);
    const gotEnd = tokenEnd(got.bytes, gotAt, got.to);
    const words = { ...due, from: dueAt, to: dueEnd };
    if (sameBytes(words, { ...got, from: gotAt, to: gotEnd }) !== null) break;
    dueAt = skipBlanks(due.bytes, dueEnd, due.to);
    gotAt = skipBlanks(got.bytes, gotEnd, got.to);
  }
  return dueAt === due.to && gotAt === got.to ? null : gotAt - got.from;
}

function textOf({ bytes, from, to }: Stretch): string {
  const isCut = to - from > MAX_SHOWN_BYTES;
  return latin1(bytes, from, isCut ? from + MAX_SHOWN_BYTES : to) + (isCut ? '...' : '');
}
