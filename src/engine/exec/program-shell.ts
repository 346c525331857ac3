/**
 * A small shell that starts an external program again and again. Starting a program copies the page tables of the
 * process that starts it, and then each page that is written. This takes 2 to 5 ms per run from boardmill's
 * process, 1 ms from a small Node process, and less than 0.1 ms from the shell. The shell does not interpret the
 * command: it gets the program and its arguments as separate words, and executes them unchanged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
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
import { writeFailure } from '../../core/files.js';
import {
  EXEC_CHECK_INTERVAL_MS,
  EXEC_STDERR_BYTES,
  EXEC_STDERR_CHARS,
  EXEC_STDERR_FILE_BYTES,
} from '../limits.js';

export interface ProgramLimits {
  /** Milliseconds that the whole run may take; null if there is no limit. */
  readonly timeoutMs: number | null;
  /** Bytes that the program may print on standard output. */
  readonly outputBytes: number;
}

export interface ProgramFailure {
  readonly kind: 'crash' | 'timeout' | 'no-start';
  /** The reason as the user reads it after the program's name: "was killed by SIGSEGV". */
  readonly reason: string;
}

export interface ProgramOutcome {
  /** The program's standard output, truncated if it printed too much. */
  readonly stdout: Uint8Array;
  /** Null if the program ended by itself with exit code 0. */
  readonly failure: ProgramFailure | null;
}

/**
 * The script of the shell; its arguments are a folder, the program and the program's arguments. For each line on
 * its input the shell runs the program on the folder's files, and prints its exit status.
 *
 * When boardmill closes its end of the output pipe, or dies, the `read` in the background ends, and the shell kills
 * everything: first the process group of the program, if the program has made one (as `timeout` does), then its own
 * group. Standard error is an emptied file that is opened for appending, so that boardmill can truncate it. The
 * names of the variables are chosen so that they do not occur in the environment.
 */
const SHELL_SCRIPT = `
boardmill_folder=$1
boardmill_run=
shift
trap '[ -z "$boardmill_run" ] || kill -9 "-$boardmill_run"; rm -rf "$boardmill_folder"; kill -9 0' TERM
{ read -r boardmill_end <&1; kill $$ || kill -9 0; } &
while read -r boardmill_next; do
  exec "$@" <"$boardmill_folder/in" >"$boardmill_folder/out" 2>"$boardmill_folder/err" 2>>"$boardmill_folder/err" &
  boardmill_run=$!
  wait $boardmill_run
  echo $?
  boardmill_run=
done
wait`;

/**
 * The exit status that a shell reports for a program that a signal has killed is this number plus the signal's
 * number.
 */
const KILLED_STATUS = 128;

const FILES_NOT_OPENED_FAILURE: ProgramFailure = {
  kind: 'no-start',
  reason: 'its input or output files could not be opened',
};
const EMPTY_OUTPUT = new Uint8Array(0);

/** Runs a program again and again, one run at a time. */
export class ProgramShell {
  readonly #programFolder: string;
  /**
   * Descriptor of the program's input. It is a file, not a pipe: Node's pipes are sockets, and programs cannot open
   * a socket as /dev/stdin.
   */
  readonly #inputDescriptor: number;
  readonly #shell: ChildProcess;
  /** Called with the exit status of the program, or with the failure if the shell has ended. */
  #onProgramEnd: (end: number | ProgramFailure) => void = () => {};
  #isOpen = true;

