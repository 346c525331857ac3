#!/usr/bin/env node
/** The entry point of the program. */
import { makeStandardOutputWriteFully } from '../core/files/standard-output.js';
import { version } from '../core/version.js';
import { hideQueueVariable } from './arguments/queue-variable.js';

const args = process.argv.slice(2);
makeStandardOutputWriteFully();

/** Whether starting threads early may help. Other commands do not load the code for it. */
async function needsEarlyThreads(command: string | undefined, problem = ''): Promise<boolean> {
  if (command === 'solve') return true;
  const { isModulePath } = await import('../problems/modules/module-path.js');
  return isModulePath(problem);
}

async function main(): Promise<void> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    // Scripts often ask for the version. To answer quickly, nothing else is loaded before.
    process.stdout.on('error', fail);
    process.stdout.write(`${version()}\n`);
    return;
  }
  hideQueueVariable();
  const [command, ...others] = args;
  const early = (await needsEarlyThreads(command, others[0])) ? await import('./early-threads.js') : null;
  early?.startThreadsEarly(command, others);
  const { startProgram } = await import('./start.js');
  await startProgram(args);
  await early?.endEarlyThreads();
}

/**
 * Reports an error, and ends the process. If the process may open no more files, the code that reports errors may not be loaded
 * either.
 */
async function fail(error: unknown): Promise<never> {
  const { reportError } = await import('./exit.js').catch(() => ({ reportError: reportWithoutCode }));
  process.exit(reportError(error));
}

function reportWithoutCode(error: unknown): number {
  const FAILURE = 4;
  process.stderr.write(`boardmill: ${(error as Error).message}\n`);
  return FAILURE;
}

await main().catch(fail);
