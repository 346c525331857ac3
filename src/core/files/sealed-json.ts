/** boardmill's own JSON files contain a digest of their content, so that a damaged or changed file is rejected. */
import { digestOfText } from '../digest.js';

/** Returns the content as one line of JSON, which begins with the name of the file's format. */
export function printSealedJson(schema: string, content: object): string {
  const sealed = { schema, ...content };
  return `${JSON.stringify({ ...sealed, digest: digestOfText(JSON.stringify(sealed)) })}\n`;
}

/**
 * Returns the content of a text that `printSealedJson` returned, and null for any other text. `isPossible` checks the content,
 * because anyone can compute a digest. Content for which `isPossible` throws is not possible.
 */
export function parseSealedJson<Content extends object>(
  schema: string,
  text: string,
  isPossible: (content: Content) => boolean,
): Content | null {
  try {
    const { schema: found, digest: _, ...content } = JSON.parse(text) as Record<string, unknown>;
    const isSealed = found === schema && printSealedJson(schema, content) === text;
    return isSealed && isPossible(content as Content) ? (content as Content) : null;
  } catch {
    return null;
  }
}

/**
 * Whether a text may be what is in a file of sealed JSON: its first characters are `prefix`, or a power loss has left only the
 * beginning of them, or zeros.
 */
export function mayBeSealedJson(prefix: string, text: string): boolean {
  return text.startsWith(prefix) || prefix.startsWith(text.replace(/\0+$/, ''));
}
