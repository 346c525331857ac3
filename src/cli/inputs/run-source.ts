/** Opens an input for a run of the engine. */
import type { Source } from '../../engine/input/source.js';
import { withSource } from '../../engine/input/with-source.js';
import type { Problem } from '../../problems/problem.js';
import { addProblemSuggestion } from './recognize.js';

/** Like `withSource`. If the input is bad and seems to belong to another problem, the error asks about that problem. */
export function withRunSource<Result>(
  path: string,
  problem: Problem<unknown>,
  stop: AbortSignal,
  work: (source: Source) => Promise<Result>,
): Promise<Result> {
  return withSource(path, stop, async (source) => {
    try {
      return await work(source);
    } catch (error) {
      throw await addProblemSuggestion(error, source, problem);
    }
  });
}
