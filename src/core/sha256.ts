/** SHA-256 of a text. The library for browsers has another file in place of this one. */
import { createHash } from 'node:crypto';

/** Returns the 32 bytes of the SHA-256 digest of the text's UTF-8 bytes, in a buffer of their own. */
export function sha256(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest());
}
