import { FreeBuffers } from '../input/free-buffers.js';
import type { SharedPipe } from '../input/pipe.js';
import { PIPE_SEGMENT_BYTES, PIPE_SEGMENTS_AHEAD } from '../limits.js';
import type { PipeReport, PipeSegment } from './pipe-messages.js';
import type { PipeThread } from './pipe-thread.js';
import type { RangeCutter } from './range-cutter.js';
import type { ScanRange } from './range-messages.js';
import { blockStart } from './range-reader.js';

/** A segment of the memory into which a thread reads the pipe. */
interface Segment {
  readonly memory: SharedArrayBuffer;
  /**
   * Number of ranges that still need the segment because their bytes are in it or may begin in it. One more is counted until
   * all such ranges were given out.
   */
  holders: number;
}

/**
 * Cuts a pipe into ranges. A thread reads the pipe into segments of shared memory. The first case of a range may begin in the
 * segment before the range, but not earlier, so each range comes with two segments. A segment is used again when all ranges
 * that came with it are solved.
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

  begin(offset: number): void {
    const { bytes, from } = this.#pipe.kept;
    this.#origin = blockStart(offset);
    if (this.#origin < from) throw new Error(`the bytes of the pipe from ${this.#origin} on were not kept`);
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
    while (this.#from === this.#arrived && !this.#isAtEnd && this.#failure === null) {
      if (this.#pipe.closed.aborted) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
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
   * Creates a range from bytes of this segment. The scan of the range ends where these bytes end, not at an offset `to`,
   * because the last case may end after them.
   */
  #cut(number: number, from: number, to: number, isInputEnd: boolean): ScanRange {
    const first = Math.max(0, number - 1);
    const segments = [...new Set([first, number])].map((each) => this.#segments.get(each)!);
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

  release({ source }: ScanRange): void {
    if (source.kind !== 'memory') return;
    const first = this.#numberOf(source.offset);
    for (const index of source.segments.keys()) this.#releaseSegment(first + index);
  }

  /** Called when the next ranges begin in this segment: counts its use, and gives the thread another segment to fill. */
  #enterSegment(number: number): void {
    this.#releaseSegment(number - 2);
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
