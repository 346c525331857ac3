/**
 * Notices that the disk with the output of a program is full. Most programs do not look at whether they could write what they
 * print, so their output may be cut although they end with exit code 0.
 */
import { statfsSync } from 'node:fs';
import { KIB } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';

/** With less room than this, the disk counts as full: a program that could not write has left less than a block of it. */
const LEAST_FREE_BYTES = 64 * KIB;

/** Whether the disk that contains the folder is full. A file system that does not say how large it is counts as not full. */
export function isDiskFull(folder: string): boolean {
  try {
    const { blocks, bfree, bavail, bsize } = statfsSync(folder);
    const free = process.getuid?.() === 0 ? bfree : bavail;
    return blocks > 0 && free * bsize < LEAST_FREE_BYTES;
  } catch {
    // The folder is gone, and with it the output of the program.
    return false;
  }
}

/** The error of a program or a compiler that ran while the disk with this folder was full. */
export function fullDiskError(folder: string): BoardmillError {
  return new BoardmillError(
    'io',
    `the disk of ${folder} is full, so what programs have written there may be cut`,
  );
}
