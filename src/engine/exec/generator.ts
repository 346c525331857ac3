/** The program of `--generator`. As testlib's generators do, it gets a seed as its last argument and prints an input. */
import pLimit, { type LimitFunction } from 'p-limit';
import { MIB } from '../../core/bytes.js';
import { BoardmillError } from '../../core/errors.js';
import { findExecutable, ProgramRunner } from './program.js';

/** Largest number of bytes that a program of `--generator` may print. */
const MAX_PRINTED_INPUT_BYTES = 32 * MIB;

interface GeneratorOptions {
  /** The program and its arguments, without the seed. */
  readonly argv: readonly string[];
  /** Largest number of runs of the generator at the same time. */
  readonly jobs: number;
  /** Time limit for one run of the generator, in seconds. */
  readonly timeoutSeconds: number;
}

export class InputGenerator {
  readonly #options: GeneratorOptions;
  readonly #limitRuns: LimitFunction;
  readonly #running = new Set<ProgramRunner>();
  #isClosed = false;

  /** Prepares to run a generator. Fails with kind `usage` if the program does not exist or cannot be run. */
  static async open(options: GeneratorOptions): Promise<InputGenerator> {
    await findExecutable(options.argv);
    return new InputGenerator(options);
  }

  private constructor(options: GeneratorOptions) {
    this.#options = options;
    this.#limitRuns = pLimit(options.jobs);
  }

  /** Returns the program and its arguments for a run with this seed. */
  argvFor(seed: number): readonly string[] {
    return [...this.#options.argv, String(seed)];
  }

  /** Runs the generator with a seed, and returns the bytes that it prints. Fails with kind `worker` if the generator fails. */
  run(seed: number): Promise<Uint8Array> {
    return this.#limitRuns(() => this.#run(seed));
  }

  async #run(seed: number): Promise<Uint8Array> {
    if (this.#isClosed) throw new BoardmillError('worker', 'the generator is closed');
    const { timeoutSeconds } = this.#options;
    // The command differs from run to run, so each run has a shell of its own.
    const program = new ProgramRunner(this.argvFor(seed));
    this.#running.add(program);
    try {
      const limits = { timeoutMs: timeoutSeconds * 1000, outputBytes: MAX_PRINTED_INPUT_BYTES };
      const { stdout, failure } = await program.run(NO_INPUT, limits);
      if (failure === null) return stdout;
      const { kind, reason: how } = failure;
      const reason = kind === 'timeout' ? `has not ended within ${timeoutSeconds} s` : how;
      throw new BoardmillError('worker', `<${this.argvFor(seed).join(' ')}>: ${reason}`);
    } finally {
      this.#running.delete(program);
      program.close();
    }
  }

  /** Ends all running processes of the generator. */
  close(): void {
    this.#isClosed = true;
    for (const program of this.#running) program.close();
  }
}

const NO_INPUT = new Uint8Array(0);
