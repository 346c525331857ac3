/** Parses options such as `--exec`, whose value is a program with its arguments. */
import { parse } from 'shell-quote';
import { usageError } from './usage-error.js';
import { assertGiven } from './values.js';

/**
 * Splits the value of an option into a program and its arguments. Quotes and backslashes work as in a shell. No shell
 * runs the program: variables and patterns stay as they are, and operators such as `|` are refused.
 */
export function parseProgram(text: string, option: string): readonly string[] {
  if (!areQuotesClosed(assertGiven(text, option, 'a program')))
    throw usageError(`${option} has a quote that is not closed: ${text}`);
  const argv = parse(text, (name) => `$${name}`).map((token) => {
    if (typeof token === 'string') return token;
    if ('pattern' in token) return token.pattern;
    const sign = 'op' in token ? token.op : '#';
    throw usageError(
      `${option} does not run a shell, so "${sign}" has no meaning: quote it, or use sh -c '...'`,
    );
  });
  if (argv.length === 0 || argv[0] === '') throw usageError(`${option} needs a program`);
  return argv;
}

/** A program as the user typed it, and the words that its command line consists of. */
export interface NamedProgram {
  readonly name: string;
  readonly argv: readonly string[];
}

/** Parses a program. Results show it under the name that the user typed. */
export function parseNamedProgram(text: string, option: string): NamedProgram {
  return { name: text, argv: parseProgram(text, option) };
}

/** Whether all quotes in the text are closed, and the text does not end with a backslash. */
function areQuotesClosed(text: string): boolean {
  const rest = text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, '');
  return !/['"\\]/.test(rest);
}
