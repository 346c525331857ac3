/**
 * Runs an external program from a small process of its own. Starting a program copies the page tables of who
 * starts it, and holds it up meanwhile: from this process, with its large heap, that took 2 to 5 ms a run, from a
 * small one less than 1. And the small one sees this process end, however it does, and ends all programs then.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { BoardmillError } from '../core/errors.js';
import type { ProgramLimits, ProgramOutcome, RunReply } from './program.js';

const HOST_FILE = new URL('../../workers/run-programs.js', import.meta.url);

interface Waiting {
  resolve(outcome: ProgramOutcome): void;
  reject(error: unknown): void;
}

export class ProgramHost {
  readonly #command: readonly string[];
  readonly #waiting = new Map<number, Waiting>();
  #host: ChildProcess | null = null;
  #runs = 0;

  /** `command`: the program and its arguments. */
  constructor(command: readonly string[]) {
    this.#command = command;
  }

  /** As Program.run. */
  run(input: Uint8Array, limits: ProgramLimits): Promise<ProgramOutcome> {
    this.#host ??= this.#start();
    const id = this.#runs++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#host?.send({ id, input, limits });
    });
  }

  /** Ends what still runs. */
  close(): void {
    const host = this.#host;
    if (host?.connected) host.disconnect();
    if (host !== null) this.#lose(host);
  }

  #start(): ChildProcess {
    const host = fork(HOST_FILE, this.#command, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      // Signals from the terminal are this process's business: it says when to stop.
      detached: true,
    });
    host.on('message', (reply: RunReply) => this.#settle(reply));
    // That it cannot be reached any more is told by its end.
    host.on('error', () => this.#lose(host));
    host.on('exit', () => this.#lose(host));
    return host;
  }

  #settle(reply: RunReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('outcome' in reply) waiting?.resolve(reply.outcome);
    else waiting?.reject(new BoardmillError(reply.refusal.kind, reply.refusal.message));
  }

  /** The host is gone: nobody answers what was asked of it. The next run starts another. */
  #lose(host: ChildProcess): void {
    if (this.#host !== host) return;
    this.#host = null;
    const failure = { kind: 'no-start', reason: 'the process that starts programs is gone' } as const;
    for (const { resolve } of this.#waiting.values()) resolve({ stdout: new Uint8Array(0), failure });
    this.#waiting.clear();
  }
}
