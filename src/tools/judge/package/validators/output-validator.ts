/** Judges the outputs of submissions: with the default validator, or with the validators of the package. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { readSmallFile } from '../../../../core/files/regular-files.js';
import type { DataGuard } from '../data-guard.js';
import {
  MAX_ANSWER_FILE_BYTES,
  MAX_JUDGE_MESSAGE_BYTES,
  MAX_REASON_CHARACTERS,
  MAX_VALIDATOR_OUTPUT_BYTES,
} from '../limits.js';
import { assertAsBuilt, type BuiltProgram, type ProgramBuilder } from '../programs/builder.js';
import { LANGUAGES } from '../programs/languages.js';
import { isIgnoredName, isSourceIn, type ProgramSource, readProgram } from '../programs/program-source.js';
import { commandWithLimits, filesOfProgram, type RunFolders } from '../programs/run-program.js';
import { type PackageSettings, VALIDATOR_FOLDERS } from '../read/settings.js';
import type { DataFile } from '../read/test-data.js';
import { compareOutput, parseComparisonFlags } from './default-validator.js';

interface Judgement {
  readonly isRight: boolean;
  /** The message of the validator about the output; null if there is none. */
  readonly message: string | null;
}

export interface OutputValidator {
  /** Judges an output. Fails with kind `worker` if a validator of the package gives no verdict. */
  judge(dataFile: DataFile, output: Uint8Array, program: string): Promise<Judgement>;
}

interface ValidatorContext {
  /** The folder of the package, as an absolute path. */
  readonly folder: string;
  readonly settings: PackageSettings;
  readonly builder: ProgramBuilder;
  readonly runFolders: RunFolders;
  readonly guard: DataGuard;
}

/** Prepares what judges outputs. Fails if flags are wrong, or if a validator cannot be built. */
export async function openValidator(
  context: ValidatorContext,
  dataFiles: readonly DataFile[],
): Promise<OutputValidator> {
  if (context.settings.hasOwnValidator) return new OwnValidators(context, await buildValidators(context));
  for (const { name, validatorFlags } of dataFiles) parseComparisonFlags(validatorFlags, name);
  return defaultValidator(context.guard);
}

function defaultValidator(guard: DataGuard): OutputValidator {
  return {
    async judge({ name, answerPath, validatorFlags }, output) {
      const flags = parseComparisonFlags(validatorFlags, name);
      await guard.assertUnchanged(answerPath);
      const answer = readSmallFile(answerPath, MAX_ANSWER_FILE_BYTES, 'input');
      const message = compareOutput(answer, output, flags);
      return { isRight: message === null, message };
    },
  };
}

/** How a validator gets its arguments, and what its exit codes mean. */
interface ValidatorProtocol {
  readonly rightCode: number;
  readonly wrongCodes: readonly number[];
  /** Whether the validator gets the submission's output as a file argument, and not on its standard input. */
  readonly getsOutputAsFile: boolean;
}

/** `CMD input answer feedback/ [flags] < output` */
const KATTIS_PROTOCOL: ValidatorProtocol = { rightCode: 42, wrongCodes: [43], getsOutputAsFile: false };
/** `CMD input output answer` */
const TESTLIB_PROTOCOL: ValidatorProtocol = { rightCode: 0, wrongCodes: [1, 2], getsOutputAsFile: true };

interface Validator {
  readonly name: string;
  readonly program: BuiltProgram;
  readonly protocol: ValidatorProtocol;
}

async function buildValidators(context: ValidatorContext): Promise<Validator[]> {
  const sources = validatorSources(context.folder);
  if (sources.length === 0)
    throw new BoardmillError('file', `${context.folder} wants a validator of its own, but contains none`);
  return Promise.all(sources.map((source) => buildValidator(context, source)));
}

async function buildValidator({ builder }: ValidatorContext, source: ProgramSource): Promise<Validator> {
  const built = await builder.build(source);
  if (built.kind !== 'built') {
    const what = built.kind === 'broken' ? 'could not be built' : 'cannot be run';
    throw new BoardmillError('worker', `the output validator ${source.name} ${what}: ${built.reason}`);
  }
  return { name: source.name, program: built, protocol: protocolOf(source) };
}

/** Returns the validators of a package. In later formats, their folder is one program; in `legacy`, each entry is one. */
function validatorSources(folder: string): ProgramSource[] {
  const later = join(folder, VALIDATOR_FOLDERS.later);
  if (existsSync(later)) return [laterValidator(later)];
  const legacy = join(folder, VALIDATOR_FOLDERS.legacy);
  if (!existsSync(legacy)) return [];
  const names = readdirSync(legacy)
    .filter((name) => !isIgnoredName(name))
    .sort();
  const sources = names.map((name) => readProgram(`${VALIDATOR_FOLDERS.legacy}/${name}`, join(legacy, name)));
  return separatePrograms(legacy, sources);
}

/** Returns the validator of a later format. Some packages have it one folder deeper, as the format `legacy` demands. */
function laterValidator(later: string): ProgramSource {
  const names = readdirSync(later).filter((name) => !isIgnoredName(name));
  const isNested = names.length === 1 && statSync(join(later, names[0])).isDirectory();
  const parts = isNested ? [names[0]] : [];
  return readProgram([VALIDATOR_FOLDERS.later, ...parts].join('/'), join(later, ...parts));
}

