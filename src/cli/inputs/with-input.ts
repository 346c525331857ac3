/** Opens the input for commands that read one input and write no checkpoint, such as `extract`. */
import { Interrupted } from '../../core/errors.js';
import { openSource, type Source } from '../../engine/read.js';
import type { Problem } from '../../problems/problem.js';
import { stopOnSignal } from '../signals.js';
import { addProblemSuggestion, InputBeginning } from './recognize.js';

/**
 * Opens the input, calls `work` with it, and closes it. After the first signal, `stop` is aborted, and reading the next
 * piece throws an Interrupted. If the input is bad and seems to belong to another problem, the error asks about that problem.
 */
export async function withInput(
  path: string,
  problem: Problem<unknown>,
  work: (source: Source, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const signals = stopOnSignal();
  try {
    const source = await openSource(path);
    const beginning = new InputBeginning(source.pieces);
    try {
      const pieces = piecesUntilStopped(signals.stop, beginning.pieces);
      await work({ ...source, pieces }, signals.stop);
    } catch (error) {
      throw await addProblemSuggestion(error, beginning, problem);
    } finally {
      await source.close();
    }
  } finally {
    signals.release();
  }
}

/**
 * The pieces of the answers to an input. If they come from a pipe, whose writer may be slow, a signal ends the wait for them: the
 * next piece throws an Interrupted.
 */
export function stoppablePieces({ size, pieces }: Source, stop: AbortSignal): AsyncIterable<Uint8Array> {
  return size === null ? piecesUntilStopped(stop, pieces) : pieces;
}

/** Yields the pieces of the input until `stop` is aborted, then throws an Interrupted. */
export async function* piecesUntilStopped(
  stop: AbortSignal,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const stopped = new Promise<never>((_, reject) => {
    const interrupt = () => reject(new Interrupted(stop.reason, `stopped by ${stop.reason}`));
    // The signal may have come before the first piece is read.
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt);
  });
  // Avoids an unhandled rejection if the signal comes while no piece is being read.
  stopped.catch(() => {});
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), stopped]);
    if (next.done) return;
    yield next.value;
  }
}
