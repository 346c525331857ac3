/**
 * Runs programs under bubblewrap (`bwrap`): without network, in a namespace of processes of their own, on a read-only system of
 * which they see only what they need to start. Starting a sandbox takes about 20 ms, so one sandbox serves many runs of a
 * program, one after another. Between two runs, the shell in the sandbox kills all other processes there, and empties the
 * writable folders.
 */
import { closeSync, existsSync, lstatSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { openRegularForReading } from '../../core/files/regular-files.js';
import { findExecutable, ProgramRunner } from './program.js';
import { prefixForReadOnlyDevices } from './read-only-devices.js';
import {
  FOLDERS_EMPTIED_BETWEEN_RUNS,
  RUN_MOUNTS_PLACEHOLDER,
  SANDBOX_FOLDER_ARGUMENTS,
  SANDBOX_WORK_FOLDER,
  type SandboxSettings,
} from './sandbox-command.js';
import { interpreterNamedIn, MAX_FIRST_LINE_BYTES } from './script-interpreter.js';
import { systemCallFilter } from './system-call-filter.js';

/** Milliseconds within which a trial sandbox must start, which shows that sandboxes work on this machine. */
const SANDBOX_PROBE_MS = 20_000;

/** The files that a program in a sandbox may use, apart from those of the system. */
export interface SandboxedFiles {
  /** Files and folders that the program can read. */
  readonly readable: readonly string[];
  /** Folders in which the program can write. */
  readonly writable: readonly string[];
}

/** Folders of the system that programs need. Debian has links in place of most of them. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Parts of /etc that programs need to start: how libraries are found, and the settings of language runtimes. */
const SYSTEM_SETTINGS = [
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'python3', 'mono'],
  ...['java-8-openjdk', 'java-11-openjdk', 'java-17-openjdk', 'java-21-openjdk', 'java-25-openjdk'],
].map((name) => join('/etc', name));

/**
 * The folders that an installation has beside its folder `bin`: libraries, and the versions that a version manager has
 * installed.
 */
const INSTALLATION_PARTS = [
  ...['bin', 'shims', 'lib', 'lib64', 'libexec', 'conf', 'versions', 'version', 'plugins', 'pyvenv.cfg'],
];

/** A link to the folder for temporary files, which programs know under this path, too. */
const VAR_TMP = '/var/tmp';

/** Files in which the kernel tells a program about the keys of its user. */
const HIDDEN = ['/proc/keys', '/proc/key-users'];

/** A program's command, and the sandbox in which it runs; null if it runs with the rights of boardmill. */
export interface PreparedProgram {
  readonly argv: readonly string[];
  readonly sandbox: SandboxSettings | null;
}

/** Prepares to run a program of the user in a sandbox, or without one if `launcher` is null or missing. */
export async function prepareProgram(
  argv: readonly string[],
  launcher: SandboxLauncher | null = null,
): Promise<PreparedProgram> {
  return launcher === null ? { argv, sandbox: null } : launcher.prepare(argv);
}

export class SandboxLauncher {
  readonly #bwrap: string;
  readonly #alsoReadable: readonly string[];

  /**
   * Checks that this machine can run sandboxes, and fails with kind `usage` if not. Every program can also read the files
   * `alsoReadable`.
   */
  static async open(alsoReadable: readonly string[] = []): Promise<SandboxLauncher> {
    const bwrap = await findExecutable(['bwrap']).catch(() => null);
    if (bwrap === null)
      throw new BoardmillError(
        'usage',
        '--sandbox needs bubblewrap, and there is no bwrap on the PATH; the package bubblewrap of your system has it',
      );
    const launcher = new SandboxLauncher(
      bwrap,
      alsoReadable.map((path) => resolve(path)),
    );
    await launcher.#assertWorking();
    return launcher;
  }

  private constructor(bwrap: string, alsoReadable: readonly string[]) {
    this.#bwrap = bwrap;
    this.#alsoReadable = alsoReadable;
  }

