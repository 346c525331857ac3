/** Measures the processor time that the calling process and its children have used. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** The fields `utime`, `stime`, `cutime` and `cstime` of /proc/self/stat, counted from the one behind the name in parentheses. */
const TIME_FIELDS = [11, 12, 13, 14];

/** Returns the seconds that this process, its children and their ended children have used; 0 where the system does not say it. */
export function processorSeconds(): number {
  if (process.platform !== 'linux') return 0;
  return ['self', ...children()].reduce((sum, pid) => sum + secondsOf(pid), 0);
}

/** Returns the numbers of the child processes that have not ended. */
function children(): string[] {
  return readdirSync('/proc/self/task').flatMap(
    (thread) => readIfExists(`/proc/self/task/${thread}/children`).match(/\d+/g) ?? [],
  );
}

function secondsOf(pid: string): number {
  const status = readIfExists(`/proc/${pid}/stat`);
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return TIME_FIELDS.reduce((sum, field) => sum + Number(fields[field] ?? 0), 0) / TICKS_PER_SECOND;
}

/** Returns the text of a file; an empty text if a thread or a process has just ended. */
function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
