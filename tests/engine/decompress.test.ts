/** Compressed inputs: every piece size, every place where they may be cut, and what may follow them. */
import * as zlib from 'node:zlib';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoardmillError } from '../../src/core/errors.js';
import { compressionOf, decompress, withoutCompression } from '../../src/engine/decompress.js';
import { splitZstdFrames } from '../../src/engine/zstd-frames.js';
import { inPieces } from '../support/scanning.js';

/** Compressors of the test's own Node.js. Node 20 has no zstd. */
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

/** Text that is longer than what a decoder passes on at a time. */
const TEXT = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `${(i * 7919) % 30_011} #.\n`).join(''));

async function read(ending: string, compressed: Uint8Array, pieceBytes: number) {
  const parts: Uint8Array[] = [];
  const input = `test.in${ending}`;
  try {
    const pieces = inPieces(Uint8Array.from(compressed), pieceBytes);
    for await (const piece of decompress(pieces, compressionOf(input)!, input)) parts.push(piece.slice());
    return { bytes: Buffer.concat(parts), error: null };
  } catch (error) {
    return { bytes: Buffer.concat(parts), error: error as BoardmillError };
  }
}

describe.each(COMPRESSORS)('an input that ends in $ending', ({ ending, compress }) => {
  const compressed = compress(TEXT);

  test.each([1 << 20, 1000, 61])('is decompressed from pieces of %i bytes', async (pieceBytes) => {
    const { bytes, error } = await read(ending, compressed, pieceBytes);
    expect(error).toBeNull();
    expect(bytes.equals(TEXT)).toBe(true);
  });

  test('that is cut off passes on what is whole, and then fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: compressed.length - 1 }),
        fc.constantFrom(100, 5000, 1 << 20),
        async (length, pieceBytes) => {
          const { bytes, error } = await read(ending, compressed.subarray(0, length), pieceBytes);
          expect(error).toMatchObject({ kind: 'input' });
          expect(error?.message).toMatch(/^test\.in\.\w+: the \w+ data is damaged or cut off: /);
          expect(TEXT.subarray(0, bytes.length).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('that is followed by other data fails after all of it', async () => {
    for (const pieceBytes of [7, 5000, 1 << 20]) {
      const { bytes, error } = await read(
        ending,
        Buffer.concat([compressed, Buffer.from('1 1\n.\n')]),
        pieceBytes,
      );
      expect(error).toMatchObject({ kind: 'input' });
      expect(TEXT.subarray(0, bytes.length).equals(bytes)).toBe(true);
      expect(bytes.length).toBeGreaterThan(TEXT.length - (1 << 17));
    }
  });

  test('that is an empty file fails', async () => {
    expect((await read(ending, new Uint8Array(0), 10)).error).toMatchObject({ kind: 'input' });
  });

  test('whose reader stops early closes its source', async () => {
    let isClosed = false;
    const pieces = async function* () {
      try {
        for (let at = 0; at < compressed.length; at += 100) yield compressed.subarray(at, at + 100);
      } finally {
        isClosed = true;
      }
    };
    for await (const piece of decompress(pieces(), compressionOf(ending)!, 'test.in')) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(isClosed).toBe(true);
  });
});

test('gzip data of several members is read to the end of the last', async () => {
  const { bytes, error } = await read('.gz', Buffer.concat([gzipSync(TEXT), gzipSync('more\n')]), 4096);
  expect(error).toBeNull();
  expect(bytes.toString()).toBe(`${TEXT}more\n`);
});

test('the ending of a name says how a file is compressed', () => {
  expect(compressionOf('a.in')).toBeNull();
  expect(compressionOf('gz')).toBeNull();
  expect(compressionOf('a.in.zst')?.name).toBe('zstd');
  expect(withoutCompression('data/a.in.br')).toBe('data/a.in');
  expect(withoutCompression('data/a.in')).toBe('data/a.in');
});

/** Frames made by zstd 1.5.4: `zstd`, `zstd --no-check` (blocks of one repeated byte), and a skippable frame (RFC 8878). */
const FRAMES = {
  'a frame with a checksum': '28b52ffd04586d00003868656c6c6f200a0100314a11a3aa74ce',
  'a frame without a checksum': '28b52ffd00585400001000000100fbff39c00202001000039f0400',
  'a frame with a raw block': '28b52ffd005809000078',
  'a skippable frame': '512a4d180300000061620a',
};

async function framesOf(bytes: Uint8Array<ArrayBuffer>, pieceBytes: number): Promise<string[]> {
  const frames: string[] = [];
  let open = '';
  for await (const part of splitZstdFrames(inPieces(bytes, pieceBytes), 'test.in.zst')) {
    open += Buffer.from(part.bytes).toString('hex');
    if (!part.endsFrame) continue;
    frames.push(open);
    open = '';
  }
  return frames;
}

describe('zstd frames', () => {
  const all = Object.values(FRAMES);
  const bytes = Uint8Array.from(Buffer.from(all.join(''), 'hex'));

  test.each([1, 2, 3, 5, 1000])('are told apart in pieces of %i bytes', async (pieceBytes) => {
    expect(await framesOf(bytes, pieceBytes)).toEqual(all);
  });

  test('that are cut off anywhere but between two are an error', async () => {
    const ends = all.map((_, i) => all.slice(0, i + 1).join('').length / 2);
    for (let length = 1; length < bytes.length; length++) {
      const frames = framesOf(bytes.slice(0, length), 4);
      if (ends.includes(length))
        await expect(frames).resolves.toEqual(all.slice(0, ends.indexOf(length) + 1));
      else await expect(frames).rejects.toThrow('unexpected end of file');
    }
  });

  test('that are followed by something else are an error', async () => {
    const followed = Uint8Array.from(
      Buffer.from(`${all.join('')}${Buffer.from('1 1\n').toString('hex')}`, 'hex'),
    );
    await expect(framesOf(followed, 6)).rejects.toThrow('a frame should begin here');
  });
});
