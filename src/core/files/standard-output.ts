import { fstatSync, writeSync } from 'node:fs';

/**
 * Has standard output write all bytes, or fail. If it is a regular file, the stream of Node takes a write for done of which the
 * system has written only a part, as on a disk that becomes full.
 */
export function makeStandardOutputWriteFully(): void {
  if (!isRegularFile(1)) return;
  process.stdout._write = (bytes: Uint8Array, _encoding, callback) => {
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback();
  };
}

function isRegularFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    // Whoever started boardmill has closed the descriptor.
    return false;
  }
}
