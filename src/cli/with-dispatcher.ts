/** The frame of a command that runs the engine: signals, the progress bar, and the end of what solves. */
import type { Dispatcher } from '../engine/dispatcher.js';
import type { Tally } from '../engine/tally.js';
import { startProgress } from './status/progress.js';

/** What a run shows, and when it gives up. */
interface RunFrame {
  /** Aborted some time after the first signal: what is still being solved then stays without an answer. */
  readonly giveUp: AbortSignal;
  readonly tally: Tally;
  readonly isBarShown: boolean;
}

/** Calls `work` while a dispatcher solves, and closes the dispatcher. */
export async function withDispatcher<Result>(
  dispatcher: Dispatcher,
  { giveUp, tally, isBarShown }: RunFrame,
  work: () => Promise<Result>,
): Promise<Result> {
  giveUp.addEventListener('abort', () => dispatcher.giveUp());
  const progress = await startProgress(tally, isBarShown);
  try {
    return await work();
  } finally {
    progress.stop();
    await dispatcher.close();
  }
}
