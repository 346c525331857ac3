/**
 * A small shell that starts an external program again and again. When a process starts a program, the system copies
 * the page tables of that process, and later each memory page that is written. So starting a program takes 2 to 5 ms
 * from boardmill's process, 1 ms from a small Node process, and less than 0.1 ms from the shell. The shell does not
 * interpret the command: it gets the program and each argument as a separate string, and executes them unchanged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeShortage } from '../../core/errors.js';
import { errorOfFailedWrite } from '../../core/files/files.js';
import { type OpenRegularFile, openRegularForReading } from '../../core/files/regular-files.js';
import { descriptorsHiddenFromChild } from './covered-descriptors.js';
import { ErrorPipe } from './error-pipe.js';
import { fullDiskError, isDiskFull } from './full-disk.js';
import { signalProcessGroup } from './process-group.js';
import { ProgramMeter } from './program-meter.js';
import { SANDBOX_FOLDER, SANDBOX_SHELL, type SandboxSettings, sandboxCommand } from './sandbox-command.js';
import { makeReadableAndWritable, removeFolderOnExit, removeProgramFolder } from './sandbox-folder.js';
import { canRunInForeground, KILLED_STATUS, SIGNAL_MESSAGE, shellScript } from './shell-script.js';

/**
 * Milliseconds between two checks whether a running program exceeds its limits. Between two checks, the program may print more
 * than allowed.
 */
const EXEC_CHECK_INTERVAL_MS = 50;

/**
 * A program whose time is measured is checked EXEC_CHECKS_PER_TIMEOUT times within its time limit, but never more often than
 * every MEASURED_CHECK_INTERVAL_MS. If its memory is measured, it is checked every MEASURED_CHECK_INTERVAL_MS.
 */
const EXEC_CHECKS_PER_TIMEOUT = 50;
const MEASURED_CHECK_INTERVAL_MS = 4;

/** More characters than a line of the shell has. */
const MAX_LINE_CHARS = 1000;

/** How the runs of a program are limited and measured. */
export interface ProgramSettings {
  /** Address space that each run may use (`ulimit -v`), in bytes; null or missing if there is no limit. */
  readonly memoryBytes?: number | null;
  /**
   * Whether boardmill measures the processor time of each run and, if memory is limited, the peak of the program's address
   * space.
   */
  readonly isMeasured?: boolean;
  /**
   * Whether the peak of the address space is measured although `memoryBytes` is missing, because the program limits its memory
   * itself.
   */
  readonly watchesMemory?: boolean;
  /** The environment variables of the program; missing if it gets those of boardmill. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The sandbox of the program; null or missing if it runs with the rights of boardmill. */
  readonly sandbox?: SandboxSettings | null;
  /**
   * Whether the shell runs the program in the foreground if it can, which is faster. Then it is not known how a program has
   * ended whose exit status may be that of a signal.
   */
  readonly inForeground?: boolean;
}

export interface ProgramLimits {
  /** Time limit for one run of the program, in milliseconds; null if there is no limit. */
  readonly timeoutMs: number | null;
  /**
   * Limit on the processor time of one run, in milliseconds; missing if there is none. It needs a program that is measured.
   * With it, `timeoutMs` does not count the time in which the program waits for a processor that other processes have.
   */
  readonly cpuMs?: number;
  /** Largest number of bytes that the program may print on standard output. */
  readonly outputBytes: number;
  /** Whether what the program prints on standard error counts towards `outputBytes`, too. */
  readonly countsErrors?: boolean;
}

interface ProgramFailure {
  readonly kind: 'crash' | 'timeout' | 'no-start';
  /** Reason of the failure, as a message shows it after the program's name: "was killed by SIGSEGV". */
  readonly reason: string;
}

export interface ProgramOutcome {
  /** The program's standard output, truncated if it printed too much. */
  readonly stdout: Uint8Array;
  /** How the run failed; null if the program ended by itself with exit code 0. */
  readonly failure: ProgramFailure | null;
  /** The measured time and memory of the run; null if the program is not measured, or could not be started. */
  readonly usage: ResourceUsage | null;
}

/** The time and the memory that one run of a program has used. */
export interface ResourceUsage {
  /** Seconds from the start of the program to its end. */
  readonly seconds: number;
  /** Processor seconds of the program and of the processes that it has waited for; null if the system does not report them. */
  readonly cpuSeconds: number | null;
  /** Seconds in which the program waited for a processor that other processes had; 0 if the system does not report them. */
  readonly waitingSeconds: number;
  /** The largest address space of the program in bytes that a check has seen; null if no check has seen any. */
  readonly peakBytes: number | null;
}

