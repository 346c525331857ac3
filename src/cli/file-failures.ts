/** The failures of single files in a run over several. Each is reported, and the most serious one decides the exit code. */
import { BoardmillError, Interrupted } from '../core/errors.js';
import { exitCodeOf, reportError } from './exit.js';

/** Reports the failure of a file. A signal or an internal error ends the run, and is reported only at its end. */
export function reportFileFailure(failure: unknown): void {
  if (failure instanceof BoardmillError && !(failure instanceof Interrupted)) reportError(failure);
}

/** Throws the failure that `reportFileFailure` has not reported; does nothing if there is none. */
export function throwUnreported(failures: readonly unknown[]): asserts failures is readonly BoardmillError[] {
  const unreported =
    failures.find((failure) => failure instanceof Interrupted) ??
    failures.find((failure) => !(failure instanceof BoardmillError));
  if (unreported !== undefined) throw unreported;
}

/** Returns the exit code of the most serious failure, which is the highest code; `otherwise` if there is no failure. */
export function exitCodeOfFailures(failures: readonly BoardmillError[], otherwise: number): number {
  return Math.max(otherwise, ...failures.map(exitCodeOf));
}

/** If a file has failed, throws an error with this message and the exit code of the most serious failure. */
export function throwMostSerious(failures: readonly BoardmillError[], message: string): void {
  if (failures.length === 0) return;
  const { kind } = failures.reduce((gravest, other) =>
    exitCodeOf(other) > exitCodeOf(gravest) ? other : gravest,
  );
  throw new BoardmillError(kind, message);
}
