/** Parses the command line and runs the command that it names. */
import type { Writable } from 'node:stream';
import { closestName } from '../core/closest-name.js';
import { BoardmillError } from '../core/errors.js';
import { version } from '../core/version.js';
import { assertOptionsUsable, type MistypedCommand, toCommandLineError } from './arguments/mistakes.js';
import { optionsOfCommand, readOptionValues } from './arguments/syntax.js';
import { CommandLineError } from './arguments/usage-error.js';
import { readTypedWords, splitAttachedValue } from './arguments/words.js';
import {
  describeProgramToYargs,
  describeSyntaxToYargs,
  isYargsError,
  messageOfYargsError,
  prepareForYargs,
  restoreDashes,
} from './arguments/yargs.js';
import { COMMANDS, type CommandEntry, commandName, findCommand, HELP_COMMAND } from './command-list.js';
import { putCommandFirst } from './command-word.js';
import { EXIT_CODE, reportError } from './exit.js';

/** Treats `boardmill help` as `boardmill --help`, and `boardmill help solve` as `boardmill solve --help`. */
function replaceHelpCommand(args: readonly string[]): string[] {
  return args[0] === HELP_COMMAND ? [...args.slice(1), '--help'] : [...args];
}

/** Runs a command line (without the program's name), reports an error if there is one, and returns the exit code. */
export async function runCommand(typed: readonly string[]): Promise<number> {
  const args = await putCommandFirst(replaceHelpCommand(typed));
  const entry = findCommand(args[0]);
  try {
    assertUtf8(args);
    assertCommandKnown(args[0]);
    const typedCommand = await loadTypedCommand(args, entry);
    assertOptionsUsable(typedCommand);
    return await parseAndRun(typedCommand, entry);
  } catch (error) {
    return reportError(await improveError(error, args, entry));
  }
}

async function parseAndRun(typed: MistypedCommand, entry: CommandEntry | undefined): Promise<number> {
  const { args } = typed;
  if (args.length === 0) return printHelp(process.stderr, entry, EXIT_CODE.usage);
  const words = args.flatMap((arg) => splitAttachedValue(arg, typed.options));
  const asked = readTypedWords(words, typed.options).filter(({ role }) => role === 'option');
  if (asked.some(({ text }) => asksFor(text, 'help', 'h')))
    return printHelp(process.stdout, entry, EXIT_CODE.ok);
  if (asked.some(({ text }) => asksFor(text, 'version', 'V'))) return printVersion();
  if (entry === undefined) throw new CommandLineError('the command must be the first argument');
  return await runEntry(entry, typed);
}

/** Whether the option is that of this name, or a group of flags with this letter, such as `-qh`. */
function asksFor(option: string, name: string, letter: string): boolean {
  return option === `--${name}` || (/^-[a-zA-Z]+$/.test(option) && option.includes(letter));
}

async function printHelp(stream: Writable, entry: CommandEntry | undefined, code: number): Promise<number> {
  // Help is loaded only here, because other command lines need not wait for it.
  const { helpOf } = await import('./help.js');
  stream.write(await helpOf(entry));
  return code;
}

function printVersion(): number {
  process.stdout.write(`${version()}\n`);
  return EXIT_CODE.ok;
}

/**
 * Parses the arguments of a command and runs it. yargs gets the command as its only one, the default command `$0`. After any
 * other command yargs would format its help, which takes longer than solving a small input.
 */
async function runEntry(entry: CommandEntry, typed: MistypedCommand): Promise<number> {
  // yargs is loaded only here. Completion imports this module too, and need not wait for yargs.
  const { default: yargs } = await import('yargs');
  const command = await entry.load();
  let code: number = EXIT_CODE.ok;
  const usage = entry.usage.replace(commandName(entry.usage), '$0');
  const parser = describeProgramToYargs(yargs()).command(
    usage,
    entry.description,
    (parser) => describeSyntaxToYargs(parser, command.syntax),
    async (parsed) => {
      code = await command.run(readOptionValues(command.syntax, restoreDashes(parsed)) as never);
    },
  );
  try {
    await parser.parseAsync(prepareForYargs(typed.args.slice(1), typed.options));
  } catch (error) {
    throw isYargsError(error) ? toCommandLineError(messageOfYargsError(error), typed) : error;
  }
  return code;
}

/** Node replaces bytes of the command line that are not UTF-8 by this character. */
const REPLACEMENT_CHARACTER = '\ufffd';

/** Fails if an argument is not UTF-8. Node changes such an argument, so it may name another file. */
function assertUtf8(args: readonly string[]): void {
  const changed = args.find((arg) => arg.includes(REPLACEMENT_CHARACTER));
  if (changed !== undefined) throw new CommandLineError(`an argument is not UTF-8: ${changed}`);
}

function assertCommandKnown(command: string | undefined): void {
  if (command === undefined || command.startsWith('-')) return;
  const names = COMMANDS.map(({ usage }) => commandName(usage));
  if (names.includes(command)) return;
  const meant = closestName(command, names);
  throw new CommandLineError(`unknown command ${command}${meant === null ? '' : `; did you mean ${meant}?`}`);
}

/** Returns the error with what to type instead, if that is clear, else with the command that prints the help. */
async function improveError(
  error: unknown,
  args: readonly string[],
  entry: CommandEntry | undefined,
): Promise<unknown> {
  if (!(error instanceof BoardmillError) || (error.kind !== 'usage' && error.kind !== 'file')) return error;
  const { adviseOnCommandLine } = await import('./advice/advise.js');
  const advice = await adviseOnCommandLine(args);
  if (advice !== null) return advice;
  return error instanceof CommandLineError ? addHelpHint(error, entry) : error;
}

/** Adds to an error in the command line the command that prints the help. */
function addHelpHint({ message }: CommandLineError, entry: CommandEntry | undefined): CommandLineError {
  const command = entry === undefined ? 'boardmill' : `boardmill ${commandName(entry.usage)}`;
  return new CommandLineError(`${message}; see \`${command} --help\``);
}

/** Loads the module of the typed command. Returns the typed arguments and the options that the command accepts. */
async function loadTypedCommand(
  args: readonly string[],
  entry: CommandEntry | undefined,
): Promise<MistypedCommand> {
  const command = await entry?.load();
  return { usage: entry?.usage ?? '', args, options: optionsOfCommand(command?.syntax ?? null) };
}
