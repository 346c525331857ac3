/** Watches which hosts there are for a run: how many workers they have, and why others refuse the run. */
import { OutageError } from '../../core/errors.js';
import { MAX_WORKERS_OF_RUN, NO_HOST_NOTE_MS, REFUSAL_PATIENCE_MS } from '../limits.js';
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

  /**
   * Looks which hosts there are, and says if a waiting run has none for too long. Returns the error with which the run ends if
   * all hosts refuse it, also those that have accepted it before, or if its first host has not come in time.
   */
  async look(isWaiting: boolean): Promise<OutageError | null> {
    const hosts = await listHosts(this.#link);
    const accepting = hosts.filter(({ verdicts }) => verdicts[this.#needsId] === null);
    const workers = accepting.reduce((sum, { jobs }) => sum + jobs, 0);
    this.#workers = Math.min(workers, MAX_WORKERS_OF_RUN);
    for (const { id, verdicts } of hosts)
      if (typeof verdicts[this.#needsId] === 'string') this.#serving.delete(id);
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
    const refusing = hosts.filter(({ verdicts }) => typeof verdicts[this.#needsId] === 'string');
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
    const [{ name, verdicts }] = refusing;
    const others = refusing.length === 1 ? '' : ` (and ${refusing.length - 1} more hosts refuse it)`;
    return new OutageError(
      `no host can solve this run: ${name} refuses it: ${verdicts[this.#needsId]}${others}`,
    );
  }
}
