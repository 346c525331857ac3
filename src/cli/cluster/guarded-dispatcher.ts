import { OutageError } from '../../core/errors.js';
import type { FileGuard } from '../../core/file-guard.js';
import { type Dispatcher, DispatcherWrapper } from '../../engine/dispatcher.js';

/**
 * Solves chunks with another dispatcher, and gives no result if a file of the program or of the module has changed since the
 * host compared it with what the run needs. Otherwise a run would get answers of two programs.
 */
export class GuardedDispatcher extends DispatcherWrapper {
  readonly #guard: FileGuard;

  constructor(inner: Dispatcher, guard: FileGuard) {
    super(inner);
    this.#guard = guard;
  }

  protected override async around<Result>(solve: () => Promise<Result>): Promise<Result> {
    try {
      return await solve();
    } finally {
      await this.#assertUnchanged();
    }
  }

  async #assertUnchanged(): Promise<void> {
    const changed = await this.#guard.findChanged();
    if (changed !== null)
      throw new OutageError(`${changed} has changed since the host began to serve the run`);
  }
}
