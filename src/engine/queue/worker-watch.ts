/** Watches which worker processes there are for a run: how many workers they have, and why others refuse the run. */
import { OutageError, pluralize } from '../../core/errors.js';
import { MAX_EXCLUDED, MAX_WORKERS_OF_RUN, REFUSAL_PATIENCE_MS } from './limits.js';
import { listWorkers, type WorkerStatus } from './presence.js';
import type { RedisLink } from './redis.js';

/** Milliseconds after which a run without any worker process says so. */
const NO_WORKER_PROCESS_NOTE_MS = 3000;

export class WorkerWatch {
  readonly #link: RedisLink;
  readonly #requirementsId: string;
  readonly #note: (message: string) => void;
  /**
   * Since when the run waits and no worker process has accepted it, in milliseconds by performance.now(); null if that is not
   * so.
   */
  #unservedSince: number | null = null;
  /** Whether a worker process has accepted the run at any time. */
  #wasServed = false;
  #hasNoted = false;
  /** The ids of the worker processes that have accepted the run, and have not refused it since. */
  readonly #serving = new Set<string>();
  /** Why worker processes get no more chunks of the run, by their ids. */
  readonly #excluded = new Map<string, string>();
  /** What the worker processes said the last time. */
  #listed: readonly WorkerStatus[] = [];
  #workers = 0;
  #mostWorkers = 0;
  readonly #waitMs: number | null;

  /** `waitMs` says for how long a run waits for its first worker process, in milliseconds; null if it waits without end. */
  constructor(
    link: RedisLink,
    requirementsId: string,
    note: (message: string) => void,
    waitMs: number | null,
  ) {
    this.#link = link;
    this.#requirementsId = requirementsId;
    this.#note = note;
    this.#waitMs = waitMs;
  }

  /** Number of workers that the worker processes of the run have together. */
  get workers(): number {
    return this.#workers;
  }

  /** The largest number of workers that the worker processes of the run have had together. */
  get mostWorkers(): number {
    return this.#mostWorkers;
  }

  /** The ids of the worker processes that get no more chunks of the run. */
  get excluded(): ReadonlySet<string> {
    return new Set(this.#excluded.keys());
  }

  /** Gives a worker process no more chunks of the run, as if it refused the run for this reason. */
  exclude(id: string, reason: string): void {
    this.#excluded.set(id, reason);
    if (this.#excluded.size > MAX_EXCLUDED)
      throw new OutageError(`more than ${MAX_EXCLUDED} worker processes cannot solve this run: ${reason}`);
  }

  /**
   * Whether there is another worker process for the run. `withUndecided`: also one that has not said yet whether it accepts the
   * run.
   */
  hasOther(id: string, withUndecided: boolean): boolean {
    return this.#listed.some((workerProcess) => {
      const verdict = this.#verdictOf(workerProcess);
      return workerProcess.id !== id && (verdict === null || (withUndecided && verdict === undefined));
    });
  }

  /** Returns why a worker process solves no chunks of the run; null if it does, and undefined if it has not said. */
  #verdictOf({ id, verdicts }: WorkerStatus): string | null | undefined {
    return this.#excluded.get(id) ?? verdicts[this.#requirementsId];
  }

  /** Finds out which worker processes there are. */
  async lookNow(): Promise<void> {
    this.#listed = await listWorkers(this.#link);
  }

  /**
   * Looks which worker processes there are, and says if a waiting run has none for too long. Returns the error with which the
   * run ends if all worker processes refuse it, also those that have accepted it before, or if its first worker process has not
   * come in time.
   */
  async look(isWaiting: boolean): Promise<OutageError | null> {
    await this.lookNow();
    const workerProcesses = this.#listed;
    const accepting = workerProcesses.filter((workerProcess) => this.#verdictOf(workerProcess) === null);
    const refusing = workerProcesses.filter(
      (workerProcess) => typeof this.#verdictOf(workerProcess) === 'string',
    );
    const workers = accepting.reduce((sum, { jobs }) => sum + jobs, 0);
    this.#workers = Math.min(workers, MAX_WORKERS_OF_RUN);
    for (const { id } of refusing) this.#serving.delete(id);
    for (const { id } of accepting) this.#serving.add(id);
    this.#mostWorkers = Math.max(this.#mostWorkers, this.#workers);
    if (accepting.length > 0 || !isWaiting) {
      this.#wasServed ||= accepting.length > 0;
      this.#unservedSince = null;
      this.#hasNoted = false;
      return null;
    }
    this.#unservedSince ??= performance.now();
    const unservedMs = performance.now() - this.#unservedSince;
    const haveAllRefused =
      refusing.length > 0 && refusing.length === workerProcesses.length && this.#serving.size === 0;
    if (haveAllRefused && unservedMs > REFUSAL_PATIENCE_MS) return this.#refusalError(refusing);
    if (!this.#wasServed && this.#waitMs !== null && unservedMs > this.#waitMs)
      return this.#noWorkerError(this.#waitMs);
    if (!haveAllRefused && unservedMs > NO_WORKER_PROCESS_NOTE_MS) this.#noteOnce();
    return null;
  }

  #noteOnce(): void {
    if (this.#hasNoted) return;
    this.#hasNoted = true;
    this.#note(`waiting for a worker process: boardmill worker --queue (Redis at ${this.#link.label})`);
  }

  #noWorkerError(waitMs: number): OutageError {
    return new OutageError(
      `no worker process has accepted this run within ${waitMs / 1000} s (Redis at ${this.#link.label}); start boardmill worker --queue, or wait longer with --wait-workers SECONDS`,
    );
  }

  #refusalError(refusing: readonly WorkerStatus[]): OutageError {
    const [first] = refusing;
    const others =
      refusing.length === 1 ? '' : ` (and ${pluralize(refusing.length - 1, 'other worker')} too)`;
    return new OutageError(
      `no worker process can solve this run: ${first.name} refuses it: ${this.#verdictOf(first)}${others}`,
    );
  }
}
