/** Finds the command in a command line that begins with options, as in `boardmill -q solve bt`. */
import { optionsOfCommand } from './arguments/syntax.js';
import { optionAwaitingValue, readTypedWords } from './arguments/words.js';
import { findCommand } from './command-list.js';

/**
 * Moves the name of the command in front of the options that were typed before it. If several words could be the command, takes
 * the first one that has all these options, else the first one. If there is no command after the options, returns the words as
 * they are.
 */
export async function putCommandFirst(args: readonly string[]): Promise<readonly string[]> {
  if (!/^-[^-]|^--./.test(args[0] ?? '')) return args;
  let guess = args;
  for (const [index, word] of args.entries()) {
    const fit = await fitOfOptions(args.slice(0, index), word);
    if (fit === 'none') continue;
    const reordered = [word, ...args.slice(0, index), ...args.slice(index + 1)];
    if (fit === 'known') return reordered;
    if (guess === args) guess = reordered;
  }
  return guess;
}

/** Whether the words fit the command: as options that are all `known`, or with unknown ones; else `name` is no command. */
async function fitOfOptions(before: readonly string[], name: string): Promise<'known' | 'unknown' | 'none'> {
  const entry = findCommand(name);
  if (entry === undefined) return 'none';
  const options = optionsOfCommand((await entry.load()).syntax);
  const words = readTypedWords(before, options);
  const areOptions = words.every(({ role }) => role === 'option' || role === 'value');
  if (!areOptions || optionAwaitingValue(words, options) !== undefined) return 'none';
  return words.every(({ option }) => option !== undefined) ? 'known' : 'unknown';
}
