/**
 * Handles SIGINT, SIGTERM and SIGHUP. The first signal asks the run to stop: it finishes the cases that are being
 * solved and writes a checkpoint. The second signal ends the process at once.
 */
import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns the exit code that shells report for a process that the signal ended: 128 + the signal's number. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * How long to wait after the second signal for a pending file operation, before assuming that the operation will
 * never finish.
 */
const FILE_OPERATION_GRACE_MS = 100;

/** How long to wait after the first signal before reminding the user that a second signal stops at once. */
const REMINDER_DELAY_MS = 500;

export interface SignalStop {
  readonly stop: AbortSignal;
  release(): void;
}

/**
 * Listens for signals until `release` is called. The first signal aborts `stop`, with the signal's name as the
 * reason. If the listener is still active after REMINDER_DELAY_MS, `remind` is called.
 */
export function stopOnSignal(remind: (signal: NodeJS.Signals) => void = () => {}): SignalStop {
  const controller = new AbortController();
  // Each open input listens. Node would warn the user from the eleventh listener on.
  setMaxListeners(0, controller.signal);
  let reminderTimer: NodeJS.Timeout | undefined;
  const listener = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) return endProcess(signal);
    controller.abort(signal);
    reminderTimer = setTimeout(() => remind(signal), REMINDER_DELAY_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    stop: controller.signal,
    release() {
      clearTimeout(reminderTimer);
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}

/**
 * Ends the process with the exit code of the signal. `process.exit()` waits for pending file operations, and an
 * operation on a FIFO that nobody reads never finishes. In that case the process sends the signal to itself, without
 * a handler.
 */
function endProcess(signal: NodeJS.Signals): void {
  if (!isFileOperationPending()) process.exit(exitCodeOfSignal(signal));
  setTimeout(() => {
    if (!isFileOperationPending()) process.exit(exitCodeOfSignal(signal));
    // A process that a signal ends does not run its exit handlers, which end checkers and clear the status.
    process.emit('exit', exitCodeOfSignal(signal));
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }, FILE_OPERATION_GRACE_MS);
}

/** Whether Node is still waiting for a file operation to finish. */
function isFileOperationPending(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq'));
}
