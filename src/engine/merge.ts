/**
 * The fourth stage: restores the order of the input. Works may finish in any order; their results are
 * written one by one in the order in which they were added.
 *
 * Two bounds, apart from each other: how many works run, and how many bytes of finished results wait behind
 * one that still runs. A slow case thus holds up the others only when that many bytes have piled up.
 */
export interface MergeOptions<Result> {
  readonly maxRunning: number;
  readonly maxWaitingBytes: number;
  bytesOf(result: Result): number;
  /** Writes a result; the next is not handed over before this is done. */
  write(result: Result): Promise<void>;
  /** Told once, when a result has failed or its writing did. */
  onStop?(): void;
}

type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: unknown };

export class Merge<Result> {
  readonly #options: MergeOptions<Result>;
  readonly #finished = new Map<number, Outcome<Result>>();
  #added = 0;
  #written = 0;
  #running = 0;
  #waitingBytes = 0;
  #isWriting = false;
  #failure: { readonly error: unknown } | null = null;
  #listeners: (() => void)[] = [];

  constructor(options: MergeOptions<Result>) {
    this.#options = options;
  }

  /** A result failed, or its writing did: nothing more is written, and nothing need be added. */
  get isStopped(): boolean {
    return this.#failure !== null;
  }

  /** Resolves when there is room for one more work, or the merge has stopped. */
  async waitForRoom(): Promise<void> {
    while (!this.isStopped && !this.#hasRoom()) await this.#change();
  }

  add(work: Promise<Result>): void {
    const index = this.#added++;
    this.#running++;
    work.then(
      (result) => this.#finish(index, { ok: true, result }),
      (error: unknown) => this.#finish(index, { ok: false, error }),
    );
  }

  /** Resolves when all that was added is written; throws the first failure, in the order of the input. */
  async drain(): Promise<void> {
    while (!this.isStopped && this.#written < this.#added) await this.#change();
    if (this.#failure !== null) throw this.#failure.error;
  }

  #hasRoom(): boolean {
    return this.#running < this.#options.maxRunning && this.#waitingBytes < this.#options.maxWaitingBytes;
  }

  #finish(index: number, outcome: Outcome<Result>): void {
    this.#running--;
    this.#finished.set(index, outcome);
    if (outcome.ok) this.#waitingBytes += this.#options.bytesOf(outcome.result);
    this.#notify();
    void this.#writeInOrder();
  }

  async #writeInOrder(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (let next = this.#takeNext(); next !== undefined && !this.isStopped; next = this.#takeNext()) {
      await this.#writeOne(next);
      this.#notify();
    }
    this.#isWriting = false;
  }

  async #writeOne(outcome: Outcome<Result>): Promise<void> {
    try {
      if (!outcome.ok) throw outcome.error;
      const bytes = this.#options.bytesOf(outcome.result);
      await this.#options.write(outcome.result);
      this.#waitingBytes -= bytes;
      this.#written++;
    } catch (error) {
      this.#failure = { error };
      this.#options.onStop?.();
    }
  }

  #takeNext(): Outcome<Result> | undefined {
    const next = this.#finished.get(this.#written);
    this.#finished.delete(this.#written);
    return next;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#listeners.push(resolve));
  }

  #notify(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
