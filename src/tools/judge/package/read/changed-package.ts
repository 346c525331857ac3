/** What is said when the system refuses to read a part of a package that was there a moment before. */
import { BoardmillError, systemReason } from '../../../../core/errors.js';

/** Reads a part of a package. Fails with kind `file` if the system refuses, as when a folder becomes a link meanwhile. */
export function whileUnchanged<Part>(folder: string, read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    throw isFailedSystemCall(error) ? packageChanged(folder, error) : error;
  }
}

function isFailedSystemCall(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function packageChanged(folder: string, error: NodeJS.ErrnoException): BoardmillError {
  const reason = `${systemReason(error)}; was the package changed while it was read?`;
  return new BoardmillError('file', `cannot read ${error.path ?? folder}: ${reason}`, { cause: error });
}
