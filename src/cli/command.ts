/** The interface of a command, and helpers that all commands use to describe themselves to yargs. */
import type { ArgumentsCamelCase, Argv } from 'yargs';

/** What the module of a command exports. */
export interface Command {
  /** The names of the options that may be given several times. */
  readonly repeatable?: readonly string[];
  /** Describes the arguments and options of the command to yargs. */
  options(parser: Argv): Argv<unknown>;
  /** Runs the command and returns the exit code. */
  run(args: never): Promise<number>;
}

/** Describes the argument `<problem>` to yargs. */
export const PROBLEM_ARGUMENT = {
  type: 'string',
  demandOption: true,
  describe:
    'name or alias of a problem (boardmill problems lists them), or the path of your own: a module or a grammar (.ctd)',
} as const;

/** Describes an optional input to yargs. */
export const INPUT_ARGUMENT = {
  type: 'string',
  default: '-',
  describe: 'input file; - is standard input, which is the default',
} as const;

/** Describes any number of inputs to yargs. */
export const INPUTS_ARGUMENT = {
  type: 'string',
  array: true,
  default: [] as string[],
  describe:
    'input files, or folders with *.in files (also *.in.gz, *.in.zst, *.in.br; subfolders included); - is standard input, which is the default',
} as const;

/** Describes `--quiet` to yargs. */
export const QUIET_OPTION = {
  alias: 'q',
  type: 'boolean',
  default: false,
  describe: 'print nothing but errors on standard error',
} as const;

/** The type of the parsed arguments that a command's `options` function describes. */
export type ArgumentsOf<Options extends (parser: Argv) => Argv<unknown>> =
  ReturnType<Options> extends Argv<infer Parsed> ? ArgumentsCamelCase<Parsed> : never;

/** Thrown by a command that was given nothing to work on. boardmill then prints the help of the command. */
export class HelpRequest extends Error {}

/**
 * Formats the examples at the end of a command's help. Each example is a command and what the command does. The
 * command gets a line of its own, because the two columns of yargs would break the line in the middle of the command.
 */
export function formatExamples(
  examples: readonly (readonly [command: string, explanation: string])[],
): string {
  return [
    'Examples:',
    ...examples.map(([command, explanation]) => `  ${command}\n      ${explanation}`),
  ].join('\n');
}
