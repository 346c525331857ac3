/** Words of a command line that is still being typed. */

/** What the word means without its quotes and backslashes; a quote may still be open. */
export function unquote(word: string): string {
  return word.replace(/'([^']*)'?|"((?:\\.|[^"\\])*)\\?"?|\\(.?)/gs, (_, single, double, escaped) => {
    return single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? escaped;
  });
}

/** The words as they were typed: bash passes `--solver=simd` as `--solver`, `=`, `simd`, and breaks at `:` too. */
export function mergeBroken(words: readonly string[]): string[] {
  const merged: string[] = [];
  let isOpen = false;
  for (const word of words) {
    const isBreak = /^[=:]+$/.test(word);
    if (merged.length > 0 && (isBreak || isOpen)) merged.push(merged.pop() + word);
    else merged.push(word);
    isOpen = isBreak;
  }
  return merged;
}
