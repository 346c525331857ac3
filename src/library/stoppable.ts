import { Interrupted } from '../core/errors.js';
import type { Dispatcher } from '../engine/dispatcher.js';
import type { ChunkResult, ChunkTask } from '../engine/messages.js';

/**
 * A dispatcher around another one that can be stopped at once. The engine waits for the chunks that are being solved, and a
 * solver that hangs never ends. So when `stop` is aborted, these chunks fail, and the caller closes the dispatcher, which
 * ends its workers.
 */
export class StoppableDispatcher implements Dispatcher {
  readonly maxChunksAtOnce: number;
  readonly maxCasesPerChunk?: number;
  readonly #inner: Dispatcher;
  readonly #stop: AbortSignal;
  /** One function for each chunk that is being solved, which lets it fail. */
  readonly #failures = new Set<(error: unknown) => void>();

  constructor(inner: Dispatcher, stop: AbortSignal) {
    this.maxChunksAtOnce = inner.maxChunksAtOnce;
    if (inner.maxCasesPerChunk !== undefined) this.maxCasesPerChunk = inner.maxCasesPerChunk;
    this.#inner = inner;
    this.#stop = stop;
    stop.addEventListener('abort', () => this.#failAll(), { once: true });
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    if (this.#stop.aborted) throw this.#interrupted();
    let fail!: (error: unknown) => void;
    try {
      return await new Promise<ChunkResult>((resolve, reject) => {
        fail = reject;
        this.#failures.add(fail);
        this.#inner.solve(task).then(resolve, reject);
      });
    } finally {
      this.#failures.delete(fail);
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #failAll(): void {
    for (const fail of this.#failures) fail(this.#interrupted());
  }

  #interrupted(): Interrupted {
    return new Interrupted(this.#stop.reason, `stopped by ${this.#stop.reason}`);
  }
}
