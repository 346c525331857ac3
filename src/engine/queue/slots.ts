/**
 * Bounds how many chunks a worker process solves at the same time, for all runs together. Whoever waits gets a slot in the
 * order of arrival.
 */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot, but only for that many milliseconds. Returns whether there is one, which must be given back. */
  async take(patienceMs: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    return new Promise((resolve) => {
      const take = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        resolve(false);
      }, patienceMs);
      this.#waiting.add(take);
    });
  }

  /** Makes a slot free for whoever has waited longest. */
  giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
