/**
 * Runs the commands of a package: compilers, submissions and validators. All of them run code of the package, so they all get
 * the same environment, which has none of the user's secrets.
 */
import { Interrupted, type StopSignal } from '../../../../core/errors.js';
import { ProgramRunner } from '../../../../engine/exec/program.js';
import type {
  ProgramLimits,
  ProgramOutcome,
  ProgramSettings,
} from '../../../../engine/exec/program-shell.js';
import type { SandboxedFiles, SandboxLauncher } from '../../../../engine/exec/sandbox.js';

const NO_INPUT = new Uint8Array(0);

interface CommandRequest {
  /** The command's standard input; missing if it is empty. */
  readonly input?: Uint8Array;
  readonly limits: ProgramLimits;
  /** The files that the command may use in a sandbox; null if it runs no code of the package, and needs no sandbox. */
  readonly files: SandboxedFiles | null;
  readonly settings?: Omit<ProgramSettings, 'environment' | 'sandbox'>;
}

export class CommandRunner {
  readonly environment: NodeJS.ProcessEnv;
  readonly #launcher: SandboxLauncher | null;
  readonly #running = new Set<ProgramRunner>();
  #givenUpBy: StopSignal | null = null;

  /** `environment` has the variables that all commands get. `launcher` runs commands in sandboxes; null for no sandboxes. */
  constructor(environment: NodeJS.ProcessEnv, launcher: SandboxLauncher | null) {
    this.environment = environment;
    this.#launcher = launcher;
  }

  get isSandboxed(): boolean {
    return this.#launcher !== null;
  }

  /** Runs a command once, and ends all processes that the command has left. */
  async run(
    argv: readonly string[],
    { input = NO_INPUT, limits, files, settings = {} }: CommandRequest,
  ): Promise<ProgramOutcome> {
    const sandbox = (files && this.#launcher?.settingsFor(files)) ?? null;
    const program = new ProgramRunner(argv, { ...settings, environment: this.environment, sandbox });
    this.#running.add(program);
    try {
      const outcome = await program.run(input, limits);
      if (this.#givenUpBy !== null) throw new Interrupted(this.#givenUpBy, `stopped by ${this.#givenUpBy}`);
      return outcome;
    } finally {
      program.close();
      this.#running.delete(program);
    }
  }

  /** Ends the commands that are running, after a signal. They fail with Interrupted. */
  giveUp(signal: StopSignal): void {
    this.#givenUpBy = signal;
    this.close();
  }

  /** Ends the commands that are running. */
  close(): void {
    for (const program of this.#running) program.close();
  }
}
