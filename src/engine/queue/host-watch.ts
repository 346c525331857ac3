/** Watches which hosts there are for a run: how many workers they have, and why others refuse the run. */
import { OutageError, pluralize } from '../../core/errors.js';
import { MAX_EXCLUDED, MAX_WORKERS_OF_RUN, NO_HOST_NOTE_MS, REFUSAL_PATIENCE_MS } from '../limits.js';
import { type HostStatus, listHosts } from './presence.js';
import type { RedisLink } from './redis.js';

export class HostWatch {
  readonly #link: RedisLink;
  readonly #needsId: string;
  readonly #note: (message: string) => void;
  /** Since when the run waits and no host has accepted it, in milliseconds by performance.now(); null if that is not so. */
  #unservedSince: number | null = null;
  /** Whether a host has accepted the run at any time. */
  #wasServed = false;
  #hasNoted = false;
  /** The ids of the hosts that have accepted the run, and have not refused it since. */
  readonly #serving = new Set<string>();
  /** Why worker processes get no more chunks of the run, by their ids. */
  readonly #excluded = new Map<string, string>();
  /** What the hosts said the last time. */
  #listed: readonly HostStatus[] = [];
  #workers = 0;
  #mostWorkers = 0;
  readonly #waitMs: number | null;

  /** `waitMs` says for how long a run waits for its first host, in milliseconds; null if it waits without end. */
  constructor(link: RedisLink, needsId: string, note: (message: string) => void, waitMs: number | null) {
    this.#link = link;
    this.#needsId = needsId;
    this.#note = note;
    this.#waitMs = waitMs;
  }

  /** Number of workers that the hosts of the run have together. */
  get workers(): number {
    return this.#workers;
  }

  /** The largest number of workers that the hosts of the run have had together. */
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

  /** Whether there is another host for the run. `withUndecided`: also one that has not said yet whether it accepts the run. */
  hasOther(id: string, withUndecided: boolean): boolean {
    return this.#listed.some((host) => {
      const verdict = this.#verdictOf(host);
      return host.id !== id && (verdict === null || (withUndecided && verdict === undefined));
    });
  }

  /** Returns why a host solves no chunks of the run; null if it does, and undefined if it has not said. */
  #verdictOf({ id, verdicts }: HostStatus): string | null | undefined {
    return this.#excluded.get(id) ?? verdicts[this.#needsId];
  }

  /** Finds out which hosts there are. */
  async lookNow(): Promise<void> {
    this.#listed = await listHosts(this.#link);
  }

  /**
   * Looks which hosts there are, and says if a waiting run has none for too long. Returns the error with which the run ends if
   * all hosts refuse it, also those that have accepted it before, or if its first host has not come in time.
   */
  async look(isWaiting: boolean): Promise<OutageError | null> {
    await this.lookNow();
    const hosts = this.#listed;
    const accepting = hosts.filter((host) => this.#verdictOf(host) === null);
    const refusing = hosts.filter((host) => typeof this.#verdictOf(host) === 'string');
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
      refusing.length > 0 && refusing.length === hosts.length && this.#serving.size === 0;
    if (haveAllRefused && unservedMs > REFUSAL_PATIENCE_MS) return this.#refusalError(refusing);
    if (!this.#wasServed && this.#waitMs !== null && unservedMs > this.#waitMs)
      return this.#noHostError(this.#waitMs);
    if (!haveAllRefused && unservedMs > NO_HOST_NOTE_MS) this.#noteOnce();
    return null;
  }

  #noteOnce(): void {
    if (this.#hasNoted) return;
    this.#hasNoted = true;
    this.#note(`waiting for a host: boardmill worker --queue (Redis at ${this.#link.label})`);
  }

  #noHostError(waitMs: number): OutageError {
    return new OutageError(
      `no worker process has accepted this run within ${waitMs / 1000} s (Redis at ${this.#link.label}); start boardmill worker --queue, or wait longer with --wait-workers SECONDS`,
    );
  }

  #refusalError(refusing: readonly HostStatus[]): OutageError {
    const [first] = refusing;
    const others = refusing.length === 1 ? '' : ` (and ${pluralize(refusing.length - 1, 'other host')} too)`;
    return new OutageError(
      `no host can solve this run: ${first.name} refuses it: ${this.#verdictOf(first)}${others}`,
    );
  }
}
