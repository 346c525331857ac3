#!/usr/bin/env node
/** The command line: words -> command -> exit code. */
import { report } from './exit.js';
import { version } from './version.js';

const words = process.argv.slice(2);

// What escapes every handler is a defect, or a reader that went away: one line at the most, and its exit code.
process.on('uncaughtException', (error) => process.exit(report(error)));
// Errors on standard error itself have nobody left to be told to.
process.stderr.on('error', () => {});
if (words.length === 1 && words[0] === '--version') {
  // What scripts ask for most often need not wait for a parser to load.
  process.stdout.write(`${version()}\n`);
} else {
  const { runCommand } = await import('./commands.js');
  // Set, never process.exit(): what is still on its way to a pipe must arrive.
  process.exitCode = await runCommand(words);
}
