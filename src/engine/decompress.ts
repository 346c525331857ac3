/**
 * Decompresses an input while it is read. The ending of its name says how it is compressed: `.gz`, `.zst` or `.br`.
 *
 * Node's own decoders do the work, on threads of their own. This file checks what they do not notice: data after the end
 * of the compressed data, and zstd data that is cut off. Otherwise cases could be missing without an error.
 */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { BoardmillError, systemReason } from '../core/errors.js';
import { DECOMPRESSED_PIECE_BYTES } from './limits.js';
import { describeDamage, type FramePart, splitZstdFrames } from './zstd-frames.js';

export interface Compression {
  /** The ending of a file's name, such as `.gz`. */
  readonly ending: string;
  /** The name that messages use. */
  readonly name: string;
  /** A program that decompresses a file to its standard output. */
  readonly program: string;
  /** Cuts the compressed data into frames, each of which needs a new decoder. */
  splitIntoFrames(pieces: AsyncIterable<Uint8Array>, input: string): AsyncIterable<FramePart>;
  /** Undefined if this version of Node.js has no such decoder. */
  readonly createDecoder: (() => Decoder) | undefined;
}

/** A stream of zlib. */
interface Decoder extends Transform {
  /** Compressed bytes that the decoder has used so far. */
  readonly bytesWritten: number;
}

const DECODER_OPTIONS = { chunkSize: DECOMPRESSED_PIECE_BYTES };

/** Node 22.15 has this function; the type definitions are those of Node 20. */
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

/** How a file with this name is compressed; null: it is not compressed. */
export function compressionOf(path: string): Compression | null {
  return COMPRESSIONS.find(({ ending }) => path.endsWith(ending)) ?? null;
}

/** The path without the ending of a compressed file. */
export function withoutCompression(path: string): string {
  const compression = compressionOf(path);
  return compression === null ? path : path.slice(0, -compression.ending.length);
}

/** Fails with kind `file` if this version of Node.js cannot decompress the file. */
export function assertDecodable({ name, program, createDecoder }: Compression, path: string): void {
  if (createDecoder !== undefined) return;
  throw new BoardmillError(
    'file',
    `cannot open ${path}: Node.js ${process.version} cannot read ${name} data; ` +
      `use a later version, or: ${program} ${path} | boardmill ...`,
  );
}

/**
 * Passes on the decompressed bytes. Fails with kind `input` if the data is damaged, cut off, or followed by other data; the
 * bytes before that have been passed on, apart from the last DECOMPRESSED_PIECE_BYTES. However much the data grows, it takes no
 * more memory.
 */
export async function* decompress(
  pieces: AsyncIterable<Uint8Array>,
  compression: Compression,
  input: string,
): AsyncGenerator<Uint8Array> {
  const parts = compression.splitIntoFrames(pieces, input)[Symbol.asyncIterator]();
  try {
    let next = await parts.next();
    if (next.done) throw describeDamage(input, compression.name, 'the file is empty');
    for (; !next.done; next = await parts.next()) {
      yield* decodeFrame(readFrame(next.value, parts), compression, input);
    }
  } finally {
    await parts.return?.();
  }
}

/** gzip's members are read by one decoder, and Brotli data has no parts. */
async function* passAsOneFrame(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<FramePart> {
  for await (const bytes of pieces) yield { bytes, endsFrame: false };
}

/** The bytes of the frame that begins with `first`. */
async function* readFrame(first: FramePart, rest: AsyncIterator<FramePart>): AsyncGenerator<Uint8Array> {
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
    try {
      for await (const bytes of frame) {
        given += bytes.length;
        // The reader uses its buffer again for the next piece, and the decoder may not be done with this one.
        yield bytes.slice();
      }
    } catch (error) {
      // The decoder first passes on what it has.
      failure = { error };
    }
  };
  // A decoder that has reached the end of its data closes the pipeline early: that is checked below.
  const feeding = pipeline(Readable.from(feedFrame(), { objectMode: false }), decoder).catch(() => {});
  try {
    for await (const piece of decoder) yield piece as Uint8Array;
  } catch (error) {
    failure ??= { error: describeDamage(input, name, systemReason(error)) };
  } finally {
    decoder.destroy();
    await feeding;
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  if (decoder.bytesWritten < given) throw describeDamage(input, name, 'other data follows it');
}
