import { interruptionError } from '../core/stop.js';
import { type Dispatcher, DispatcherWrapper } from '../engine/dispatcher.js';

/**
 * A dispatcher around another one that can be stopped at once. The engine waits for the chunks that are being solved, and a
 * solver that hangs never ends. So when `stop` is aborted, the chunks that are being solved fail, and the caller closes the
 * dispatcher, which ends the workers.
 */
export class StoppableDispatcher extends DispatcherWrapper {
  readonly #stop: AbortSignal;
  /** For each chunk that is being solved, the function that makes the chunk fail. */
  readonly #failures = new Set<(error: unknown) => void>();

  constructor(inner: Dispatcher, stop: AbortSignal) {
    super(inner);
    this.#stop = stop;
    stop.addEventListener('abort', () => this.#failAll(), { once: true });
  }

  protected override async around<Result>(solve: () => Promise<Result>): Promise<Result> {
    if (this.#stop.aborted) throw interruptionError(this.#stop);
    let fail!: (error: unknown) => void;
    try {
      return await new Promise<Result>((resolve, reject) => {
        fail = reject;
        this.#failures.add(fail);
        solve().then(resolve, reject);
      });
    } finally {
      this.#failures.delete(fail);
    }
  }

  #failAll(): void {
    for (const fail of this.#failures) fail(interruptionError(this.#stop));
  }
}
