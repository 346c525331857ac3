/**
 * Scans one stretch of an input in any thread, without the bytes before it.
 *
 * Which cases are in a stretch depends on where the stretch before it has ended (the baton). A worker need not wait for that: it
 * guesses where the first case begins, and scans from there. The guess counts only if the baton then arrives exactly there. The
 * scan is a function of its position and of the bytes behind it, so the cases are those that a scan of the whole input finds, and
 * a wrong guess only costs time.
 */
import { EMPTY_SPAN, type Span } from '../../core/location.js';
import type { CaseSearch, InputFormat } from '../../formats/input-format.js';
import { type Chunk, type End, Scanner, type ScanOptions } from '../cut/scan.js';
import { MAX_GUESSED_BYTES } from '../limits.js';
import type { ErrorPolicy } from '../output-settings.js';
import type { ScanPosition } from '../position.js';
import type { BatonPosition } from './baton.js';
import type { StretchBounds } from './stretch-messages.js';
import type { StretchReader } from './stretch-reader.js';

/** What is the same for all stretches of an input. */
export interface StretchedInput {
  readonly inputFormat: InputFormat;
  readonly onError: ErrorPolicy;
  /** The head of the input, one character per byte; null if it has none. */
  readonly head: string | null;
  /** Number of cases that the head promises; null if it states none. */
  readonly promised: number | null;
}

/** The chunks of a stretch, and where its scan has ended. */
export interface ScannedStretch {
  /** The offset at which the scan began. */
  readonly start: number;
  readonly chunks: readonly Chunk[];
  /** The end of the input; null if it is not in this stretch, or if a bad case ended the run. */
  readonly end: End | null;
  /** Span of the bytes after the last chunk. */
  readonly spanAfter: Span;
  /** The position at which the scan has ended. */
  readonly position: ScanPosition;
  /** Whether the scan began at a place that was guessed. */
  readonly isGuessed: boolean;
  /** Whether a run can continue at the position: what follows, which may have decided about the last case, was seen. */
  readonly isContinuable: boolean;
  /** Whether no stretch follows. */
  readonly isOver: boolean;
  /** Why the input could not be read to the end of the stretch. Missing if it could. */
  readonly failure?: unknown;
}

export class StretchScanner {
  readonly #input: StretchedInput;
  readonly #reader: StretchReader;
  readonly #bounds: StretchBounds;

  /** The reader has loaded the stretch, from the byte before it on. */
  constructor(input: StretchedInput, reader: StretchReader, bounds: StretchBounds) {
    this.#input = input;
    this.#reader = reader;
    this.#bounds = bounds;
  }

  /** Scans from the place where the first case seems to begin. Returns null if the stretch cannot be scanned so. */
  guess(): ScannedStretch | null {
    const { inputFormat, onError } = this.#input;
    const { from, to } = this.#bounds;
    const reader = this.#reader;
    const caseScanner = inputFormat.createScanner({ isThorough: onError === 'mark' });
    // The cases of such a format differ by their index, which only the baton tells.
    if (caseScanner.useIndex !== undefined || from === 0) return null;
    caseScanner.useHead(this.#input.head === null ? null : Buffer.from(this.#input.head, 'latin1'));
    // Unless the byte before the stretch is a blank, the search skips the token that this byte belongs to.
    const bytes = reader.bytesFrom(from - 1);
    const search: CaseSearch = { at: 0, isInsideToken: true };
    if (!caseScanner.findNextCase(bytes, bytes.length, reader.isAtEnd, search)) return null;
    const offset = from - 1 + search.at;
    if (search.at === bytes.length || offset >= to) return null;
    const scanned = this.#scan({ offset, cases: 0, searching: 'no' }, null, to + MAX_GUESSED_BYTES);
    return scanned === null || scanned.isOver || scanned.failure !== undefined ? null : scanned;
  }

  /** Returns what was guessed if it is what a scan from the baton finds, and otherwise scans from the baton. */
  verify(guessed: ScannedStretch | null, baton: BatonPosition): ScannedStretch {
    if (guessed === null || !this.#isRight(guessed, baton)) return this.scanFrom(baton);
    const { chunks, position } = guessed;
    return {
      ...guessed,
      isGuessed: true,
      chunks: chunks.map((chunk) => ({ ...chunk, firstCase: baton.cases + chunk.firstCase })),
      position: { ...position, cases: baton.cases + position.cases, promised: this.#input.promised },
    };
  }

  #isRight({ start, position }: ScannedStretch, baton: BatonPosition): boolean {
    const { promised } = this.#input;
    const isSamePlace = !baton.isOver && baton.searching === 'no' && baton.offset === start;
    // Behind the last of the promised cases, the scan would have looked for the end of the input.
    return isSamePlace && baton.cases + position.cases <= (promised ?? Number.POSITIVE_INFINITY);
  }

  /** Scans the stretch from where the stretch before it has ended. */
  scanFrom(baton: BatonPosition): ScannedStretch {
    const { promised } = this.#input;
    if (!baton.isOver && baton.offset < this.#bounds.to)
      return this.#scan(baton, promised, Number.POSITIVE_INFINITY)!;
    const position = this.#positionAt(baton, promised);
    const { offset: start, isOver } = baton;
    return {
      start,
      chunks: [],
      end: null,
      spanAfter: EMPTY_SPAN,
      position,
      isContinuable: false,
      isGuessed: false,
      isOver,
    };
  }

  #positionAt(
    { offset, cases, searching }: Omit<BatonPosition, 'isOver'>,
    promised: number | null,
  ): ScanPosition {
    return { offset, cases, searching, promised, head: this.#input.head, digest: null, next: '' };
  }

  /** Scans from a position. Returns null if the scan would have to read beyond the offset `limit`. */
  #scan(from: Omit<BatonPosition, 'isOver'>, promised: number | null, limit: number): ScannedStretch | null {
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
          // The next stretch begins with the case whose end has not come yet.
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
      isGuessed: false,
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
