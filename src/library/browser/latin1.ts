/** Replaces core/latin1.ts in browsers, whose own decoder for Latin-1 decodes another encoding, Windows-1252. */

/** Number of characters that one call of String.fromCharCode creates. Browsers limit the number of arguments of a call. */
const CHARACTERS_PER_CALL = 8192;

/** Returns the bytes [from, to) as text, one character per byte. */
export function decodeLatin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += CHARACTERS_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(at, Math.min(to, at + CHARACTERS_PER_CALL)));
  }
  return text;
}
