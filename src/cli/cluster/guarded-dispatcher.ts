import { OutageError } from '../../core/errors.js';
import type { FileGuard } from '../../core/file-guard.js';
import type { Dispatcher } from '../../engine/dispatcher.js';
import type { ChunkResult, ChunkTask } from '../../engine/messages.js';

/**
 * Solves chunks with another dispatcher, and gives no result if a file of the program or of the module has changed since the
 * host compared it with what the run needs. Otherwise a run would get answers of two programs.
 */
export class GuardedDispatcher implements Dispatcher {
  readonly #inner: Dispatcher;
  readonly #guard: FileGuard;

  constructor(inner: Dispatcher, guard: FileGuard) {
    this.#inner = inner;
    this.#guard = guard;
  }

  get maxChunksAtOnce(): number {
    return this.#inner.maxChunksAtOnce;
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    try {
      return await this.#inner.solve(task);
    } finally {
      await this.#assertUnchanged();
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #assertUnchanged(): Promise<void> {
    const changed = await this.#guard.findChanged();
    if (changed !== null)
      throw new OutageError(`${changed} has changed since the host began to serve the run`);
  }
}
