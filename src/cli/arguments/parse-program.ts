/** An external program on the command line: one option that holds a program and its arguments. */
import { parse, quote } from 'shell-quote';
import { parseSingle, usageError } from './parse-options.js';

/** The words of a command, split as a shell does: quotes and backslashes. Nothing else of a shell is there. */
export function parseProgram(option: string, value: unknown): string[] | undefined {
  const text = parseSingle(option, value, 'a program');
  if (text === undefined) return undefined;
  if (!areQuotesClosed(text)) throw usageError(`${option} has a quote that is not closed: ${text}`);
  const words = parse(text, (name) => `$${name}`).map((word) => {
    if (typeof word === 'string') return word;
    if ('pattern' in word) return word.pattern;
    const sign = 'op' in word ? word.op : '#';
    throw usageError(
      `${option} runs no shell, and "${sign}" has no meaning without one: quote it, or run sh -c '...'`,
    );
  });
  if (words.length === 0 || words[0] === '') throw usageError(`${option} needs a program`);
  return words;
}

/** Whether a shell would take the text for whole, and not ask for another line. */
function areQuotesClosed(text: string): boolean {
  const rest = text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, '');
  return !/['"\\]/.test(rest);
}

/** The words of a command as a user would type them. */
export function quoteWords(words: readonly string[]): string {
  return quote(words);
}
