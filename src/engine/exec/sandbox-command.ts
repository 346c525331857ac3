/** The command that starts the sandbox of a program. `sandbox.ts` makes it; for each shell, the folder of its runs is added. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The sandbox of a program. */
export interface SandboxSettings {
  /** The command that starts a sandbox, and its arguments up to the folder of the run. */
  readonly command: readonly string[];
  /** Whether a sandbox may serve several runs. */
  readonly isReusable: boolean;
}

/** Where the sandbox has the folder of a run. */
export const SANDBOX_FOLDER = '/boardmill';
/** The folders of a run: its working folder, /tmp and /dev/shm. */
export const SANDBOX_SUBFOLDERS = ['work', 'tmp', 'shm'] as const;

/** Stands in a command for the arguments that show the folders of a run. */
export const FOLDER_PLACEHOLDER = '\0';

/** Makes the folders of a run, and returns the command that starts its sandbox. */
export function commandOfSandbox({ command }: SandboxSettings, folder: string): string[] {
  for (const name of SANDBOX_SUBFOLDERS) mkdirSync(join(folder, name));
  const binds = [
    ...['--bind', folder, SANDBOX_FOLDER],
    ...['--bind', join(folder, 'tmp'), '/tmp', '--bind', join(folder, 'shm'), '/dev/shm'],
  ];
  return command.flatMap((word) => (word === FOLDER_PLACEHOLDER ? binds : [word]));
}
