/** Describes mistakes in a command line, and names what to type instead. yargs finds most of the mistakes. */

import { closestName } from '../../core/closest-name.js';
import type { CompletionKind } from './option.js';
import { findOption, isOnByDefault, type NamedOption } from './syntax.js';
import { CommandLineError } from './usage-error.js';
import { optionAwaitingValue, readTypedWords } from './words.js';

/** A command line with a mistake in it, and the syntax that the command expects. */
export interface MistypedCommand {
  /** The usage line of the command, such as "solve <problem> [inputs..]". Empty if no command was typed. */
  readonly usage: string;
  /** All arguments that the user typed, including the command's name. */
  readonly args: readonly string[];
  /** The options that the command accepts. */
  readonly options: readonly NamedOption[];
}

/**
 * Fails if a long option is unknown, if a flag is given a value, or if `--` stands where a value is expected. yargs accepts
 * some of these mistakes: it reads `--no-output` as an output of `false`, `--output.x` as a part of an object, `--outPut` as
 * `--out-put`, and `--force=maybe` as no `--force`.
 */
export function assertOptionsUsable(command: MistypedCommand): void {
  const { args, options } = command;
  const optionsEnd = args.includes('--') ? args.indexOf('--') : args.length;
  for (const arg of args.slice(0, optionsEnd)) {
    if (!arg.startsWith('--')) continue;
    const [, name = '', value] = /^--([a-z][a-z-]*)(=.*)?$/s.exec(arg) ?? [];
    const option = findOption(options, name);
    const isNegation = isOnByDefault(findOption(options, name.replace(/^no-/, '')));
    if (option?.name !== name && !isNegation) {
      throw new CommandLineError(describeUnknownOption(arg.slice(2).replace(/=.*$/s, ''), options));
    }
    const isFlag = isNegation || option?.isFlag === true;
    if (isFlag && option?.flagWords === undefined && value !== undefined)
      throw new CommandLineError(`--${name} takes no value, got ${arg}`);
  }
  const waiting = optionAwaitingValue(readTypedWords(args.slice(0, optionsEnd), options), options);
  if (waiting === undefined || optionsEnd === args.length) return;
  throw new CommandLineError(
    `${describeMissingValue(waiting.name, command)}, got --; a name that begins with a dash is typed ./-NAME`,
  );
}

/** Turns an error message of yargs into one line that names the argument which the user has to correct. */
export function toCommandLineError(message: string, command: MistypedCommand): CommandLineError {
  const text = message.replace(/\s+/g, ' ').trim();
  for (const [pattern, describe] of YARGS_MESSAGES) {
    const match = pattern.exec(text);
    if (match !== null) return new CommandLineError(describe(match, command));
  }
  return new CommandLineError(text);
}

type DescribeMistake = (match: RegExpExecArray, command: MistypedCommand) => string;

/** The error messages of yargs. Each has a function that describes the same mistake in boardmill's words. */
const YARGS_MESSAGES: readonly (readonly [RegExp, DescribeMistake])[] = [
  [/^Unknown arguments?: (.+)$/, ([, names], command) => describeUnknownArgument(names.split(', '), command)],
  [
    /^Not enough non-option arguments: got (\d+)/,
    ([, got], command) => describeMissingArgument(Number(got), command),
  ],
  [/^Missing required arguments?: ([^,]+)/, ([, name]) => `missing option --${name}`],
  [/^Not enough arguments following: (\S+)$/, ([, name], command) => describeMissingValue(name, command)],
  [
    /Argument: (\S+), Given: (.*), Choices: (.*)$/,
    ([, name, given, choices], { usage }) => {
      const subject = usage.includes(`[${name}]`) ? name : `--${name}`;
      return `${subject} must be one of ${choices.replaceAll('"', '')}, got ${given}`;
    },
  ],
];

/** Describes the first argument that the command does not accept: an unknown option, or one argument too many. */
function describeUnknownArgument(names: readonly string[], { args, options }: MistypedCommand): string {
  const option = names.find((name) => args.some((arg) => isOptionNamed(arg, name)));
  if (option === undefined) return `unexpected argument ${names[0]}`;
  return option.length === 1 ? `unknown option -${option}` : describeUnknownOption(option, options);
}

/** Describes an unknown option, and names the known option that the user probably meant. */
function describeUnknownOption(name: string, options: readonly NamedOption[]): string {
  const meant = closestName(
    name,
    options.map((option) => option.name),
  );
  return `unknown option --${name}${meant === null ? '' : `; did you mean --${meant}?`}`;
}

/** Whether the argument is the option with this name. A name of one letter may also be in a group of letters such as `-fq`. */
function isOptionNamed(arg: string, name: string): boolean {
  if (name.length > 1) return arg === `--${name}` || arg.startsWith(`--${name}=`);
  return /^-[^-]/.test(arg) && arg.includes(name);
}

/** Describes the first missing argument of those that are required. `typedCount` is the number of arguments typed. */
function describeMissingArgument(typedCount: number, { usage }: MistypedCommand): string {
  const required = usage.match(/<[^>]+>/g) ?? [];
  return required[typedCount] === undefined ? 'missing command' : `missing argument ${required[typedCount]}`;
}

function describeMissingValue(name: string, { options }: MistypedCommand): string {
  const { name: fullName = name, choices, listOf, completes = 'text' } = findOption(options, name) ?? {};
  if (listOf !== undefined) return `--${fullName} needs a list of ${listOf.join(', ')}`;
  const wanted = choices === undefined ? VALUE_NAMES[completes] : `one of ${choices.join(', ')}`;
  return `--${fullName} needs ${wanted}`;
}

/** What a message calls the value of an option if the value is missing. */
const VALUE_NAMES: Record<CompletionKind, string> = {
  file: 'a file',
  folder: 'a folder',
  program: 'a program',
  text: 'a value',
};
