/**
 * Decompresses an input while it is read. The ending of its name says how it is compressed: `.gz`, `.zst` or `.br`.
 *
 * Node's decoders decompress the data, on threads of their own. This file detects two errors that the decoders do not
 * notice: data after the end of the compressed data, and zstd data that is cut off. Without these checks, cases could
 * be missing without an error.
 */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { KIB } from '../../core/bytes.js';
import { BoardmillError, systemReason } from '../../core/errors.js';
import { errorOfDamage, splitZstdFrames, type ZstdFramePart } from './zstd-frames.js';

/**
 * Number of compressed bytes that a decoder gets at a time. If the data is damaged, boardmill loses the text of the last
 * portion.
 */
const DECODER_WRITE_BYTES = 4 * KIB;

/** Size of the pieces in which a compressed input is decompressed. */
const DECOMPRESSED_PIECE_BYTES = 64 * KIB;

export interface Compression {
  /** The ending of a file's name, such as `.gz`. */
  readonly ending: string;
  /** Name of the compression format in messages, such as "gzip". */
  readonly name: string;
  /** Command that decompresses a file to standard output, such as `zcat`. Messages suggest it. */
  readonly program: string;
  /** Cuts the compressed data into frames, each of which needs a new decoder. */
  splitIntoFrames(pieces: AsyncIterable<Uint8Array>, input: string): AsyncIterable<ZstdFramePart>;
  /** Creates a decoder for one frame. Undefined if this version of Node.js cannot decompress the format. */
  readonly createDecoder: (() => Decoder) | undefined;
}

/** A decoder of Node's zlib module: a stream that takes compressed bytes and returns decompressed bytes. */
interface Decoder extends Transform {
  /** Number of compressed bytes that the decoder has used so far. */
  readonly bytesWritten: number;
}

/** gzip data ends with a checksum and a length of four bytes each. The trailers of zstd and Brotli data are shorter. */
const TRAILER_BYTES = 8;

const DECODER_OPTIONS = { chunkSize: DECOMPRESSED_PIECE_BYTES };

/**
 * Creates a zstd decoder. Node has this function from version 22.15 on, but the type definitions of the project are
 * those of Node 20.
 */
const { createZstdDecompress } = zlib as {
  createZstdDecompress?: (options: typeof DECODER_OPTIONS) => Decoder;
};

const COMPRESSIONS: readonly Compression[] = [
  {
    ending: '.gz',
    name: 'gzip',
    program: 'zcat',
    splitIntoFrames: passAsOneFrame,
    createDecoder: () => zlib.createGunzip(DECODER_OPTIONS),
  },
  {
    ending: '.zst',
    name: 'zstd',
    program: 'zstdcat',
    splitIntoFrames: splitZstdFrames,
    createDecoder: createZstdDecompress && (() => createZstdDecompress(DECODER_OPTIONS)),
  },
  {
    ending: '.br',
    name: 'Brotli',
    program: 'brotli -dc',
    splitIntoFrames: passAsOneFrame,
    createDecoder: () => zlib.createBrotliDecompress(DECODER_OPTIONS),
  },
];

/** Returns how a file is compressed, by the ending of its name. Returns null if the file is not compressed. */
export function compressionOf(path: string): Compression | null {
  return COMPRESSIONS.find(({ ending }) => path.endsWith(ending)) ?? null;
}

/** Returns the path without the ending of a compressed file, such as `.gz`. */
export function withoutCompression(path: string): string {
  const compression = compressionOf(path);
  return compression === null ? path : path.slice(0, -compression.ending.length);
}

/** Fails with kind `file` if this version of Node.js cannot decompress the file. */
export function assertCompressionSupported(
  { name, program, createDecoder }: Compression,
  path: string,
): void {
  if (createDecoder !== undefined) return;
  throw new BoardmillError(
    'file',
    `cannot open ${path}: Node.js ${process.version} cannot read ${name} data; ` +
      `use Node.js 22.15 or later, or: ${program} ${path} | boardmill ...`,
  );
}