/**
 * Matches a job that exited with such a status by itself, in the list of dash and busybox. Other shells list no jobs that have
 * ended; with them, the status counts as that of a signal.
 */
const EXITED_JOB = /^\[\d+\].* Done\((\d+)\)/;

const FILES_NOT_OPENED_FAILURE: ProgramFailure = {
  kind: 'no-start',
  reason: 'was not started, or has removed its input or output file',
};
/** The failure of a run that boardmill itself has ended, by a call of `close`. */
const CLOSED_FAILURE: ProgramFailure = { kind: 'crash', reason: 'was killed by SIGKILL' };
const EMPTY_OUTPUT = new Uint8Array(0);

/** A shell process that runs a program again and again, one run at a time. */
export class ProgramShell {
  /** Whether the shell runs the program in the foreground. */
  readonly inForeground: boolean;
  readonly #programFolder: string;
  /**
   * Descriptor of the file with the program's input. The input is a file and not a pipe: Node's pipes are sockets,
   * and programs cannot open a socket as /dev/stdin.
   */
  readonly #inputDescriptor: number;
  readonly #shell: ChildProcess;
  readonly #errors = new ErrorPipe();
  /**
   * Called when a run of the program ends: with the program's exit status, or if the shell itself has ended, with the failure.
   */
  #onProgramEnd: (end: number | ProgramFailure) => void = () => {};
  #isOpen = true;
  /** Whether the shell has said that it can start the program. Then only a signal ends it early. */
  #isReady = false;
  /** The end of what the shell of a sandbox, or bubblewrap, has printed on standard error before the shell was ready. */
  #errorsOfStart = '';
  /** The exit codes that the shell has said to be those of jobs which exited by themselves. */
  #exitCodes: number[] = [];
  /** Measures the time and memory of the runs; null if they are not measured. */
  readonly #meter: ProgramMeter | null;
  readonly #watchesMemory: boolean;
  readonly #sandbox: SandboxSettings | null;
  /** Whether the disk was full at a check of the current run. A program may remove its other files before it ends. */
  #wasDiskFull = false;
  /** Whether the shell has reported that it cannot serve another run. */
  #isSpent = false;

