/** Recognizes files that are programs, which people name where an input is expected. */
import { closeSync, readSync } from 'node:fs';
import { isProgram, MAX_SIGNATURE_BYTES } from '../../core/files/file-signatures.js';
import { statOrNull } from '../../core/files/files.js';
import { openRegularForReading } from '../../core/files/regular-files.js';
import { usageError } from '../arguments/usage-error.js';

/** Fails if the file, which is `wanted` ("an input"), is a program. */
export function assertNotProgramFile(path: string, wanted: string): void {
  if (isProgramFile(path)) throw usageError(`${path} is a program, not ${wanted}`);
}

/** Whether the path leads to a regular file that may be executed and begins as programs do. */
export function isProgramFile(path: string): boolean {
  const stats = statOrNull(path);
  if (stats?.isFile() !== true || (stats.mode & 0o111) === 0) return false;
  try {
    const { descriptor } = openRegularForReading(path);
    try {
      return isProgram(readBeginning(descriptor, MAX_SIGNATURE_BYTES));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // What cannot be read is opened again as an input, which says why.
    return false;
  }
}

/** Returns at most that many bytes from the beginning of an open regular file, and leaves its position where it is. */
export function readBeginning(descriptor: number, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(maxBytes);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, maxBytes, 0));
}
