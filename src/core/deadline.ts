/** The moment at which a search ends. Whoever starts a program asks before each run whether there is time left. */

export class Deadline {
  readonly #moment: number;
  readonly #stop: AbortSignal;
  readonly #now: () => number;

  /**
   * Sets a deadline in some seconds; Infinity if only a signal ends the search. When `stop` is aborted, the time is up as
   * well. `now` is a clock in milliseconds.
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

  /** Milliseconds until the deadline, whatever the signal says. */
  get msLeft(): number {
    return Math.max(0, this.#moment - this.#now());
  }

  /** Fails with OutOfTime if the time is up. Called before each run of a program. */
  assertTimeLeft(): void {
    if (this.isOver) throw new OutOfTime();
  }

  /** The deadline in some seconds, or this one if it comes first. */
  within(seconds: number): Deadline {
    return new Deadline(Math.min(seconds, this.msLeft / 1000), this.#stop, this.#now);
  }
}

/** A program was not run, because the time was up before. This says nothing about the program. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';

  constructor() {
    super('the time is up');
  }
}
