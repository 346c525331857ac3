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
  describe: 'name or alias of a problem (see: boardmill problems)',
} as const;

/** The arguments that a command's `options` describe. */
export type ArgumentsOf<Options extends (words: Argv) => Argv<unknown>> =
  ReturnType<Options> extends Argv<infer Given> ? ArgumentsCamelCase<Given> : never;

/** Thrown by a command that has nothing to do: the user is shown its help. */
export class HelpWanted extends Error {}

/**
 * Examples for the end of a command's help, as [command, what it does]. Each command is on a line of its own: yargs'
 * two columns would break it in the middle.
 */
export function describeExamples(examples: readonly (readonly [command: string, what: string])[]): string {
  return ['Examples:', ...examples.map(([command, what]) => `  ${command}\n      ${what}`)].join('\n');
}
