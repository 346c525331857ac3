/** Runs a program once and measures its time and memory from outside the process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatCommandLine } from '../../core/command-line.js';
import { BoardmillError } from '../../core/errors.js';
import { assertNotStopped, type GracefulStop } from '../../core/stop.js';
import { fullDiskError, isDiskFull } from '../../engine/exec/full-disk.js';
import { signalProcessGroup } from '../../engine/exec/process-group.js';

export interface ProgramMeasurement {
  readonly seconds: number;
  /** Processor time in user mode, exact to 0.01 s. Null if the system does not report it. */
  readonly userSeconds: number | null;
  /** Processor time in the kernel, exact to 0.01 s. Null if the system does not report it. */
  readonly systemSeconds: number | null;
  /** Largest resident memory. Null if the system does not report it, or if the program ended before the first check. */
  readonly peakBytes: number | null;
  /** Number of runs of the program that were added up: more than one if it can only read a part of the cases at a time. */
  readonly processes: number;
}

interface StreamFiles {
  /** The file that the program reads as its standard input. If null, standard input is empty. */
  readonly input: string | null;
  /** The file that receives the program's standard output. The former content of this file is lost. */
  readonly output: string;
  /** Number of bytes on standard output after which the program is killed; null if there is no limit. */
  readonly maxOutputBytes: number | null;
}

/**
 * Time between two checks of a running program's memory and output. The system records the peak of the memory, so few checks
 * are enough.
 */
const CHECK_MS = 20;

/** Length of the end of standard error that is kept for the error message. */
const MAX_STDERR_CHARACTERS = 4096;

/**
 * Runs a program to its end and measures it. `stop` asks the program to end, and `giveUp` kills it. Only one program may run
 * at a time: the system reports processor time only as a sum over all ended children of this process.
 */
export async function measureProgram(
  argv: readonly string[],
  streams: StreamFiles,
  { stop, giveUp }: GracefulStop,
): Promise<ProgramMeasurement> {
  assertNotStopped(stop);
  const cpuBefore = cpuSecondsOfEndedChildren();
  const begin = performance.now();
  const child = startProgram(argv, streams);
  let peakBytes: number | null = null;
  let failure: BoardmillError | null = null;
  const timer = setInterval(() => {
    peakBytes = peakBytesOf(child) ?? peakBytes;
    failure ??= findTooMuchOutput(argv, streams);
    if (failure !== null) kill();
  }, CHECK_MS);
  const end = () => signalProcessGroup(child, 'SIGTERM');
  const kill = () => {
    signalProcessGroup(child, 'SIGKILL');
    // A process that has left the program's group may hold this pipe open.
    child.stderr?.destroy();
  };
  stop.addEventListener('abort', end);
  giveUp.addEventListener('abort', kill);
  // A second signal ends this process at once.
  process.on('exit', kill);
  let seconds: number;
  try {
    await waitForSuccess(child, argv);
    seconds = (performance.now() - begin) / 1000;
    if (isDiskFull(dirname(streams.output))) throw fullDiskError(dirname(streams.output));
  } catch (error) {
    assertNotStopped(stop);
    throw failure ?? error;
  } finally {
    clearInterval(timer);
    stop.removeEventListener('abort', end);
    giveUp.removeEventListener('abort', kill);
    process.off('exit', kill);
    // The program may have left processes behind.
    kill();
  }
  const cpu = cpuSecondsOfEndedChildren();
  return {
    seconds,
    userSeconds: cpu && cpuBefore && cpu.user - cpuBefore.user,
    systemSeconds: cpu && cpuBefore && cpu.system - cpuBefore.system,
    peakBytes,
    processes: 1,
  };
}

/**
 * Starts a program in a process group of its own, so that the processes that it starts can be ended with it. A signal for
 * boardmill's group, as of ^C, reaches the program only through `stop`.
 */
function startProgram(
  [program, ...programArguments]: readonly string[],
  { input, output }: StreamFiles,
): ChildProcess {
  const stdin = input === null ? 'ignore' : openSync(input, 'r');
  const stdout = openSync(output, 'w');
  try {
    return spawn(program, programArguments, { stdio: [stdin, stdout, 'pipe'], detached: true });
  } finally {
    if (stdin !== 'ignore') closeSync(stdin);
    closeSync(stdout);
  }
}

/** Returns the error of a program that has printed more than it may; null if it has not. */
function findTooMuchOutput(
  argv: readonly string[],
  { output, maxOutputBytes }: StreamFiles,
): BoardmillError | null {
  if (maxOutputBytes === null || statSync(output).size <= maxOutputBytes) return null;
  return new BoardmillError(
    'worker',
    `${formatCommandLine(argv)} printed more than ${maxOutputBytes} bytes, and was stopped`,
  );
}

/** Waits until the program has ended. Throws an error if the program failed, because its time is then meaningless. */
function waitForSuccess(child: ChildProcess, argv: readonly string[]): Promise<void> {
  let stderrEnd = '';
  child.stderr?.on('data', (data: Buffer) => {
    stderrEnd = (stderrEnd + data.toString('utf8')).slice(-MAX_STDERR_CHARACTERS);
  });
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(cannotRunError(argv[0], error)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new BoardmillError('worker', `${formatCommandLine(argv)} ${describeEnd(code, signal, stderrEnd)}`),
        );
    });
  });
}

function cannotRunError(program: string, error: NodeJS.ErrnoException): BoardmillError {
  const isMissing = error.code === 'ENOENT';
  const why = isMissing ? 'there is no such program' : error.message;
  return new BoardmillError(isMissing ? 'usage' : 'worker', `cannot run ${program}: ${why}`, {
    cause: error,
  });
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, stderrEnd: string): string {
  const lastLine = stderrEnd.trim().split('\n').at(-1);
  const end = signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
  return lastLine ? `${end}: ${lastLine}` : end;
}

function peakBytesOf({ pid }: ChildProcess): number | null {
  const match = /^VmHWM:\s*(\d+) kB$/m.exec(readProcFile(`/proc/${pid}/status`) ?? '');
  return match === null ? null : Number(match[1]) * 1024;
}

/** Clock ticks per second in the files of /proc. This number is 100 on every Linux system that Node supports. */
const CLOCK_TICKS_PER_SECOND = 100;

/** Returns the processor time of all ended children of this process. Returns null if the system has no /proc. */
function cpuSecondsOfEndedChildren(): { user: number; system: number } | null {
  const stat = readProcFile('/proc/self/stat');
  if (stat === null) return null;
  // Field 2 is the program's name in parentheses, which may itself contain whitespace and parentheses. The fields are
  // therefore counted from the last parenthesis: `fields[0]` is field 3, so cutime (field 16) is `fields[13]` and
  // cstime (field 17) is `fields[14]`. See proc_pid_stat(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    user: Number(fields[13]) / CLOCK_TICKS_PER_SECOND,
    system: Number(fields[14]) / CLOCK_TICKS_PER_SECOND,
  };
}

function readProcFile(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
