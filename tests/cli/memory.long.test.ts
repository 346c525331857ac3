/** Tests that memory stays bounded for a large input from a socket. memory.test.ts reads it from a pipe. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { exitOf, start, textOf } from './boardmill.js';
import { BLOCK, BLOCK_CASES, BLOCKS, expectLittleMemory, NO_TIME_LIMIT } from './large-input.js';

test(
  'solving 250 MB of cases from a socket with -j 2 needs less than 400 MiB of memory',
  NO_TIME_LIMIT,
  async () => {
    const child = start(['solve', 'bt', '-j', '2', '--stats', '-']);
    const ended = exitOf(child);
    const stderr = textOf(child.stderr);
    let answers = 0;
    child.stdout.on('data', (piece: Buffer) => {
      for (const byte of piece) answers += Number(byte === 10);
    });
    child.stdin.write(`${BLOCKS * BLOCK_CASES}\n`);
    for (let written = 0; written < BLOCKS; written++) {
      if (!child.stdin.write(BLOCK)) await once(child.stdin, 'drain');
    }
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(answers).toBe(BLOCKS * BLOCK_CASES);
    expectLittleMemory(await stderr);
  },
);
