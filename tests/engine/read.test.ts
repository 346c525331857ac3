import { spawnSync } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSource } from '../../src/engine/input/read.js';
import { MAX_BYTES_PER_READ, PIPE_KEPT_BYTES } from '../../src/engine/limits.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const file = join(temporaryFolder(), 'input.in');
writeFileSync(
  file,
  Buffer.from(Array.from({ length: 3 * MAX_BYTES_PER_READ + 17 }, (_, i) => 33 + ((i * 7919) % 89))),
);

test('the pieces of a file, put together, are the bytes of the file', async () => {
  const source = await openSource(file);
  const parts: Buffer[] = [];
  for await (const piece of source.pieces) parts.push(Buffer.from(piece));
  await source.close();
  expect(Buffer.concat(parts).equals(readFileSync(file))).toBe(true);
  expect(source.size).toBe(3 * MAX_BYTES_PER_READ + 17);
  expect(parts.length).toBeGreaterThan(1);
});

test.each(['between two reads', 'during a read'])(
  'a source that is closed %s reports an error, and not the end of the input',
  async (when) => {
    const source = await openSource(file);
    const pieces = source.pieces[Symbol.asyncIterator]();
    expect((await pieces.next()).done).toBe(false);
    const next = when === 'during a read' ? pieces.next() : null;
    const closed = source.close();
    await expect(next ?? pieces.next()).rejects.toMatchObject({ kind: 'io' });
    await closed;
    await source.close();
  },
);

const DESCRIPTORS = '/proc/self/fd';

function isOpenInThisProcess(path: string): boolean {
  const targets = readdirSync(DESCRIPTORS).map((fd) => {
    try {
      return readlinkSync(join(DESCRIPTORS, fd));
    } catch {
      return null;
    }
  });
  return targets.includes(path);
}

test.skipIf(!existsSync(DESCRIPTORS)).each([
  ['has been read to its end', Number.POSITIVE_INFINITY],
  ['is abandoned after its first piece', 1],
])('a file that %s is closed, although nobody calls close()', async (_, maxPieces) => {
  const source = await openSource(file);
  expect(isOpenInThisProcess(file)).toBe(true);
  let pieceCount = 0;
  for await (const _ of source.pieces) if (++pieceCount === maxPieces) break;
  expect(isOpenInThisProcess(file)).toBe(false);
});

describe('a FIFO', () => {
  const folder = temporaryFolder();
  let fifos = 0;
  const TEXT = Array.from({ length: 600_000 }, (_, i) => String.fromCharCode(33 + ((i * 7919) % 89))).join(
    '',
  );

  /** Opens a new FIFO, and writes the text into it. The writer of an older one may close it only now, which would end the text. */
  async function openFifo(text: string) {
    const fifo = join(folder, `fifo-${++fifos}`);
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
    const writer = createWriteStream(fifo);
    writer.on('error', () => {});
    writer.write(text);
    return { source: await openSource(fifo), writer, fifo };
  }

  test('the pieces of a FIFO, put together, are what was written into it', async () => {
    const { source, writer } = await openFifo(TEXT);
    writer.end();
    const parts: string[] = [];
    for await (const piece of source.pieces) parts.push(Buffer.from(piece).toString('latin1'));
    expect(parts.join('')).toBe(TEXT);
    await source.close();
  });

  test('a FIFO that is closed while its writer waits reports an error, and not the end of the input', async () => {
    const { source, writer } = await openFifo('');
    const next = source.pieces[Symbol.asyncIterator]().next();
    await source.close();
    await expect(next).rejects.toMatchObject({ kind: 'io' });
    writer.destroy();
  });

  test.skipIf(!existsSync(DESCRIPTORS))(
    'the last bytes of a FIFO are kept for the thread that reads on, and it is closed with its source',
    async () => {
      const { source, writer, fifo } = await openFifo(TEXT.repeat(10));
      expect(source.pipe?.keepLast()).toBe(true);
      let bytes = 0;
      for await (const piece of source.pieces) {
        bytes += piece.length;
        if (bytes > 5e6) break;
      }
      const { bytes: kept, from } = source.pipe!.kept;
      expect(from + kept.length).toBe(bytes);
      expect(kept.length).toBeGreaterThanOrEqual(PIPE_KEPT_BYTES);
      expect(Buffer.from(kept).toString('latin1')).toBe(TEXT.repeat(10).slice(from, bytes));
      expect(isOpenInThisProcess(fifo)).toBe(true);
      await source.close();
      writer.destroy();
      await until(() => !isOpenInThisProcess(fifo));
    },
  );
});
