import { MIB } from '../../core/bytes.js';
import { FreeBuffers } from '../input/free-buffers.js';
import type { SharedPipe } from '../input/pipe.js';
import { PIPE_SEGMENT_BYTES, PIPE_SEGMENTS_AHEAD } from '../limits.js';
import type { PipeReport, PipeSegment } from './pipe-messages.js';
import type { PipeThread } from './pipe-thread.js';
import type { RangeCutter } from './range-cutter.js';
import type { ScanRange } from './range-messages.js';
import { startOfHashBlock } from './range-reader.js';

/** A segment of the memory into which a thread reads the pipe. */
interface Segment {
  readonly memory: SharedArrayBuffer;
  /**
   * Number of ranges that were given out and need the segment, because they end in it or their first case may begin in it. One
   * more is counted as long as later ranges may need it.
   */
  holders: number;
}

/** If cases are usually larger, many are scanned in several ranges, each of which scans them from their beginning. */
const MAX_CASE_BYTES = PIPE_SEGMENT_BYTES / 16;

/** A case of which so much has arrived, but not its end, counts as large. */
const LARGE_CASE_BYTES = MIB;

/** The longest time that a range inside a large case waits for more bytes of the case, in milliseconds. */
const MAX_WAIT_IN_CASE_MS = 100;

/**
 * Cuts a pipe into ranges. A thread reads the pipe into segments of shared memory. The first case of a range may begin in
 * any segment since the last place at which a scan is known to have ended, so each range comes with these segments. A
 * segment is used again when no later range needs it, and all ranges that came with it are solved.
 */
export class PipeRangeCutter implements RangeCutter {
  readonly #pipe: SharedPipe;
  readonly #freeMemory = new FreeBuffers();
  /** The segments in use, by their numbers. Segment 0 begins at the offset `#origin`. */
  readonly #segments = new Map<number, Segment>();
  #thread: PipeThread | null = null;
  /** The offset in the input at which the first segment begins. */
  #origin = 0;
  /** The offset in the input at which the next range begins; null after the last range. */
  #from: number | null = 0;
  /** The offset in the input after the last byte that has arrived from the pipe. */
  #arrived = 0;
  /** The number of the first segment in which the first case of a later range may begin. */
  #oldest = 0;
  /** Offset of the end of the last range whose scan is known to have ended, and the bytes after the end of that scan. */
  #settled = 0;
  #openBytes = 0;
  #isAtEnd = false;
  #failure: Error | null = null;
  #wake: () => void = () => {};

  /** Returns null if no thread can go on reading the pipe. */
  static open(pipe: SharedPipe): PipeRangeCutter | null {
    return pipe.keepLast() ? new PipeRangeCutter(pipe) : null;
  }

