#!/usr/bin/env node
/** The entry point of the program. */
import { version } from '../core/version.js';
import { hideQueueVariable } from './arguments/queue-variable.js';

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Scripts often ask for the version. To answer quickly, nothing else is loaded before.
  process.stdout.on('error', async (error) => {
    const { reportError } = await import('./exit.js');
    process.exit(reportError(error));
  });
  process.stdout.write(`${version()}\n`);
} else {
  hideQueueVariable();
  const early = args[0] === 'solve' ? await import('./early-pool.js') : null;
  early?.startPoolEarly(args.slice(1));
  const { startProgram } = await import('./start.js');
  await startProgram(args);
  await early?.closeEarlyPool();
}
