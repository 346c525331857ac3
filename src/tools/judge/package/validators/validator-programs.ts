/** Reads, builds and runs the programs of a package that validate inputs or outputs. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import type { TestDataGuard } from '../data-guard.js';
import { MAX_REASON_CHARACTERS, MAX_VALIDATOR_OUTPUT_BYTES } from '../limits.js';
import { assertProgramUnchanged, type BuiltProgram, type ProgramBuilder } from '../programs/builder.js';
import { withoutComments } from '../programs/comments.js';
import { LANGUAGES } from '../programs/languages.js';
import {
  isIgnoredName,
  isSourceIn,
  type ProgramSource,
  readProgramSource,
} from '../programs/program-source.js';
import { commandWithLimits, type RunFolders } from '../programs/run-program.js';
import type { PackageSettings } from '../read/settings.js';

export interface ValidatorContext {
  /** The folder of the package, as an absolute path. */
  readonly folder: string;
  readonly settings: PackageSettings;
  readonly builder: ProgramBuilder;
  readonly runFolders: RunFolders;
  readonly guard: TestDataGuard;
}

/**
 * Reads the programs in a folder of validators, of which each entry is one. Files beside them, such as headers, belong to each.
 */
export function readValidatorFolder(folder: string, name: string): ProgramSource[] {
  const root = join(folder, name);
  if (!existsSync(root)) return [];
  const entries = readdirSync(root)
    .filter((entry) => !isIgnoredName(entry))
    .sort();
  const sources = entries.map((entry) => readProgramSource(`${name}/${entry}`, join(root, entry)));
  const isProgram = (source: ProgramSource) =>
    statSync(join(folder, source.name)).isDirectory() ||
    source.files[0].isExecutable ||
    LANGUAGES.some((language) => isSourceIn(source.files[0], language));
  const others = sources.filter((source) => !isProgram(source)).flatMap(({ files }) => files);
  return sources.filter(isProgram).map((source) => ({ ...source, files: [...source.files, ...others] }));
}

/** Builds a validator. Fails with kind `worker` if that is not possible; `kind` is what the message calls the validator. */
export async function buildValidatorProgram(
  builder: ProgramBuilder,
  source: ProgramSource,
  kind: string,
): Promise<BuiltProgram> {
  const built = await builder.build(source);
  if (built.kind === 'built') return built;
  const what = built.kind === 'broken' ? 'could not be built' : 'cannot be run';
  throw new BoardmillError('worker', `the ${kind} ${source.name} ${what}: ${built.reason}`);
}

const INCLUDES_TESTLIB = /^\s*#\s*include\s*[<"]([^>"\n]{0,200}\/)?testlib\.h[>"]/m;

/** Whether a validator is made with testlib, and testlib was not changed to use the exit codes of Kattis. */
export function usesExitCodesOfTestlib({ files }: ProgramSource): boolean {
  const texts = files.map(({ bytes }) => withoutComments(bytes.toString('latin1')));
  const usesTestlib = texts.some((text) => INCLUDES_TESTLIB.test(text));
  const isChanged = texts.some((text) => /\bOK_EXIT_CODE\s*(=\s*)?42\b|_exit_code\s*=\s*42\b/.test(text));
  return usesTestlib && !isChanged;
}

/** The name of the file in the working folder with what is on the validator's standard input, if it wants a file, too. */
export const SAVED_STDIN_FILE_NAME = 'output';

/**
 * Runs a validator with its limits. The arguments are the working folder, the limits of memory and stack in KiB, and the
 * command. The script prints the validator's exit code; the validator's own output has no meaning.
 */
const VALIDATE_SCRIPT = `
cd "$1" || exit 125
[ "$3" = 0 ] || { (ulimit -s "$3") 2>/dev/null && ulimit -s "$3"; }
[ "$2" = 0 ] || { (ulimit -v "$2") 2>/dev/null && ulimit -v "$2"; }
shift 3
"$@" >/dev/null
boardmill_status=$?
echo "$boardmill_status"
exit "$boardmill_status"`;

/** Like VALIDATE_SCRIPT, but first saves the standard input in the working folder. */
const SAVING_SCRIPT = `cat >"$1/${SAVED_STDIN_FILE_NAME}" || exit 125\n${VALIDATE_SCRIPT}`;

interface ValidatorRun {
  /** The working folder, in which the validator may write. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly input: Uint8Array;
  /** Whether the validator finds its input in a file of the working folder, and not on its standard input. */
  readonly savesInput: boolean;
  /** The files that the validator may read, besides its own. */
  readonly readable: readonly string[];
}

interface ValidatorOutcome {
  /** The exit code of the validator; not a number if it was ended. */
  readonly code: number;
  /** How the validator ended, after the words "it". */
  readonly reason: string;
  /** The last line on the validator's standard error; null if there is none or the validator has exited with code 0. */
  readonly lastErrorLine: string | null;
}

export async function runValidator(
  { runFolders, settings }: ValidatorContext,
  program: BuiltProgram,
  { folder, args, input, savesInput, readable }: ValidatorRun,
): Promise<ValidatorOutcome> {
  await assertProgramUnchanged(program);
  const { validationSeconds, validationMemoryBytes } = settings;
  const { limits, words } = commandWithLimits(program, validationMemoryBytes);
  const { stdout, failure } = await runFolders.runShell(
    savesInput ? SAVING_SCRIPT : VALIDATE_SCRIPT,
    [folder, ...limits, ...words, ...args],
    input,
    { timeoutMs: validationSeconds * 1000, outputBytes: MAX_VALIDATOR_OUTPUT_BYTES },
    { readable: [...(await runFolders.filesOf(program)), ...readable], writable: [folder] },
  );
  const reason = failure?.reason ?? 'exited with code 0';
  const isSlow = failure?.kind === 'timeout';
  return {
    code: Number.parseInt(Buffer.from(stdout).toString(), 10),
    reason: isSlow ? `ran for more than ${validationSeconds} s (validation_time)` : reason,
    lastErrorLine: lastErrorLineIn(failure?.reason ?? ''),
  };
}

/** Returns the last line on standard error, which the reason of a failure contains. */
function lastErrorLineIn(reason: string): string | null {
  const quoted = /its last line on standard error: (".*")$/.exec(reason)?.[1];
  return quoted === undefined ? null : (JSON.parse(quoted) as string).slice(0, MAX_REASON_CHARACTERS);
}
