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

/** What is in flight may take so long before the user is told that it is waited for. */
const PATIENCE_MS = 500;

/** Aborted, with the signal's name as its reason, when the first signal comes; `remind` is called if that takes time. */
export function stopOnSignal(remind: (signal: NodeJS.Signals) => void = () => {}): {
  readonly stop: AbortSignal;
  release(): void;
} {
  const controller = new AbortController();
  let patience: NodeJS.Timeout | undefined;
  const listener = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(signalCode(signal));
    controller.abort(signal);
    patience = setTimeout(() => remind(signal), PATIENCE_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    stop: controller.signal,
    release() {
      clearTimeout(patience);
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
