/** Files of boardmill as JSON with a digest of their own content, so that a damaged or changed file is not believed. */
import { digestOfText } from '../digest.js';

/** Returns the content as one line of JSON, which begins with the name of the file's format. */
export function printSealed(schema: string, content: object): string {
  const sealed = { schema, ...content };
  return `${JSON.stringify({ ...sealed, digest: digestOfText(JSON.stringify(sealed)) })}\n`;
}

/**
 * Returns the content of a text that `printSealed` returned, and null for any other text. `isPossible` is asked because
 * somebody else may have computed the digest; if it throws, the content is not possible.
 */
export function parseSealed<Content extends object>(
  schema: string,
  text: string,
  isPossible: (content: Content) => boolean,
): Content | null {
  try {
    const { schema: found, digest: _, ...content } = JSON.parse(text) as Record<string, unknown>;
    const isSealed = found === schema && printSealed(schema, content) === text;
    return isSealed && isPossible(content as Content) ? (content as Content) : null;
  } catch {
    return null;
  }
}
