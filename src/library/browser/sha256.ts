/** Replaces core/sha256.ts in browsers, whose own SHA-256 is asynchronous. */
import { sha256 as digest } from '@noble/hashes/sha2.js';
import { encodeUtf8 } from '../../core/bytes.js';

/** Returns the 32 bytes of the SHA-256 digest of the text's UTF-8 bytes, in a buffer of their own. */
export function sha256(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(digest(encodeUtf8(text)));
}
