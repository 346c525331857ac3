/** Digests of outputs, by which equal outputs of several programs are recognised. */
import { digestOfText } from '../../../core/digest.js';

/** Returns the digest of the tokens of an output: how they are separated does not matter. */
export function digestOfTokens(output: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = output;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  return digestOfText(text.replace(/[ \t\n\v\f\r]+/g, ' ').trim());
}
