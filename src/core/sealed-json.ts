/** Files of boardmill as JSON with a digest of their own content, so that a damaged or changed file is not believed. */
import { digestOfText } from './digest.js';

/** Returns the content as one line of JSON, which begins with the name of the file's format. */
export function printSealed(schema: string, content: object): string {
  const sealed = { schema, ...content };
  return `${JSON.stringify({ ...sealed, digest: digestOfText(JSON.stringify(sealed)) })}\n`;
}

/** Returns the content, an object, of a text that `printSealed` returned, and null for any other text. */
export function parseSealed(schema: string, text: string): unknown {
  try {
    const { schema: found, digest: _, ...content } = JSON.parse(text) as Record<string, unknown>;
    return found === schema && printSealed(schema, content) === text ? content : null;
  } catch {
    return null;
  }
}
