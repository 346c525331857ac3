/** Opens the input of a command. If an invalid input looks like one of another problem, the error message asks about it. */
import { isatty } from 'node:tty';
import { openSource } from '../../engine/input/read.js';
import type { Source } from '../../engine/input/source.js';
import { closeSourceAfter } from '../../engine/input/with-source.js';
import type { Problem } from '../../problems/problem.js';
import { usageError } from '../arguments/usage-error.js';
import { withSignals } from '../signals.js';
import { withOtherProblemHint } from './recognize.js';

/** Returns the input that the user has named, or else standard input. Fails with kind `usage` if that is a terminal. */
export function namedOrStandardInput(input: string | null): string {
  if (input === null && isatty(0)) throw usageError('missing input: standard input is a terminal');
  return input ?? '-';
}

/**
 * Opens the input for a command that reads one input and writes no checkpoint, such as `extract`. Calls `work` with the input,
 * and then closes the input. After the first signal, `stop` is aborted, and reading the next piece throws an Interrupted.
 */
export async function withInput<Result>(
  path: string,
  problem: Problem<unknown>,
  work: (source: Source, stop: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withSignals(async (stop) => {
    const source = await openSource(path, { stop });
    return withOtherProblemHint(source, problem, () => work(source, stop)).finally(() => source.close());
  });
}

/** Opens the input for a run of the engine. The signal `stop` ends the run. See `withSource`. */
export async function withRunSource<Result>(
  path: string,
  problem: Problem<unknown>,
  stop: AbortSignal,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  return withOpenSource(await openSource(path), problem, stop, work);
}

/** Does the same as `withRunSource`, with an input that is already open. */
export function withOpenSource<Result>(
  source: Source,
  problem: Problem<unknown>,
  stop: AbortSignal,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  return closeSourceAfter(source, stop, () => withOtherProblemHint(source, problem, () => work(source)));
}
