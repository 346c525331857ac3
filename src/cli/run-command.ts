/** Parses the words of the command line and runs the command that they name. */
import type { Argv } from 'yargs';
import { assertOptionsKnown, describeMistake, type TypedCommand } from './arguments/mistakes.js';
import { CommandLineError, closest } from './arguments/parse-options.js';
import { HelpWanted } from './command.js';
import { COMMANDS, type CommandEntry, commandName } from './command-list.js';
import { recordWords } from './completion/recorder.js';
import { EXIT, reportError } from './exit.js';
import { version } from './version.js';

const EXIT_CODES =
  'Exit codes: 0 every case answered, and all agree; 1 cases differ or were marked ERROR; 2 wrong usage, or ' +
  'a file that cannot be opened or created; 3 invalid input; 4 a worker, a program or the system failed.';

/** Options and arguments that may have several values. */
const REPEATABLE = ['inputs', 'vs'];

/** yargs loses a lone `-` among the positional words: it passes as what no argument can be. */
const DASH = '\0';

function withDashes(value: unknown): unknown {
  if (value === DASH) return '-';
  if (Array.isArray(value)) return value.map(withDashes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDashes(part)]));
}

/** The words as yargs understands them all: a lone `-` is DASH, and what follows `--` is never an option. */
function prepareWords(words: readonly string[]): string[] {
  const last = words.includes('--') ? words.indexOf('--') : words.length;
  const operands = words.slice(last + 1).map((word) => (/^-./.test(word) ? `./${word}` : word));
  return [...words.slice(0, last), ...operands].map((word) => (word === '-' ? DASH : word));
}

/** Returns the exit code. */
export async function runCommand(words: string[]): Promise<number> {
  const entry = COMMANDS.find(({ usage }) => commandName(usage) === words[0]);
  try {
    assertUtf8(words);
    assertCommandKnown(words[0]);
    assertOptionsKnown(await typedCommand(words, entry));
    return await parseAndRun(words, entry);
  } catch (error) {
    return reportError(error instanceof CommandLineError ? pointToHelp(error, entry) : error);
  }
}

async function parseAndRun(words: string[], entry: CommandEntry | undefined): Promise<number> {
  let code: number = EXIT.ok;
  // Imported here, because completion needs the list above without waiting for yargs.
  const { default: yargs } = await import('yargs');
  const parser = describeProgram(yargs());
  for (const { usage, describe, load } of COMMANDS) {
    parser.command(
      usage,
      describe,
      async (command) => (await load()).options(command),
      async (args) => {
        refuseRepeated(args);
        code = await (await load()).run(withDashes(args) as never);
      },
    );
  }
  try {
    if (words.length === 0) throw new HelpWanted();
    await parser.parseAsync(prepareWords(words), {}, (_error: unknown, _args: unknown, output: string) => {
      // Left to itself, yargs would not notice that help cannot be written.
      if (output !== '') process.stdout.write(`${output}\n`);
    });
  } catch (error) {
    if (isYargsError(error)) throw describeMistake(withoutDash(error), await typedCommand(words, entry));
    if (!(error instanceof HelpWanted)) throw error;
    process.stderr.write(`${await parser.getHelp()}\n`);
    return EXIT.usage;
  }
  return code;
}

/** What Node puts in the place of bytes that are not UTF-8; a file of that name would be another one. */
const NOT_UTF8 = '\ufffd';

/** Fails where a word is not UTF-8: Node has already replaced it by another word. */
function assertUtf8(words: readonly string[]): void {
  const word = words.find((each) => each.includes(NOT_UTF8));
  if (word === undefined) return;
  throw new CommandLineError(`an argument is not UTF-8: ${word}`);
}

function assertCommandKnown(command: string | undefined): void {
  if (command === undefined || command.startsWith('-')) return;
  const names = COMMANDS.map(({ usage }) => commandName(usage));
  if (names.includes(command)) return;
  const meant = closest(command, names);
  throw new CommandLineError(`unknown command ${command}${meant === null ? '' : `; did you mean ${meant}?`}`);
}

function pointToHelp({ message }: CommandLineError, entry: CommandEntry | undefined): CommandLineError {
  const command = entry === undefined ? 'boardmill' : `boardmill ${commandName(entry.usage)}`;
  return new CommandLineError(`${message}; see \`${command} --help\``);
}

/** Describes the options that all commands have. */
export function describeProgram(parser: Argv): Argv {
  return parser
    .scriptName('boardmill')
    .locale('en')
    .usage('$0 <command>\n\nSolves multi-testcase files of board games in bulk, in parallel, in input order.')
    .epilogue(EXIT_CODES)
    .demandCommand(1)
    .strict()
    .version('version', 'show the version', version())
    .alias('version', 'V')
    .help('help', 'show help')
    .alias('help', 'h')
    .wrap(helpWidth())
    .exitProcess(false)
    .parserConfiguration({ 'dot-notation': false, 'parse-numbers': false, 'parse-positional-numbers': false })
    .fail((message, error) => {
      throw error ?? Object.assign(new Error(message), { name: YARGS_ERROR });
    });
}

/** The name of yargs' own errors, which are of no class that it exports. */
const YARGS_ERROR = 'YError';

function isYargsError(error: unknown): error is Error {
  return error instanceof Error && error.name === YARGS_ERROR;
}

function withoutDash({ message }: Error): string {
  return message.replaceAll(DASH, '-');
}

async function typedCommand(
  words: readonly string[],
  entry: CommandEntry | undefined,
): Promise<TypedCommand> {
  const command = await entry?.load();
  const known = recordWords(...(command === undefined ? [] : [command.options]), describeProgram);
  return { usage: entry?.usage ?? '', words, known };
}

const MAX_HELP_WIDTH = 100;
const USUAL_WIDTH = 80;

/** Lines of help fit the terminal. */
function helpWidth(): number {
  return Math.min(MAX_HELP_WIDTH, process.stdout.columns ?? process.stderr.columns ?? USUAL_WIDTH);
}

/** An option that takes one value is given once. Flags may be repeated: that means the same. */
function refuseRepeated(args: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(args)) {
    const isOption = name.length > 1 && !REPEATABLE.includes(name);
    if (!isOption || !Array.isArray(value)) continue;
    if (value.every((each) => typeof each === 'boolean')) args[name] = value.at(-1);
    else throw new CommandLineError(`--${name} was given ${value.length} times`);
  }
}
