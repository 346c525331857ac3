/**
 * Measures the runs of a program: their processor time, how long they waited for a processor, and the peak of their address
 * space. The shell that starts the program reports the processor time of all runs so far, in steps of 10 ms with some shells.
 * Linux reports the other two of a process only while the process runs. So boardmill asks again and again, and may miss a peak.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Matches a line that the shell's command `times` prints: user and system time, of the shell or of its children. */
const TIMES = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/;

const NANOSECONDS = 1e9;

/** Number of ticks in a second, the unit of processor times in /proc. */
const TICKS_PER_SECOND = 100;

/** Milliseconds between two looks at how long a program has waited. Each look reads two files for each of its threads. */
const WAITING_INTERVAL_MS = 25;
/** Largest number of threads, of the program and of its children, that a look counts. */
const MAX_THREADS = 200;

export class ProgramMeter {
  /** The process id of the running program; null if the shell has not reported it yet. */
  #process: number | null = null;
  /** Processor seconds of all runs so far: as the shell reported them last, and at the end of the previous run. */
  #cpuSeconds = 0;
  #cpuSecondsBefore = 0;
  #peakBytes: number | null = null;
  #waitingSeconds = 0;
  /** Nanoseconds that each thread of the run had waited at the last look, by its id, and when that was. */
  #waitingOfThreads = new Map<string, number>();
  #lastLook = 0;

  startRun(): void {
    this.#process = null;
    this.#cpuSecondsBefore = this.#cpuSeconds;
    this.#peakBytes = null;
    this.#waitingSeconds = 0;
    this.#waitingOfThreads.clear();
    this.#lastLook = performance.now();
  }

  /**
   * Reads a line that the shell has printed. If the shell is in a sandbox, `sandbox` is the id of the process that started the
   * sandbox, because processes have other ids inside; otherwise it is null.
   */
  readLine(line: string, sandbox: number | null): void {
    if (line.startsWith('process '))
      this.#process = sandbox === null ? Number(line.slice('process '.length)) : programInSandbox(sandbox);
    const match = TIMES.exec(line);
    if (match === null) return;
    const [userMinutes, user, systemMinutes, system] = match.slice(1).map(Number);
    // The shell prints its own times first. The last line has the times of its children, that is, of the program.
    this.#cpuSeconds = (userMinutes + systemMinutes) * 60 + user + system;
  }

  /** Reads the address space of the running program. */
  sampleMemory(): void {
    const peak = /^VmPeak:\s*(\d+) kB$/m.exec(this.#readProcessFile('status'));
    if (peak !== null) this.#peakBytes = Math.max(this.#peakBytes ?? 0, Number(peak[1]) * 1024);
  }

  /**
   * Reads how long the running program was ready to run while other processes had the processors. Between two looks it has
   * waited as long as that of its threads, and those of its children, which has waited longest.
   */
  sampleWaiting(): void {
    const now = performance.now();
    if (now - this.#lastLook < WAITING_INTERVAL_MS || this.#process === null) return;
    let longest = 0;
    for (const { id, path } of threadsOf(this.#process)) {
      // The fields are nanoseconds on a processor, nanoseconds of waiting for one, and the number of time slices.
      const waiting = Number(readProcessFile(`${path}/schedstat`).split(' ')[1] ?? 0);
      longest = Math.max(longest, waiting - (this.#waitingOfThreads.get(id) ?? 0));
      this.#waitingOfThreads.set(id, waiting);
    }
    this.#waitingSeconds += Math.min(longest / NANOSECONDS, (now - this.#lastLook) / 1000);
    this.#lastLook = now;
  }

  /** Seconds that the current run has waited for a processor, as far as was read; 0 if the system does not report them. */
  get waitingSeconds(): number {
    return this.#waitingSeconds;
  }

  get peakBytes(): number | null {
    return this.#peakBytes;
  }

  /** Processor seconds of the last run, after it has ended. */
  get cpuSeconds(): number {
    return Math.max(0, this.#cpuSeconds - this.#cpuSecondsBefore);
  }

  /** Returns the processor seconds that the current run has used so far; null if the system does not report them. */
  readCpuSecondsSoFar(): number | null {
    // The name of the program, which may contain whitespace, is in parentheses. User and system time, of the process and of
    // the children that it has waited for, are the fields 14 to 17, and the name is field 2.
    const fields = this.#readProcessFile('stat').split(') ').at(-1)!.split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return fields.length < 15 ? null : ticks / TICKS_PER_SECOND;
  }

  #readProcessFile(name: 'status' | 'stat'): string {
    return this.#process === null ? '' : readProcessFile(`/proc/${this.#process}/${name}`);
  }
}

/** Reads a file of /proc; '' if its process has ended, or if this system has no such file. */
function readProcessFile(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

interface Thread {
  readonly id: string;
  readonly path: string;
}

/** Returns the threads of a process, of its children, and so on, up to MAX_THREADS. */
function threadsOf(process: number): Thread[] {
  const threads: Thread[] = [];
  const processes = [String(process)];
  // The loop also visits the children that it adds.
  for (const each of processes) {
    for (const id of threadIdsOf(each)) {
      if (threads.length === MAX_THREADS) return threads;
      const path = `/proc/${each}/task/${id}`;
      threads.push({ id, path });
      processes.push(...(readProcessFile(`${path}/children`).match(/\d+/g) ?? []));
    }
  }
  return threads;
}

function threadIdsOf(process: string): string[] {
  try {
    return readdirSync(`/proc/${process}/task`);
  } catch {
    return [];
  }
}

/**
 * Returns the process id of the program that runs in a sandbox; null if the program has ended. bubblewrap has a child, the
 * shell, whose first child is the program.
 */
function programInSandbox(bubblewrap: number): number | null {
  const shell = firstChildOf(bubblewrap);
  return shell === null ? null : firstChildOf(shell);
}

function firstChildOf(process: number): number | null {
  try {
    const [child] = readFileSync(`/proc/${process}/task/${process}/children`, 'latin1').split(' ');
    return child === '' ? null : Number(child);
  } catch {
    return null;
  }
}
