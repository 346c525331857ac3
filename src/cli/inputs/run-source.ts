/** Opens an input for a run of the engine. */
import { openSource } from '../../engine/input/read.js';
import type { Source } from '../../engine/input/source.js';
import type { Problem } from '../../problems/problem.js';
import { addProblemSuggestion } from './recognize.js';

/**
 * Opens the input, calls `work` with it, and closes it. When `stop` is aborted, it closes the input at once, which ends the
 * reading even if the program that writes to our standard input is slow. If the input is bad and seems to belong to another
 * problem, the error asks about that problem.
 */
export async function withRunSource<Result>(
  path: string,
  problem: Problem<unknown>,
  stop: AbortSignal,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  const source = await openSource(path);
  const closeSource = () => void source.close();
  stop.addEventListener('abort', closeSource);
  // The signal may have come while the input was being opened, or during an earlier one.
  if (stop.aborted) closeSource();
  try {
    return await work(source);
  } catch (error) {
    throw await addProblemSuggestion(error, source, problem);
  } finally {
    stop.removeEventListener('abort', closeSource);
    await source.close();
  }
}
