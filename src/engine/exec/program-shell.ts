/**
 * A small shell that starts an external program again and again. Starting one copies the page tables of who starts
 * it, and then each page that is written to: from this process 2 to 5 ms a run, from a small one of Node 1, from the
 * shell less than 0.1. It never reads the command, which comes as words and is executed as they stand.
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
import { EXEC_CHECK_MS, EXEC_STDERR_BYTES, EXEC_STDERR_CHARS, EXEC_STDERR_FILE_BYTES } from '../limits.js';

export interface ProgramLimits {
  /** For the whole run; null: none. */
  readonly timeoutMs: number | null;
  /** On standard output. */
  readonly outputBytes: number;
}

export interface ProgramFailure {
  readonly kind: 'crash' | 'timeout' | 'no-start';
  /** For the user, behind the program's name: "was killed by SIGSEGV". */
  readonly reason: string;
}

export interface ProgramOutcome {
  /** What it printed, cut off where it printed too much. */
  readonly stdout: Uint8Array;
  /** Null: it ended by itself, with exit code 0. */
  readonly failure: ProgramFailure | null;
}

/**
 * Gets a folder and the command. For each line on its input it runs the command on the folder's files, and prints the
 * status. When boardmill closes its side of the output, or dies, the reader in the background sees that end, and all is
 * killed: the program's group, should it have made one (as `timeout` does), then the shell's own. Errors go to an
 * emptied file, opened to append, so that it can be cut. No variable has a name that may stand in the environment.
 */
