/** Bytes as text of one character per byte. The library for browsers has another file in place of this one. */

/** Up to this length, adding up characters is faster than Node's decoder. */
const MAX_SHORT_LENGTH = 12;

/** The bytes [from, to) as text, one character per byte. */
export function decodeLatin1(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > MAX_SHORT_LENGTH) {
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
  }
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]);
  return text;
}
