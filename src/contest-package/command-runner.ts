/**
 * Runs the commands of a package: compilers, submissions and validators. All of them run code of the package, so they all get
 * the same environment, which has none of the user's secrets.
 */
import { Program } from '../engine/exec/program.js';
import type { ProgramLimits, ProgramOutcome, ProgramSettings } from '../engine/exec/program-shell.js';

const NO_INPUT = new Uint8Array(0);

export interface CommandRequest {
  /** The command's standard input; missing if it is empty. */
  readonly input?: Uint8Array;
  readonly limits: ProgramLimits;
  readonly settings?: Omit<ProgramSettings, 'environment'>;
}

export class CommandRunner {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running = new Set<Program>();

  /** `environment` are the variables that all commands get. */
  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Runs a command once, and ends everything that it has left. */
  async run(
    argv: readonly string[],
    { input = NO_INPUT, limits, settings = {} }: CommandRequest,
  ): Promise<ProgramOutcome> {
    const program = new Program(argv, { ...settings, environment: this.#environment });
    this.#running.add(program);
    try {
      return await program.run(input, limits);
    } finally {
      program.close();
      this.#running.delete(program);
    }
  }

  /** Ends the commands that are running. */
  close(): void {
    for (const program of this.#running) program.close();
  }
}
