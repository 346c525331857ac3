/** Formats text for the status on a terminal, which may be too narrow for the whole text. */

/** Joins as many of the first parts as fit in `width` characters. A separator at the end is left out. */
export function joinFitting(parts: readonly string[], width: number): string {
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > width) break;
    text += part;
  }
  return text.replace(/[ |]+$/, '');
}
