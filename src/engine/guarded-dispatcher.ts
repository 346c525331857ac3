import { BoardmillError } from '../core/errors.js';
import type { FileGuard } from '../core/files/file-guard.js';
import { type Dispatcher, DispatcherWrapper } from './dispatcher.js';

/**
 * The error of a run during which a file was changed on which its answers depend. All answers that the run has accepted came
 * before the change.
 */
export class ChangedFileError extends BoardmillError {
  constructor(
    readonly path: string,
    advice = 'run it again',
  ) {
    super('worker', `${path} changed during the run, so its answers may come from two programs; ${advice}`);
  }
}

/** A function that creates the error for a changed file. */
type ErrorOf = (path: string) => BoardmillError;

/**
 * Wraps a dispatcher, and rejects its results if a file on which the answers depend was changed since a guard began to watch
 * it, even if the change was undone: nobody knows which content of the file has led to the answers. So all answers that a run
 * writes come from the files with which it began.
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
      assertWatchedFilesUnchanged(this.#guards, this.#errorOf);
    }
  }
}

/** Fails if a file has changed since one of the guards began to watch it. */
export function assertWatchedFilesUnchanged(
  guards: readonly FileGuard[],
  errorOf: ErrorOf = changedDuringRun,
): void {
  for (const guard of guards) {
    const changed = guard.findChanged();
    if (changed !== null) throw errorOf(changed);
  }
}

function changedDuringRun(path: string): ChangedFileError {
  return new ChangedFileError(path);
}