  /** Starts the shell; `argv`: the program and its arguments. */
  constructor(argv: readonly string[]) {
    [this.#programFolder, this.#inputDescriptor] = makeProgramFolder();
    this.#shell = spawn('sh', ['-c', SHELL_SCRIPT, 'sh', this.#programFolder, ...argv], {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Signals from the terminal must reach only boardmill, which then decides when to stop the program.
      detached: true,
    });
    this.#shell.stdout?.on('data', (status: Buffer) => this.#onProgramEnd(Number(status)));
    this.#shell.once('error', ({ message }) => this.#closeAfterExit({ kind: 'no-start', reason: message }));
    this.#shell.once('exit', (code, signal) => this.#closeAfterExit(failureOfShell(code, signal)));
    // If writing to the shell fails, the shell has ended, and its 'exit' event reports that.
    this.#shell.stdin?.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs the program with `input` on its standard input. */
  run(input: Uint8Array, limits: ProgramLimits): Promise<ProgramOutcome> {
    this.#writeInput(input);
    return new Promise((resolve) => {
      let stopped: ProgramOutcome | null = null;
      const stopWatching = this.#watchLimits(limits, (failure) => {
        stopped = { stdout: this.#takeOutput(limits) ?? EMPTY_OUTPUT, failure };
        this.close();
      });
      this.#onProgramEnd = (end) => {
        stopWatching();
        resolve(stopped ?? this.#outcomeOf(end, limits));
      };
      this.#shell.stdin?.write('\n');
    });
  }

  /** Ends the shell and the program that is running. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#inputDescriptor);
    this.#shell.stdin?.destroy();
    this.#shell.stdout?.destroy();
  }

  #filePath(name: 'in' | 'out' | 'err'): string {
    return join(this.#programFolder, name);
  }

  /** Writes the input of the next run. All runs use the same file, and each run opens it again. */
  #writeInput(input: Uint8Array): void {
    try {
      for (let at = 0; at < input.length; )
        at += writeSync(this.#inputDescriptor, input, at, input.length - at, at);
      ftruncateSync(this.#inputDescriptor, input.length);
    } catch (error) {
      throw writeFailure(this.#filePath('in'), error);
    }
  }

  /**
   * Checks regularly whether the program keeps to its limits. The checks end with the first failure, or when the
   * returned function is called. The time limit is measured as a number of checks, not by the clock: while
   * boardmill is stopped or blocked, no checks happen.
   */
  #watchLimits(
    { timeoutMs, outputBytes }: ProgramLimits,
    onFailure: (failure: ProgramFailure) => void,
  ): () => void {
    let msLeft = timeoutMs ?? Number.POSITIVE_INFINITY;
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
      msLeft -= EXEC_CHECK_INTERVAL_MS;
      this.#truncateErrorFile();
      if (fileSize(this.#filePath('out')) > outputBytes) fail(tooMuchOutputFailure(outputBytes));
      else if (msLeft <= 0) fail({ kind: 'timeout', reason: 'ran too long' });
    };
    // The check runs one turn of the event loop later. If boardmill was blocked, the event that the program has
    // ended is handled after the timer, and must come before the check.
    const timer = setInterval(() => setImmediate(check), EXEC_CHECK_INTERVAL_MS);
    return stop;
  }

  /** Empties the file with the program's standard error if it is too large. boardmill shows only its last line. */
  #truncateErrorFile(): void {
    const file = this.#filePath('err');
    if (fileSize(file) > EXEC_STDERR_FILE_BYTES) truncateSync(file);
  }

  #outcomeOf(end: number | ProgramFailure, limits: ProgramLimits): ProgramOutcome {
    if (typeof end !== 'number') return { stdout: EMPTY_OUTPUT, failure: end };
    const stdout = this.#takeOutput(limits);
    if (stdout === null) return { stdout: EMPTY_OUTPUT, failure: FILES_NOT_OPENED_FAILURE };
    const isTooMuch = stdout.length > limits.outputBytes;
    return {
      stdout,
      failure: isTooMuch ? tooMuchOutputFailure(limits.outputBytes) : this.#failureOfStatus(end),
    };
  }

  /** The program's standard output, and at most one byte more than the limit. Null if no output file was created. */
  #takeOutput({ outputBytes }: ProgramLimits): Uint8Array | null {
    const file = this.#filePath('out');
    const stdout = readFilePart(file, 0, outputBytes + 1);
    // The next run gets a new file, even if an old process still prints to this file.
    if (stdout !== null) unlinkSync(file);
    return stdout;
  }

  #failureOfStatus(status: number): ProgramFailure | null {
    if (status === 0) return null;
    const reason = describeStatus(status);
    const lastLine = this.#lastErrorLine();
    return {
      kind: 'crash',
      reason:
        lastLine === '' ? reason : `${reason}; its last line on standard error: ${JSON.stringify(lastLine)}`,
    };
  }

  #lastErrorLine(): string {
    const file = this.#filePath('err');
    const tail =
      readFilePart(file, Math.max(0, fileSize(file) - EXEC_STDERR_BYTES), EXEC_STDERR_BYTES) ?? EMPTY_OUTPUT;
    return Buffer.from(tail).toString().trimEnd().split('\n').at(-1)!.slice(-EXEC_STDERR_CHARS);
  }

  #closeAfterExit(failure: ProgramFailure): void {
    this.close();
    // The shell removes the folder too, in case boardmill was killed. But it cannot if it did not start, or was
    // killed itself.
    rmSync(this.#programFolder, { recursive: true, force: true });
    this.#onProgramEnd(failure);
  }
}

/** Creates a folder that only this user can read, and the input file in it. */
function makeProgramFolder(): [string, number] {
  const prefix = join(tmpdir(), 'boardmill-');
  try {
    const folder = mkdtempSync(prefix);
    return [folder, openSync(join(folder, 'in'), 'wx', 0o600)];
  } catch (error) {
    throw writeFailure(prefix, error);
  }
}

function describeStatus(status: number): string {
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - KILLED_STATUS);
  return signal === undefined ? `exited with code ${status}` : `was killed by ${signal[0]}`;
}

/**
 * The failure of a run whose shell has ended. A signal that kills the shell also kills the program: it comes from
 * boardmill or from the program.
 */
function failureOfShell(code: number | null, signal: NodeJS.Signals | null): ProgramFailure {
  if (signal !== null) return { kind: 'crash', reason: `was killed by ${signal}` };
  return { kind: 'no-start', reason: `the shell that starts it exited with code ${code}` };
}

function tooMuchOutputFailure(outputBytes: number): ProgramFailure {
  return { kind: 'crash', reason: `printed more than ${outputBytes} bytes` };
}

function fileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** At most `maxBytes` bytes of a file, beginning at `from`; null if there is no such file. */
function readFilePart(path: string, from: number, maxBytes: number): Uint8Array | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const bytes = new Uint8Array(Math.max(0, Math.min(fstatSync(file).size - from, maxBytes)));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, from + length);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
