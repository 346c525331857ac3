/** Judges the outputs of submissions: with the default validator, or with the validators of the package. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { makeFolders } from '../../../../core/files/files.js';
import { resolvesInto } from '../../../../core/files/identity.js';
import { readSmallFile } from '../../../../core/files/regular-files.js';
import { MAX_ANSWER_FILE_BYTES, MAX_JUDGE_MESSAGE_BYTES } from '../limits.js';
import { NoVerdictError } from '../no-verdict.js';
import type { BuiltProgram } from '../programs/builder.js';
import { isIgnoredName, type ProgramSource, readProgramSource } from '../programs/program-source.js';
import { VALIDATOR_FOLDERS } from '../read/settings.js';
import type { DataFile } from '../read/test-data.js';
import { compareOutput, parseComparisonFlags } from './default-validator.js';
import {
  buildValidatorProgram,
  readValidatorFolder,
  runValidator,
  SAVED_STDIN_FILE_NAME,
  usesExitCodesOfTestlib,
  type ValidatorContext,
} from './validator-programs.js';

interface Judgement {
  readonly isRight: boolean;
  /** The message of the validator about the output; null if there is none. */
  readonly message: string | null;
}

export interface OutputValidator {
  /** Judges an output. Fails with kind `worker` if a validator of the package gives no verdict. */
  judge(dataFile: DataFile, output: Uint8Array, program: string): Promise<Judgement>;
}

/** Prepares what judges outputs. Fails if flags are wrong, or if a validator cannot be built. */
export async function openOutputValidator(
  context: ValidatorContext,
  dataFiles: readonly DataFile[],
): Promise<OutputValidator> {
  if (context.settings.hasOwnValidator) return new OwnValidators(context, await buildValidators(context));
  for (const { name, validatorFlags } of dataFiles) parseComparisonFlags(validatorFlags, name);
  return defaultValidator(context.guard);
}

function defaultValidator(guard: ValidatorContext['guard']): OutputValidator {
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
  /** Why a validator has this protocol, for the message that it failed. */
  readonly reason: string;
}

/** `CMD input answer feedback/ [flags] < output` */
const KATTIS_PROTOCOL: ValidatorProtocol = {
  rightCode: 42,
  wrongCodes: [43],
  getsOutputAsFile: false,
  reason: '',
};
/** `CMD input output answer` */
const TESTLIB_PROTOCOL: ValidatorProtocol = {
  rightCode: 0,
  wrongCodes: [1, 2],
  getsOutputAsFile: true,
  reason: ' (it includes testlib.h, so it is run as a checker of testlib)',
};

interface Validator {
  readonly name: string;
  readonly program: BuiltProgram;
  readonly protocol: ValidatorProtocol;
}

async function buildValidators(context: ValidatorContext): Promise<Validator[]> {
  const sources = validatorSources(context);
  if (sources.length === 0)
    throw new BoardmillError('file', `${context.folder} wants a validator of its own, but contains none`);
  return Promise.all(sources.map((source) => buildValidator(context, source)));
}

async function buildValidator({ builder }: ValidatorContext, source: ProgramSource): Promise<Validator> {
  const program = await buildValidatorProgram(builder, source, 'output validator');
  return { name: source.name, program, protocol: protocolOf(source) };
}

/** Returns the validators of a package. In later formats, their folder is one program; in `legacy`, each entry is one. */
function validatorSources({ folder, settings }: ValidatorContext): ProgramSource[] {
  const later = join(folder, VALIDATOR_FOLDERS.later);
  if (settings.format !== 'legacy' && existsSync(later)) return [laterValidator(later)];
  return readValidatorFolder(folder, VALIDATOR_FOLDERS.legacy);
}

/** Returns the validator of a later format. Some packages have it one folder deeper, as the format `legacy` demands. */
function laterValidator(later: string): ProgramSource {
  const names = readdirSync(later).filter((name) => !isIgnoredName(name));
  const isNested = names.length === 1 && statSync(join(later, names[0])).isDirectory();
  const parts = isNested ? [names[0]] : [];
  return readProgramSource([VALIDATOR_FOLDERS.later, ...parts].join('/'), join(later, ...parts));
}

/** Returns the protocol of a validator. testlib has its own, unless it was changed to use the exit codes of Kattis. */
function protocolOf(source: ProgramSource): ValidatorProtocol {
  return usesExitCodesOfTestlib(source) ? TESTLIB_PROTOCOL : KATTIS_PROTOCOL;
}

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
      makeFolders(join(folder, 'feedback'));
      const { rightCode, wrongCodes, getsOutputAsFile } = validator.protocol;
      const { code, reason, lastErrorLine } = await runValidator(this.#context, validator.program, {
        folder,
        args: validatorArguments(validator, dataFile, folder),
        input: output,
        savesInput: getsOutputAsFile,
        readable: [dataFile.inputPath, dataFile.answerPath],
      });
      const message = readJudgeMessage(folder) ?? lastErrorLine;
      if (code === rightCode) return { isRight: true, message };
      if (wrongCodes.includes(code)) return { isRight: false, message };
      throw new NoVerdictError(
        `the output validator ${validator.name} failed on ${dataFile.name} with the output of ${program}: it ${reason}${validator.protocol.reason}`,
      );
    });
  }
}

function validatorArguments({ protocol }: Validator, dataFile: DataFile, folder: string): string[] {
  const { inputPath, answerPath, validatorFlags } = dataFile;
  if (protocol.getsOutputAsFile) return [inputPath, join(folder, SAVED_STDIN_FILE_NAME), answerPath];
  return [inputPath, answerPath, `${join(folder, 'feedback')}/`, ...validatorFlags];
}

/**
 * Returns what the validator has written for judges in its working folder; null if nothing. A link may lead out of the
 * folder, to a file that the validator itself cannot read.
 */
function readJudgeMessage(folder: string): string | null {
  const path = join(folder, 'feedback', 'judgemessage.txt');
  if (!resolvesInto(folder, path)) return null;
  try {
    return readSmallFile(path, MAX_JUDGE_MESSAGE_BYTES).toString().trim() || null;
  } catch {
    // The validator has written something that is not a text file.
    return null;
  }
}
