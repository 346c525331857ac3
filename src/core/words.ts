/** Texts as words. */

/** Returns the words of a text, without the whitespace around them. */
export function splitIntoWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Returns alternatives as a part of a sentence: `a`, `a or b`, `a, b or c`. */
export function joinWithOr(alternatives: readonly string[]): string {
  if (alternatives.length < 2) return alternatives.join('');
  return `${alternatives.slice(0, -1).join(', ')} or ${alternatives.at(-1)}`;
}
