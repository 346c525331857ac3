/** How a signal ends a run: first nothing more is begun, and some time later what is still running is given up. */
import { Interrupted, type StopSignal } from './errors.js';

/** Two abort signals that end a run: first `stop`, later `giveUp`. Their abort reason is the name of the process's signal. */
export interface GracefulStop {
  /** Aborted when the run must not begin anything more. */
  readonly stop: AbortSignal;
  /** Aborted when the run must give up the cases that are being solved and the programs that are running. */
  readonly giveUp: AbortSignal;
}

/** Returns the error of a run that an abort signal has ended. `when` is added to its message, such as ` before big.in`. */
export function interruptionError({ reason }: AbortSignal, when = ''): Interrupted {
  return new Interrupted(reason as StopSignal, `stopped by ${reason}${when}`);
}

/** Fails with Interrupted if a signal has asked the run to stop. */
export function assertNotStopped(stop: AbortSignal, when = ''): void {
  if (stop.aborted) throw interruptionError(stop, when);
}
