/** The settings of a package: problem.yaml in its versions, and the files from which DOMjudge takes a time limit. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KIB, MIB } from '../../../../core/bytes.js';
import { BoardmillError } from '../../../../core/errors.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { PackageConstants } from './constants.js';
import { knownSettings, OTHER_FORMAT_MESSAGE, type PackageFormat, packageFormatOf } from './known-keys.js';
import { parsePositive, readTextOfSettings, readYamlFile, YamlMap } from './yaml.js';

export interface PackageSettings {
  readonly format: PackageFormat;
  /** Whether the package has the format `legacy`, in which some folders of submissions have other expectations. */
  readonly isLegacy: boolean;
  /** Whether outputs are judged by the validators of the package, and not by the default validator. */
  readonly hasOwnValidator: boolean;
  /** Whether the validator may give points, so that an accepted output may get only a part of the points. */
  readonly isScoredByValidator: boolean;
  /** Whether an accepted submission also gets a score, which boardmill does not find out. */
  readonly isScoring: boolean;
  /** The arguments of the validator for all data files. */
  readonly validatorFlags: readonly string[];
  /** Seconds that a run may take; null if the limit is to be derived from the accepted submissions. */
  readonly timeLimit: number | null;
  /** The file that states the time limit, as messages name it. */
  readonly timeLimitSource: string;
  /** A derived time limit is a multiple of this many seconds. */
  readonly timeResolution: number;
  /** A derived time limit is at least this multiple of the slowest accepted submission's time. */
  readonly acToTimeLimit: number;
  /** A submission that must be too slow should take at least this multiple of the time limit. */
  readonly timeLimitToTle: number;
  readonly memoryBytes: number;
  /** Largest number of bytes that a run may print on standard output and standard error. */
  readonly outputBytes: number;
  /** Largest size of all files of a submission. */
  readonly codeBytes: number;
  readonly compilationSeconds: number;
  readonly validationSeconds: number;
  readonly validationMemoryBytes: number;
  readonly constants: PackageConstants;
}

/** The folders with output validators: in the package format `legacy`, and in later formats. */
export const VALIDATOR_FOLDERS = { legacy: 'output_validators', later: 'output_validator' } as const;

/** The default factors for deriving a time limit: in the package format `legacy`, and in later formats. */
const TIME_FACTORS = {
  legacy: { acToTimeLimit: 5, timeLimitToTle: 2 },
  later: { acToTimeLimit: 2, timeLimitToTle: 1.5 },
} as const;

/**
 * Reads the settings of the package in a folder, and warns of keys and values that its format does not have. Fails with kind
 * `usage` if boardmill cannot judge packages of this kind.
 */
export function readPackageSettings(folder: string, warn: (message: string) => void): PackageSettings {
  assertPackage(folder);
  const file = join(folder, 'problem.yaml');
  const yaml = readYamlFile(file) ?? new YamlMap(file, new Map());
  const format = packageFormatOf(yaml.text('problem_format_version') ?? 'legacy');
  const isLegacy = format === 'legacy';
  const { top, limits } = knownSettings(yaml, format, warn);
  const validation = top.words('validation') ?? [];
  const types = top.words('type') ?? [];
  refuseOtherKinds(file, [...validation, ...types]);
  const hasFolder = hasValidatorFolder(folder, format, warn);
  const hasOwnValidator = isLegacy ? validation[0] === 'custom' : hasFolder;
  if (!hasOwnValidator && hasFolder)
    warn(
      'the package has output validators, but problem.yaml does not say "validation: custom", so the default validator judges',
    );
  if (existsSync(join(folder, 'static_validator')))
    warn('the static validator of the package is not run, so no source is judged');
  warnOfIni(join(folder, 'domjudge-problem.ini'), warn);
  const isScoring = types.includes('scoring') || validation.includes('score');
  return {
    format,
    isLegacy,
    hasOwnValidator,
    isScoredByValidator: validation.includes('score') || (!isLegacy && isScoring && hasOwnValidator),
    isScoring,
    validatorFlags: top.words('validator_flags') ?? [],
    ...readTimeLimit(folder, limits, isLegacy),
    ...readLimits(limits),
    constants: PackageConstants.in(top),
  };
}

function assertPackage(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new BoardmillError('file', `cannot open ${folder}: there is no such folder`);
  const files = ['problem.yaml', 'domjudge-problem.ini'];
  if (!files.some((file) => existsSync(join(folder, file))))
    throw new BoardmillError('file', `${folder} is not a problem package: it has no problem.yaml`);
}

