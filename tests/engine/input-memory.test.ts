/** Tests that the bytes of a chunk stay as they are until the chunk is released, although memory is used again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Chunk, scanIntoChunks } from '../../src/engine/cut/scan.js';
import { InputMemory } from '../../src/engine/input/input-memory.js';
import { openSource } from '../../src/engine/input/read.js';
import type { AllocateReadMemory } from '../../src/engine/input/source.js';
import { bulkInput, bytesOf, styleOf } from '../support/inputs.js';
import { Random } from '../support/random.js';
import { runs } from '../support/random-tests.js';
import { allowSlowTests } from '../support/slow-tests.js';
import { temporaryFolder } from '../support/temporary-folder.js';

allowSlowTests();

const BACTERIAL_TACTICS = styleOf('bacterial-tactics');
const INPUT = bytesOf(bulkInput(BACTERIAL_TACTICS, 1200, 20, 1));

/** Yields the input in pieces of random lengths, some of which were read into the given memory. */
class MixedReader {
  #space: AllocateReadMemory | null = null;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  readInto = (space: AllocateReadMemory) => {
    this.#space = space;
  };

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < INPUT.length; ) {
      const piece = INPUT.subarray(at, at + 1 + this.#random.below(20_000));
      at += piece.length;
      const space = this.#random.below(3) === 0 ? null : this.#space!(piece.length);
      if (space === null) yield piece;
      else {
        space.set(piece);
        yield space.subarray(0, piece.length);
      }
    }
  }
}

test('a chunk keeps its bytes until it is released, wherever the pieces of the input were read to', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = new Random(seed);
      const memory = new InputMemory();
      const reader = new MixedReader(random);
      const chunkBytes = 1 + random.below(60_000);
      const open: { chunk: Chunk; copy: Buffer }[] = [];
      const release = (index: number) => {
        const [{ chunk, copy }] = open.splice(index, 1);
        expect(copy.equals(chunk.bytes)).toBe(true);
        memory.release(chunk.bytes);
      };
      const texts: Buffer[] = [];
      for await (const item of scanIntoChunks(reader.pieces(), {
        inputFormat: BACTERIAL_TACTICS.inputFormat,
        onError: 'stop',
        chunkBytes: () => chunkBytes,
        memory,
        readInto: reader.readInto,
        hash: null,
        startPosition: null,
      })) {
        if (item.kind === 'end') {
          expect(item.fault).toBeNull();
          continue;
        }
        open.push({ chunk: item, copy: Buffer.from(item.bytes.slice()) });
        texts.push(Buffer.from(item.bytes.slice(0, item.starts.at(-1))));
        while (open.length > random.below(12)) release(random.below(open.length));
      }
      while (open.length > 0) release(0);
      const headLength = INPUT.indexOf(0x0a) + 1;
      expect(Buffer.concat(texts).toString().trimEnd()).toBe(
        Buffer.from(INPUT.subarray(headLength)).toString().trimEnd(),
      );
    }),
    { numRuns: runs(40) },
  );
});

test('a regular file is read into the given memory, and its chunks are there', async () => {
  const file = join(temporaryFolder(), 'input.in');
  writeFileSync(file, INPUT);
  const source = await openSource(file);
  const memory = new InputMemory();
  const segments = vi.spyOn(memory, 'nextSegment');
  const chunks: Chunk[] = [];
  for await (const item of scanIntoChunks(source.pieces, {
    inputFormat: BACTERIAL_TACTICS.inputFormat,
    onError: 'stop',
    chunkBytes: () => 30_000,
    memory,
    readInto: (space) => source.readInto?.(space),
    hash: null,
    startPosition: null,
  })) {
    if (item.kind === 'chunk') chunks.push(item);
  }
  expect(chunks.length).toBeGreaterThan(5);
  // Nothing was copied: all chunks lie in the one segment into which the file was read.
  expect(segments).toHaveBeenCalledOnce();
  expect(new Set(chunks.map(({ bytes }) => bytes.buffer)).size).toBe(1);
});

test('a segment is used again once all its chunks are released, and not before', () => {
  const memory = new InputMemory();
  const first = memory.nextSegment(10_000);
  const [one, other] = [first.subarray(0, 10), first.subarray(10, 20)];
  memory.keep(one);
  memory.keep(other);
  expect(memory.isInUse).toBe(true);
  const second = memory.nextSegment(10_000);
  expect(second.buffer).not.toBe(first.buffer);
  memory.release(one);
  expect(memory.nextSegment(10_000).buffer).not.toBe(first.buffer);
  memory.release(other);
  const buffers = [memory.nextSegment(10_000).buffer, memory.nextSegment(10_000).buffer];
  expect(buffers).toContain(first.buffer);
  // A segment that is too small is not used.
  expect(memory.nextSegment(1 << 20).byteLength).toBeGreaterThanOrEqual(1 << 20);
});
