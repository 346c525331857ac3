/** Runs an external program on one input after another, without a shell, and ends it where it hangs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { BoardmillError, type FailureKind } from '../core/errors.js';
import { writeFailure } from './files.js';
import { EXEC_STDERR_BYTES, MAX_TIMER_MS } from './limits.js';

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

type Child = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/** The word of the command that is no program is the user's mistake, not the program's failure. */
const NO_PROGRAM = ['ENOENT', 'EACCES', 'ENOEXEC', 'ENOTDIR'];

/** A run that one process asks another for. */
export interface RunRequest {
  readonly id: number;
  readonly input: Uint8Array;
  readonly limits: ProgramLimits;
}

/** What came of it; `refusal`: what `run` threw. */
export type RunReply =
  | { readonly id: number; readonly outcome: ProgramOutcome }
  | { readonly id: number; readonly refusal: { readonly kind: FailureKind; readonly message: string } };

/** Fails with kind `usage` where there is no such program. */
export async function requireProgram([name]: readonly string[]): Promise<void> {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    const isThere = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    // Elsewhere a program's name has endings that only the system knows.
    if (isThere || process.platform === 'win32') return;
  }
  throw new BoardmillError('usage', `cannot run ${name}: there is no such program`);
}

export class Program {
  readonly #command: readonly string[];
  readonly #running = new Set<ChildProcess>();
  readonly #killAll = () => {
    for (const child of this.#running) killGroup(child);
  };

  /** `command`: the program and its arguments. */
  constructor(command: readonly string[]) {
    this.#command = command;
    // However this process ends, short of SIGKILL, its programs end with it.
    process.on('exit', this.#killAll);
  }

  /** Runs it with `input` on its standard input. Fails with kind `usage` where it cannot be run at all. */
  async run(input: Uint8Array, limits: ProgramLimits): Promise<ProgramOutcome> {
    const child = this.#start(input);
    this.#running.add(child);
    try {
      return await outcomeOf(child, limits);
    } catch (error) {
      return { stdout: new Uint8Array(0), failure: this.#startFailure(error) };
    } finally {
      this.#running.delete(child);
    }
  }

  close(): void {
    this.#killAll();
    process.off('exit', this.#killAll);
  }

  #start(input: Uint8Array): Child {
    const [name, ...words] = this.#command;
    const stdin = inputFile(input);
    try {
      // In a process group of its own, it can be killed with all that it started.
      return spawn(name, words, {
        stdio: [stdin, 'pipe', 'pipe'],
        detached: true,
        windowsHide: true,
      }) as Child;
    } finally {
      closeSync(stdin);
    }
  }

  #startFailure(error: unknown): ProgramFailure {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!NO_PROGRAM.includes(code ?? '')) return { kind: 'no-start', reason: message };
    const why = code === 'ENOENT' ? 'there is no such program' : `it is no program (${code})`;
    throw new BoardmillError('usage', `cannot run ${this.#command[0]}: ${why}`, { cause: error });
  }
}

/**
 * An open file without a name that holds the input. A file, not a pipe: Node's pipes are sockets, which programs
 * that open /dev/stdin cannot; and one that does not read its input breaks no pipe.
 */
function inputFile(input: Uint8Array): number {
  const path = join(tmpdir(), `boardmill-${randomUUID()}`);
  try {
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    // Written at a place of its own, the input leaves the place where the program reads at its start.
    for (let at = 0; at < input.length; ) at += writeSync(file, input, at, input.length - at, at);
    return file;
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/** Rejects where the program did not start. */
function outcomeOf(child: Child, { timeoutMs, outputBytes }: ProgramLimits): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    let failure: ProgramFailure | null = null;
    const stop = (kind: 'crash' | 'timeout', reason: string) => {
      failure ??= { kind, reason };
      killGroup(child);
    };
    const stdout = new Collected(child.stdout, outputBytes, () =>
      stop('crash', `printed more than ${outputBytes} bytes`),
    );
    const stderr = new Tail(child.stderr, EXEC_STDERR_BYTES);
    const timer =
      timeoutMs === null ? null : startTimer(child, timeoutMs, () => stop('timeout', 'ran too long'));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (timer !== null) clearTimeout(timer);
      resolve({ stdout: stdout.bytes(), failure: failure ?? failureOf(code, signal, stderr) });
    });
  });
}

function startTimer(child: Child, ms: number, onTimeout: () => void): NodeJS.Timeout {
  const look = () => {
    if (child.exitCode === null && child.signalCode === null) onTimeout();
  };
  // One turn later: after this process was held up, the news that the program has ended comes behind the timer.
  return setTimeout(() => setImmediate(look), Math.min(ms, MAX_TIMER_MS));
}

function failureOf(code: number | null, signal: NodeJS.Signals | null, stderr: Tail): ProgramFailure | null {
  if (code === 0) return null;
  const reason = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
  const words = stderr.lastLine();
  return { kind: 'crash', reason: words === '' ? reason : `${reason}, saying ${JSON.stringify(words)}` };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** What a stream says, up to a bound. */
class Collected {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  constructor(stream: Readable, maxBytes: number, onFull: () => void) {
    stream.on('data', (part: Uint8Array) => {
      if (this.#length <= maxBytes) this.#parts.push(part);
      this.#length += part.length;
      if (this.#length > maxBytes) onFull();
    });
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** The last words of a stream. */
class Tail {
  #text = '';

  constructor(stream: Readable, bytes: number) {
    stream.setEncoding('utf8');
    stream.on('data', (part: string) => {
      this.#text = (this.#text + part).slice(-bytes);
    });
  }

  lastLine(): string {
    return this.#text.trimEnd().split('\n').at(-1)!.slice(-SHOWN_CHARS);
  }
}

const SHOWN_CHARS = 200;
