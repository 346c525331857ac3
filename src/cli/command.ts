/** The interface of a command. */
import type { CommandSyntax } from './arguments/option.js';

/** The exports of a module that implements a command. */
export interface CommandModule {
  readonly syntax: CommandSyntax;
  /** Runs the command with the values of its arguments and options (`ValuesOf`), and returns the exit code. */
  run(args: never): Promise<number>;
}
