/**
 * Handles SIGINT, SIGTERM and SIGHUP. The first signal asks the run to stop: it finishes the cases that are being
 * solved and writes a checkpoint. The second signal ends the process at once.
 */
import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';
import type { GracefulStop } from '../core/stop.js';

/**
 * Milliseconds after the first signal that commands have to finish the cases that are being solved. After that, they give up
 * these cases, because a solver may never return.
 */
export const GIVE_UP_MS = 4000;

/**
 * Milliseconds after the first signal after which the process ends even if the run has not stopped. Between GIVE_UP_MS and this
 * time, a run may solve again the cases before those that were given up, and write their answers.
 */
export const SIGNAL_GRACE_MS = 10_000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns the exit code that shells report for a process that the signal ended: 128 + the signal's number. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Milliseconds to wait after the second signal for a pending file operation. After that, the operation is assumed never to
 * finish.
 */
const FILE_OPERATION_GRACE_MS = 100;

/** Milliseconds to wait after the first signal before the user is reminded that a second signal stops at once. */
const REMINDER_DELAY_MS = 500;

/** What is given up, as messages name it. */
const CASE = { unfinished: 'a case is still being solved', missing: 'its answer' };

/** Returns the message that the run ends although cases are still being solved. */
function describeGivingUp(signal: NodeJS.Signals, { unfinished, missing }: typeof CASE): string {
  return `${signal}: ${unfinished} after ${GIVE_UP_MS / 1000} s; stopped without ${missing}`;
}

/** Returns the message after the first signal, with the grace period of the run. `work` is what the run still finishes. */
function describeGrace(signal: NodeJS.Signals, work: string): string {
  return `${signal}: ${work}, for at most ${GIVE_UP_MS / 1000} s; a second signal stops at once`;
}

interface SignalStop {
  readonly stop: AbortSignal;
  release(): void;
}

/** What happens some time after the first signal, if the run has not stopped by then. */
interface AfterSignal {
  /** Called after REMINDER_DELAY_MS. */
  readonly remind?: (signal: NodeJS.Signals) => void;
  /**
   * Called after GIVE_UP_MS to give up the cases that are being solved, so that a solver which never returns does not keep the
   * run alive. If this function exists, the process ends after SIGNAL_GRACE_MS as after a second signal. Without it, the run
   * may take any time to stop.
   */
  readonly giveUp?: (signal: NodeJS.Signals) => void;
  /** Ends the process. Tests replace it. */
  readonly end?: (signal: NodeJS.Signals) => void;
}

/**
 * Calls `run` while it listens for signals. After a signal, `note` receives messages for the user; `work` says in them what the
 * run still finishes, and `givenUp` what it gives up.
 */
export async function runWithSignals<Result>(
  work: string,
  note: (message: string) => void,
  run: (signals: GracefulStop) => Promise<Result>,
  givenUp = CASE,
): Promise<Result> {
  const giveUp = new AbortController();
  const signals = stopOnSignal({
    remind: (signal) => note(describeGrace(signal, work)),
    giveUp(signal) {
      note(describeGivingUp(signal, givenUp));
      giveUp.abort(signal);
    },
  });
  try {
    return await run({ stop: signals.stop, giveUp: giveUp.signal });
  } finally {
    signals.release();
  }
}

/** Calls `run` while it listens for signals. The first signal aborts `stop`. */
export async function withSignals<Result>(run: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
  const signals = stopOnSignal();
  try {
    return await run(signals.stop);
  } finally {
    signals.release();
  }
}

/**
 * Listens for signals until `release` is called. The first signal aborts `stop`, with the signal's name as the
 * reason.
 */
export function stopOnSignal({ remind, giveUp, end = endProcess }: AfterSignal = {}): SignalStop {
  const controller = new AbortController();
  // Each open input adds a listener. Node would print a warning for more than ten listeners.
  setMaxListeners(0, controller.signal);
  const timers: NodeJS.Timeout[] = [];
  const listener = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) return end(signal);
    controller.abort(signal);
    timers.push(setTimeout(() => remind?.(signal), REMINDER_DELAY_MS).unref());
    if (giveUp === undefined) return;
    timers.push(setTimeout(() => giveUp(signal), GIVE_UP_MS).unref());
    timers.push(setTimeout(() => end(signal), SIGNAL_GRACE_MS).unref());
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    stop: controller.signal,
    release() {
      for (const timer of timers) clearTimeout(timer);
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
