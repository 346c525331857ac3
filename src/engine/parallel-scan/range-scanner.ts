/**
 * Scans one range of an input in any thread, without the bytes before it.
 *
 * Which cases are in a range depends on where the range before it has ended, which its handoff says. A worker need not wait for
 * that: it speculates where the first case begins, and scans from there. The speculation counts only if the handoff then says exactly
 * this place. The scan is a function of its position and of the bytes behind it, so the cases are those that a scan of the whole
 * input finds, and a wrong speculation only costs time.
 */
import { EMPTY_SPAN, type Span } from '../../core/location.js';
import type { CaseSearch, InputFormat } from '../../formats/input-format.js';
import { type Chunk, type End, Scanner, type ScanOptions } from '../cut/scan.js';
import { MAX_SPECULATED_BYTES } from '../limits.js';
import type { ErrorPolicy } from '../output-settings.js';
import type { ScanPosition } from '../position.js';
import type { HandoffPosition } from './handoff.js';
import type { ScanRange } from './range-messages.js';
import type { RangeReader } from './range-reader.js';

/** What is the same for all ranges of an input. */
export interface ScannedInput {
  readonly inputFormat: InputFormat;
  readonly onError: ErrorPolicy;
  /** The head of the input, one character per byte; null if it has none. */
  readonly head: string | null;
  /** Number of cases that the head promises; null if it states none. */
  readonly promised: number | null;
}

/** The chunks of a range, and where its scan has ended. */
export interface ScannedRange {
  /** The offset at which the scan began. */
  readonly start: number;
  readonly chunks: readonly Chunk[];
  /** The end of the input; null if it is not in this range, or if a bad case ended the run. */
  readonly end: End | null;
  /** Span of the bytes after the last chunk. */
  readonly spanAfter: Span;
  /** The position at which the scan has ended. */
  readonly position: ScanPosition;
  /** Whether the scan began speculatively, and has turned out to be right. */
  readonly isSpeculative: boolean;
  /** Whether a run can continue at the position: what follows, which may have decided about the last case, was seen. */
  readonly isContinuable: boolean;
  /** Whether no range follows. */
  readonly isOver: boolean;
  /** Why the input could not be read to the end of the range. Missing if it could. */
  readonly failure?: unknown;
}

export class RangeScanner {
  readonly #input: ScannedInput;
  readonly #reader: RangeReader;
  readonly #bounds: ScanRange;

  /** The reader has loaded the range, from the byte before it on. */
  constructor(input: ScannedInput, reader: RangeReader, bounds: ScanRange) {
    this.#input = input;
    this.#reader = reader;
    this.#bounds = bounds;
  }

