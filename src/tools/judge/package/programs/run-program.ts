/**
 * Runs a built program once: with its limits, in a folder of its own, which is removed afterwards together with all processes
 * that the program has left.
 */
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { KIB, MIB } from '../../../../core/bytes.js';
import { makeFolders, makeTemporaryFolder } from '../../../../core/files/files.js';
import { hasFilledMemoryLimit, OutOfMemoryKills } from '../../../../engine/exec/failure-of-run.js';
import type { ProgramLimits, ProgramOutcome } from '../../../../engine/exec/program-shell.js';
import {
  filesNeededToStart,
  installationOf,
  interpreterOf,
  isOnPathOrOfSystem,
  type SandboxedFiles,
} from '../../../../engine/exec/sandbox.js';
import {
  removeProgramFolder,
  removeProgramFolderInBackground,
} from '../../../../engine/exec/sandbox-folder.js';
import type { TestDataGuard } from '../data-guard.js';
import { MAX_STACK_BYTES, STACK_PART_OF_MEMORY } from '../limits.js';
import { NoVerdictError } from '../no-verdict.js';
import { type RunTimeUsage, wallTimeLimitOf } from '../time-limit.js';
import { assertProgramUnchanged, type BuiltProgram } from './builder.js';
import type { CommandRunner } from './command-runner.js';

interface RunRequest {
  readonly program: BuiltProgram;
  readonly args: readonly string[];
  /** The file on the program's standard input. */
  readonly inputPath: string;
  /** A folder whose files the program finds in its working folder; null if there is none. */
  readonly filesPath: string | null;
  /** The time limit in seconds. The run is stopped when it exceeds the limit or the wall limit that belongs to it. */
  readonly seconds: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
}

export interface ProgramRunResult extends RunTimeUsage {
  readonly stdout: Uint8Array;
  /** How the run failed; null if the program ended by itself with exit code 0. */
  readonly failure: { readonly kind: 'time' | 'memory' | 'crash'; readonly reason: string } | null;
}

/**
 * The shell script of a run: sets the limits, opens the input, and is then replaced by the program (`exec`). The arguments are
 * the working folder, the input, the address space and the stack in KiB, and the command. A limit that the system does not
 * allow stays as it is.
 */
const RUN_SCRIPT = (enter: string) => `
${enter} || exit 125
exec <"$2" || exit 125
[ "$4" = 0 ] || { (ulimit -s "$4") 2>/dev/null && ulimit -s "$4"; }
[ "$3" = 0 ] || { (ulimit -v "$3") 2>/dev/null && ulimit -v "$3"; }
shift 4
exec "$@"`;

/** Without a sandbox, the script enters the working folder. In one, it starts there, and copies the test's files into it. */
const ENTER = 'cd "$1"';
const COPY_FILES = 'cp -R "$1/." .';

const NO_INPUT = new Uint8Array(0);

/** The shell that starts the script sets no memory limit, so it must be told to watch the memory. The script sets the limit. */
const MEASURED = { isMeasured: true, watchesMemory: true };

/** The temporary folder that contains the working folders of all runs. */
export class RunFolders {
  readonly #folder = makeFolder();
  readonly #commands: CommandRunner;
  readonly #guard: TestDataGuard;
  readonly #warn: (message: string) => void;
  readonly #kills = new OutOfMemoryKills();

