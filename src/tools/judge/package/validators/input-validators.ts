/** Checks the inputs of a package with the validators in it: programs, and grammars in the language of checktestdata. */
import { existsSync, lstatSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BoardmillError, describeMismatch } from '../../../../core/errors.js';
import { lstatOrNull, makeFolders } from '../../../../core/files/files.js';
import { readSmallFile } from '../../../../core/files/regular-files.js';
import { type Location, locationAfter, measureSpan, TEXT_START } from '../../../../core/location.js';
import { assertNotStopped } from '../../../../core/stop.js';
import { MAX_GRAMMAR_BYTES, parseGrammar } from '../../../../formats/checktestdata/language/parser.js';
import { checkWholeFile } from '../../../../formats/checktestdata/reading/check-whole.js';
import type { TestDataGuard } from '../data-guard.js';
import { MAX_ANSWER_FILE_BYTES } from '../limits.js';
import type { BuiltProgram } from '../programs/builder.js';
import type { ProgramSource } from '../programs/program-source.js';
import { entriesBelow } from '../read/package-files.js';
import type { DataFile } from '../read/test-data.js';
import {
  buildValidatorProgram,
  readValidatorFolder,
  runValidator,
  usesExitCodesOfTestlib,
  type ValidatorContext,
} from './validator-programs.js';

/** The names of the folder with the input validators, in several package formats. */
export const INPUT_VALIDATOR_FOLDERS = ['input_validators', 'input_format_validators', 'input_validator'];

/** The folder with inputs that at least one validator must refuse. */
const INVALID_INPUTS = 'data/invalid_input';

/** An input that a validator refuses, or an invalid one that all validators accept. */
export interface InputFinding {
  /** The path of the input from the package. */
  readonly input: string;
  /** The path of the validator from the package; null if all validators accept an invalid input. */
  readonly validator: string | null;
  /** Where the input is wrong, if the validator says so. */
  readonly location: Location | null;
  readonly message: string;
}

/** What a validator finds wrong with an input. */
type Refusal = Pick<InputFinding, 'location' | 'message'>;

interface InputValidator {
  /** The path from the package. */
  readonly name: string;
  /** Returns why the input is not valid; null if it is. */
  check(file: CheckedInput, bytes: Uint8Array): Promise<Refusal | null>;
}

type CheckedInput = Pick<DataFile, 'name' | 'inputPath' | 'inputFlags' | 'args' | 'filesPath'>;

interface CheckingOptions {
  readonly stop: AbortSignal;
  readonly warn: (message: string) => void;
}

/**
 * Checks all inputs with all validators; without a validator, only warns. Fails with kind `usage` if one is written in the
 * language of VIVA, and with kind `worker` if one cannot be built.
 */
export async function runInputValidators(
  context: ValidatorContext,
  dataFiles: readonly DataFile[],
  { stop, warn }: CheckingOptions,
): Promise<InputFinding[]> {
  const validators = await openValidators(context);
  if (validators.length === 0) {
    warn(
      'the package has no input validators (input_validators/), so its inputs are not checked, only its answers',
    );
    return [];
  }
  const findings: InputFinding[] = [];
  for (const file of dataFiles) findings.push(...(await refusalsOf(file, validators, context, stop)));
  const invalid = invalidInputsIn(context.folder);
  for (const file of invalid) {
    if ((await refusalsOf(file, validators, context, stop)).length > 0) continue;
    const message = 'no input validator refuses this input, which must be invalid';
    findings.push({ input: file.name, validator: null, location: null, message });
  }
  const names = validators.map(({ name }) => name).join(', ');
  warn(`checked ${dataFiles.length + invalid.length} inputs with ${names}`);
  return findings;
}

async function refusalsOf(
  file: CheckedInput,
  validators: readonly InputValidator[],
  { guard }: ValidatorContext,
  stop: AbortSignal,
): Promise<InputFinding[]> {
  await guard.assertUnchanged(file.inputPath);
  const bytes = readSmallFile(file.inputPath, MAX_ANSWER_FILE_BYTES, 'input');
  const findings: InputFinding[] = [];
  for (const validator of validators) {
    assertNotStopped(stop);
    const refusal = await validator.check(file, bytes);
    if (refusal !== null) findings.push({ input: file.name, validator: validator.name, ...refusal });
  }
  return findings;
}

