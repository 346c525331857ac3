#!/usr/bin/env node
import { version } from '../core/version.js';
/** The entry point of the program: runs the command that the command line names, and sets the exit code. */
import { COMPLETION_REQUEST, isShell } from './completion/shells.js';
import { reportError } from './exit.js';

const args = process.argv.slice(2);

// An error that no handler catches is a bug or a closed pipe. It is reported in at most one line, with its exit code.
process.on('uncaughtException', (error) => process.exit(reportError(error)));
// A failure of standard error cannot be reported anywhere, so it is ignored.
process.stderr.on('error', () => {});
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Scripts ask for the version often. Loading the parser of the command line would only slow that down.
  process.stdout.write(`${version()}\n`);
} else if (args[0] === COMPLETION_REQUEST && isShell(args[1])) {
  // The parser must not see these arguments: the user is still typing them, so they may be incomplete.
  const { complete } = await import('./completion/complete.js');
  process.stdout.write(await complete(args[1], args.slice(2)));
} else {
  const { runCommand } = await import('./run-command.js');
  // `process.exit()` would lose output that is still being written to a pipe.
  process.exitCode = await runCommand(args);
}
