/**
 * What each word of a command line is: an argument, an option, or the value of an option. boardmill finds this out itself where
 * yargs cannot: while the line is still being typed, before the command is known, and if the line has a mistake.
 */
import { findOption, type NamedOption } from './syntax.js';

/** A word of a command line, and its role. */
export interface TypedWord {
  readonly text: string;
  /** The role of the word. `end` means the word `--`, after which all words are arguments. */
  readonly role: 'argument' | 'option' | 'value' | 'end';
  /** The option that the word names, or to which the value belongs; undefined if there is no such option. */
  readonly option?: NamedOption | undefined;
}

/** Finds the role of each word. `options` are the options that the command accepts. */
export function readTypedWords(words: readonly string[], options: readonly NamedOption[]): TypedWord[] {
  const read: TypedWord[] = [];
  let areOptionsOver = false;
  for (const text of words) {
    const waiting = optionAwaitingValue(read, options);
    areOptionsOver ||= read.at(-1)?.role === 'end';
    if (areOptionsOver) read.push({ text, role: 'argument' });
    else if (text === '--') read.push({ text, role: 'end' });
    // A word with a dash is never a value: the option in front of it lacks one.
    else if (waiting !== undefined && !/^-./.test(text)) read.push({ text, role: 'value', option: waiting });
    else if (/^-./.test(text)) read.push({ text, role: 'option', option: optionIn(text, options) });
    else read.push({ text, role: 'argument' });
  }
  return read;
}

/** Returns the option whose value would be the next word; undefined if there is none. */
export function optionAwaitingValue(
  words: readonly TypedWord[],
  options: readonly NamedOption[],
): NamedOption | undefined {
  const last = words.at(-1);
  if (last?.role !== 'option' || !takesValue(last.option)) return undefined;
  return /^--[^=]+=/s.test(last.text) || attachedValue(last.text, options) !== null ? undefined : last.option;
}

/** Whether the option exists and has a value. */
export function takesValue(option: NamedOption | undefined): option is NamedOption {
  return option !== undefined && option.isFlag !== true;
}

/** Returns the option that a word such as `--output`, `--output=x` or `-o` names. In `-fo`, it is the last letter. */
function optionIn(word: string, options: readonly NamedOption[]): NamedOption | undefined {
  const name = /^--([^=]+)/.exec(word)?.[1];
  if (name !== undefined) return findOption(options, name);
  return attachedValue(word, options)?.option ?? findOption(options, word.slice(-1));
}

/** A word of letters: flags, and then an option whose value follows its letter. */
interface AttachedValue {
  /** The letters of the flags before the option. */
  readonly flags: string;
  readonly option: NamedOption;
  readonly value: string;
}

/** Returns the option and the value in a word such as `-j4`, `-fox.ans` or `-o=x.ans`; null if the word has no value. */
function attachedValue(word: string, options: readonly NamedOption[]): AttachedValue | null {
  if (!/^-[a-zA-Z]./s.test(word)) return null;
  const letters = [...word.slice(1)];
  const index = letters.findIndex((letter) => findOption(options, letter)?.isFlag !== true);
  const option = findOption(options, letters[index] ?? '');
  if (option === undefined || index === letters.length - 1) return null;
  const value = letters.slice(index + 1).join('');
  return { flags: letters.slice(0, index).join(''), option, value: value.replace(/^=/, '') };
}

/** Splits a word such as `-fox.ans` into `-f` and `--output=x.ans`. yargs would read the whole word as letters. */
export function splitAttachedValue(word: string, options: readonly NamedOption[]): string[] {
  const attached = attachedValue(word, options);
  if (attached === null) return [word];
  const { flags, option, value } = attached;
  return [...(flags === '' ? [] : [`-${flags}`]), `--${option.name}=${value}`];
}
