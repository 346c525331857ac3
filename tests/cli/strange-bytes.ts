/** Inputs that are not text, and what boardmill calls them. */
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { boardmill } from './in-turn.js';

interface NotText {
  readonly what: string;
  readonly bytes: Uint8Array;
}

export const NOT_TEXT: readonly NotText[] = [
  { what: 'gzip data', bytes: gzipSync('1\n1 1\n.\n') },
  { what: 'zstd data', bytes: Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58) },
  { what: 'xz data', bytes: Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) },
  { what: 'bzip2 data', bytes: new TextEncoder().encode('BZh91AY&SY') },
  { what: 'a zip archive', bytes: Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0) },
  { what: 'UTF-16 text', bytes: Uint8Array.of(0xff, 0xfe, 0x31, 0, 0x0a, 0) },
];

/** Expects that `solve` names the file type of an input that is not text. */
export async function expectNamed(problem: string, { what, bytes }: NotText): Promise<void> {
  const args = ['solve', problem, '-j', '1', '--on-error', 'mark'];
  const { code, stdout, stderr } = await boardmill(args, { stdin: bytes });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^boardmill: <stdin>:1:1: expected text, got ${what} \\(.*\\)\n$`));
}

/** The format of the first has a number of cases, that of the second has none. */
export const PROBLEMS_OF_BYTES = ['bt', 'darkraft'];
