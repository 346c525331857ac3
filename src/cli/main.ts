#!/usr/bin/env node
/** The command line: words -> command -> exit code. */
import { COMPLETE, isShell } from './completion/shells.js';
import { reportError } from './exit.js';
import { version } from './version.js';

const words = process.argv.slice(2);

// What escapes every handler is a defect, or a reader that went away: one line at the most, and its exit code.
process.on('uncaughtException', (error) => process.exit(reportError(error)));
// When standard error itself fails, there is no place left to report it.
process.stderr.on('error', () => {});
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  // Scripts ask for it often, and it need not wait for a parser to load.
  process.stdout.write(`${version()}\n`);
} else if (words[0] === COMPLETE && isShell(words[1])) {
  // No parser may judge these words: the user is still typing them.
  const { complete } = await import('./completion/complete.js');
  process.stdout.write(await complete(words[1], words.slice(2)));
} else {
  const { runCommand } = await import('./run-command.js');
  // Set, never process.exit(): what is still on its way to a pipe must arrive.
  process.exitCode = await runCommand(words);
}