const SCRIPT = `
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

/** What a shell says of a program that a signal has killed: this and the signal's number. */
const KILLED_STATUS = 128;

const NO_FILES: ProgramFailure = { kind: 'no-start', reason: 'its files could not be opened' };
const NO_OUTPUT = new Uint8Array(0);

/** Runs one program at a time. */
export class ProgramShell {
  readonly #folder: string;
  /** A file, not a pipe: Node's pipes are sockets, which programs that open /dev/stdin cannot. */
  readonly #input: number;
  readonly #shell: ChildProcess;
  /** Told the status of the program; or, where the shell is gone, why. */
  #onEnd: (end: number | ProgramFailure) => void = () => {};
  #isOpen = true;

  /** `command`: the program and its arguments. */
  constructor(argv: readonly string[]) {
    [this.#folder, this.#input] = makeFolder();
    this.#shell = spawn('sh', ['-c', SCRIPT, 'sh', this.#folder, ...argv], {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Signals from the terminal are this process's business: it says when to stop.
      detached: true,
    });
    this.#shell.stdout?.on('data', (status: Buffer) => this.#onEnd(Number(status)));
    this.#shell.once('error', ({ message }) => this.#lose({ kind: 'no-start', reason: message }));
    this.#shell.once('exit', (code, signal) => this.#lose(lossOf(code, signal)));
    // That it cannot be written to any more is told by its end.
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
      const unwatch = this.#watch(limits, (failure) => {
        stopped = { stdout: this.#takeOutput(limits) ?? NO_OUTPUT, failure };
        this.close();
      });
      this.#onEnd = (end) => {
        unwatch();
        resolve(stopped ?? this.#outcomeOf(end, limits));
      };
      this.#shell.stdin?.write('\n');
    });
  }

  /** Ends what still runs. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#input);
    this.#shell.stdin?.destroy();
    this.#shell.stdout?.destroy();
  }

  #file(name: 'in' | 'out' | 'err'): string {
    return join(this.#folder, name);
  }

  /** One file for all runs: each opens it anew. */
  #writeInput(input: Uint8Array): void {
    try {
      for (let at = 0; at < input.length; ) at += writeSync(this.#input, input, at, input.length - at, at);
      ftruncateSync(this.#input, input.length);
    } catch (error) {
      throw writeFailure(this.#file('in'), error);
    }
  }

  /**
   * Looks whether the program keeps to its limits, until it does not or the result is called. Time is counted in looks,
   * not by the clock: while this process is stopped, or held up, none is taken.
   */
  #watch(
    { timeoutMs, outputBytes }: ProgramLimits,
    onFailure: (failure: ProgramFailure) => void,
  ): () => void {
    let msLeft = timeoutMs ?? Number.POSITIVE_INFINITY;
    let isOver = false;
    const stop = () => {
      isOver = true;
      clearInterval(timer);
    };
    const fail = (failure: ProgramFailure) => {
      stop();
      onFailure(failure);
    };
    const look = () => {
      if (isOver) return;
      msLeft -= EXEC_CHECK_MS;
      this.#shortenErrors();
      if (sizeOf(this.#file('out')) > outputBytes) fail(floodOf(outputBytes));
      else if (msLeft <= 0) fail({ kind: 'timeout', reason: 'ran too long' });
    };
    // One turn later: after this process was held up, the news that the program has ended comes behind the timer.
    const timer = setInterval(() => setImmediate(look), EXEC_CHECK_MS);
    return stop;
  }

  /** Only the last words count: what was said before need not fill the disk. */
  #shortenErrors(): void {
    const file = this.#file('err');
    if (sizeOf(file) > EXEC_STDERR_FILE_BYTES) truncateSync(file);
  }

  #outcomeOf(end: number | ProgramFailure, limits: ProgramLimits): ProgramOutcome {
    if (typeof end !== 'number') return { stdout: NO_OUTPUT, failure: end };
    const stdout = this.#takeOutput(limits);
    if (stdout === null) return { stdout: NO_OUTPUT, failure: NO_FILES };
    const isFlood = stdout.length > limits.outputBytes;
    return { stdout, failure: isFlood ? floodOf(limits.outputBytes) : this.#failureOf(end) };
  }

  /** What the program printed, and a byte more than it may. Null: it never had a file to print to. */
  #takeOutput({ outputBytes }: ProgramLimits): Uint8Array | null {
    const file = this.#file('out');
    const stdout = readPart(file, 0, outputBytes + 1);
    // The next run gets a file of its own, whatever may still print to this one.
    if (stdout !== null) unlinkSync(file);
    return stdout;
  }

  #failureOf(status: number): ProgramFailure | null {
    if (status === 0) return null;
    const reason = describeStatus(status);
    const words = this.#lastWords();
    return { kind: 'crash', reason: words === '' ? reason : `${reason}, saying ${JSON.stringify(words)}` };
  }

  #lastWords(): string {
    const file = this.#file('err');
    const tail =
      readPart(file, Math.max(0, sizeOf(file) - EXEC_STDERR_BYTES), EXEC_STDERR_BYTES) ?? NO_OUTPUT;
    return Buffer.from(tail).toString().trimEnd().split('\n').at(-1)!.slice(-EXEC_STDERR_CHARS);
  }

  #lose(failure: ProgramFailure): void {
    this.close();
    // The shell does so too, where this process cannot; but not when it did not start, or was killed.
    rmSync(this.#folder, { recursive: true, force: true });
    this.#onEnd(failure);
  }
}

/** A folder for nobody else's eyes, and the file in it for the input. */
function makeFolder(): [string, number] {
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

/** A shell that was killed was so together with its program, by this process or by the program. */
function lossOf(code: number | null, signal: NodeJS.Signals | null): ProgramFailure {
  if (signal !== null) return { kind: 'crash', reason: `was killed by ${signal}` };
  return { kind: 'no-start', reason: `the shell that starts it exited with code ${code}` };
}

function floodOf(outputBytes: number): ProgramFailure {
  return { kind: 'crash', reason: `printed more than ${outputBytes} bytes` };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Null: there is no such file. */
function readPart(path: string, from: number, most: number): Uint8Array | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const bytes = new Uint8Array(Math.max(0, Math.min(fstatSync(file).size - from, most)));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, from + length);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
