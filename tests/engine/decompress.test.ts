/** Tests of compressed inputs: in pieces of any size, cut off at any byte, and followed by other data. */
import * as zlib from 'node:zlib';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoardmillError } from '../../src/core/errors.js';
import { compressionOf, decompressPieces, withoutCompression } from '../../src/engine/input/decompress.js';
import { splitZstdFrames } from '../../src/engine/input/zstd-frames.js';
import { runs } from '../support/random-tests.js';
import { inPieces } from '../support/scanning.js';

/** The zstd compressor of the Node.js that runs the tests; undefined in Node 20, which has none. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Buffer };

const COMPRESSORS = [
  { ending: '.gz', compress: (bytes: Uint8Array): Buffer => gzipSync(bytes) },
  {
    ending: '.br',
    compress: (bytes: Uint8Array): Buffer =>
      brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  ...(zstdCompressSync === undefined ? [] : [{ ending: '.zst', compress: zstdCompressSync }]),
];

/** A text that a decoder cannot return in one piece, because it is too long. */
const TEXT = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `${(i * 7919) % 30_011} #.\n`).join(''));

async function decompressed(ending: string, compressed: Uint8Array, pieceBytes: number) {
  const parts: Uint8Array[] = [];
  const input = `test.in${ending}`;
  try {
    const pieces = inPieces(Uint8Array.from(compressed), pieceBytes);
    for await (const piece of decompressPieces(pieces, compressionOf(input)!, input))
      parts.push(piece.slice());
    return { bytes: Buffer.concat(parts), error: null };
  } catch (error) {
    return { bytes: Buffer.concat(parts), error: error as BoardmillError };
  }
}

describe.each(COMPRESSORS)('an input whose name ends in $ending', ({ ending, compress }) => {
  const compressed = compress(TEXT);

  test.each([1 << 20, 1000, 61])(
    'a compressed input is decompressed correctly in pieces of %i bytes',
    async (pieceBytes) => {
      const { bytes, error } = await decompressed(ending, compressed, pieceBytes);
      expect(error).toBeNull();
      expect(bytes.equals(TEXT)).toBe(true);
    },
  );

  test('reading a compressed input that is cut off gives the start of the text, and then fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: compressed.length - 1 }),
        fc.constantFrom(100, 5000, 1 << 20),
        async (length, pieceBytes) => {
          const { bytes, error } = await decompressed(ending, compressed.subarray(0, length), pieceBytes);
          expect(error).toMatchObject({ kind: 'input' });
          expect(error?.message).toMatch(/^test\.in\.\w+: the \w+ data is damaged or cut off: /);
          expect(TEXT.subarray(0, bytes.length).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('reading a compressed input that is followed by other data gives the text, and then fails', async () => {
    for (const pieceBytes of [7, 5000, 1 << 20]) {
      const { bytes, error } = await decompressed(
        ending,
        Buffer.concat([compressed, Buffer.from('1 1\n.\n')]),
        pieceBytes,
      );
      expect(error).toMatchObject({ kind: 'input' });
      expect(TEXT.subarray(0, bytes.length).equals(bytes)).toBe(true);
      expect(bytes.length).toBeGreaterThan(TEXT.length - (1 << 17));
    }
  });

  test('an empty file is not a valid compressed input', async () => {
    expect((await decompressed(ending, new Uint8Array(0), 10)).error).toMatchObject({ kind: 'input' });
  });

  test('if the reader of a compressed input stops early, the source is closed', async () => {
    let isClosed = false;
    const pieces = async function* () {
      try {
        for (let at = 0; at < compressed.length; at += 100) yield compressed.subarray(at, at + 100);
      } finally {
        isClosed = true;
      }
    };
    for await (const piece of decompressPieces(pieces(), compressionOf(ending)!, 'test.in')) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(isClosed).toBe(true);
  });
});

test.each([1 << 20, 100])(
  'gzip data with a wrong checksum, in pieces of %i bytes, gives all of its text, and then fails',
  async (pieceBytes) => {
    const wrong = gzipSync(TEXT);
    wrong[wrong.length - 6] ^= 1;
    const { bytes, error } = await decompressed('.gz', wrong, pieceBytes);
    expect(error).toMatchObject({ kind: 'input' });
    expect(bytes.equals(TEXT)).toBe(true);
  },
);

test('gzip data of several members is read to the end of the last member', async () => {
  const { bytes, error } = await decompressed(
    '.gz',
    Buffer.concat([gzipSync(TEXT), gzipSync('more\n')]),
    4096,
  );
  expect(error).toBeNull();
  expect(bytes.toString()).toBe(`${TEXT}more\n`);
});

test('compressionOf finds the compression by the ending of the file name', () => {
  expect(compressionOf('a.in')).toBeNull();
  expect(compressionOf('gz')).toBeNull();
  expect(compressionOf('a.in.zst')?.name).toBe('zstd');
  expect(withoutCompression('data/a.in.br')).toBe('data/a.in');
  expect(withoutCompression('data/a.in')).toBe('data/a.in');
});

/**
 * Frames of zstd data as hexadecimal digits. They were made by zstd 1.5.4, apart from the skippable frame (RFC 8878).
 * The frame without a checksum was made with `--no-check`, and has blocks of one repeated byte.
 */
const FRAMES = {
  'a frame with a checksum': '28b52ffd04586d00003868656c6c6f200a0100314a11a3aa74ce',
  'a frame without a checksum': '28b52ffd00585400001000000100fbff39c00202001000039f0400',
  'a frame with a raw block': '28b52ffd005809000078',
  'a skippable frame': '512a4d180300000061620a',
};

/** Returns each zstd frame of the bytes as hexadecimal digits. */
async function framesOf(bytes: Uint8Array<ArrayBuffer>, pieceBytes: number): Promise<string[]> {
  const frames: string[] = [];
  let openFrame = '';
  for await (const part of splitZstdFrames(inPieces(bytes, pieceBytes), 'test.in.zst')) {
    openFrame += Buffer.from(part.bytes).toString('hex');
    if (!part.endsFrame) continue;
    frames.push(openFrame);
    openFrame = '';
  }
  return frames;
}

describe('zstd data of several frames', () => {
  const allFrames = Object.values(FRAMES);
  const bytes = Uint8Array.from(Buffer.from(allFrames.join(''), 'hex'));

  test.each([1, 2, 3, 5, 1000])(
    'splitZstdFrames finds every frame, in pieces of %i bytes',
    async (pieceBytes) => {
      expect(await framesOf(bytes, pieceBytes)).toEqual(allFrames);
    },
  );

  test('zstd data that is cut off is an error, unless it is cut off between two frames', async () => {
    const ends = allFrames.map((_, i) => allFrames.slice(0, i + 1).join('').length / 2);
    for (let length = 1; length < bytes.length; length++) {
      const frames = framesOf(bytes.slice(0, length), 4);
      if (ends.includes(length))
        await expect(frames).resolves.toEqual(allFrames.slice(0, ends.indexOf(length) + 1));
      else await expect(frames).rejects.toThrow('unexpected end of file');
    }
  });

  test('zstd data that is followed by other data is an error', async () => {
    const bytesWithOtherData = Uint8Array.from(
      Buffer.from(`${allFrames.join('')}${Buffer.from('1 1\n').toString('hex')}`, 'hex'),
    );
    await expect(framesOf(bytesWithOtherData, 6)).rejects.toThrow('a frame should begin here');
  });
});
