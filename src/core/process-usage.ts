/** Measures what this process uses: the processor time of the main thread, without that of the workers, and memory. */
import { readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of 1/100 s if it does not count nanoseconds. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time that the main thread has used, in seconds. Returns null if the system does not report
 * this time. Call this function on the main thread.
 */
export function mainThreadCpuSeconds(): number | null {
  return secondsFromNode() ?? secondsFromScheduler() ?? secondsFromStat();
}

/**
 * Returns the processor time that Node reports for the calling thread. Returns null in older versions of Node, which
 * report no such time.
 */
function secondsFromNode(): number | null {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  if (threadCpuUsage === undefined) return null;
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1e6;
}

/**
 * On Linux, the first number in schedstat is the processor time in nanoseconds. The thread id of the main thread is
 * the process id.
 */
function secondsFromScheduler(): number | null {
  const nanoseconds = Number.parseInt(readTextOrEmpty(`/proc/self/task/${process.pid}/schedstat`), 10);
  return nanoseconds > 0 ? nanoseconds / 1e9 : null;
}

function secondsFromStat(): number | null {
  // In /proc/.../stat, the user and system times come after the name of the program, which is in parentheses.
  const fields = readTextOrEmpty(`/proc/self/task/${process.pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND;
}

/**
 * Returns the largest amount of memory that this process has had, in bytes. On Linux, what Node reports is at least the memory
 * of the process that started this one, so the memory of the program itself (VmHWM) is read instead.
 */
export function peakMemoryBytes(): number {
  const kibibytes = /^VmHWM:\s*(\d+) kB$/m.exec(readTextOrEmpty('/proc/self/status'))?.[1];
  return 1024 * (kibibytes === undefined ? process.resourceUsage().maxRSS : Number(kibibytes));
}

function readTextOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
