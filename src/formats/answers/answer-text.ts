/** Turns answers into text for messages. */
import { bytesOfLatin1, decodeLatin1, decodeText, LF, quoteText } from '../../core/bytes.js';

/** Returns the tokens in bytes[from, to). */
export function tokensOf(bytes: Uint8Array, from: number, to: number): string[] {
  return decodeLatin1(bytes, from, to).match(/[^ \t\n\v\f\r]+/g) ?? [];
}

const MAX_QUOTED_CHARS = 60;

/** Returns an answer as error messages show it: the tokens of the answer in quotes, cut off if they are long. */
export function quoteAnswer(bytes: Uint8Array, from: number, to: number): string {
  const text = decodeText(bytesOfLatin1(tokensOf(bytes, from, to).join(' ')));
  return text.length > MAX_QUOTED_CHARS
    ? `${quoteText(text.slice(0, MAX_QUOTED_CHARS))}...`
    : quoteText(text);
}

/** Returns the first line of a text where the label of an answer was expected, as `quoteAnswer` does. */
export function quoteUnlabelled(bytes: Uint8Array, from: number, to: number): string {
  const lineEnd = bytes.subarray(from, to).indexOf(LF);
  return quoteAnswer(bytes, from, lineEnd < 0 ? to : from + lineEnd);
}