async function openValidators(context: ValidatorContext): Promise<InputValidator[]> {
  const { folder } = context;
  const names = INPUT_VALIDATOR_FOLDERS.filter((name) => existsSync(join(folder, name)));
  const [viva] = names.flatMap((name) => filesEndingWith(folder, name, '.viva'));
  if (viva !== undefined)
    throw new BoardmillError('usage', `${viva} is a VIVA validator, and judge does not run those`);
  const grammars = names.flatMap((name) => filesEndingWith(folder, name, '.ctd'));
  const programs = names.flatMap((name) => readValidatorFolder(folder, name)).filter(isProgram);
  const built = programs.map((source) => openProgram(context, source));
  return [...grammars.map((name) => openGrammar(context, name)), ...(await Promise.all(built))];
}

/** Whether the source is more than a grammar. A folder may have only a grammar, too. */
function isProgram({ files }: ProgramSource): boolean {
  return files.some(({ name }) => !name.endsWith('.ctd'));
}

function filesEndingWith(folder: string, name: string, ending: string): string[] {
  return entriesBelow(folder, name)
    .filter((file) => file.endsWith(ending))
    .sort();
}

function openGrammar({ folder, settings }: ValidatorContext, name: string): InputValidator {
  const text = readSmallFile(join(folder, name), MAX_GRAMMAR_BYTES, 'input').toString('latin1');
  const grammar = parseGrammar(settings.constants.replaceIn(text, name), name);
  return {
    name,
    async check(_, bytes) {
      const fault = checkWholeFile(grammar, bytes);
      if (fault === null) return null;
      const location = locationAfter(TEXT_START, measureSpan(bytes, 0, fault.offset));
      return { location, message: describeMismatch(fault) };
    },
  };
}

/** The exit codes with which validators accept an input. */
const KATTIS_VALID = 42;
const TESTLIB_VALID = 0;

async function openProgram(context: ValidatorContext, source: ProgramSource): Promise<InputValidator> {
  const program = await buildValidatorProgram(context.builder, source, 'input validator');
  const validCode = usesExitCodesOfTestlib(source) ? TESTLIB_VALID : KATTIS_VALID;
  return {
    name: source.name,
    check: (file, bytes) =>
      context.runFolders.withFolder(async (outer) => {
        const folder = join(outer, 'work');
        await fillWorkFolder(folder, program, file.filesPath, context.guard);
        const args = [...flagsFor(file, source.name), ...file.args];
        const run = { folder, args, input: bytes, savesInput: false, readable: [] };
        const { code, reason } = await runValidator(context, program, run);
        return code === validCode ? null : { location: null, message: `the validator ${reason}` };
      }),
  };
}

/** Makes the working folder of a validator: with the files of its program, and those of the test. */
async function fillWorkFolder(
  folder: string,
  program: BuiltProgram,
  filesPath: string | null,
  guard: TestDataGuard,
): Promise<void> {
  if (filesPath === null) makeFolders(folder);
  else await guard.copyFolder(filesPath, folder);
  const filter = (path: string, copy: string) => {
    const stats = lstatSync(path);
    return stats.isDirectory() || ((stats.isFile() || stats.isSymbolicLink()) && lstatOrNull(copy) === null);
  };
  // Links that a build has left stay links, because they may lead to files that the validator must not read.
  await cp(program.folder, folder, { recursive: true, verbatimSymlinks: true, filter });
}

function flagsFor({ inputFlags }: CheckedInput, validator: string): readonly string[] {
  if (!(inputFlags instanceof Map)) return inputFlags as readonly string[];
  const name = basename(validator);
  return inputFlags.get(name) ?? inputFlags.get(name.replace(/\.[^.]*$/, '')) ?? [];
}

function invalidInputsIn(folder: string): CheckedInput[] {
  return filesEndingWith(folder, INVALID_INPUTS, '.in').map((name) => {
    return { name, inputPath: join(folder, name), inputFlags: [], args: [], filesPath: null };
  });
}
