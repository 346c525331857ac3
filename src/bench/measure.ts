/** Runs a program once, to its end, and measures it from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { BoardmillError, Interrupted } from '../core/errors.js';

export interface Measurement {
  readonly seconds: number;
  /** Processor time, to a hundredth of a second; null where the system does not tell. */
  readonly userSeconds: number | null;
  readonly systemSeconds: number | null;
  /** Null where the system does not tell, or the program was too quick to be looked at. */
  readonly peakBytes: number | null;
}

export interface Streams {
  /** Fed to standard input; null: nothing is. */
  readonly input: string | null;
  /** Takes standard output, from its start. */
  readonly output: string;
}

/** How often a running program's memory is looked at. The peak is kept by the system, so few looks do. */
const LOOK_MS = 20;

const STDERR_BYTES = 4096;

/** Only one program may run at a time: their processor times are told apart by that. */
export async function measure(
  argv: readonly string[],
  streams: Streams,
  stop: AbortSignal,
): Promise<Measurement> {
  throwIfStopped(stop);
  const cpuBefore = cpuOfChildren();
  const begin = performance.now();
  const child = start(argv, streams);
  let peakBytes: number | null = null;
  const watch = setInterval(() => {
    peakBytes = peakOf(child) ?? peakBytes;
  }, LOOK_MS);
  const kill = () => void child.kill();
  stop.addEventListener('abort', kill);
  try {
    await ended(child, argv);
  } catch (error) {
    throwIfStopped(stop);
    throw error;
  } finally {
    clearInterval(watch);
    stop.removeEventListener('abort', kill);
  }
  const seconds = (performance.now() - begin) / 1000;
  const cpu = cpuOfChildren();
  return {
    seconds,
    userSeconds: cpu && cpuBefore && cpu.user - cpuBefore.user,
    systemSeconds: cpu && cpuBefore && cpu.system - cpuBefore.system,
    peakBytes,
  };
}

function throwIfStopped({ aborted, reason }: AbortSignal): void {
  if (aborted) throw new Interrupted(reason, `stopped by ${reason}`);
}

function start([program, ...words]: readonly string[], { input, output }: Streams): ChildProcess {
  const stdin = input === null ? 'ignore' : openSync(input, 'r');
  const stdout = openSync(output, 'w');
  try {
    return spawn(program, words, { stdio: [stdin, stdout, 'pipe'] });
  } finally {
    if (stdin !== 'ignore') closeSync(stdin);
    closeSync(stdout);
  }
}

/** Resolves when it ended well; a program that failed was not measured. */
function ended(child: ChildProcess, [program]: readonly string[]): Promise<void> {
  let words = '';
  child.stderr?.on('data', (data: Buffer) => {
    words = (words + data.toString('utf8')).slice(-STDERR_BYTES);
  });
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(cannotRun(program, error)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new BoardmillError('worker', `${program} ${describeEnd(code, signal, words)}`));
    });
  });
}

function cannotRun(program: string, error: NodeJS.ErrnoException): BoardmillError {
  const isMissing = error.code === 'ENOENT';
  const why = isMissing ? 'there is no such program' : error.message;
  return new BoardmillError(isMissing ? 'usage' : 'worker', `cannot run ${program}: ${why}`, {
    cause: error,
  });
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, words: string): string {
  const last = words.trim().split('\n').at(-1);
  const end = signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
  return last ? `${end}: ${last}` : end;
}

function peakOf({ pid }: ChildProcess): number | null {
  const match = /^VmHWM:\s*(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? '');
  return match === null ? null : Number(match[1]) * 1024;
}

/** Ticks a second in /proc, on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds that all children which have ended took, from this process's own entry. */
function cpuOfChildren(): { user: number; system: number } | null {
  const stat = readProc('/proc/self/stat');
  if (stat === null) return null;
  // Behind the name, which may hold anything, the third field is the first: cutime is the 16th, cstime the 17th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { user: Number(fields[13]) / TICKS, system: Number(fields[14]) / TICKS };
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