/** Returns the validators in the folder of the format `legacy`. Files beside them, such as headers, belong to each. */
function separatePrograms(legacy: string, sources: readonly ProgramSource[]): ProgramSource[] {
  const isProgram = ({ name, files }: ProgramSource) =>
    statSync(join(legacy, '..', name)).isDirectory() ||
    files[0].isExecutable ||
    LANGUAGES.some((language) => isSourceIn(files[0], language));
  const others = sources.filter((source) => !isProgram(source)).flatMap(({ files }) => files);
  return sources.filter(isProgram).map((source) => ({ ...source, files: [...source.files, ...others] }));
}

/** Returns the protocol of a validator. testlib has its own, unless it was changed to use the exit codes of Kattis. */
function protocolOf({ files }: ProgramSource): ValidatorProtocol {
  const texts = files.map(({ bytes }) => bytes.toString('latin1'));
  const usesTestlib = texts.some((text) => /#\s*include\s*[<"]([^>"\n]{0,200}\/)?testlib\.h[>"]/.test(text));
  const isChanged = texts.some((text) => /\bOK_EXIT_CODE\s*(=\s*)?42\b|_exit_code\s*=\s*42\b/.test(text));
  return usesTestlib && !isChanged ? TESTLIB_PROTOCOL : KATTIS_PROTOCOL;
}

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

/** Like VALIDATE_SCRIPT, but first puts the standard input into the file `output` in the working folder. */
const VALIDATE_FILE_SCRIPT = `cat >"$1/output" || exit 125\n${VALIDATE_SCRIPT}`;

class OwnValidators implements OutputValidator {
  readonly #context: ValidatorContext;
  readonly #validators: readonly Validator[];

  constructor(context: ValidatorContext, validators: readonly Validator[]) {
    this.#context = context;
    this.#validators = validators;
  }

  /** Judges an output, which is right if all validators accept it. */
  async judge(dataFile: DataFile, output: Uint8Array, program: string): Promise<Judgement> {
    await this.#context.guard.assertUnchanged(dataFile.inputPath, dataFile.answerPath);
    let judgement: Judgement = { isRight: true, message: null };
    for (const validator of this.#validators) {
      if (judgement.isRight) judgement = await this.#ask(validator, dataFile, output, program);
    }
    return judgement;
  }

  #ask(validator: Validator, dataFile: DataFile, output: Uint8Array, program: string): Promise<Judgement> {
    return this.#context.runFolders.withFolder(async (folder) => {
      await assertAsBuilt(validator.program);
      const feedback = join(folder, 'feedback');
      mkdirSync(feedback);
      const { validationSeconds, validationMemoryBytes } = this.#context.settings;
      const { limits, words } = commandWithLimits(validator.program, validationMemoryBytes);
      const { getsOutputAsFile } = validator.protocol;
      const outcome = await this.#context.runFolders.runShell(
        getsOutputAsFile ? VALIDATE_FILE_SCRIPT : VALIDATE_SCRIPT,
        [folder, ...limits, ...words, ...validatorArguments(validator, dataFile, folder)],
        output,
        { timeoutMs: validationSeconds * 1000, outputBytes: MAX_VALIDATOR_OUTPUT_BYTES },
        {
          readable: [...(await filesOfProgram(validator.program)), dataFile.inputPath, dataFile.answerPath],
          writable: [folder],
        },
      );
      const code = Number.parseInt(Buffer.from(outcome.stdout).toString(), 10);
      const message = readJudgeMessage(feedback) ?? lastErrorLine(outcome.failure?.reason ?? '');
      if (code === validator.protocol.rightCode) return { isRight: true, message };
      if (validator.protocol.wrongCodes.includes(code)) return { isRight: false, message };
      const how = outcome.failure?.reason ?? 'exited with code 0';
      throw new BoardmillError(
        'worker',
        `the output validator ${validator.name} failed on ${dataFile.name} with the output of ${program}: it ${how}`,
      );
    });
  }
}

function validatorArguments({ protocol }: Validator, dataFile: DataFile, folder: string): string[] {
  const { inputPath, answerPath, validatorFlags } = dataFile;
  if (protocol.getsOutputAsFile) return [inputPath, join(folder, 'output'), answerPath];
  return [inputPath, answerPath, `${join(folder, 'feedback')}/`, ...validatorFlags];
}

/** Returns what the validator has written for judges; null if nothing. */
function readJudgeMessage(feedback: string): string | null {
  const file = readFolderFile(feedback, 'judgemessage.txt');
  return file === '' ? null : file;
}

function readFolderFile(folder: string, name: string): string {
  const path = join(folder, name);
  try {
    return readSmallFile(path, MAX_JUDGE_MESSAGE_BYTES).toString().trim();
  } catch {
    // The validator has written no message for judges, or something that is not a text file.
    return '';
  }
}

/** Returns the last line on the validator's standard error, which the reason of a failure contains. */
function lastErrorLine(reason: string): string | null {
  const quoted = /its last line on standard error: (".*")$/.exec(reason)?.[1];
  return quoted === undefined ? null : (JSON.parse(quoted) as string).slice(0, MAX_REASON_CHARACTERS);
}
