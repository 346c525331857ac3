/** Mistakes in the command line. */
import { BoardmillError } from '../../core/errors.js';

/** A mistake in the command line. The error message points the user to the help of the command. */
export class CommandLineError extends BoardmillError {
  constructor(message: string) {
    super('usage', message);
  }
}

export function usageError(message: string): CommandLineError {
  return new CommandLineError(message);
}
