/** An open input, which the first stage streams. */
import { KIB } from '../../core/bytes.js';
import { interruptedBy } from '../../core/stop.js';
import type { SharedPipe } from './pipe.js';

/** Bytes at the start of an input that boardmill keeps, to find out whether the input belongs to another problem. */
const INPUT_BEGINNING_BYTES = 64 * KIB;

/** What a source is made of. Members that are missing are things that this input does not have. */
export interface SourceParts {
  /** The name that error messages use. */
  readonly name: string;
  /** Size of the input in bytes; null if the size is not known before the input is read to its end. */
  readonly size: number | null;
  /**
   * The pieces of the input, in order. Each is read only when the caller requests it, and is valid until the caller requests
   * the next one, because the memory is reused.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Reads each of the following pieces into the memory that `space` returns, so that the caller need not copy it. */
  readInto?(space: ReadSpace): void;
  /** The open file, for other threads to read. Missing if the input is not a regular file, is small, or is compressed. */
  readonly file?: SharedFile;
  /** The pipe, for another thread to read on. Missing if the input is neither a pipe nor a FIFO, or is compressed. */
  readonly pipe?: SharedPipe;
  close(): Promise<void>;
}

/** An open regular file that several threads read. */
export interface SharedFile {
  readonly descriptor: number;
  /** Size in bytes when the file was opened. */
  readonly bytes: number;
  /** Keeps the file open, even if its source is closed, until the returned function is called. */
  hold(): () => void;
}

/** Returns memory for that many bytes. It is called right before each read. */
export type ReadSpace = (length: number) => Uint8Array;

/**
 * An open input. Its bytes can be read in three ways: as pieces, from `file`, and from `pipe`. So the pieces may end long
 * before the input does, and whatever needs all bytes of an input (a hash, a count) must ask the run, not look at the pieces.
 *
 * Its parts are private, so that no copy `{ ...source, pieces }` is a source: it would show other bytes in one of the three
 * ways.
 */
export class Source {
  readonly #parts: SourceParts;
  readonly #beginning: Uint8Array[] = [];
  readonly pieces: AsyncIterable<Uint8Array>;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    this.pieces = this.#keepBeginning();
  }

  get name(): string {
    return this.#parts.name;
  }

  get size(): number | null {
    return this.#parts.size;
  }

  get file(): SharedFile | null {
    return this.#parts.file ?? null;
  }

  get pipe(): SharedPipe | null {
    return this.#parts.pipe ?? null;
  }

  /** The first bytes of the input, at most INPUT_BEGINNING_BYTES, as far as pieces have been read. */
  get beginning(): Uint8Array {
    return Buffer.concat(this.#beginning);
  }

  /** Says where the following pieces are to be read to. If the source cannot do that, they come in other memory. */
  readInto(space: ReadSpace): void {
    this.#parts.readInto?.(space);
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  async *#keepBeginning(): AsyncGenerator<Uint8Array> {
    let missing = INPUT_BEGINNING_BYTES;
    for await (const piece of this.#parts.pieces) {
      if (missing > 0) this.#beginning.push(piece.slice(0, missing));
      missing = Math.max(0, missing - piece.length);
      yield piece;
    }
  }
}

/** Returns a source of an input in memory. */
export function sourceOfBytes(name: string, bytes: Uint8Array): Source {
  const pieces = async function* () {
    yield bytes;
  };
  return new Source({ name, size: bytes.length, pieces: pieces(), close: async () => {} });
}

/**
 * The pieces of the answers to an input. If they come from a pipe, whose writer may be slow, a signal ends the wait for them:
 * the next piece throws an Interrupted.
 */
export function stoppablePieces({ size, pieces }: Source, stop: AbortSignal): AsyncIterable<Uint8Array> {
  return size === null ? piecesUntilStopped(pieces, stop) : pieces;
}

/** Yields the pieces until `stop` is aborted, then throws an Interrupted. */
export async function* piecesUntilStopped(
  pieces: AsyncIterable<Uint8Array>,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stopped = new Promise<never>((_, reject) => {
    const interrupt = () => reject(interruptedBy(stop));
    // The signal may have come before the first piece is read.
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt);
  });
  // Avoids an unhandled rejection if the signal comes while no piece is being read.
  stopped.catch(() => {});
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), stopped]);
    if (next.done) return;
    yield next.value;
  }
}
