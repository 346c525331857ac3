/** Connects boardmill with yargs, which reads the command line and formats the help, and corrects what yargs gets wrong. */
import type { Argv, Options, PositionalOptions } from 'yargs';
import { version } from '../../core/version.js';
import type { ArgumentRow, CommandSyntax, Example, OptionRow } from './option.js';
import { COMMON_OPTIONS, findOption, type NamedOption } from './syntax.js';
import { splitAttachedValue } from './words.js';

/** The description of boardmill in the help and in the manual page. */
export const PROGRAM_DESCRIPTION =
  'Solves files of many test cases in parallel: of board games, and of problems of your own. Answers keep the input order.';

export const EXIT_CODES_HELP = `Exit codes:
  0    every case was answered (check, stress, bench: and all answers agree; verify: and all explanations hold)
  1    some cases differ, an explanation does not hold, or cases were answered ERROR under --on-error mark
  2    wrong usage, or a file that cannot be opened, created or overwritten
  3    invalid input
  4    a worker, a program, the system or boardmill itself failed
  129  stopped by SIGHUP
  130  stopped by SIGINT
  141  the reader of standard output closed it
  143  stopped by SIGTERM

\`boardmill help <command>\` shows the options of a command.`;

/** Describes the common parts of all commands to yargs: the options `--help` and `--version`, and the look of the help. */
export function describeCommonOptions(parser: Argv): Argv {
  return parser
    .scriptName('boardmill')
    .locale('en')
    .updateStrings({ 'Positionals:': 'Arguments:' })
    .usage(`$0 <command>\n\n${PROGRAM_DESCRIPTION}`)
    .epilogue(EXIT_CODES_HELP)
    .demandCommand(1)
    .strict()
    .version('version', COMMON_OPTIONS.version.describe, version())
    .alias('version', 'V')
    .help('help', COMMON_OPTIONS.help.describe)
    .alias('help', 'h')
    .wrap(helpWidth())
    .exitProcess(false)
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .fail((message, error) => {
      throw error ?? Object.assign(new Error(message), { name: YARGS_ERROR_NAME });
    });
}

const MAX_HELP_WIDTH = 100;
const DEFAULT_HELP_WIDTH = 80;

/** Returns the width of the help text: the width of the terminal, but at most MAX_HELP_WIDTH. */
function helpWidth(): number {
  return Math.min(MAX_HELP_WIDTH, process.stdout.columns ?? process.stderr.columns ?? DEFAULT_HELP_WIDTH);
}

/** Describes the arguments, the options and the notes of a command to yargs. */
export function describeSyntax<T>(parser: Argv<T>, syntax: CommandSyntax): Argv<T> {
  for (const [name, row] of Object.entries(syntax.arguments)) parser.positional(name, positionalOf(row));
  for (const [name, row] of Object.entries(syntax.options)) parser.option(name, optionOf(row));
  for (const text of epiloguesOf(syntax)) parser.epilogue(text);
  return parser;
}

/** Describes an argument to yargs. yargs learns from the usage line which arguments are required, and which are lists. */
function positionalOf({ describe, otherwise, choices }: ArgumentRow): PositionalOptions {
  const type = choices === undefined ? { type: 'string' as const } : { choices };
  return { describe, ...type, ...defaultOf(otherwise) };
}

function optionOf({ describe, alias, choices, isFlag, isRequired, otherwise }: OptionRow): Options {
  const common = { describe, ...(alias === undefined ? {} : { alias }) };
  if (isFlag) return { ...common, type: 'boolean', default: otherwise };
  const taken = { ...common, requiresArg: true, ...(isRequired ? { demandOption: true } : {}) };
  return choices === undefined
    ? { ...taken, type: 'string' }
    : { ...taken, choices, ...defaultOf(otherwise) };
}

function defaultOf(value: unknown): { default?: unknown } {
  return value === null || value === undefined ? {} : { default: value };
}

function epiloguesOf({ examples, notes }: CommandSyntax): string[] {
  return [
    ...(examples === undefined ? [] : [formatExamples(examples)]),
    ...(notes === undefined ? [] : [notes]),
  ];
}

/** Each example gets a line of its own. The two columns of yargs would break the line in the middle of the example. */
function formatExamples(examples: readonly Example[]): string {
  return [
    'Examples:',
    ...examples.map(([command, explanation]) => `  ${command}\n      ${explanation}`),
  ].join('\n');
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
  const isAfterFlag = (index: number) => index > 0 && isFlag(args[index - 1], known);
  const options = args
    .slice(0, optionsEnd)
    .map((arg, index) => (/^(true|false)$/.test(arg) && isAfterFlag(index) ? `./${arg}` : arg))
    .flatMap((arg) => splitAttachedValue(arg, known));
  const operands = args.slice(optionsEnd + 1).map((arg) => (/^-./.test(arg) ? `./${arg}` : arg));
  return [...options, ...operands].map((arg) => (arg === '-' ? DASH_PLACEHOLDER : arg));
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
