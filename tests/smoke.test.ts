/** The few tests that CI runs on every supported version of Node: the build solves the samples of the statements. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../src/catalog/registry.js';
import { Seed } from '../src/core/random.js';
import { folderForEachTest } from './support/temporary-folder.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const boardmill = `${root}/dist/src/cli/main.js`;

describe.each(PROBLEMS)('$name', ({ name: problem }) => {
  test.each(['auto', 'portable'])(
    'the build answers the sample of the statement with --solver %s',
    (solver) => {
      const sample = `${root}/data/${problem}/sample/statement`;
      const args = [boardmill, 'solve', problem, `${sample}.in`, '--solver', solver];
      expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe(
        readFileSync(`${sample}.ans`, 'utf8'),
      );
    },
  );
});

/** The type definitions of the project are those of Node 20, which has no zstd. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (data: Uint8Array) => Buffer };

describe('a compressed input of more than 64 KiB', () => {
  const folder = folderForEachTest();
  const random = new Seed('smoke').random(0);
  const row = () => Array.from({ length: 16 }, () => (random.chance(0.5) ? '#' : '.')).join('');
  const board = () => `16 16\n${Array.from({ length: 16 }, () => `${row()}\n`).join('')}`;
  const boards = Buffer.from(`4000\n${Array.from({ length: 4000 }, board).join('')}`);
  const spoilt = (bytes: Buffer) => bytes.fill(0xff, 1000, 1004);

  test.each([
    ['gz', 'gzip', spoilt(zlib.gzipSync(boards))],
    ['br', 'Brotli', boards],
    ...(zstdCompressSync === undefined ? [] : [['zst', 'zstd', spoilt(zstdCompressSync(boards))] as const]),
  ] as const)('that is damaged ends the run with its name: .%s', (ending, name, bytes) => {
    expect(bytes.length).toBeGreaterThan(2 ** 16);
    writeFileSync(folder.at(`a.in.${ending}`), bytes);
    const args = [boardmill, 'solve', 'bt', `a.in.${ending}`];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(new RegExp(`^boardmill: a\\.in\\.${ending}: the ${name} data is damaged`)),
    ]);
  });
});
