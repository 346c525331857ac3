/** An external program on the command line: one option that holds a program and its arguments. */
import { parse, quote } from 'shell-quote';
import { single, usageError } from './parse-options.js';

/** The words of a command, split as a shell does: quotes and backslashes. Nothing else of a shell is there. */
export function parseCommand(option: string, value: unknown): string[] | undefined {
  const text = single(option, value);
  if (text === undefined) return undefined;
  const words = parse(text, (name) => `$${name}`).map((word) => {
    if (typeof word === 'string') return word;
    if ('pattern' in word) return word.pattern;
    const sign = 'op' in word ? word.op : '#';
    throw usageError(
      `${option} runs no shell, and "${sign}" means nothing without: quote it, or run sh -c '...'`,
    );
  });
  if (words.length === 0 || words[0] === '') throw usageError(`${option} wants a program and its arguments`);
  return words;
}

/** The words of a command as a user would type them. */
export function quoteCommand(words: readonly string[]): string {
  return quote(words);
}
