/** The coordinator's side of the thread that reads a pipe (workers/read-pipe.ts). */
import { Worker } from 'node:worker_threads';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import { threadOptions } from '../../problems/modules/thread-options.js';
import type { PipeReport, PipeSegment, PipeThreadSettings } from './pipe-messages.js';

const THREAD_FILE = new URL('workers/read-pipe.js', INSTALLATION_FOLDER);

export interface PipeThread {
  /** Gives the thread another segment, to fill after those that it has already. */
  add(segment: PipeSegment): void;
  end(): void;
}

/**
 * Starts a thread that reads a pipe. `onReport` is called for each of its reports, and with a failure if the thread fails.
 * `onExit` is called when the thread has ended and no longer uses the path of the pipe.
 */
export function startPipeThread(
  settings: PipeThreadSettings,
  onReport: (report: PipeReport) => void,
  onExit: () => void,
): PipeThread {
  // The thread's socket closes the descriptor of the pipe. If Node closed that descriptor again at the end of the thread, its
  // number might already belong to another file.
  const thread = new Worker(THREAD_FILE, {
    workerData: settings,
    trackUnmanagedFds: false,
    ...threadOptions(),
  });
  let last: PipeReport = { bytes: 0, isAtEnd: false, failure: null };
  const report = (next: PipeReport) => {
    last = next;
    onReport(next);
  };
  const fail = ({ message }: Error) => report({ ...last, failure: last.failure ?? { message } });
  thread.on('message', report);
  thread.on('error', fail);
  thread.on('exit', () => {
    onExit();
    if (!last.isAtEnd) fail(new Error('the thread that reads it has ended'));
  });
  return {
    add: (segment) => thread.postMessage(segment),
    end: () => void thread.terminate(),
  };
}
