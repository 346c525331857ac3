import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { READ_BYTES } from '../../src/engine/limits.js';
import { openSource } from '../../src/engine/read.js';
import { temporaryFolder } from '../cli/boardmill.js';

const file = join(temporaryFolder(), 'input.in');
writeFileSync(
  file,
  Buffer.from(Array.from({ length: 3 * READ_BYTES + 17 }, (_, i) => 33 + ((i * 7919) % 89))),
);

test('the pieces of a file, put together, are the bytes of the file', async () => {
  const source = await openSource(file);
  const parts: Buffer[] = [];
  for await (const piece of source.pieces) parts.push(Buffer.from(piece));
  await source.close();
  expect(Buffer.concat(parts).equals(readFileSync(file))).toBe(true);
  expect(source.size).toBe(3 * READ_BYTES + 17);
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
