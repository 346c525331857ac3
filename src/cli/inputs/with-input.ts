/** An input for the commands that read one and keep no checkpoint. */
import { Interrupted } from '../../core/errors.js';
import { openSource, type Source } from '../../engine/read.js';
import type { Problem } from '../../problems/problem.js';
import { stopOnSignal } from '../signals.js';
import { InputBeginning, suggestProblem } from './recognize.js';

/** Opens an input of the problem and works on it; after the first signal its next piece is an Interrupted. */
export async function withInput(
  path: string,
  problem: Problem<unknown>,
  work: (source: Source) => Promise<void>,
): Promise<void> {
  const signals = stopOnSignal();
  try {
    const source = await openSource(path);
    const beginning = new InputBeginning(source.pieces);
    try {
      await work({ ...source, pieces: piecesUntil(signals.stop, beginning.pieces) });
    } catch (error) {
      throw await suggestProblem(error, beginning, problem);
    } finally {
      await source.close();
    }
  } finally {
    signals.release();
  }
}

async function* piecesUntil(
  stop: AbortSignal,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(new Interrupted(stop.reason, `stopped by ${stop.reason}`)));
  });
  // Nobody may be waiting for it.
  stopped.catch(() => {});
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), stopped]);
    if (next.done) return;
    yield next.value;
  }
}
