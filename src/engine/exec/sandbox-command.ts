/**
 * The command that starts the sandbox of a program. `sandbox.ts` makes the command, and this file adds the files of the runs of
 * each shell.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIB } from '../../core/bytes.js';
import { FILTER_FILE_DESCRIPTOR, systemCallFilter } from './system-call-filter.js';

/** Largest size of each folder in which a program in a sandbox can write. These folders are kept in memory. */
export const MAX_SANDBOX_FOLDER_BYTES = 512 * MIB;

/** The sandbox of a program. */
export interface SandboxSettings {
  /** The command that starts a sandbox, and its arguments up to the files of the run. */
  readonly command: readonly string[];
  /** Whether one sandbox may serve several runs of the program. */
  readonly isReusable: boolean;
}

/** The path inside a sandbox of the folder with the files of a run. The program's working folder is in it. */
export const SANDBOX_FOLDER = '/boardmill';
export const SANDBOX_WORK_FOLDER = `${SANDBOX_FOLDER}/work`;
/**
 * The shell in a sandbox. It is a copy that may be executed but not read, because the kernel lets no program trace such a
 * process or take its files, as it otherwise may with processes of the same user.
 */
export const SANDBOX_SHELL = `${SANDBOX_FOLDER}/sh`;
const SHELL_ARGUMENTS = ['--perms', '0111', '--ro-bind-data', '9', SANDBOX_SHELL];

/** The folders in which a program in a sandbox can write. They are kept in memory, and vanish with the sandbox. */
const WRITABLE = ['/tmp', '/dev/shm', SANDBOX_WORK_FOLDER];
/** The folder in which POSIX message queues appear as files. Like the writable folders, it is emptied between two runs. */
const QUEUES = '/dev/mqueue';
export const FOLDERS_EMPTIED_BETWEEN_RUNS: readonly { readonly path: string; readonly mode: string }[] = [
  ...WRITABLE.map((path) => ({ path, mode: '0755' })),
  { path: QUEUES, mode: '1777' },
];

/** Placeholder in the command of a sandbox, which is replaced by the arguments that make the files of a run visible. */
export const RUN_MOUNTS_PLACEHOLDER = '\0';

/**
 * The arguments of bubblewrap that create the folders of a run. Arguments that mount something inside these folders must come
 * later.
 */
export const SANDBOX_FOLDER_ARGUMENTS = [
  ...WRITABLE.flatMap((path) => ['--size', String(MAX_SANDBOX_FOLDER_BYTES), '--tmpfs', path]),
  ...['--mqueue', QUEUES],
];

/**
 * A shell script that creates a named pipe, which Node cannot do, and then executes the command, which reads the shell of the
 * sandbox from descriptor 9, and the filter of system calls from its own descriptor.
 */
const PIPE_SCRIPT = `PATH="$PATH:/usr/bin:/bin" mkfifo -m 600 "$1" && shift && exec ${FILTER_FILE_DESCRIPTOR}<"$1" && shift && exec "$@" 9</bin/sh`;

/**
 * Creates the files of a run, and returns the command that starts the sandbox. Each file is a mount, so that the program cannot
 * replace it.
 */
export function sandboxCommand({ command }: SandboxSettings, folder: string): string[] {
  writeFileSync(join(folder, 'out'), '', { mode: 0o600 });
  writeFileSync(join(folder, 'filter'), systemCallFilter()!, { mode: 0o600 });
  const at = (name: string) => [join(folder, name), `${SANDBOX_FOLDER}/${name}`];
  const binds = [
    '--ro-bind',
    ...at('in'),
    '--bind',
    ...at('out'),
    '--bind',
    ...at('err'),
    ...SHELL_ARGUMENTS,
    ...['--seccomp', String(FILTER_FILE_DESCRIPTOR)],
  ];
  const argv = command.flatMap((word) => (word === RUN_MOUNTS_PLACEHOLDER ? binds : [word]));
  return ['sh', '-c', PIPE_SCRIPT, 'sh', join(folder, 'err'), join(folder, 'filter'), ...argv];
}
