/** Signals to programs that run in process groups of their own (started with the option `detached`). */
import type { ChildProcess } from 'node:child_process';

/** Sends a signal to a program and to all processes that the program has started. */
export function signalProcessGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All processes of the group have already ended.
  }
}
