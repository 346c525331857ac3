/**
 * The fourth stage: restores input order. Chunks may be solved in any order, but their results are written one after
 * another in the order in which the chunks were added.
 *
 * The merge has two separate bounds: the number of chunks that are being solved, and the total size of the finished
 * results that wait for an earlier chunk. So a slow case stops the other chunks only when the waiting results reach
 * their bound. If the merge stays near its reader, results that wait only for the reader stop the other chunks sooner.
 */
interface MergeOptions<Result> {
  /** Returns the largest number of chunks that may be solved at the same time. */
  maxRunning(): number;
  readonly maxWaitingBytes: number;
  /**
   * Whether, while a result is being written, the finished results count as running, too. Writing then takes until the reader
   * has taken the result, so that no more chunks are solved ahead of a slow reader than may run at the same time.
   */
  readonly staysNearReader?: boolean;
  bytesOf(result: Result): number;
  /** Writes a result. The merge writes the next result only after this promise has resolved. */
  write(result: Result): Promise<void>;
  /** Called once, when the merge stops because a chunk has failed or a result could not be written. */
  onStop?(): void;
}

type Outcome<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: unknown };

export class ReorderBuffer<Result> {
  readonly #options: MergeOptions<Result>;
  readonly #finishedOutcomes = new Map<number, Outcome<Result>>();
  #addedChunks = 0;
  #writtenChunks = 0;
  #runningChunks = 0;
  #isWriting = false;
  #waitingBytes = 0;
  #failure: { readonly error: unknown } | null = null;
  #waiters: (() => void)[] = [];

  constructor(options: MergeOptions<Result>) {
    this.#options = options;
  }

  /**
   * Whether the merge has stopped, because a chunk failed or a result could not be written. After the merge has stopped, no
   * result is written, and no chunk needs to be added.
   */
  get isStopped(): boolean {
    return this.#failure !== null;
  }

  /** Resolves when there is room for one more chunk, or the merge has stopped. */
  async waitForRoom(): Promise<void> {
    while (!this.isStopped && !this.#hasRoom()) await this.#waitForChange();
  }

  add(work: Promise<Result>): void {
    const index = this.#addedChunks++;
    this.#runningChunks++;
    work.then(
      (result) => this.#recordOutcome(index, { ok: true, result }),
      (error: unknown) => this.#recordOutcome(index, { ok: false, error }),
    );
  }

  /** Resolves when the results of all added chunks are written. Throws the first failure in input order. */
  async drain(): Promise<void> {
    while (!this.isStopped && this.#writtenChunks < this.#addedChunks) await this.#waitForChange();
    if (this.#failure !== null) throw this.#failure.error;
  }

  #hasRoom(): boolean {
    const { maxRunning, maxWaitingBytes, staysNearReader = false } = this.#options;
    const unwrittenChunks = this.#addedChunks - this.#writtenChunks;
    const countedChunks = staysNearReader && this.#isWriting ? unwrittenChunks : this.#runningChunks;
    return countedChunks < maxRunning() && this.#waitingBytes < maxWaitingBytes;
  }

  #recordOutcome(index: number, outcome: Outcome<Result>): void {
    this.#runningChunks--;
    this.#finishedOutcomes.set(index, outcome);
    if (outcome.ok) this.#waitingBytes += this.#options.bytesOf(outcome.result);
    this.#wakeWaiters();
    void this.#writeInOrder();
  }

  async #writeInOrder(): Promise<void> {
    for (
      let next = this.#takeNextOutcome();
      next !== undefined && !this.isStopped;
      next = this.#takeNextOutcome()
    ) {
      await this.#writeOne(next);
      this.#wakeWaiters();
    }
  }

  async #writeOne(outcome: Outcome<Result>): Promise<void> {
    try {
      if (!outcome.ok) throw outcome.error;
      const bytes = this.#options.bytesOf(outcome.result);
      this.#isWriting = true;
      await this.#options.write(outcome.result);
      this.#waitingBytes -= bytes;
      this.#writtenChunks++;
    } catch (error) {
      this.#failure = { error };
      this.#options.onStop?.();
    } finally {
      this.#isWriting = false;
    }
  }

  /** Returns nothing while a result is being written, because that is still the next one. */
  #takeNextOutcome(): Outcome<Result> | undefined {
    const next = this.#finishedOutcomes.get(this.#writtenChunks);
    this.#finishedOutcomes.delete(this.#writtenChunks);
    return next;
  }

  #waitForChange(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #wakeWaiters(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
