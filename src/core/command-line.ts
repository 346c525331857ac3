import { quote } from 'shell-quote';

/** Formats a program and its arguments as a user would type them in a shell, with quotes if necessary. */
export function formatCommandLine(argv: readonly string[]): string {
  return quote(argv);
}