/**
 * Yields the decompressed bytes. Fails with kind `input` if the compressed data is damaged, cut off, or followed by other data.
 * Before it fails, it yields the bytes before the damage, except those of the last DECODER_WRITE_BYTES of compressed data. The
 * memory that decompression takes does not depend on the size of the decompressed data.
 */
export async function* decompressPieces(
  pieces: AsyncIterable<Uint8Array>,
  compression: Compression,
  input: string,
): AsyncGenerator<Uint8Array> {
  const parts = compression.splitIntoFrames(pieces, input)[Symbol.asyncIterator]();
  try {
    let next = await parts.next();
    if (next.done) throw errorOfDamage(input, compression.name, 'the file is empty');
    for (; !next.done; next = await parts.next()) {
      yield* decodeFrame(readFrame(next.value, parts), compression, input);
    }
  } finally {
    await parts.return?.();
  }
}

/**
 * Passes all compressed data on as one frame, for gzip and Brotli: one decoder reads all members of a gzip file, and Brotli
 * data has no frames.
 */
async function* passAsOneFrame(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ZstdFramePart> {
  for await (const bytes of pieces) yield { bytes, endsFrame: false };
}

/** Yields the bytes of the frame that begins with `first`. */
async function* readFrame(
  first: ZstdFramePart,
  rest: AsyncIterator<ZstdFramePart>,
): AsyncGenerator<Uint8Array> {
  yield first.bytes;
  for (let isOver = first.endsFrame; !isOver; ) {
    const next = await rest.next();
    if (next.done) return;
    yield next.value.bytes;
    isOver = next.value.endsFrame;
  }
}

async function* decodeFrame(
  frame: AsyncIterable<Uint8Array>,
  { name, createDecoder }: Compression,
  input: string,
): AsyncGenerator<Uint8Array> {
  const decoder = createDecoder!();
  let given = 0;
  let failure: { readonly error: unknown } | null = null;
  const feedFrame = async function* () {
    const writes = inSmallWrites(frame);
    try {
      // The error of a read is thrown later, after the decoder has passed on the bytes that it has already decompressed. Newer
      // versions of Node throw the error of the decoder at `yield`, too.
      for (let next = await readNext(); next !== null; next = await readNext()) {
        given += next.length;
        yield next;
      }
    } finally {
      await writes.return(undefined);
    }
    async function readNext(): Promise<Uint8Array | null> {
      try {
        const { done, value } = await writes.next();
        return done ? null : value;
      } catch (error) {
        failure = { error };
        return null;
      }
    }
  };
  // If other data follows the compressed data, the decoder closes the pipeline early. That error is ignored here,
  // because the last line of this function checks for it.
  const feeding = pipeline(Readable.from(feedFrame(), { objectMode: false }), decoder).catch(() => {});
  try {
    for await (const piece of decoder) yield piece as Uint8Array;
  } catch (error) {
    failure ??= { error: describeDecoderError(error, input, name) };
  } finally {
    decoder.destroy();
    await feeding;
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  if (decoder.bytesWritten < given) throw errorOfDamage(input, name, 'other data follows it');
}

function describeDecoderError(error: unknown, input: string, name: string): BoardmillError {
  const isTooLarge = (error as NodeJS.ErrnoException).code === 'ZSTD_error_frameParameter_windowTooLarge';
  if (!isTooLarge) return errorOfDamage(input, name, systemReason(error));
  return new BoardmillError(
    'input',
    `${input}: the ${name} data needs a larger window than Node.js allows; use: zstdcat --long=31 ${input} | boardmill ...`,
  );
}

/**
 * Cuts a frame into small copies, of which the last has only the TRAILER_BYTES. When a decoder fails, it loses the text of the
 * copy that it works on, and most damage shows only at the checksum in the trailer. Copies are needed because the reader reuses
 * its buffer for the next piece.
 */
async function* inSmallWrites(frame: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const bytes of frame) {
    const all = Buffer.concat([held, bytes]);
    const end = Math.max(0, all.length - TRAILER_BYTES);
    for (let at = 0; at < end; at += DECODER_WRITE_BYTES) {
      yield all.subarray(at, Math.min(end, at + DECODER_WRITE_BYTES));
    }
    held = all.subarray(end);
  }
  if (held.length > 0) yield held;
}