  private constructor(pipe: SharedPipe) {
    this.#pipe = pipe;
    pipe.closed.addEventListener('abort', () => this.#wake());
  }

  canBegin(offset: number, caseBytes: number): boolean {
    return caseBytes <= MAX_CASE_BYTES && startOfHashBlock(offset) >= this.#pipe.kept.from;
  }

  begin(offset: number): void {
    const { bytes, from } = this.#pipe.kept;
    this.#origin = startOfHashBlock(offset);
    this.#from = offset;
    this.#thread = this.#startThread(bytes.subarray(this.#origin - from));
  }

  /** Copies these bytes of the pipe into the first segments, and starts the thread that reads the rest of the pipe. */
  #startThread(bytes: Uint8Array): PipeThread {
    const begin = this.#origin + bytes.length;
    this.#arrived = begin;
    const current = this.#numberOf(begin);
    const segments: PipeSegment[] = [];
    for (let number = 0; number <= Math.max(current, PIPE_SEGMENTS_AHEAD); number++) {
      const { memory } = this.#addSegment(number);
      const part = bytes.subarray(number * PIPE_SEGMENT_BYTES, (number + 1) * PIPE_SEGMENT_BYTES);
      new Uint8Array(memory).set(part);
      if (number >= current) segments.push({ memory, filled: part.length });
    }
    return this.#pipe.readOn(segments, ({ bytes: count, isAtEnd, failure }: PipeReport) => {
      this.#arrived = begin + count;
      this.#isAtEnd = isAtEnd;
      if (failure !== null) this.#failure ??= Object.assign(new Error(failure.message), failure);
      this.#wake();
    });
  }

  async next(wantedBytes: number): Promise<ScanRange | null> {
    await this.#waitForBytes();
    const from = this.#from;
    if (from === null || this.#pipe.closed.aborted) return null;
    if (from === this.#arrived && !this.#isAtEnd) throw this.#failure;
    const number = this.#numberOf(from);
    const to = Math.min(this.#arrived, from + Math.ceil(wantedBytes), this.#offsetOf(number + 1));
    const isInputEnd = this.#isAtEnd && to === this.#arrived;
    const range = this.#cut(number, from, to, isInputEnd);
    this.#from = isInputEnd ? null : to;
    if (this.#numberOf(to) > number) this.#enterSegment(number + 1);
    return range;
  }

  /**
   * Waits until there are bytes for the next range, or no more can come. Each range inside a case scans the case from its
   * beginning, so if the case is large, also waits for as many bytes as have come of it, but not long: the program that
   * writes may wait for answers.
   */
  async #waitForBytes(): Promise<void> {
    const from = this.#from;
    if (from === null) return;
    await this.#waitUntil(() => this.#arrived > from);
    if (this.#openBytes < LARGE_CASE_BYTES) return;
    const enough = Math.min(from + this.#openBytes, this.#offsetOf(this.#numberOf(from) + 1));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, MAX_WAIT_IN_CASE_MS);
    await this.#waitUntil(() => isLate || this.#arrived >= enough);
    clearTimeout(timer);
  }

  /** Waits until the condition is true, or until no more bytes can come. */
  async #waitUntil(isTrue: () => boolean): Promise<void> {
    while (!isTrue() && !this.#isAtEnd && this.#failure === null && !this.#pipe.closed.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /**
   * Creates a range from bytes of this segment. The scan of the range ends where these bytes end, not at an offset `to`,
   * because the last case may end after them.
   */
  #cut(number: number, from: number, to: number, isInputEnd: boolean): ScanRange {
    const first = this.#oldest;
    const segments: Segment[] = [];
    for (let each = first; each <= number; each++) segments.push(this.#segments.get(each)!);
    for (const segment of segments) segment.holders++;
    const source = {
      kind: 'memory',
      segments: segments.map(({ memory }) => memory),
      offset: this.#offsetOf(first),
      end: to,
      isInputEnd,
    } as const;
    return { from, to: Number.POSITIVE_INFINITY, source };
  }

  settle({ source }: ScanRange, offset: number): void {
    // A later range may have been settled before.
    if (source.end < this.#settled) return;
    this.#settled = source.end;
    this.#openBytes = source.end - offset;
    const oldest = this.#numberOf(offset);
    for (; this.#oldest < oldest; this.#oldest++) this.#releaseSegment(this.#oldest);
  }

  release({ source }: ScanRange): void {
    if (source.kind !== 'memory') return;
    const first = this.#numberOf(source.offset);
    for (const index of source.segments.keys()) this.#releaseSegment(first + index);
  }

  /** Called when the next ranges begin in this segment: gives the thread another segment to fill. */
  #enterSegment(number: number): void {
    const next = number + PIPE_SEGMENTS_AHEAD;
    if (this.#segments.has(next)) return;
    const { memory } = this.#addSegment(next);
    this.#thread?.add({ memory, filled: 0 });
  }

  #addSegment(number: number): Segment {
    const memory = this.#freeMemory.take(PIPE_SEGMENT_BYTES);
    const segment = { memory, holders: 1 };
    this.#segments.set(number, segment);
    return segment;
  }

  #releaseSegment(number: number): void {
    const segment = this.#segments.get(number);
    if (segment === undefined || --segment.holders > 0) return;
    this.#segments.delete(number);
    this.#freeMemory.giveBack(segment.memory);
  }

  #numberOf(offset: number): number {
    return Math.floor((offset - this.#origin) / PIPE_SEGMENT_BYTES);
  }

  #offsetOf(number: number): number {
    return this.#origin + number * PIPE_SEGMENT_BYTES;
  }

  close(): void {
    this.#thread?.end();
    this.#pipe.close();
  }
}
