/** What a file of a command exports. It is loaded when the command is called. */
import type { ArgumentsCamelCase, Argv } from 'yargs';

export interface Command {
  /** Describes the command's words to yargs. */
  options(words: Argv): Argv<unknown>;
  /** Does the work and returns the exit code. */
  run(args: never): Promise<number>;
}

/** The word that names the problem, for yargs. */
export const PROBLEM_WORD = {
  type: 'string',
  demandOption: true,
  describe: 'name or alias: boardmill problems',
} as const;

/** The arguments that a command's `options` describe. */
export type ArgumentsOf<Options extends (words: Argv) => Argv<unknown>> =
  ReturnType<Options> extends Argv<infer Given> ? ArgumentsCamelCase<Given> : never;

/** Thrown by a command that has nothing to do: the user is shown its help. */
export class HelpWanted extends Error {}
