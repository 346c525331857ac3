/**
 * The first signal asks the run to stop in good order; the second ends the process at once. SIGHUP counts as
 * well: the terminal that would show how it goes on is gone.
 */
import { constants } from 'node:os';
import { clearStatus } from './status/terminal.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The exit code that shells give a process that a signal ended. */
export function signalCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** A file operation under way may take so long before it is taken to hang. */
const FILE_GRACE_MS = 100;

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
    if (controller.signal.aborted) return endNow(signal);
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

/**
 * Ends the process with the code of the signal. Exiting waits for file operations, and one on a FIFO that nobody
 * reads never ends: then the signal itself ends the process.
 */
function endNow(signal: NodeJS.Signals): void {
  if (!isFileBusy()) process.exit(signalCode(signal));
  setTimeout(() => {
    if (!isFileBusy()) process.exit(signalCode(signal));
    // Ended by a signal, the process runs no exit handlers.
    clearStatus();
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }, FILE_GRACE_MS);
}

function isFileBusy(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));
}
