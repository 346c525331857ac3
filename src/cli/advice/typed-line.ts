/** A refused command line, word by word, for the rules that correct it. */
import { formatCommandLine } from '../../core/command-line.js';
import type { CommandSyntax } from '../arguments/option.js';
import { INPUT_ARGUMENT } from '../arguments/rows.js';
import { type NamedOption, optionsOfCommand } from '../arguments/syntax.js';
import { readTypedWords, splitAttachedValue, type TypedWord } from '../arguments/words.js';
import { type CommandEntry, commandName, findCommand } from '../command-list.js';

/** A command line without the program's name. */
export interface TypedLine {
  /** The command; undefined if the first word names none. */
  readonly entry: CommandEntry | undefined;
  readonly syntax: CommandSyntax | null;
  /** The options that the command accepts. */
  readonly options: readonly NamedOption[];
  /** All words. The command, which is the first one, counts as an argument. The value of an option is a word of its own. */
  readonly words: readonly TypedWord[];
  /** What is typed before it: `g++ -O2 -o a a.cpp && `, or a command whose output it reads, with ` | `. */
  readonly before: string;
}

/** Finds out what the words of a command line are. */
export async function parseTypedLine(args: readonly string[], before = ''): Promise<TypedLine> {
  const entry = findCommand(args[0]);
  const syntax = (await entry?.load())?.syntax ?? null;
  const options = optionsOfCommand(syntax);
  const separate = args.flatMap((arg) => splitAttachedValue(arg, options)).flatMap(splitAtEquals);
  return { entry, syntax, options, words: readTypedWords(separate, options), before };
}

/** Splits `--exec=./a` into two words. The value of an option cannot begin with a dash if it is a word of its own. */
function splitAtEquals(arg: string): string[] {
  const [, name, value] = /^(--[a-z-]+)=([^-].*)$/s.exec(arg) ?? [];
  return name === undefined ? [arg] : [name, value];
}

/** What is wrong with a refused command line, and what to type in its place. */
export type Correction = CorrectedCommand | Advice;

export interface CorrectedCommand {
  readonly mistake: string;
  /** The words of the corrected command line. It may have other mistakes. */
  readonly args: readonly string[];
  /** What to type before the corrected command: `g++ -O2 -o a a.cpp && `, or another command with its ` | `. */
  readonly before?: string;
  /** What else there is to choose from, if the corrected command line is only an example. */
  readonly choices?: string;
}

/** What to do, if that is not one command to type. */
export interface Advice {
  readonly mistake: string;
  readonly advice: string;
}

/** Recognizes one mistake; null if the command line does not have it. */
export type AdviceRule = (line: TypedLine) => Correction | null | Promise<Correction | null>;

/** Returns the words as a user would type them, with quotes if necessary. */
export function formatCommand(args: readonly string[]): string {
  return formatCommandLine(['boardmill', ...args]);
}

/** Returns the texts of the words. */
export function textsOfWords({ words }: TypedLine): string[] {
  return words.map(({ text }) => text);
}

/** Returns the texts of the words, with other words in place of `count` of them. */
export function replaceWords(
  line: TypedLine,
  index: number,
  count: number,
  others: readonly string[],
): string[] {
  return textsOfWords(line).toSpliced(index, count, ...others);
}

/** An argument, and its index among all words. */
export interface ArgumentWord {
  readonly text: string;
  readonly index: number;
}

/** Returns the arguments after the command. */
export function argumentsOf({ words }: TypedLine): ArgumentWord[] {
  const placed = words.map(({ text, role }, index) => ({ text, role, index }));
  return placed.slice(1).filter(({ role }) => role === 'argument');
}

/** Whether the command has an option of this name. */
export function acceptsOption({ syntax }: TypedLine, name: string): boolean {
  return syntax?.options[name] !== undefined;
}

/** Whether the command reads standard input if no input is named. */
export function takesStandardInput({ syntax }: TypedLine): boolean {
  const { inputs, input } = syntax?.arguments ?? {};
  return inputs !== undefined || input === INPUT_ARGUMENT;
}

/** Whether the command reads the output of another one. */
export function hasPipedInput({ before }: TypedLine): boolean {
  return before.endsWith('| ');
}

/** The name of the line's command; empty if it has none. */
export function commandNameOf({ entry }: TypedLine): string {
  return entry === undefined ? '' : commandName(entry.usage);
}
