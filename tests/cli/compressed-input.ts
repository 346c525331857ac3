/** A compressed input of river-pawn, and the commands that read it as if it were not compressed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { TestFolder } from '../support/temporary-folder.js';
import { boardmill } from './in-turn.js';

export const THREE = '7 3\n2 2\nOO\nX.\n2 2\nOO\n.X\n3 1\nO\nO\nX\n';
export const ANSWERS = 'Red 1\nRed 1\nRed 1\n';

/** Writes a text into a file, compressed as the ending of its name says. */
export function writeCompressed({ at }: TestFolder, name: string, text: string): void {
  const bytes = Buffer.from(text);
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), name.endsWith('.gz') ? gzipSync(bytes) : brotliCompressSync(bytes));
}

/** Declares tests of the commands that read an input of this name. */
export function testCommands(folder: TestFolder, input: string): void {
  const { read } = folder;
  const run = (...args: string[]) => boardmill(args, { cwd: folder.path });

  beforeEach(() => writeCompressed(folder, input, THREE));

  test('is cut by extract and split', async () => {
    const extracted = await run('extract', 'zu', input, '--cases', '3');
    expect(extracted).toEqual({ code: 0, stdout: '7 1\n3 1\nO\nO\nX\n', stderr: '' });
    expect((await run('split', 'zu', input, '--every', '2', '--dir', 'parts')).code).toBe(0);
    expect(read('parts/part-0002.in')).toBe('7 1\n3 1\nO\nO\nX\n');
  });

  test('is validated, with lines and columns of the decompressed text', async () => {
    writeCompressed(folder, input, THREE.replace('.X', '.Y'));
    const { code, stdout } = await run('validate', 'zu', input);
    expect(code).toBe(3);
    expect(stdout).toMatch(new RegExp(`^${input}:7:2: case 2: expected one of `));
  });

  test('is checked, also against compressed answers', async () => {
    writeCompressed(folder, 'three.ans.gz', ANSWERS.replace('Red', 'Black'));
    const { code, stdout } = await run('check', 'zu', input, 'three.ans.gz');
    expect(code).toBe(1);
    expect(stdout).toContain('three.ans.gz:1:1: case 1: expected "Red 1", got "Black 1"'.replaceAll('"', ''));
  });
}
