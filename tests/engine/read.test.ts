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

test('the pieces of a file, each copied before the next, are the file', async () => {
  const source = await openSource(file);
  const parts: Buffer[] = [];
  for await (const piece of source.pieces) parts.push(Buffer.from(piece));
  await source.close();
  expect(Buffer.concat(parts).equals(readFileSync(file))).toBe(true);
  expect(source.size).toBe(3 * READ_BYTES + 17);
  expect(parts.length).toBeGreaterThan(1);
});

test.each(['before a read', 'during a read'])(
  'a source closed %s never looks as if it had ended',
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

function isOpenHere(path: string): boolean {
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
  ['read to its end', Number.POSITIVE_INFINITY],
  ['left after its first piece', 1],
])('a file %s is closed, without being told', async (_, most) => {
  const source = await openSource(file);
  expect(isOpenHere(file)).toBe(true);
  let pieces = 0;
  for await (const _ of source.pieces) if (++pieces === most) break;
  expect(isOpenHere(file)).toBe(false);
});
