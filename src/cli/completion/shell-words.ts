/** Interprets the words of a command line that the user is still typing. */

/** Returns the word as the shell would pass it to a program, without quotes and backslashes. A quote may still be open. */
export function unquoteWord(word: string): string {
  return word.replace(/'([^']*)'?|"((?:\\.|[^"\\])*)\\?"?|\\(.?)/gs, (_, single, double, escaped) => {
    return single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? escaped;
  });
}

/**
 * Joins the words that bash has split at `=` and `:`. For example, bash passes `--solver=simd` as the three words
 * `--solver`, `=` and `simd`.
 */
export function rejoinWords(words: readonly string[]): string[] {
  const joined: string[] = [];
  let joinsNext = false;
  for (const word of words) {
    const isSeparator = /^[=:]+$/.test(word);
    if (joined.length > 0 && (isSeparator || joinsNext)) joined.push(joined.pop() + word);
    else joined.push(word);
    joinsNext = isSeparator;
  }
  return joined;
}
