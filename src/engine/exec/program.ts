/** Runs an external program many times, on several inputs at the same time, and ends each run that exceeds a limit. */
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import {
  type ProgramLimits,
  type ProgramOutcome,
  type ProgramSettings,
  ProgramShell,
} from './program-shell.js';

/**
 * Returns the path of a program's executable. Fails with kind `usage` if the program cannot be run; the message says
 * why.
 */
export async function findExecutable([name]: readonly string[]): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
  const obstacles: string[] = [];
  for (const path of paths) {
    const obstacle = await findObstacle(path);
    if (obstacle === null) return path;
    obstacles.push(obstacle);
  }
  // If one folder of PATH has the file but it cannot be run, the message says why, and not that other folders lack the file.
  const reason = obstacles.find((obstacle) => obstacle !== PROGRAM_MISSING) ?? PROGRAM_MISSING;
  throw new BoardmillError('usage', `cannot run ${name}: ${reason}`);
}

const PROGRAM_MISSING = 'there is no such program';

/** Returns the reason why a file cannot be run, or null if the file can be run. */
async function findObstacle(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) return PROGRAM_MISSING;
  if (stats.isDirectory()) return 'it is a directory';
  if (!stats.isFile()) return 'it is not a regular file';
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return isExecutable ? null : 'it is not executable (chmod +x makes it so)';
}

/**
 * Calls `start` when it is the turn of a run, and returns what it returns. So the caller can limit how many programs run at the
 * same time: the turn of the next one comes when this one has ended, before its output is read.
 */
export type InTurn = (start: () => Promise<() => ProgramOutcome>) => Promise<() => ProgramOutcome>;

export const callNow: InTurn = (start) => start();

export class ProgramRunner {
  readonly argv: readonly string[];
  #settings: ProgramSettings;
  readonly #shells = new Set<ProgramShell>();
  /** The shells that are not running the program at the moment. */
  readonly #idleShells: ProgramShell[] = [];

  /** Prepares to run a program. `argv` is the program and its arguments. */
  constructor(argv: readonly string[], settings: ProgramSettings = {}) {
    this.argv = argv;
    this.#settings = settings;
  }

  /**
   * Runs the program with `input` on its standard input. Fails with kind `usage` if the program cannot be run at all. The input
   * is made ready at once, and the program starts when `inTurn` calls `start`.
   */
  async run(input: Uint8Array, limits: ProgramLimits, inTurn: InTurn = callNow): Promise<ProgramOutcome> {
    const outcome = await this.#runInShell(input, limits, inTurn);
    if (outcome.failure?.kind === 'crash') {
      // The next failure may be the same. In the background it is known how the program has ended.
      this.#settings = { ...this.#settings, inForeground: false };
      await findExecutable(this.argv);
    }
    return outcome;
  }

  async #runInShell(input: Uint8Array, limits: ProgramLimits, inTurn: InTurn): Promise<ProgramOutcome> {
    let shell = this.#takeShell();
    try {
      shell.prepare(input);
      const readOutcome = await inTurn(() => {
        if (!shell.isOpen) {
          // Something has ended the shell since it was prepared.
          this.#putBack(shell);
          shell = this.#takeShell();
          shell.prepare(input);
        }
        return shell.start(limits);
      });
      const outcome = readOutcome();
      shell.renew();
      return outcome;
    } finally {
      this.#putBack(shell);
    }
  }

  /** Ends all shells and the runs of the program in them. */
  close(): void {
    for (const shell of this.#shells) shell.close();
  }

  #takeShell(): ProgramShell {
    for (let shell = this.#idleShells.pop(); shell !== undefined; shell = this.#idleShells.pop()) {
      if (shell.inForeground && this.#settings.inForeground === false) shell.close();
      if (shell.isOpen) return shell;
      this.#shells.delete(shell);
    }
    const shell = new ProgramShell(this.argv, this.#settings);
    this.#shells.add(shell);
    return shell;
  }

  #putBack(shell: ProgramShell): void {
    if (shell.isOpen) this.#idleShells.push(shell);
    else this.#shells.delete(shell);
  }
}
