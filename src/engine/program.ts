/** Runs an external program on one input after another, and several at a time; ends it where it hangs. */
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { BoardmillError } from '../core/errors.js';
import { type ProgramLimits, type ProgramOutcome, ProgramShell } from './program-shell.js';

/** Fails with kind `usage` where there is no such program. */
export async function requireProgram([name]: readonly string[]): Promise<void> {
  const folders = name.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders) {
    if (await isProgram(join(folder, name))) return;
  }
  throw new BoardmillError('usage', `cannot run ${name}: there is no such program`);
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export class Program {
  readonly #command: readonly string[];
  readonly #shells = new Set<ProgramShell>();
  /** Those that run nothing. */
  readonly #idle: ProgramShell[] = [];

  /** `command`: the program and its arguments. */
  constructor(command: readonly string[]) {
    this.#command = command;
  }

  /** Runs it with `input` on its standard input. Fails with kind `usage` where it cannot be run at all. */
  async run(input: Uint8Array, limits: ProgramLimits): Promise<ProgramOutcome> {
    const shell = this.#takeShell();
    const outcome = await shell.run(input, limits);
    if (shell.isOpen) this.#idle.push(shell);
    else this.#shells.delete(shell);
    if (outcome.failure?.kind === 'crash') await requireProgram(this.#command);
    return outcome;
  }

  /** Ends what still runs. */
  close(): void {
    for (const shell of this.#shells) shell.close();
  }

  #takeShell(): ProgramShell {
    for (let shell = this.#idle.pop(); shell !== undefined; shell = this.#idle.pop()) {
      if (shell.isOpen) return shell;
      this.#shells.delete(shell);
    }
    const shell = new ProgramShell(this.#command);
    this.#shells.add(shell);
    return shell;
  }
}
