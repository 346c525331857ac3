/** The moment at which a search ends. Before each run of a program, the search checks whether time is left. */

export class Deadline {
  readonly #moment: number;
  readonly #stop: AbortSignal;
  readonly #now: () => number;

  /**
   * Sets a deadline `seconds` from now; Infinity if only a signal ends the search. The time is also up when `stop` is aborted.
   * `now` is a clock in milliseconds.
   */
  constructor(seconds: number, stop: AbortSignal, now: () => number = () => performance.now()) {
    this.#moment = now() + seconds * 1000;
    this.#stop = stop;
    this.#now = now;
  }

  /** Whether the time is up. */
  get isOver(): boolean {
    return this.#stop.aborted || this.#now() > this.#moment;
  }

  /** Milliseconds until the deadline, even if a signal has already ended the search. */
  get msLeft(): number {
    return Math.max(0, this.#moment - this.#now());
  }

  /** Fails with DeadlinePassedError if the time is up. Called before each run of a program. */
  assertTimeLeft(): void {
    if (this.isOver) throw new DeadlinePassedError();
  }

  /** Returns a deadline `seconds` from now, or this deadline if it comes first. */
  within(seconds: number): Deadline {
    return new Deadline(Math.min(seconds, this.msLeft / 1000), this.#stop, this.#now);
  }
}

/** A program was not run because the deadline had passed. This error says nothing about the program. */
export class DeadlinePassedError extends Error {
  override readonly name = 'OutOfTime';

  constructor() {
    super('the time is up');
  }
}