  /** Starts the shell. `argv` is the program and its arguments. */
  constructor(
    argv: readonly string[],
    {
      memoryBytes = null,
      isMeasured = false,
      watchesMemory = memoryBytes !== null,
      environment = process.env,
      sandbox = null,
      inForeground = false,
    }: ProgramSettings = {},
  ) {
    this.#sandbox = sandbox;
    const isLimited = sandbox !== null || memoryBytes !== null;
    this.inForeground = inForeground && !isLimited && !isMeasured && canRunInForeground(argv);
    this.#meter = isMeasured ? new ProgramMeter() : null;
    this.#watchesMemory = watchesMemory;
    this.#programFolder = join(tmpdir(), `boardmill-${randomUUID()}`);
    if (sandbox !== null) removeFolderOnExit(this.#programFolder);
    const inputOfSandbox = sandbox === null ? null : makeProgramFolder(this.#programFolder);
    const kibibytes = memoryBytes === null ? '' : String(Math.max(1, Math.floor(memoryBytes / 1024)));
    const folder = sandbox === null ? this.#programFolder : SANDBOX_FOLDER;
    const settings = [folder, kibibytes, isMeasured ? '1' : '', usesOf(sandbox)];
    const prefix = sandbox === null ? [] : sandboxCommand(sandbox, this.#programFolder);
    const shell = sandbox === null ? 'sh' : SANDBOX_SHELL;
    const inBackground = isLimited ? 'background, with limits' : 'background';
    const script = shellScript(this.inForeground ? 'foreground' : inBackground);
    const [command, ...words] = [...prefix, shell, '-c', script, 'sh', ...settings, ...argv];
    this.#shell = spawn(command, words, {
      stdio: [
        'pipe',
        'pipe',
        ...(sandbox === null ? ['ignore' as const] : ['pipe' as const, ...descriptorsHiddenFromChild()]),
      ],
      env: environment,
      // The shell has a process group of its own: signals from the terminal reach only boardmill, which decides when to stop
      // the program.
      detached: true,
    });
    this.#shell.once('error', (error) => {
      const reason = `could not be started: ${describeShortage(error) ?? error.message}`;
      this.#closeAfterExit({ kind: 'no-start', reason });
    });
    // If writing to the shell fails, the shell has ended, and its 'exit' event reports that.
    this.#shell.stdin?.on('error', () => {});
    try {
      this.#inputDescriptor = inputOfSandbox ?? makeProgramFolder(this.#programFolder);
    } catch (error) {
      this.#shell.stdin?.destroy();
      this.#shell.stdout?.destroy();
      throw error;
    }
    this.#shell.stdin?.write('\n');
    this.#shell.stdout?.on('data', this.#createLineReader());
    this.#shell.stderr?.on('data', (piece: Buffer) => {
      if (!this.#isReady) this.#errorsOfStart = (this.#errorsOfStart + piece).slice(-MAX_LINE_CHARS);
    });
    // What a shell in a sandbox has said must be read before its end is handled. No process is left in the sandbox that could
    // keep the pipe open.
    this.#shell.once(sandbox === null ? 'exit' : 'close', (code, signal) =>
      this.#closeAfterExit(this.#isOpen ? this.#failureOfShell(code, signal) : CLOSED_FAILURE),
    );
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Makes the input of the next run ready. All runs use the same file, and each run opens it again. */
  prepare(input: Uint8Array): void {
    try {
      for (let at = 0; at < input.length; )
        at += writeSync(this.#inputDescriptor, input, at, input.length - at, at);
      ftruncateSync(this.#inputDescriptor, input.length);
    } catch (error) {
      throw errorOfFailedWrite(this.#filePath('in'), error);
    }
  }

  /**
   * Starts the program on the input of `prepare`. Resolves when the program has ended, to a function that reads the outcome of
   * the run: until it is called, the caller can start the next program, which then runs while the outcome is read. It must be
   * called before the next `prepare`. It fails with kind `io` if the disk with the files of the run is full: what the program
   * has printed may then be cut.
   */
  start(limits: ProgramLimits): Promise<() => ProgramOutcome> {
    this.#wasDiskFull = false;
    this.#meter?.startRun();
    this.#errors.startRun();
    return new Promise((resolve) => {
      let stopped: ProgramOutcome | null = null;
      const begin = performance.now();
      const usageAt = (cpuSeconds: number | null | undefined) => this.#usageOf(begin, cpuSeconds ?? null);
      const stopWatching = this.#watchLimits(limits, (failure) => {
        const usage = usageAt(this.#meter?.readCpuSecondsSoFar());
        stopped = { stdout: this.#takeOutput(limits) ?? EMPTY_OUTPUT, failure, usage };
        this.close();
      });
      this.#exitCodes = [];
      this.#onProgramEnd = (end) => {
        stopWatching();
        const usage = usageAt(this.#meter?.cpuSeconds);
        // The output file may be what fills the disk. It is removed when it is read, and the next program may make room, too.
        this.#wasDiskFull ||= isDiskFull(this.#programFolder);
        resolve(() => stopped ?? { ...this.#outcomeOf(end, limits), usage });
      };
      this.#shell.stdin?.write('\n');
    });
  }

  #usageOf(begin: number, cpuSeconds: number | null): ResourceUsage | null {
    if (this.#meter === null) return null;
    const seconds = (performance.now() - begin) / 1000;
    const { waitingSeconds, peakBytes } = this.#meter;
    return { seconds, cpuSeconds, waitingSeconds, peakBytes };
  }

  /** Returns a function that receives the output of the shell in pieces, and reads it line by line. */
  #createLineReader(): (piece: Buffer) => void {
    let rest = '';
    return (piece) => {
      const lines = (rest + piece.toString('latin1')).split('\n');
      rest = lines.pop()!;
      // Only a program that has got hold of the shell's output writes such lines. To keep them would take all time and memory.
      if (rest.length > MAX_LINE_CHARS) {
        rest = '';
        this.#killGroup();
      }
      for (const line of lines) {
        const [, word, status] = /^(status|last) (\d+)$/.exec(line) ?? [];
        if (word === 'last') this.#isSpent = true;
        const [, exitCode] = EXITED_JOB.exec(line) ?? [];
        if (exitCode !== undefined) this.#exitCodes.push(Number(exitCode));
        if (status !== undefined) this.#onProgramEnd(Number(status));
        else if (line === 'ready') {
          this.#isReady = true;
          if (this.#isOpen) this.#errors.open(this.#filePath('err'));
        } else this.#meter?.readLine(line, this.#sandbox === null ? null : (this.#shell.pid ?? null));
      }
    };
  }

  /** Ends the shell and the program that the shell is running. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#inputDescriptor);
    this.#errors.close();
    this.#shell.stdin?.destroy();
    this.#shell.stdout?.destroy();
    // The shell has no more input, so it would end by itself, but not if a program still runs that has pretended to have ended.
    if (this.#sandbox !== null) this.#killGroup();
    // The program may have stopped the processes that kill it.
    else signalProcessGroup(this.#shell, 'SIGCONT');
  }

  /**
   * Kills the shell and its process group. A sandbox is killed by this too, because the group is that of bubblewrap: all
   * processes of a sandbox end when its first process ends, which ends with bubblewrap. While bubblewrap is still setting the
   * sandbox up, all processes are in one process group.
   */
  #killGroup(): void {
    const { exitCode, signalCode } = this.#shell;
    if (exitCode === null && signalCode === null) signalProcessGroup(this.#shell, 'SIGKILL');
  }

  /** Prepares the shell for another run, or closes the shell if it cannot serve another run. */
  renew(): void {
    if (this.#isSpent) this.close();
    else if (this.#sandbox !== null && this.#isOpen) makeReadableAndWritable(this.#filePath('err'));
  }

  #filePath(name: 'in' | 'out' | 'err'): string {
    return join(this.#programFolder, name);
  }

  /**
   * Checks regularly whether the running program exceeds its limits. The checks end when a limit is exceeded, or when the
   * returned function is called. Of the time between two checks, at most EXEC_CHECK_INTERVAL_MS count: while boardmill is
   * stopped or blocked, no checks happen, and that time must not count.
   */
  #watchLimits(limits: ProgramLimits, onFailure: (failure: ProgramFailure) => void): () => void {
    const { timeoutMs } = limits;
    const interval = this.#checkIntervalFor(timeoutMs);
    let msLeft = timeoutMs ?? Number.POSITIVE_INFINITY;
    let lastCheck = performance.now();
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      clearInterval(timer);
    };
    const fail = (failure: ProgramFailure) => {
      stop();
      onFailure(failure);
    };
    const check = () => {
      if (isStopped) return;
      const now = performance.now();
      msLeft -= Math.min(now - lastCheck, EXEC_CHECK_INTERVAL_MS);
      lastCheck = now;
      if (this.#watchesMemory) this.#meter?.sampleMemory();
      this.#wasDiskFull ||= isDiskFull(this.#programFolder);
      this.#errors.watch();
      if (this.#printedBytes(fileSize(this.#filePath('out')), limits) > limits.outputBytes)
        fail(tooMuchOutputFailure(limits));
      else if (this.#isOutOfTime(msLeft, limits)) fail({ kind: 'timeout', reason: 'ran too long' });
    };
    // The check runs one turn of the event loop after the timer. If boardmill was blocked, Node handles the end of
    // the program after the timer, but the end of the program must be handled before the check.
    const timer = setInterval(() => setImmediate(check), interval);
    return stop;
  }

  /** Whether the running program has used up its processor time or its time, of which `msLeft` milliseconds are left. */
  #isOutOfTime(msLeft: number, { cpuMs }: ProgramLimits): boolean {
    if (cpuMs === undefined || this.#meter === null) return msLeft <= 0;
    this.#meter.sampleWaiting();
    const cpuSeconds = this.#meter.readCpuSecondsSoFar();
    if (cpuSeconds !== null && cpuSeconds * 1000 > cpuMs) return true;
    return msLeft + this.#meter.waitingSeconds * 1000 <= 0;
  }

  /** Returns how many bytes the program has printed that count, if `stdoutBytes` of them are in its standard output. */
  #printedBytes(stdoutBytes: number, { countsErrors = false }: ProgramLimits): number {
    return stdoutBytes + (countsErrors ? this.#errors.countBytes() : 0);
  }

  /** Returns the milliseconds between two checks of the running program. Measured programs are checked more often. */
  #checkIntervalFor(timeoutMs: number | null): number {
    if (this.#meter === null) return EXEC_CHECK_INTERVAL_MS;
    if (this.#watchesMemory) return MEASURED_CHECK_INTERVAL_MS;
    const wanted = (timeoutMs ?? Number.POSITIVE_INFINITY) / EXEC_CHECKS_PER_TIMEOUT;
    return Math.min(EXEC_CHECK_INTERVAL_MS, Math.max(MEASURED_CHECK_INTERVAL_MS, wanted));
  }

  #outcomeOf(end: number | ProgramFailure, limits: ProgramLimits): Omit<ProgramOutcome, 'usage'> {
    if (this.#wasDiskFull) {
      this.close();
      throw fullDiskError(tmpdir());
    }
    if (typeof end !== 'number') return { stdout: EMPTY_OUTPUT, failure: end };
    const stdout = this.#takeOutput(limits);
    if (stdout === null) return { stdout: EMPTY_OUTPUT, failure: FILES_NOT_OPENED_FAILURE };
    const isTooMuch = this.#printedBytes(stdout.length, limits) > limits.outputBytes;
    return { stdout, failure: isTooMuch ? tooMuchOutputFailure(limits) : this.#failureOfStatus(end) };
  }

  /**
   * Returns the program's standard output: at most one byte more than the limit. Returns null if no output file was
   * created.
   */
  #takeOutput({ outputBytes }: ProgramLimits): Uint8Array | null {
    const file = this.#filePath('out');
    if (this.#sandbox !== null) makeReadableAndWritable(file);
    const stdout = readFileStart(file, outputBytes + 1);
    // In a sandbox, no process of this run is left, and the output file is a mount that cannot be removed. boardmill empties
    // the file, because the checks of the next run begin before the shell empties it.
    if (this.#sandbox !== null) truncateSync(file);
    // Elsewhere the output file is removed, so that the next run gets a new file, even if a process of this run still prints to
    // the old file. A program may have put anything else in place of the file.
    else if (stdout !== null) unlinkSync(file);
    else rmSync(file, { recursive: true, force: true });
    return stdout;
  }

  #failureOfStatus(status: number): ProgramFailure | null {
    if (status === 0) return null;
    const signal = this.inForeground ? signalOf(status) : undefined;
    const reason =
      signal === undefined
        ? describeStatus(status, this.#exitCodes.includes(status))
        : `exited with code ${status}, or was killed by ${signal}`;
    const lastLine = this.#errors.lastLine(signal === undefined ? null : SIGNAL_MESSAGE);
    return { kind: 'crash', reason: withLastLine(reason, lastLine) };
  }

  /**
   * Returns the failure of a run whose shell has ended. If a signal killed the shell, boardmill or the program sent the signal,
   * and it also killed the program. Of a shell in a sandbox, bubblewrap tells the signal as an exit status.
   */
  #failureOfShell(code: number | null, signal: NodeJS.Signals | null): ProgramFailure {
    if (signal !== null) return { kind: 'crash', reason: `was killed by ${signal}` };
    if (this.#isReady && code !== null) return { kind: 'crash', reason: describeStatus(code, false) };
    const lastLine = this.#errorsOfStart.trimEnd().split('\n').at(-1)!;
    return {
      kind: 'no-start',
      reason: withLastLine(`was not started: its shell exited with code ${code}`, lastLine),
    };
  }

  #closeAfterExit(failure: ProgramFailure): void {
    this.close();
    // The shell also removes the folder, in case boardmill was killed. But the shell cannot do that if it did not
    // start, or was killed itself.
    removeProgramFolder(this.#programFolder);
    this.#onProgramEnd(failure);
  }
}

function usesOf(sandbox: SandboxSettings | null): string {
  if (sandbox === null) return '';
  return sandbox.isReusable ? 'again' : 'once';
}

/** Creates a folder that only this user can read, and the input file in it. Returns the descriptor of the file. */
function makeProgramFolder(folder: string): number {
  const input = join(folder, 'in');
  try {
    mkdirSync(folder, { mode: 0o700 });
    return openSync(input, 'wx', 0o600);
  } catch (error) {
    throw errorOfFailedWrite(input, error);
  }
}

/** Describes an exit status. A program that `hasExited` may be a script that passes on how another program was killed. */
function describeStatus(status: number, hasExited: boolean): string {
  const exit = `exited with code ${status}`;
  const signal = signalOf(status);
  if (signal === undefined) return exit;
  return hasExited ? `${exit} (as if killed by ${signal})` : `was killed by ${signal}`;
}

/** Returns the name of the signal of which an exit status may tell; undefined if there is none. */
function signalOf(status: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === status - KILLED_STATUS)?.[0];
}

/** Adds the last line on standard error to a reason. */
function withLastLine(reason: string, line: string): string {
  return line === '' ? reason : `${reason}; its last line on standard error: ${JSON.stringify(line)}`;
}

function tooMuchOutputFailure({ outputBytes, countsErrors = false }: ProgramLimits): ProgramFailure {
  const where = countsErrors ? ' on standard output and standard error' : '';
  return { kind: 'crash', reason: `printed more than ${outputBytes} bytes${where}` };
}

function fileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Reads at most `maxBytes` bytes at the start of a file. Returns null if the file does not exist, or if the program has put
 * something in its place that is not a regular file.
 */
function readFileStart(path: string, maxBytes: number): Uint8Array | null {
  const opened = openRegularOrNull(path);
  if (opened === null) return null;
  const { descriptor: file, stats } = opened;
  try {
    const bytes = new Uint8Array(Math.min(stats.size, maxBytes));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, length);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

function openRegularOrNull(path: string): OpenRegularFile | null {
  try {
    return openRegularForReading(path);
  } catch {
    return null;
  }
}
