/** Bounds how many bytes are in use: whoever would exceed the bound waits for others to finish, in the order of arrival. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Does the work while `bytes` are in use. Work that alone exceeds the bound is done alone. */
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

  /** Begins the work that has waited longest, as long as it fits. */
  #beginWaiting(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#usedBytes > 0 && this.#usedBytes + next.bytes > this.#maxBytes) return;
      this.#waiting.shift();
      this.#usedBytes += next.bytes;
      next.begin();
    }
  }
}
