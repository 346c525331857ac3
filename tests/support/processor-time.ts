/** Measures the processor time that the calling process and its children have used. */
import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** The fields `utime`, `stime`, `cutime` and `cstime` of /proc/self/stat, counted from the one behind the name in parentheses. */
const TIME_FIELDS = [11, 12, 13, 14];

/** Returns the seconds that this process and its ended children have used; 0 where the system does not say it. */
export function processorSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync('/proc/self/stat', 'utf8');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return TIME_FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS_PER_SECOND;
}
