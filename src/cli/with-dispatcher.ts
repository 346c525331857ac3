/** The common frame of commands that run the engine: signals, the progress bar, and closing the dispatcher. */
import type { Dispatcher } from '../engine/dispatcher.js';
import type { RunTally } from '../engine/tally.js';
import { startProgress } from './status/progress.js';

/** The settings of the frame: the progress bar, and when to give up. */
interface RunFrame {
  /** Aborted some time after the first signal. Cases that are still being solved then get no answer. */
  readonly giveUp: AbortSignal;
  readonly tally: RunTally;
  readonly isBarShown: boolean;
}

/** Calls `work` while the progress bar is shown, and closes the dispatcher afterwards. */
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
