/**
 * Runs many command lines of boardmill in one process, one after another, because to start a process and to load the program
 * takes most of the time of a test. It is for tests of what a command prints, of its exit code and of the files that it
 * writes.
 *
 * Each command line runs the program of the build, with a folder, arguments, a standard input and an exit code of its own. It
 * ends when Node has nothing left to do, as a process ends. If it leaves a thread or an open file behind, or ends its process,
 * then the next command line gets a new process. All test files of a process of vitest share this process.
 *
 * This cannot test: signals, terminals, redirections and closed pipes, environment variables, limits of memory and memory
 * use, how long the program takes to start, the threads that it starts before it has read its arguments, what it prints after
 * its end, and whether global state of one run changes the next run of the same process. Tests of these use `boardmill` of boardmill.ts. So does each fiftieth command
 * line, so that a difference between the two is noticed.
 *
 * With `BOARDMILL_TEST_PROCESSES=own`, every command line runs in a process of its own.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createFolder } from '../support/temporary-folder.js';
import {
  assertNoStackTrace,
  boardmill as boardmillInOwnProcess,
  environment,
  MAIN,
  type Outcome,
  type RunOptions,
} from './boardmill.js';

const ONE_PROCESS = fileURLToPath(new URL('one-process.mjs', import.meta.url));
const OWN_PROCESS_EVERY = 50;

/** A larger standard input might not fit into a pipe that nobody reads. It comes through a socket, to a process of its own. */
export const MAX_STDIN_BYTES = 1 << 15;

/**
 * How long a command line may take. If it takes longer, its process writes a report of Node, and is killed, so that other tests
 * can go on.
 */
const MAX_SECONDS = 60;
const MAX_SECONDS_OF_REPORT = 5;

const folder = createFolder();
let commandLines = 0;
let processes = 0;
let shared: SharedProcess | null = null;
let last: Promise<unknown> = Promise.resolve();

/** Runs boardmill until it ends, as `boardmill` of boardmill.ts does, but mostly in a process that runs many command lines. */
export function boardmill(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { cwd = process.cwd(), stdin = '', ...others } = options;
  const bytes = Buffer.from(stdin);
  const isSample = commandLines++ % OWN_PROCESS_EVERY === 0 || process.env.BOARDMILL_TEST_PROCESSES === 'own';
  if (isSample || bytes.length > MAX_STDIN_BYTES || Object.keys(others).length > 0) {
    return boardmillInOwnProcess(args, options);
  }
  const outcome = last.then(() => runInTurn({ args, cwd: `${cwd}`, stdin: bytes.toString('base64') }));
  last = outcome.catch(() => {});
  return outcome;
}

/** A command line, as one-process.mjs reads it. */
interface Request {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The bytes of standard input in base64. */
  readonly stdin: string;
}

async function runInTurn(request: Request): Promise<Outcome> {
  if (shared === null || shared.hasEnded) shared = new SharedProcess();
  const outcome = await shared.run(request);
  assertNoStackTrace(request.args, outcome.stderr);
  return outcome;
}

/** A process that runs one command line after another. It ends when this process ends, which closes its file descriptor 3. */
class SharedProcess {
  hasEnded = false;
  readonly #child: ChildProcess;
  readonly #end: Promise<Outcome['code']>;
  readonly #texts = [Buffer.alloc(0), Buffer.alloc(0)];
  readonly #report = join(folder, `report-${++processes}.json`);
  #commandLines = 0;
  #onText = () => {};

  constructor() {
    const fifo = join(folder, `stdin-${processes}`);
    execFileSync('mkfifo', ['-m', '600', fifo]);
    const reporting = ['--report-on-signal', `--report-filename=${this.#report}`];
    this.#child = spawn(process.execPath, [...reporting, ONE_PROCESS, MAIN, fifo], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    // What a command line reads comes from the FIFO. But boardmill also looks at what kind of file descriptor 0 is.
    this.#child.stdin!.end();
    this.#child.unref();
    for (const stream of this.#child.stdio.slice(1)) (stream as Socket).unref();
    // A process that has ended does not read its next command line. The promise `#end` tells of that.
    this.#requests.on('error', () => {});
    this.#end = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.hasEnded = true;
        resolve(code ?? signal);
      });
    });
    for (const i of [0, 1]) {
      this.#child.stdio[i + 1]!.on('data', (bytes: Buffer) => {
        this.#texts[i] = Buffer.concat([this.#texts[i], bytes]);
        this.#onText();
      });
    }
  }

  /** Runs a command line. It may end the process. */
  async run(request: Request): Promise<Outcome> {
    const mark = new RegExp(`\\x00${++this.#commandLines}:(\\d*)\\x00$`);
    const timer = setTimeout(() => this.#endAfterReport(), MAX_SECONDS * 1000);
    const marked = new Promise<Outcome>((resolve) => {
      this.#onText = () => {
        if (!this.#texts.every((bytes) => bytes.at(-1) === 0 && bytes.length > 1)) return;
        const [stdout, stderr] = this.#texts.map((bytes) => bytes.toString('utf8'));
        const code = mark.exec(stderr)?.[1];
        if (code === undefined || !mark.test(stdout)) return;
        resolve({ code: Number(code), stdout: stdout.replace(mark, ''), stderr: stderr.replace(mark, '') });
      };
    });
    this.#requests.write(`${JSON.stringify(request)}\n`);
    try {
      return await Promise.race([marked, this.#end.then((code) => this.#outcomeWithoutMark(code))]);
    } finally {
      clearTimeout(timer);
      this.#texts.fill(Buffer.alloc(0));
    }
  }

  /** Ends the process, which does not end its command line, after it has told what it is doing or waiting for. */
  async #endAfterReport(): Promise<void> {
    // The next command line gets a new process, even if this one ends meanwhile.
    this.hasEnded = true;
    this.#child.kill('SIGUSR2');
    await pause(MAX_SECONDS_OF_REPORT * 1000);
    this.#child.kill('SIGKILL');
    await this.#end;
    if (existsSync(this.#report)) console.log(summaryOfReport(readFileSync(this.#report, 'utf8')));
  }

  get #requests(): Writable {
    return this.#child.stdio[3] as Writable;
  }

  #outcomeWithoutMark(code: Outcome['code']): Outcome {
    const [stdout, stderr] = this.#texts.map((bytes) => bytes.toString('utf8'));
    return { code, stdout, stderr };
  }
}

/** What each thread is doing, and the handles for which it waits, from a report of Node. */
function summaryOfReport(json: string): string {
  const { javascriptStack, libuv, workers = [], header } = JSON.parse(json);
  const summaryOf = (thread: {
    javascriptStack?: { stack?: string[] };
    libuv?: Record<string, unknown>[];
  }) => ({
    stack: thread.javascriptStack?.stack,
    waitsFor: thread.libuv?.filter((handle) => handle.is_active && handle.is_referenced),
  });
  const threads = [{ javascriptStack, libuv }, ...workers].map(summaryOf);
  return JSON.stringify({ commandLine: header.commandLine, threads }, null, 1);
}
