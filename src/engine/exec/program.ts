/** Runs an external program on one input after another, and several at a time; ends it where it hangs. */
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { type ProgramLimits, type ProgramOutcome, ProgramShell } from './program-shell.js';

/** The path of the executable that a command names. Fails with kind `usage` where it cannot be run, saying why. */
export async function findExecutable([name]: readonly string[]): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
  const obstacles: string[] = [];
  for (const path of paths) {
    const obstacle = await obstacleTo(path);
    if (obstacle === null) return path;
    obstacles.push(obstacle);
  }
  // What is there and cannot be run says more than the folders of PATH in which it is not.
  const reason = obstacles.find((obstacle) => obstacle !== NOT_THERE) ?? NOT_THERE;
  throw new BoardmillError('usage', `cannot run ${name}: ${reason}`);
}

const NOT_THERE = 'there is no such program';

/** Why a file cannot be run; null: it can. */
async function obstacleTo(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  if (stats === null) return NOT_THERE;
  if (stats.isDirectory()) return 'it is a directory';
  if (!stats.isFile()) return 'it is not a regular file';
  const isExecutable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return isExecutable ? null : 'it is not executable (chmod +x makes it so)';
}

export class Program {
  readonly argv: readonly string[];
  readonly #shells = new Set<ProgramShell>();
  /** Those that run nothing. */
  readonly #idle: ProgramShell[] = [];

  /** `command`: the program and its arguments. */
  constructor(argv: readonly string[]) {
    this.argv = argv;
  }

  /** Runs it with `input` on its standard input. Fails with kind `usage` where it cannot be run at all. */
  async run(input: Uint8Array, limits: ProgramLimits): Promise<ProgramOutcome> {
    const shell = this.#takeShell();
    const outcome = await shell.run(input, limits);
    if (shell.isOpen) this.#idle.push(shell);
    else this.#shells.delete(shell);
    if (outcome.failure?.kind === 'crash') await findExecutable(this.argv);
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
    const shell = new ProgramShell(this.argv);
    this.#shells.add(shell);
    return shell;
  }
}
