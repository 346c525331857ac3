/** Connects boardmill with yargs, which reads the command line, and corrects what yargs gets wrong. */
import type { Argv, Options, PositionalOptions } from 'yargs';
import type { ArgumentRow, CommandSyntax, OptionRow } from './option.js';
import { findOption, type NamedOption } from './syntax.js';
import { splitAttachedValue } from './words.js';

/** Describes to yargs what all commands have in common. Help and version are not its task; see help.ts. */
export function describeProgramToYargs(parser: Argv): Argv {
  return parser
    .scriptName('boardmill')
    .locale('en')
    .demandCommand(1)
    .strict()
    .version(false)
    .help(false)
    .exitProcess(false)
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .fail((message, error) => {
      throw error ?? Object.assign(new Error(message), { name: YARGS_ERROR_NAME });
    });
}

/** Describes the arguments and the options of a command to yargs. */
export function describeSyntaxToYargs<T>(parser: Argv<T>, syntax: CommandSyntax): Argv<T> {
  for (const [name, row] of Object.entries(syntax.arguments)) parser.positional(name, positionalOf(row));
  for (const [name, row] of Object.entries(syntax.options)) parser.option(name, optionOf(row));
  return parser;
}

/** Describes an argument to yargs. yargs learns from the usage line which arguments are required, and which are lists. */
function positionalOf({ otherwise, choices }: ArgumentRow): PositionalOptions {
  const type = choices === undefined ? { type: 'string' as const } : { choices };
  return { ...type, ...defaultOf(otherwise) };
}

function optionOf({ alias, choices, isFlag, flagWords, isRequired, otherwise }: OptionRow): Options {
  const common = alias === undefined ? {} : { alias };
  if (flagWords !== undefined) return { ...common, type: 'string', choices: ['', ...flagWords] };
  if (isFlag) return { ...common, type: 'boolean', default: otherwise };
  const taken = { ...common, requiresArg: true, ...(isRequired ? { demandOption: true } : {}) };
  return choices === undefined
    ? { ...taken, type: 'string' }
    : { ...taken, choices, ...defaultOf(otherwise) };
}

function defaultOf(value: unknown): { default?: unknown } {
  return value === null || value === undefined ? {} : { default: value };
}

/**
 * Stands for the argument `-` while yargs parses the command line, because yargs drops a positional argument `-`. No
 * real argument can contain a NUL character.
 */
const DASH_PLACEHOLDER = '\0';

/** Replaces each placeholder in the values that yargs returns by the `-` that the user typed. */
export function restoreDashes(typed: object): Record<string, unknown> {
  const restore = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(restore) : value === DASH_PLACEHOLDER ? '-' : value;
  return Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, restore(value)]));
}

/**
 * Rewrites arguments that yargs would misread. A lone `-` becomes the placeholder. `-ox.ans` becomes `--output=x.ans`.
 * Arguments after `--` are not options, so one that begins with `-` is a file name and gets `./` in front. So does a file named
 * `true` or `false` after a flag, because yargs would take it for the value of the flag.
 */
export function prepareForYargs(args: readonly string[], known: readonly NamedOption[]): string[] {
  const optionsEnd = args.includes('--') ? args.indexOf('--') : args.length;
  const typed = attachFlagWords(args.slice(0, optionsEnd), known);
  const isAfterFlag = (index: number) => index > 0 && isFlag(typed[index - 1], known);
  const options = typed
    .map((arg, index) => (/^(true|false)$/.test(arg) && isAfterFlag(index) ? `./${arg}` : arg))
    .flatMap((arg) => splitAttachedValue(arg, known));
  const operands = args.slice(optionsEnd + 1).map((arg) => (/^-./.test(arg) ? `./${arg}` : arg));
  return [...options, ...operands].map((arg) => (arg === '-' ? DASH_PLACEHOLDER : arg));
}

/** Gives each flag that a word may follow its value: `--matrix cases` becomes `--matrix=cases`, and `--matrix` `--matrix=`. */
function attachFlagWords(args: readonly string[], known: readonly NamedOption[]): string[] {
  const attached: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const words = findOption(known, /^--([a-z-]+)$/.exec(args[index])?.[1] ?? '')?.flagWords;
    const isFollowed = words?.includes(args[index + 1]) === true;
    attached.push(words === undefined ? args[index] : `${args[index]}=${isFollowed ? args[index + 1] : ''}`);
    if (isFollowed) index++;
  }
  return attached;
}

/** Whether the argument is an option without a value, or a group of letters that ends with such an option. */
function isFlag(arg: string, known: readonly NamedOption[]): boolean {
  const name = /^--([a-z-]+)$/.exec(arg)?.[1] ?? /^-[a-zA-Z]*([a-zA-Z])$/.exec(arg)?.[1];
  if (name === undefined) return false;
  return (findOption(known, name) ?? findOption(known, name.replace(/^no-/, '')))?.isFlag === true;
}

/** The property `name` of the errors that yargs throws. yargs does not export the class of these errors. */
const YARGS_ERROR_NAME = 'YError';

export function isYargsError(error: unknown): error is Error {
  return error instanceof Error && error.name === YARGS_ERROR_NAME;
}

/** Returns the message of an error of yargs, with each placeholder replaced by the `-` that the user typed. */
export function messageOfYargsError({ message }: Error): string {
  return message.replaceAll(DASH_PLACEHOLDER, '-');
}