  constructor(commands: CommandRunner, guard: TestDataGuard, warn: (message: string) => void) {
    this.#commands = commands;
    this.#guard = guard;
    this.#warn = warn;
    // A second signal ends this process at once. The temporary folder must be removed then, too.
    process.once('exit', this.#closeOnExit);
  }

  /** Removes all folders. */
  close(): void {
    process.off('exit', this.#closeOnExit);
    if (!removeProgramFolder(this.#folder))
      this.#warn(`cannot remove all files that programs have left in ${this.#folder}`);
  }

  readonly #closeOnExit = () => this.close();

  /** Calls `use` with a new folder, which is removed afterwards. */
  async withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = makeTemporaryFolder(join(this.#folder, 'run-'));
    try {
      return await use(folder);
    } finally {
      // What cannot be removed is tried again at the end, and then there is a warning.
      await removeProgramFolderInBackground(folder);
    }
  }

  /** Runs a program on a data file. */
  run(request: RunRequest): Promise<ProgramRunResult> {
    return this.withFolder((folder) => this.#runIn(folder, request));
  }

  async #runIn(folder: string, request: RunRequest): Promise<ProgramRunResult> {
    const { program, inputPath, filesPath, seconds, memoryBytes, outputBytes } = request;
    await assertProgramUnchanged(program);
    // The program gets a copy: by the path of the input itself, it could find the right answer beside it.
    const [workingFolder, input] = [join(folder, 'work'), join(folder, 'input')];
    await this.#guard.copyInput(inputPath, input);
    if (filesPath === null) makeFolders(workingFolder);
    else await this.#guard.copyFolder(filesPath, workingFolder);
    const command = commandWithLimits(program, memoryBytes);
    const argv = [...command.limits, ...command.words, ...request.args];
    const [timeoutMs, cpuMs] = [wallTimeLimitOf(seconds) * 1000, seconds * 1000];
    const limits = { timeoutMs, cpuMs, outputBytes, countsErrors: true };
    const enter = !this.#commands.isSandboxed ? ENTER : filesPath === null ? ':' : COPY_FILES;
    const outcome = await this.runShell(
      RUN_SCRIPT(enter),
      [workingFolder, input, ...argv],
      NO_INPUT,
      limits,
      {
        readable: [folder, ...(await this.filesOf(program))],
        writable: [],
      },
    );
    return resultOf(outcome, program, memoryBytes, this.#kills);
  }

  /** Returns the files that a program can read in its sandbox, besides those of its run; none if it runs without a sandbox. */
  async filesOf(program: BuiltProgram): Promise<string[]> {
    return this.#commands.isSandboxed ? filesOfProgram(program) : [];
  }

  /** Runs a shell script with its arguments, and ends all processes that the script has left. */
  async runShell(
    script: string,
    args: readonly string[],
    input: Uint8Array,
    limits: ProgramLimits,
    files: SandboxedFiles,
  ): Promise<ProgramOutcome> {
    const argv = ['sh', '-c', script, 'sh', ...args];
    const outcome = await this.#commands.run(argv, { input, limits, files, settings: MEASURED });
    if (outcome.failure?.kind === 'no-start')
      throw new NoVerdictError(`a program could not be started: ${outcome.failure.reason}`);
    return outcome;
  }
}

function makeFolder(): string {
  // TMPDIR may be a relative path, but programs open their inputs from other folders.
  const prefix = join(resolve(tmpdir()), 'boardmill-judge-');
  return makeTemporaryFolder(prefix);
}

/** Returns the files and folders that a built program needs in a sandbox: its build, and its interpreter. */
async function filesOfProgram({ folder, words }: BuiltProgram): Promise<string[]> {
  const [executable] = words;
  // What lies in the build is there already. A link that the build has left there, as `lib`, may lead anywhere.
  const isInBuild = executable.startsWith(folder + sep);
  return [folder, ...(await (isInBuild ? filesOfInterpreter(executable) : filesNeededToStart(executable)))];
}

/**
 * Returns the files of the interpreter that a script of the package names. A script could name any file of the user, and have
 * the folders around it shown in the sandbox.
 */
async function filesOfInterpreter(script: string): Promise<string[]> {
  const interpreters = await interpreterOf(script);
  const hidden = interpreters.find((path) => !isOnPathOrOfSystem(path));
  if (hidden === undefined) return interpreters.flatMap(installationOf);
  throw new NoVerdictError(
    `the interpreter ${hidden} cannot be used in a sandbox: it is neither in a folder of the system nor on PATH`,
  );
}

/** Returns the limits for `ulimit` in KiB (0 for no limit), and the command of a program with the limits filled in. */
export function commandWithLimits({ language, words }: BuiltProgram, memoryBytes: number) {
  const stackBytes = Math.min(memoryBytes * STACK_PART_OF_MEMORY, MAX_STACK_BYTES);
  const inMib = (bytes: number) => String(Math.max(1, Math.floor(bytes / MIB)));
  return {
    limits: language.hasSystemLimit
      ? [Math.floor(memoryBytes / KIB), Math.floor(stackBytes / KIB)].map(String)
      : ['0', '0'],
    words: words.map((word) =>
      word.replace('{memory}', inMib(memoryBytes)).replace('{stack}', inMib(stackBytes)),
    ),
  };
}

function resultOf(
  outcome: ProgramOutcome,
  { language }: BuiltProgram,
  memoryBytes: number,
  kills: OutOfMemoryKills,
): ProgramRunResult {
  const { stdout, failure, usage } = outcome;
  const { seconds = 0, cpuSeconds = null, waitingSeconds = 0 } = usage ?? {};
  const base = { stdout, seconds, cpuSeconds, waitingSeconds };
  if (failure === null) return { ...base, failure };
  if (failure.kind === 'timeout') return { ...base, failure: { kind: 'time', reason: failure.reason } };
  const isMemory =
    kills.explain(failure.reason) ||
    (language.hasSystemLimit && hasFilledMemoryLimit(usage, memoryBytes)) ||
    language.memoryFailure.test(failure.reason);
  return { ...base, failure: { kind: isMemory ? 'memory' : 'crash', reason: failure.reason } };
}
