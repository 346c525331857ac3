/** Looks at processes that a test has started, perhaps through other processes. */
import { readFileSync } from 'node:fs';

/**
 * Returns whether a process has ended. A zombie has ended, too: it only remains until its parent asks for its exit
 * code.
 */
export function isGone(pid: string): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** Returns the command line of a process, with zero bytes between its words; '' if there is no such process. */
export function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
