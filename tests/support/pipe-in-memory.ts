import type { KeptPipeBytes, SharedPipe } from '../../src/engine/input/pipe.js';
import { Source } from '../../src/engine/input/source.js';
import { PIPE_KEPT_BYTES } from '../../src/engine/limits.js';
import type { PipeReport, PipeSegment } from '../../src/engine/parallel-scan/pipe-messages.js';
import type { PipeThread } from '../../src/engine/parallel-scan/pipe-thread.js';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A pipe whose bytes come from an array. `pieces` says how many bytes come at once, in turn: to the coordinator, and then to
 * what stands for the thread. If `failsAt` is given, the pipe cannot be read beyond that offset.
 */
export class PipeInMemory implements SharedPipe {
  readonly #bytes: Bytes;
  readonly #pieces: readonly number[];
  readonly #failsAt: number;
  readonly #closing = new AbortController();
  /** Called in place of the failure: the pipe has no more bytes, as if the program that writes to it were waiting. */
  onWaiting: (() => void) | null = null;
  #reads = 0;
  #at = 0;

  constructor(bytes: Bytes, pieces: readonly number[], failsAt = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes;
    this.#pieces = pieces;
    this.#failsAt = failsAt;
  }

  /** A source that reads the pipe. */
  get source(): Source {
    const close = async () => this.close();
    return new Source({ name: 'test.in', size: null, pieces: this.#read(), pipe: this, close });
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    for (let piece = this.#next(); piece.length > 0; piece = this.#next()) yield piece;
    if (this.#hasFailed) throw new Error('it fails');
  }

  /** Returns the next bytes; none at the end. */
  #next(maxBytes = Number.POSITIVE_INFINITY): Bytes {
    const wanted = this.#pieces[this.#reads++ % this.#pieces.length];
    const end = Math.min(this.#at + Math.min(wanted, maxBytes), this.#failsAt);
    const piece = this.#bytes.slice(this.#at, end);
    this.#at += piece.length;
    return piece;
  }

  get #hasFailed(): boolean {
    return this.#at === this.#failsAt;
  }

  keepLast(): boolean {
    return true;
  }

  get kept(): KeptPipeBytes {
    const from = Math.max(0, this.#at - PIPE_KEPT_BYTES);
    return { bytes: this.#bytes.slice(from, this.#at), from };
  }

  readOn(given: readonly PipeSegment[], onReport: (report: PipeReport) => void): PipeThread {
    const segments = given.map(({ memory, filled }) => ({ memory: new Uint8Array(memory), filled }));
    const [wanted] = this.#pieces;
    let bytes = 0;
    const fill = () => {
      const [segment] = segments;
      if (segment === undefined || this.closed.aborted) return;
      if (this.#hasFailed) {
        if (this.onWaiting === null) onReport({ bytes, isAtEnd: false, failure: { message: 'it fails' } });
        else this.onWaiting();
        return;
      }
      const piece = this.#next(segment.memory.length - segment.filled);
      segment.memory.set(piece, segment.filled);
      segment.filled += piece.length;
      bytes += piece.length;
      if (segment.filled === segment.memory.length) segments.shift();
      onReport({ bytes, isAtEnd: piece.length === 0, failure: null });
      if (piece.length === 0) return;
      // Sometimes many pieces and the end come at once, because the coordinator was busy meanwhile.
      if (wanted % 2 === 0) fill();
      else setImmediate(fill);
    };
    setImmediate(fill);
    return {
      add: ({ memory, filled }) => {
        segments.push({ memory: new Uint8Array(memory), filled });
        if (segments.length === 1) setImmediate(fill);
      },
      end: () => this.close(),
    };
  }

  close(): void {
    this.#closing.abort();
  }
}
