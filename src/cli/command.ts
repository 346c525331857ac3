/** The interface of a command. */
import type { Syntax } from './arguments/option.js';

/** What the module of a command exports. */
export interface Command {
  readonly syntax: Syntax;
  /** Runs the command with the values that its syntax describes (`ValuesOf`), and returns the exit code. */
  run(args: never): Promise<number>;
}

/** Thrown by a command that was given nothing to work on. boardmill then prints the help of the command. */
export class HelpRequest extends Error {}
