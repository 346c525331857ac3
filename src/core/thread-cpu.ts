/** Processor time of the main thread alone: the process's own count includes all workers. */
import { readFileSync } from 'node:fs';

/** Linux counts in ticks of 1/100 s where it does not count in nanoseconds. */
const TICKS_PER_SECOND = 100;

/** Seconds since the process began; null where the system does not say. Call it on the main thread. */
export function mainThreadCpuSeconds(): number | null {
  return fromNode() ?? fromScheduler() ?? fromStat();
}

/** Newer lines of Node measure a thread by themselves. */
function fromNode(): number | null {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  if (threadCpuUsage === undefined) return null;
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1e6;
}

/** Linux: the first number is nanoseconds on a processor. The main thread has the number of the process. */
function fromScheduler(): number | null {
  const nanoseconds = Number.parseInt(read(`/proc/self/task/${process.pid}/schedstat`), 10);
  return nanoseconds > 0 ? nanoseconds / 1e9 : null;
}

function fromStat(): number | null {
  // The name of the program comes before these fields, in parentheses.
  const fields = read(`/proc/self/task/${process.pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? null : ticks / TICKS_PER_SECOND;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
