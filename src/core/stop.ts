/** How a signal ends a run: first nothing more is begun, and some time later what is still running is given up. */
import { Interrupted, type StopSignal } from './errors.js';

/** Stops a run that gives up its cases some time after the first signal. The reason of both is the name of the signal. */
export interface GraceStop {
  /** Aborted when nothing more is to be begun. */
  readonly stop: AbortSignal;
  /** Aborted when what is still being solved, or is still running, is to stay without an answer. */
  readonly giveUp: AbortSignal;
}

/** Returns the error of a run that the signal has ended. `when` is added to its message, such as ` before big.in`. */
export function interruptedBy({ reason }: AbortSignal, when = ''): Interrupted {
  return new Interrupted(reason as StopSignal, `stopped by ${reason}${when}`);
}

/** Fails with Interrupted if a signal has asked the run to stop. */
export function assertNotStopped(stop: AbortSignal, when = ''): void {
  if (stop.aborted) throw interruptedBy(stop, when);
}
