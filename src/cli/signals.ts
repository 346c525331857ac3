/**
 * The first signal asks the run to stop in good order; the second ends the process at once. SIGHUP counts as
 * well: the terminal that would show how it goes on is gone.
 */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The exit code that shells give a process that a signal ended. */
export function signalCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Aborted, with the signal's name as its reason, when the first signal comes. */
export function stopOnSignal(): { readonly stop: AbortSignal; release(): void } {
  const controller = new AbortController();
  const listener = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(signalCode(signal));
    controller.abort(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    stop: controller.signal,
    release() {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
