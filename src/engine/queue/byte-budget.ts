/** Bounds how many bytes are in use at the same time. Work that would exceed the bound waits for its turn. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Does the work while `bytes` bytes count as in use. Work that alone exceeds the bound is done alone. */
  async use<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ bytes, begin });
      this.#beginWaiting();
    });
    try {
      return await work();
    } finally {
      this.#usedBytes -= bytes;
      this.#beginWaiting();
    }
  }

  /** Begins waiting work in the order of the calls, until the next one would exceed the bound. */
  #beginWaiting(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#usedBytes > 0 && this.#usedBytes + next.bytes > this.#maxBytes) return;
      this.#waiting.shift();
      this.#usedBytes += next.bytes;
      next.begin();
    }
  }
}
