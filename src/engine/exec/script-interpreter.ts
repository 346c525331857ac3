/** Finds the interpreter that a script names in its first line. */
import { basename } from 'node:path';

/** Largest number of bytes of a script in which Linux looks for the name of the interpreter. */
export const MAX_FIRST_LINE_BYTES = 256;

/** Returns the interpreter after `#!`, or the one that is to be found by `#!/usr/bin/env`; null if the line names none. */
export function interpreterNamedIn(firstLine: string): string | null {
  const [, path, argument] = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(firstLine) ?? [];
  if (path === undefined) return null;
  return basename(path) === 'env' && argument !== undefined ? argument : path;
}
