/**
 * Scans one range of an input in any thread, without the bytes before it.
 *
 * Which cases belong to a range depends on where the scan of the range before has ended: its handoff says so. Without waiting
 * for the handoff, a worker speculates where the first case begins, and scans from there. The result counts only if the handoff
 * then says exactly this place. A scan depends only on its position and on the bytes after the position, so it finds the same
 * cases as a scan of the whole input, and a wrong speculation only costs time.
 */
import { KIB } from '../../core/bytes.js';
import { EMPTY_SPAN } from '../../core/location.js';
import type { CaseSearch, InputFormat } from '../../formats/input-format.js';
import { type Chunk, type InputEnd, Scanner, type ScanOptions } from '../cut/scan.js';
import type { ScanPosition } from '../position.js';
import type { HandoffPosition } from './handoff.js';
import type { RangeScan, RangeTask } from './range-messages.js';
import type { RangeReader } from './range-reader.js';

/** Largest number of bytes after a range that a speculative scan reads to find the end of the last case. */
const MAX_SPECULATED_BYTES = 64 * KIB;

/** The chunks of a range, and the other results of its scan. */
export interface ScannedRange {
  readonly scan: RangeScan;
  readonly chunks: readonly Chunk[];
  /** The error because of which the input could not be read to the end of the range; missing if there was none. */
  readonly failure?: unknown;
}

/** The position at which the scan of a range begins. */
type ScanStart = Omit<HandoffPosition, 'isOver'>;

export class RangeScanner {
  readonly #inputFormat: InputFormat;
  readonly #reader: RangeReader;
  readonly #task: RangeTask;

  /** The caller passes a reader that has loaded the range and the byte before it. */
  constructor(inputFormat: InputFormat, reader: RangeReader, task: RangeTask) {
    this.#inputFormat = inputFormat;
    this.#reader = reader;
    this.#task = task;
  }

  /** Scans speculatively, from where the first case seems to begin. Returns null if the range does not allow this. */
  speculate(): ScannedRange | null {
    const { from, to, head, settings } = this.#task;
    const reader = this.#reader;
    const caseScanner = this.#inputFormat.createScanner({ isThorough: settings.onError === 'mark' });
    // In a format with `useIndex`, the layout of a case depends on its index, which only the handoff says.
    if (caseScanner.useIndex !== undefined || from === 0) return null;
    caseScanner.useHead(head.bytes);
    // If the byte before the range belongs to a token, the search first skips the rest of that token.
    const bytes = reader.bytesFrom(from - 1);
    const search: CaseSearch = { at: 0, isInsideToken: true };
    if (!caseScanner.findNextCase(bytes, bytes.length, reader.isAtEnd, search)) return null;
    const offset = from - 1 + search.at;
    if (search.at === bytes.length || offset >= to) return null;
    const scanned = this.#scan({ offset, cases: 0, searching: 'no' }, null, to + MAX_SPECULATED_BYTES);
    return scanned === null || scanned.scan.stop.isOver || scanned.failure !== undefined ? null : scanned;
  }

  /** Returns the speculative scan if a scan from the handoff would find the same; otherwise scans from the handoff. */
  verify(speculated: ScannedRange | null, handoff: HandoffPosition): ScannedRange {
    if (speculated === null || !this.#isRight(speculated, handoff)) return this.scanFrom(handoff);
    const { scan, chunks } = speculated;
    const { cases } = handoff;
    return {
      scan: { ...scan, isSpeculative: true, stop: { ...scan.stop, cases: cases + scan.stop.cases } },
      chunks: chunks.map((chunk) => ({ ...chunk, firstCase: cases + chunk.firstCase })),
    };
  }

  #isRight({ scan }: ScannedRange, handoff: HandoffPosition): boolean {
    const { promised } = this.#task;
    const isSamePlace = !handoff.isOver && handoff.searching === 'no' && handoff.offset === scan.start;
    // If the range contains the last promised case, a scan from the handoff would have looked for the end of the input after
    // it.
    return isSamePlace && handoff.cases + scan.stop.cases <= (promised ?? Number.POSITIVE_INFINITY);
  }

  /** Scans the range from the position at which the scan of the range before has ended. */
  scanFrom(handoff: HandoffPosition): ScannedRange {
    const { promised, to } = this.#task;
    if (!handoff.isOver && handoff.offset < to)
      return this.#scan(handoff, promised, Number.POSITIVE_INFINITY)!;
    const scan = {
      start: handoff.offset,
      stop: { ...handoff, next: '' },
      spanAfter: EMPTY_SPAN,
      end: null,
      isContinuable: false,
      isSpeculative: false,
    };
    return { scan, chunks: [] };
  }

  /** Scans the range from a position. Returns null if the scan would have to read beyond the offset `limit`. */
  #scan(from: ScanStart, promised: number | null, limit: number): ScannedRange | null {
    const reader = this.#reader;
    const scanner = new Scanner(this.#scanOptions(from, promised));
    const items: (Chunk | InputEnd)[] = [];
    let failure: { readonly failure?: unknown } = {};
    try {
      for (;;) {
        scanner.attach(reader.bytesFrom(from.offset));
        for (const item of scanner.cut(reader.isAtEnd)) items.push(item);
        if (scanner.isDone || scanner.isResting || reader.isAtEnd) break;
        if (reader.end >= limit) return null;
        if (!reader.hasMore) {
          // A case whose end has not arrived yet from the pipe belongs to the next range.
          items.push(...scanner.closeChunk());
          break;
        }
        reader.readMore();
      }
    } catch (error) {
      // The cases before the failure that were read completely are answered nevertheless.
      items.push(...scanner.closeChunk());
      failure = { failure: error };
    }
    const last = items.at(-1);
    const { offset, cases, searching, next } = scanner.position;
    const isOver = scanner.isDone || 'failure' in failure;
    const scan = {
      start: from.offset,
      stop: { offset, cases, searching, next, isOver },
      spanAfter: last?.kind === 'end' ? EMPTY_SPAN : scanner.skippedSpan,
      end: last?.kind === 'end' ? last : null,
      isContinuable: offset < reader.end,
      isSpeculative: false,
    };
    return { scan, chunks: items.filter((item) => item.kind === 'chunk'), ...failure };
  }

  #scanOptions({ offset, cases, searching }: ScanStart, promised: number | null): ScanOptions {
    const { head, settings, to } = this.#task;
    const headText = head.bytes === null ? null : Buffer.from(head.bytes).toString('latin1');
    const startPosition: ScanPosition = {
      offset,
      cases,
      searching,
      promised,
      head: headText,
      digest: null,
      next: '',
    };
    return {
      inputFormat: this.#inputFormat,
      onError: settings.onError,
      chunkBytes: () => Number.POSITIVE_INFINITY,
      restOffset: to,
      memory: IN_PLACE,
      hash: null,
      startPosition,
    };
  }
}

/** The memory for a scan that leaves the bytes of the chunks in the memory of the reader, without copying them. */
const IN_PLACE: NonNullable<ScanOptions['memory']> = {
  isInUse: true,
  nextSegment: () => {
    throw new Error('a scanner that reads in place needs no memory');
  },
  keep: () => {},
};