  /** Scans from the place where the first case seems to begin. Returns null if the range cannot be scanned so. */
  speculate(): ScannedRange | null {
    const { inputFormat, onError } = this.#input;
    const { from, to } = this.#bounds;
    const reader = this.#reader;
    const caseScanner = inputFormat.createScanner({ isThorough: onError === 'mark' });
    // The cases of such a format differ by their index, which only the handoff tells.
    if (caseScanner.useIndex !== undefined || from === 0) return null;
    caseScanner.useHead(this.#input.head === null ? null : Buffer.from(this.#input.head, 'latin1'));
    // Unless the byte before the range is a blank, the search skips the token that this byte belongs to.
    const bytes = reader.bytesFrom(from - 1);
    const search: CaseSearch = { at: 0, isInsideToken: true };
    if (!caseScanner.findNextCase(bytes, bytes.length, reader.isAtEnd, search)) return null;
    const offset = from - 1 + search.at;
    if (search.at === bytes.length || offset >= to) return null;
    const scanned = this.#scan({ offset, cases: 0, searching: 'no' }, null, to + MAX_SPECULATED_BYTES);
    return scanned === null || scanned.isOver || scanned.failure !== undefined ? null : scanned;
  }

  /** Returns the speculative scan if it is what a scan from the handoff finds, and otherwise scans from the handoff. */
  verify(speculated: ScannedRange | null, handoff: HandoffPosition): ScannedRange {
    if (speculated === null || !this.#isRight(speculated, handoff)) return this.scanFrom(handoff);
    const { chunks, position } = speculated;
    return {
      ...speculated,
      isSpeculative: true,
      chunks: chunks.map((chunk) => ({ ...chunk, firstCase: handoff.cases + chunk.firstCase })),
      position: { ...position, cases: handoff.cases + position.cases, promised: this.#input.promised },
    };
  }

  #isRight({ start, position }: ScannedRange, handoff: HandoffPosition): boolean {
    const { promised } = this.#input;
    const isSamePlace = !handoff.isOver && handoff.searching === 'no' && handoff.offset === start;
    // Behind the last of the promised cases, the scan would have looked for the end of the input.
    return isSamePlace && handoff.cases + position.cases <= (promised ?? Number.POSITIVE_INFINITY);
  }

  /** Scans the range from where the range before it has ended. */
  scanFrom(handoff: HandoffPosition): ScannedRange {
    const { promised } = this.#input;
    if (!handoff.isOver && handoff.offset < this.#bounds.to)
      return this.#scan(handoff, promised, Number.POSITIVE_INFINITY)!;
    const position = this.#positionAt(handoff, promised);
    const { offset: start, isOver } = handoff;
    return {
      start,
      chunks: [],
      end: null,
      spanAfter: EMPTY_SPAN,
      position,
      isContinuable: false,
      isSpeculative: false,
      isOver,
    };
  }

  #positionAt(
    { offset, cases, searching }: Omit<HandoffPosition, 'isOver'>,
    promised: number | null,
  ): ScanPosition {
    return { offset, cases, searching, promised, head: this.#input.head, digest: null, next: '' };
  }

  /** Scans from a position. Returns null if the scan would have to read beyond the offset `limit`. */
  #scan(from: Omit<HandoffPosition, 'isOver'>, promised: number | null, limit: number): ScannedRange | null {
    const reader = this.#reader;
    const scanner = new Scanner(this.#scanOptions(this.#positionAt(from, promised)));
    const items: (Chunk | End)[] = [];
    let failure: { readonly failure?: unknown } = {};
    try {
      for (;;) {
        scanner.attach(reader.bytesFrom(from.offset));
        for (const item of scanner.cut(reader.isAtEnd)) items.push(item);
        if (scanner.isDone || scanner.isResting || reader.isAtEnd) break;
        if (reader.end >= limit) return null;
        if (!reader.hasMore) {
          // The next range begins with the case whose end has not come yet.
          items.push(...scanner.closeChunk());
          break;
        }
        reader.readMore();
      }
    } catch (error) {
      // The cases that were read completely are answered nevertheless.
      items.push(...scanner.closeChunk());
      failure = { failure: error };
    }
    const last = items.at(-1);
    const chunks = items.filter((item) => item.kind === 'chunk');
    return {
      start: from.offset,
      chunks,
      end: last?.kind === 'end' ? last : null,
      spanAfter: last?.kind === 'end' ? EMPTY_SPAN : scanner.skippedSpan,
      position: scanner.position,
      isContinuable: scanner.position.offset < reader.end,
      isSpeculative: false,
      isOver: scanner.isDone || 'failure' in failure,
      ...failure,
    };
  }

  #scanOptions(startPosition: ScanPosition): ScanOptions {
    const { inputFormat, onError } = this.#input;
    return {
      inputFormat,
      onError,
      chunkBytes: () => Number.POSITIVE_INFINITY,
      restOffset: this.#bounds.to,
      memory: IN_PLACE,
      hash: null,
      startPosition,
    };
  }
}

/** The bytes of the chunks stay in the memory of the reader. */
const IN_PLACE: NonNullable<ScanOptions['memory']> = {
  isInUse: true,
  nextSegment: () => {
    throw new Error('a scanner that reads in place needs no memory');
  },
  keep: () => {},
};
