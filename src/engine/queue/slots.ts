/**
 * Bounds how many chunks a worker process solves at the same time, for all runs together. Each of these chunks takes a slot.
 * Waiting callers get a free slot in the order of their calls.
 */
export class SolvingSlots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits at most `patienceMs` milliseconds for a slot. Returns whether the caller got one, which it must give back. */
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

  /** Gives a slot back. It goes to the caller that has waited longest, if there is one. */
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