/** Kinds of problems that boardmill does not judge, each with its name in the message that refuses it. */
const REFUSED_KINDS: ReadonlyMap<string, string> = new Map([
  ['interactive', 'an interactive problem'],
  ['multi-pass', 'a multi-pass problem'],
  ['multipass', 'a multi-pass problem'],
  ['submit-answer', 'a submit-answer problem'],
]);

function refuseOtherKinds(file: string, words: readonly string[]): void {
  const kinds = words.map((word) => REFUSED_KINDS.get(word)).filter((kind) => kind !== undefined);
  if (kinds.length === 0) return;
  const description = [...new Set(kinds)].join(' and ');
  throw new BoardmillError('usage', `${file}: this is ${description}, which judge does not judge`);
}

/** Whether the package has a folder with output validators that its format knows. Warns of the folder of another format. */
function hasValidatorFolder(folder: string, format: PackageFormat, warn: (message: string) => void): boolean {
  const known = (['legacy', 'later'] as const).filter((each) =>
    existsSync(join(folder, VALIDATOR_FOLDERS[each])),
  );
  const counting = known.filter((each) => format === 'draft' || format === each);
  for (const other of known.filter((each) => !counting.includes(each)))
    warn(`the folder ${VALIDATOR_FOLDERS[other]} ${OTHER_FORMAT_MESSAGE}`);
  return counting.length > 0;
}

function readLimits(limits: YamlMap) {
  const inMib = (key: string, fallback: number) => Math.ceil(limits.positive(key, fallback) * MIB);
  return {
    memoryBytes: inMib('memory', DEFAULT_LIMITS.memoryMib),
    outputBytes: inMib('output', DEFAULT_LIMITS.outputMib),
    codeBytes: Math.ceil(limits.positive('code', DEFAULT_LIMITS.codeKib) * KIB),
    compilationSeconds: limits.positive('compilation_time', DEFAULT_LIMITS.compilationSeconds),
    validationSeconds: limits.positive('validation_time', DEFAULT_LIMITS.validationSeconds),
    validationMemoryBytes: inMib('validation_memory', DEFAULT_LIMITS.validationMemoryMib),
  };
}

function readTimeLimit(folder: string, limits: YamlMap, isLegacy: boolean) {
  const factors = isLegacy ? TIME_FACTORS.legacy : TIME_FACTORS.later;
  const later = limits.map('time_multipliers');
  return {
    ...statedTimeLimit(folder, limits),
    timeResolution: limits.positive('time_resolution', DEFAULT_LIMITS.timeResolution),
    acToTimeLimit: later.positive(
      'ac_to_time_limit',
      limits.positive('time_multiplier', factors.acToTimeLimit),
    ),
    timeLimitToTle: later.positive(
      'time_limit_to_tle',
      limits.positive('time_safety_margin', factors.timeLimitToTle),
    ),
  };
}

/** Returns the first time limit that a file of the package states. */
function statedTimeLimit(folder: string, limits: YamlMap) {
  const stated: [string, () => number | null][] = [
    ['problem.yaml', () => limits.positive('time_limit', null)],
    ['domjudge-problem.ini', () => timeLimitOfIni(join(folder, 'domjudge-problem.ini'))],
    ['.timelimit', () => timeLimitOfFile(join(folder, '.timelimit'))],
  ];
  for (const [timeLimitSource, read] of stated) {
    const timeLimit = read();
    if (timeLimit !== null) return { timeLimit, timeLimitSource };
  }
  return { timeLimit: null, timeLimitSource: '' };
}

/** Warns of a program on DOMjudge's server that the package names: outputs are judged without it. */
function warnOfIni(path: string, warn: (message: string) => void): void {
  const key = /^[ \t]*(special_(?:compare|run))[ \t]*=/m.exec(readTextOfSettings(path) ?? '')?.[1];
  if (key !== undefined)
    warn(`domjudge-problem.ini: ${key} names a program of DOMjudge, which boardmill does not have`);
}

function timeLimitOfIni(path: string): number | null {
  const value = /^[ \t]*timelimit[ \t]*=[ \t]*["']?([^"'\s;]*)/m.exec(readTextOfSettings(path) ?? '')?.[1];
  return value === undefined ? null : parsePositive(value, `${path}: timelimit`);
}

function timeLimitOfFile(path: string): number | null {
  const text = readTextOfSettings(path)?.trim();
  return text === undefined ? null : parsePositive(text, path);
}