  /** Returns the sandbox for a program of the user, and the program's command with absolute paths. */
  async prepare(argv: readonly string[]): Promise<PreparedProgram> {
    const executable = resolve(await findExecutable(argv));
    const words = [executable, ...argv.slice(1).map((word) => (isFile(word) ? resolve(word) : word))];
    const files = words.filter((word, index) => index === 0 || isFile(word));
    const readable = [...files, ...this.#alsoReadable, ...(await filesNeededToStart(executable))];
    return { argv: words, sandbox: this.settingsFor({ readable, writable: [] }) };
  }

  /** Returns the settings of a sandbox in which the given files can be used, under the same paths as outside. */
  settingsFor({ readable, writable }: SandboxedFiles): SandboxSettings {
    const emptied = FOLDERS_EMPTIED_BETWEEN_RUNS.map(({ path }) => path);
    const own = [...new Set(readable)]
      .filter((path) => existsSync(path) && !isBelow(path, SYSTEM_FOLDERS))
      .sort();
    // Where files of the user lie there can be no link.
    const hasVarTmp = [...own, ...writable].some((path) => isBelow(path, [VAR_TMP]));
    return {
      command: [
        ...this.#commandOfSystem(),
        RUN_MOUNTS_PLACEHOLDER,
        ...(hasVarTmp ? [] : ['--symlink', '/tmp', VAR_TMP]),
        ...own.flatMap((path) => ['--ro-bind', path, path]),
        ...writable.flatMap((path) => ['--bind', path, path]),
        ...['/proc', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
        ...['--chdir', SANDBOX_WORK_FOLDER, '--'],
      ],
      // If the user's files lie in a folder that is emptied between two runs, each run needs a sandbox of its own.
      isReusable: ![...own, ...writable].some((path) => isBelow(path, emptied)),
    };
  }

  /** Returns the beginning of a command that starts a sandbox with nothing but the system in it. */
  #commandOfSystem(): string[] {
    return [
      ...(process.getuid?.() === 0 ? prefixForReadOnlyDevices() : []),
      this.#bwrap,
      ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
      // Otherwise the first process is bubblewrap's, which holds the pipes of the shell, and which programs may trace.
      '--as-pid-1',
      ...['--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev'],
      ...HIDDEN.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
      ...SYSTEM_FOLDERS.flatMap(bindSystemFolder),
      ...SYSTEM_SETTINGS.flatMap((path) => ['--ro-bind-try', path, path]),
      ...['--setenv', 'TMPDIR', '/tmp', '--setenv', 'HOME', '/tmp'],
      ...SANDBOX_FOLDER_ARGUMENTS,
    ];
  }

  async #assertWorking(): Promise<void> {
    const filter = systemCallFilter();
    if (filter === null)
      throw new BoardmillError('usage', `--sandbox does not know the system calls of ${process.arch}`);
    // The trial reads the filter from its standard input.
    const program = new ProgramRunner([...this.#commandOfSystem(), '--seccomp', '0', '--', 'true']);
    try {
      const limits = { timeoutMs: SANDBOX_PROBE_MS, outputBytes: 0 };
      const { failure } = await program.run(filter, limits);
      if (failure === null) return;
      throw new BoardmillError(
        'usage',
        `--sandbox does not work here: ${this.#bwrap} ${failure.reason} (containers often forbid namespaces, of which root needs more than other users)`,
      );
    } finally {
      program.close();
    }
  }
}

function bindSystemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

/** Returns the files and folders that an executable needs to start: its installation, and that of its interpreter. */
export async function filesNeededToStart(executable: string): Promise<string[]> {
  return [executable, ...(await interpreterOf(executable))].flatMap(installationOf);
}

/** Whether an executable lies where everybody finds it: in a folder of the system, or in one of PATH. */
export function isOnPathOrOfSystem(executable: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  return (
    isBelow(executable, SYSTEM_FOLDERS) || folders.some((folder) => resolve(folder) === dirname(executable))
  );
}

/** Returns the path of the interpreter that a script names in its first line; an empty list if the file is not a script. */
export async function interpreterOf(path: string): Promise<string[]> {
  const name = interpreterNamedIn(firstLineOf(path));
  const found = name === null ? null : await findExecutable([name]).catch(() => null);
  return found === null ? [] : [resolve(found)];
}

/**
 * Returns the paths of an executable and of the other parts of its installation, if it lies in a folder `bin`, or in the folder
 * of a version manager. The sandbox does not show the folder above them, which may be the user's home.
 */
export function installationOf(executable: string): string[] {
  return [...new Set([executable, realpathSync(executable)])].flatMap((path) => {
    const folder = dirname(path);
    if (!['bin', 'shims'].includes(basename(folder))) return [path];
    const parts = INSTALLATION_PARTS.map((name) => join(dirname(folder), name));
    return [path, ...parts.filter((part) => existsSync(part))];
  });
}

/** Returns the first line of a file, or only the beginning of that line if it is long. */
function firstLineOf(path: string): string {
  const { descriptor } = openRegularForReading(path);
  try {
    const bytes = Buffer.alloc(MAX_FIRST_LINE_BYTES);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes)).split('\n')[0];
  } finally {
    closeSync(descriptor);
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder + sep));
}
