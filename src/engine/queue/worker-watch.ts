/** Watches the worker processes that are present: how many workers they have for a run, and why others refuse the run. */
import { OutageError, pluralize } from '../../core/errors.js';
import { MAX_EXCLUDED_WORKER_PROCESSES, MAX_WORKERS_OF_RUN, REFUSAL_PATIENCE_MS } from './limits.js';
import { listWorkers, type WorkerStatus } from './presence.js';
import type { RedisLink } from './redis.js';

/** Milliseconds after which a run tells the user that it has no worker process. */
const NO_WORKER_PROCESS_NOTE_MS = 3000;

/** Largest number of different reasons for a refusal that a message shows. */
const MAX_SHOWN_REASONS = 3;

export class WorkerWatch {
  readonly #link: RedisLink;
  readonly #requirementsId: string;
  readonly #note: (message: string) => void;
  /**
   * The time since which the run has been waiting without a worker process that accepts it, in milliseconds by
   * performance.now(); null if it is not waiting.
   */
  #unservedSince: number | null = null;
  #hasNoted = false;
  /** The ids of the worker processes that have accepted the run, and have not refused it since. */
  readonly #serving = new Set<string>();
  /** The reason why each excluded worker process gets no more chunks of the run, by the id of the worker process. */
  readonly #excluded = new Map<string, string>();
  /** The statuses of the worker processes at the last look. */
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

  /** Excludes a worker process: it gets no more chunks of the run, as if it had refused the run for this reason. */
  exclude(id: string, reason: string): void {
    this.#excluded.set(id, reason);
    if (this.#excluded.size > MAX_EXCLUDED_WORKER_PROCESSES)
      throw new OutageError(
        `more than ${MAX_EXCLUDED_WORKER_PROCESSES} worker processes cannot solve this run: ${reason}`,
      );
  }

  /**
   * Whether another worker process than the one with this id serves the run. With `withUndecided`, worker processes count that
   * have not said yet whether they accept the run.
   */
  hasOther(id: string, withUndecided: boolean): boolean {
    return this.#listed.some((workerProcess) => {
      const verdict = this.#verdictOf(workerProcess);
      return workerProcess.id !== id && (verdict === null || (withUndecided && verdict === undefined));
    });
  }

  /** Returns why a worker process solves no chunks of the run; null if it solves them, undefined if it has not decided. */
  #verdictOf({ id, verdicts }: WorkerStatus): string | null | undefined {
    return this.#excluded.get(id) ?? verdicts[this.#requirementsId];
  }

  /** Reads the statuses of the present worker processes from Redis. */
  async lookNow(): Promise<void> {
    this.#listed = await listWorkers(this.#link);
  }

  /**
   * Finds out which worker processes are present, and tells the user if a waiting run has had none for too long. Returns the
   * error with which the run must end: if all worker processes refuse the run (even those that had accepted it), or if none
   * has come in time. `wasServed` says whether one has ever taken a chunk: one that has died is listed for some seconds more,
   * and may have accepted an earlier run with the same requirements.
   */
  async look(isWaiting: boolean, wasServed: boolean): Promise<OutageError | null> {
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
      this.#unservedSince = null;
      this.#hasNoted = false;
      return null;
    }
    this.#unservedSince ??= performance.now();
    const unservedMs = performance.now() - this.#unservedSince;
    const haveAllRefused =
      refusing.length > 0 && refusing.length === workerProcesses.length && this.#serving.size === 0;
    const firstMs = wasServed ? 0 : (this.#waitMs ?? 0);
    if (haveAllRefused && unservedMs > Math.max(REFUSAL_PATIENCE_MS, firstMs))
      return this.#refusalError(refusing);
    if (!wasServed && this.#waitMs !== null && unservedMs > this.#waitMs)
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
    const namesOf = new Map<string, string[]>();
    for (const each of refusing) {
      const reason = this.#verdictOf(each)!;
      namesOf.set(reason, [...(namesOf.get(reason) ?? []), each.name]);
    }
    const reasons = [...namesOf].map(([reason, [name, ...others]]) => {
      const too = others.length === 0 ? '' : ` (and ${pluralize(others.length, 'other worker')} too)`;
      return `${name} refuses it: ${reason}${too}`;
    });
    return new OutageError(
      `no worker process can solve this run: ${reasons.slice(0, MAX_SHOWN_REASONS).join('; ')}`,
    );
  }
}
