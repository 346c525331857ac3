/** The commands with an input of Brotli data, and the memory that a large compressed input takes. */
import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { folderForEachTest } from '../support/temporary-folder.js';
import { boardmill as boardmillInOwnProcess } from './boardmill.js';
import { testCommands } from './compressed-input.js';

const folder = folderForEachTest();
const { at } = folder;

describe('three.in.br', () => testCommands(folder, 'three.in.br'));

/** More than the memory that a run may take. */
const MEGABYTES = 300;

test('a small file that decompresses to a large input takes no more memory than the large input', async () => {
  const whitespace = '\n'.repeat(1 << 20);
  const gzip = zlib.createGzip({ level: 1 });
  const compressed = buffer(gzip);
  gzip.write('7 1\n2 2\nOO\nX.\n');
  for (let megabyte = 0; megabyte < MEGABYTES; megabyte++) {
    await new Promise((resolve) => gzip.write(whitespace, resolve));
  }
  gzip.end();
  writeFileSync(at('bomb.in.gz'), await compressed);
  const args = ['solve', 'zu', 'bomb.in.gz', '-q', '--stats', '-'];
  const { code, stdout, stderr } = await boardmillInOwnProcess(args, { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Red 1\n' });
  const { bytes, peakRssBytes } = JSON.parse(stderr) as { bytes: number; peakRssBytes: number };
  expect(bytes).toBeGreaterThan(MEGABYTES << 20);
  expect(peakRssBytes).toBeLessThan(250 << 20);
});
