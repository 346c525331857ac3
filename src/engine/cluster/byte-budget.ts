/** Bounds how many bytes are in use: whoever would exceed the bound waits for others to finish, in the order of arrival. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #waiting: (() => void)[] = [];
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Does the work while `bytes` are in use. Work that alone exceeds the bound is done alone. */
  async use<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    while (this.#usedBytes > 0 && this.#usedBytes + bytes > this.#maxBytes) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#usedBytes += bytes;
    try {
      return await work();
    } finally {
      this.#usedBytes -= bytes;
      for (const resume of this.#waiting.splice(0)) resume();
    }
  }
}
