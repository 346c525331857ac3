/** Runs the command that the command line names, and sets the exit code. */
import { isShell, SHELL_COMPLETION_OPTION } from './completion/shells.js';
import { reportError } from './exit.js';
import { runCommand } from './run-command.js';

/** Runs boardmill with these arguments. */
export async function startProgram(args: readonly string[]): Promise<void> {
  // If no code handles an error, it is a bug or a closed pipe. The error is reported on at most one line, with its exit code.
  process.on('uncaughtException', (error) => process.exit(reportError(error)));
  // A failure of standard error cannot be reported anywhere, so it is ignored.
  process.stderr.on('error', () => {});
  if (args[0] === SHELL_COMPLETION_OPTION && isShell(args[1])) {
    // The user is still typing these arguments, so they may be incomplete and must not be parsed.
    const { completeWord } = await import('./completion/complete.js');
    process.stdout.write(await completeWord(args[1], args.slice(2)));
  } else {
    // `process.exit()` would lose output that is still being written to a pipe.
    process.exitCode = await runCommand(args);
  }
}
