/** An open input, from which the first stage of a run reads. */
import { KIB } from '../../core/bytes.js';
import { interruptionError } from '../../core/stop.js';
import type { SharedPipe } from './pipe.js';

/**
 * Number of bytes at the start of an input that boardmill keeps. It uses them to tell the user if the input seems to belong to
 * another problem.
 */
export const INPUT_BEGINNING_BYTES = 64 * KIB;

/** The parts from which a Source is created. A member is missing if the input does not have this part. */
export interface SourceParts {
  /** The name of the input in error messages. */
  readonly name: string;
  /** Size of the input in bytes; null if the size is not known before the input is read to its end. */
  readonly size: number | null;
  /**
   * The pieces of the input, in order. A piece is read only when the caller requests it. Its bytes are valid until the caller
   * requests the next piece, because the memory is reused.
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  /**
   * From now on, each piece is read into memory that the function `space` returns, so that the caller need not copy the piece.
   */
  readInto?(space: AllocateReadMemory): void;
  /** The open file, for other threads to read. Missing if the input is not a regular file, is small, or is compressed. */
  readonly file?: SharedFile;
  /**
   * The pipe, so that another thread can read what is left in it. Missing if the input is neither a pipe nor a FIFO, or is
   * compressed.
   */
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

/** A function that returns memory for `length` bytes. It is called right before each read. */
export type AllocateReadMemory = (length: number) => Uint8Array;

/**
 * An open input. Its bytes can be read in three ways: as pieces, from `file`, and from `pipe`. So the pieces may end long
 * before the input does, and code that needs all bytes of an input (for a hash or a count) must ask the run, not look at the
 * pieces.
 *
 * The parts of a source are private, so that nobody can make a copy `{ ...source, pieces }`, which would give other bytes in
 * one of the three ways.
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

  /** The first bytes of the input, as far as they have been read as pieces: at most INPUT_BEGINNING_BYTES. */
  get beginning(): Uint8Array {
    return Buffer.concat(this.#beginning);
  }

  /**
   * Asks the source to read each following piece into memory that `space` returns. A source that cannot do this uses other
   * memory.
   */
  readInto(space: AllocateReadMemory): void {
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
 * Returns the pieces of a file of answers. If the answers come from a pipe, whose writer may be slow, a signal ends the wait
 * for the next piece with an Interrupted.
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
    const interrupt = () => reject(interruptionError(stop));
    // The signal may have arrived before the first piece is read.
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt);
  });
  // Without this handler, Node would report an unhandled rejection if the signal comes while no piece is being read.
  stopped.catch(() => {});
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), stopped]);
    if (next.done) return;
    yield next.value;
  }
}
