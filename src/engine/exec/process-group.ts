/** Programs in process groups of their own: they are started with `detached`. */
import type { ChildProcess } from 'node:child_process';

/** Sends a signal to a program and to the processes that it has started. SIGKILL ends them. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}
