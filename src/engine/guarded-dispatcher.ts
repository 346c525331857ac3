import { BoardmillError } from '../core/errors.js';
import type { FileGuard } from '../core/files/file-guard.js';
import { type Dispatcher, DispatcherWrapper } from './dispatcher.js';

/** A file on which the answers depend was changed during the run. The answers that the run has accepted came before. */
export class ChangedFileError extends BoardmillError {
  constructor(
    readonly path: string,
    advice = 'run it again',
  ) {
    super('worker', `${path} changed during the run, so its answers may come from two programs; ${advice}`);
  }
}

/** Makes the error that says which file has changed. */
type ErrorOf = (path: string) => BoardmillError;

/**
 * Solves chunks with another dispatcher, and gives no result if a file on which the answers depend has changed since a guard
 * began to watch it, even if it has been changed back: nobody knows which of its contents has given the answers. So what a
 * run writes comes from the files with which it began.
 */
export class GuardedDispatcher extends DispatcherWrapper {
  readonly #guards: readonly FileGuard[];
  readonly #errorOf: ErrorOf;

  constructor(inner: Dispatcher, guards: readonly FileGuard[], errorOf: ErrorOf = changedDuringRun) {
    super(inner);
    this.#guards = guards;
    this.#errorOf = errorOf;
  }

  protected override async around<Result>(solve: () => Promise<Result>): Promise<Result> {
    try {
      return await solve();
    } finally {
      assertUnchanged(this.#guards, this.#errorOf);
    }
  }
}

/** Fails if a file has changed since one of the guards began to watch it. */
export function assertUnchanged(guards: readonly FileGuard[], errorOf: ErrorOf = changedDuringRun): void {
  for (const guard of guards) {
    const changed = guard.findChanged();
    if (changed !== null) throw errorOf(changed);
  }
}

function changedDuringRun(path: string): ChangedFileError {
  return new ChangedFileError(path);
}
