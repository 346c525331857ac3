/** Watches which hosts there are for a run: how many workers they have, and why others refuse the run. */
import { OutageError } from '../../core/errors.js';
import { NO_HOST_NOTE_MS, REFUSAL_PATIENCE_MS } from '../limits.js';
import { type HostStatus, listHosts } from './presence.js';
import type { RedisLink } from './redis.js';

export class HostWatch {
  readonly #link: RedisLink;
  readonly #needsId: string;
  readonly #note: (message: string) => void;
  /** Since when no host has accepted the run, in milliseconds by performance.now(); null if one does. */
  #unservedSince: number | null = performance.now();
  #hasNoted = false;
  #workers = 0;

  constructor(link: RedisLink, needsId: string, note: (message: string) => void) {
    this.#link = link;
    this.#needsId = needsId;
    this.#note = note;
  }

  /** Number of workers that the hosts of the run have together. */
  get workers(): number {
    return this.#workers;
  }

  /** Looks which hosts there are. Returns the error with which the run ends if all of them have refused it for too long. */
  async look(isWaiting: boolean): Promise<OutageError | null> {
    const hosts = await listHosts(this.#link);
    const accepting = hosts.filter(({ verdicts }) => verdicts[this.#needsId] === null);
    this.#workers = accepting.reduce((sum, { jobs }) => sum + jobs, 0);
    if (accepting.length > 0 || !isWaiting) {
      this.#unservedSince = accepting.length > 0 ? null : performance.now();
      return null;
    }
    this.#unservedSince ??= performance.now();
    const unservedMs = performance.now() - this.#unservedSince;
    const refusing = hosts.filter(({ verdicts }) => typeof verdicts[this.#needsId] === 'string');
    const haveAllRefused = refusing.length > 0 && refusing.length === hosts.length;
    if (haveAllRefused && unservedMs > REFUSAL_PATIENCE_MS) return this.#refusalError(refusing);
    if (!this.#hasNoted && unservedMs > NO_HOST_NOTE_MS && hosts.length === 0) {
      this.#hasNoted = true;
      this.#note(`waiting for a host: boardmill worker --queue (Redis at ${this.#link.label})`);
    }
    return null;
  }

  #refusalError(refusing: readonly HostStatus[]): OutageError {
    const [{ name, verdicts }] = refusing;
    const others = refusing.length === 1 ? '' : ` (and ${refusing.length - 1} more hosts refuse it)`;
    return new OutageError(
      `no host can solve this run: ${name} refuses it: ${verdicts[this.#needsId]}${others}`,
    );
  }
}
