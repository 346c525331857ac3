/** Opens the input for commands that read one input and write no checkpoint, such as `extract`. */
import { openSource } from '../../engine/input/read.js';
import type { Source } from '../../engine/input/source.js';
import type { Problem } from '../../problems/problem.js';
import { withSignals } from '../signals.js';
import { addProblemSuggestion } from './recognize.js';

/**
 * Opens the input, calls `work` with it, and closes it. After the first signal, `stop` is aborted, and reading the next
 * piece throws an Interrupted. If the input is bad and seems to belong to another problem, the error asks about that problem.
 */
export async function withInput(
  path: string,
  problem: Problem<unknown>,
  work: (source: Source, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  await withSignals(async (stop) => {
    const source = await openSource(path, { stop });
    try {
      await work(source, stop);
    } catch (error) {
      throw await addProblemSuggestion(error, source, problem);
    } finally {
      await source.close();
    }
  });
}
