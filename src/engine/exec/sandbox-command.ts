/** The command that starts the sandbox of a program. `sandbox.ts` makes it; for each shell, the files of its runs are added. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIB } from '../../core/bytes.js';

/** Bytes that each folder in which a program of a sandbox can write may hold. They are in memory. */
export const SANDBOX_FOLDER_BYTES = 512 * MIB;

/** The sandbox of a program. */
export interface SandboxSettings {
  /** The command that starts a sandbox, and its arguments up to the files of the run. */
  readonly command: readonly string[];
  /** Whether a sandbox may serve several runs. */
  readonly isReusable: boolean;
}

/** Where the sandbox has the files of a run, and the program its working folder. */
export const SANDBOX_FOLDER = '/boardmill';
export const SANDBOX_WORK = `${SANDBOX_FOLDER}/work`;

/** The folders in which a program can write. They are in memory, and go with the sandbox. */
const WRITABLE = ['/tmp', '/dev/shm', SANDBOX_WORK];
/** What is emptied between two runs: also the POSIX message queues, which can be seen here. */
const QUEUES = '/dev/mqueue';
export const SANDBOX_EMPTIED = [...WRITABLE, QUEUES];

/** Stands in a command for the arguments that show the files of a run. */
export const FILES_PLACEHOLDER = '\0';

/** The arguments that make the folders of a run. Whoever mounts something in one of them must do so after it. */
export const FOLDER_ARGUMENTS = [
  ...WRITABLE.flatMap((path) => ['--size', String(SANDBOX_FOLDER_BYTES), '--tmpfs', path]),
  ...['--mqueue', QUEUES],
];

/** Makes a named pipe, and then becomes the command. Node cannot make one. */
const PIPE_SCRIPT = 'PATH="$PATH:/usr/bin:/bin" mkfifo -m 600 "$1" && shift && exec "$@"';

/**
 * Makes the files of a run, and returns the command that starts its sandbox. Each is a mount, so that a program cannot replace
 * it.
 */
export function commandOfSandbox({ command }: SandboxSettings, folder: string): string[] {
  writeFileSync(join(folder, 'out'), '', { mode: 0o600 });
  const at = (name: string) => [join(folder, name), `${SANDBOX_FOLDER}/${name}`];
  const binds = ['--ro-bind', ...at('in'), '--bind', ...at('out'), '--bind', ...at('err')];
  const argv = command.flatMap((word) => (word === FILES_PLACEHOLDER ? binds : [word]));
  return ['sh', '-c', PIPE_SCRIPT, 'sh', join(folder, 'err'), ...argv];
}
