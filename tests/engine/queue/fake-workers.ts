/** Worker processes in this process, whose dispatchers are given by the test. */

import { createChunkResult } from '../../../src/engine/chunk-result.js';
import type { Dispatcher } from '../../../src/engine/dispatcher.js';
import type { ChunkResult, ChunkTask } from '../../../src/engine/messages.js';
import { parseRedisUrl } from '../../../src/engine/queue/redis.js';
import type { RunRequirements } from '../../../src/engine/queue/requirements.js';
import type { WorkerEvent } from '../../../src/engine/queue/worker-log.js';
import { type Admission, WorkerProcess } from '../../../src/engine/queue/worker-process.js';
import { dispatcherOf } from '../../support/dispatchers.js';

/** The version of boardmill that runs and worker processes have here. */
export const VERSION = '9.9.9';

/** Returns what a run of a game needs of the worker processes here. */
export function needsOf(name: string): RunRequirements {
  return {
    version: VERSION,
    problem: { kind: 'built-in', name },
    solver: 'auto',
    timeoutSeconds: null,
    isInputShared: false,
    program: null,
  };
}

/** Returns the dispatcher with which a worker process meets needs; null if it refuses them. */
type Meet = (requirements: RunRequirements) => { readonly solve: Dispatcher['solve'] } | null;

export class FakeWorkers {
  /** What all worker processes have logged. */
  readonly events: WorkerEvent[] = [];
  readonly #url: string;
  readonly #stop = new AbortController();
  readonly #workerProcesses: { readonly workerProcess: WorkerProcess; readonly served: Promise<void> }[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  start(meet: Meet, jobs = 1): Promise<WorkerProcess> {
    return this.startWith(async (requirements) => {
      const dispatcher = meet(requirements);
      if (dispatcher === null) return { refusal: 'the test refuses it' };
      return { open: async () => dispatcherOf(dispatcher.solve) };
    }, jobs);
  }

  async startWith(
    admit: (requirements: RunRequirements) => Promise<Admission>,
    jobs = 1,
  ): Promise<WorkerProcess> {
    const { signal } = this.#stop;
    const log = (event: WorkerEvent) => void this.events.push(event);
    // A worker process that is closed while it solves gives up almost at once, as if it were killed.
    const options = { address: parseRedisUrl(this.#url)!, jobs, admit, log, version: VERSION, drainMs: 1 };
    const workerProcess = await WorkerProcess.open(options, signal);
    this.#workerProcesses.push({ workerProcess, served: workerProcess.serve(signal) });
    return workerProcess;
  }

  async close(): Promise<void> {
    this.#stop.abort('SIGTERM');
    for (const { workerProcess, served } of this.#workerProcesses) {
      await served;
      await workerProcess.close();
    }
  }
}

/** A result that answers all cases of a chunk. */
export function resultOf({ starts }: ChunkTask): ChunkResult {
  const answeredCases = starts.length - 1;
  const span = { lines: 0, bytesAfterLastLineEnd: 0 };
  return createChunkResult({
    span,
    answeredCases,
    output: new Uint8Array(answeredCases),
    solver: 'portable',
  });
}
