/** The two files for bytes as text, and the two for SHA-256: those of Node and those that take their place in browsers. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesOfLatin1 } from '../../src/core/bytes.js';
import { decodeLatin1 } from '../../src/core/latin1.js';
import { sha256 } from '../../src/core/sha256.js';
import { decodeLatin1 as latin1InBrowsers } from '../../src/library/browser/latin1.js';
import { sha256 as sha256InBrowsers } from '../../src/library/browser/sha256.js';

test.each([
  ['Node', decodeLatin1],
  ['browsers', latin1InBrowsers],
])('in %s, each byte is the character with its number', (_where, decode) => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
  for (const length of [0, 1, 12, 13, 256, 8192, 8193, 16_384, 19_999]) {
    const text = decode(bytes, 1, 1 + length);
    expect(text.length).toBe(length);
    for (let at = 0; at < length; at++) if (text.charCodeAt(at) !== (at + 1) % 256) expect.fail(`byte ${at}`);
    expect(bytesOfLatin1(text)).toEqual(bytes.slice(1, 1 + length));
  }
});

test.each([
  ['Node', sha256],
  ['browsers', sha256InBrowsers],
])('in %s, the digest of a text is SHA-256 of its UTF-8 bytes', (_where, digest) => {
  for (const text of ['', '7', 'é和'.repeat(100)]) {
    expect(Buffer.from(digest(text)).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  }
});
