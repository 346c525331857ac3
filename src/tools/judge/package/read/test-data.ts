/** The test data of a package: `data/sample` and `data/secret` with their groups. */
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { fileError } from '../../../../core/files/files.js';
import { formatQuantity } from '../../../../core/format-count.js';
import { MAX_DATA_FILES, MAX_FOLDER_DEPTH } from '../limits.js';
import { knownGroupSettings, OTHER_FORMAT_MESSAGE, type PackageFormat } from './known-keys.js';
import type { PackageSettings } from './settings.js';
import { readYamlFile, type YamlMap } from './yaml.js';

/** The ending of the name of a folder with the files of a test, which lie beside a submission when it runs. */
export const FILES_ENDING = '.files';

/** One test of the package: an input with its answer file. */
export interface DataFile {
  /** The path of the input from the folder of the package, such as `data/secret/1.in`. */
  readonly name: string;
  /** The name of the test, by which submissions.yaml refers to it, such as `secret/1`. */
  readonly testName: string;
  readonly inputPath: string;
  readonly answerPath: string;
  /** The arguments with which the program is run. */
  readonly args: readonly string[];
  /** The arguments of the output validator. */
  readonly validatorFlags: readonly string[];
  /** The arguments of the input validators: of all of them, or by their names. */
  readonly inputFlags: InputValidatorFlags;
  /** The folder with files for the program's working folder; null if there is none. */
  readonly filesPath: string | null;
}

/** The arguments of all input validators, or those of single ones by their names. */
export type InputValidatorFlags = readonly string[] | ReadonlyMap<string, readonly string[]>;

/** The settings of a group, which the tests and groups in it inherit. */
interface GroupSettings {
  readonly args: readonly string[];
  readonly validatorFlags: readonly string[];
  readonly inputFlags: InputValidatorFlags;
}

const NO_SETTINGS: GroupSettings = { args: [], validatorFlags: [], inputFlags: [] };

/** The names of the file with a group's settings, by the package format. */
const GROUP_FILES = { legacy: 'testdata.yaml', later: 'test_group.yaml' } as const;
const FLAG_KEYS = ['output_validator_flags', 'output_validator_args'];
const INPUT_FLAG_KEYS = ['input_validator_flags', 'input_validator_args'];

/** The package whose tests are read. */
interface PackageOfTests extends Pick<PackageSettings, 'format' | 'constants'> {
  readonly folder: string;
  /** The paths of the answer files without an input. */
  readonly loneAnswers: string[];
  /** The paths of files and folders that only another package format knows. */
  readonly ignored: string[];
  readonly warn: (message: string) => void;
}

/**
 * Returns all data files: samples first, and in each folder by name. Warns of answer files without an input: a test is missing,
 * or has another name than it should.
 */
export function readTestData(
  folder: string,
  {
    format,
    validatorFlags: flags,
    constants,
  }: Pick<PackageSettings, 'format' | 'validatorFlags' | 'constants'>,
  warn: (message: string) => void,
): DataFile[] {
  const files: DataFile[] = [];
  const owner: PackageOfTests = { folder, format, constants, loneAnswers: [], ignored: [], warn };
  const settings = withGroupFiles(owner, NO_SETTINGS, 'data');
  for (const group of ['sample', 'secret']) {
    if (existsSync(join(folder, 'data', group))) addGroup(owner, group, settings, files, 1);
  }
  if (files.length === 0)
    throw new BoardmillError('file', `${folder} has no test data: there is no data/secret/*.in`);
  const { loneAnswers, ignored } = owner;
  if (loneAnswers.length > 0) warn(describeLoneAnswers(loneAnswers));
  if (ignored.length > 0) warn(describeIgnored(ignored));
  return files.map((file) => ({ ...file, validatorFlags: [...flags, ...file.validatorFlags] }));
}

function describeLoneAnswers([first, ...others]: readonly string[]): string {
  if (others.length === 0) return `${first} has no input beside it, so there is no such test`;
  return `${first} and ${formatQuantity(others.length, 'other answer file')} have no input beside them, so there are no such tests`;
}

function describeIgnored([first, ...others]: readonly string[]): string {
  if (others.length === 0) return `${first} ${OTHER_FORMAT_MESSAGE}`;
  return `${first} ${OTHER_FORMAT_MESSAGE}, and so do ${formatQuantity(others.length, 'other file')}`;
}

/** Whether a file or folder that a package format knows exists and counts. Takes note of it if it belongs to another format. */
function isInFormat(owner: PackageOfTests, path: string, format: Exclude<PackageFormat, 'draft'>): boolean {
  if (!existsSync(join(owner.folder, path))) return false;
  const isKnown = owner.format === 'draft' || owner.format === format;
  if (!isKnown) owner.ignored.push(path);
  return isKnown;
}

/** Adds the files of a group and of the groups in it. */
function addGroup(
  owner: PackageOfTests,
  group: string,
  inherited: GroupSettings,
  files: DataFile[],
  depth: number,
): void {
  const { folder, loneAnswers } = owner;
  const path = join(folder, 'data', group);
  if (depth > MAX_FOLDER_DEPTH)
    throw new BoardmillError('input', `${path} is nested in more than ${MAX_FOLDER_DEPTH} folders`);
  const settings = withGroupFiles(owner, inherited, `data/${group}`);
  for (const entry of sortedEntries(path)) {
    if (isFolder(path, entry) && !entry.name.endsWith(FILES_ENDING))
      addGroup(owner, `${group}/${entry.name}`, settings, files, depth + 1);
    else if (entry.name.endsWith('.in'))
      files.push(dataFileOf(owner, `${group}/${entry.name.slice(0, -'.in'.length)}`, settings));
    else if (entry.name.endsWith('.ans') && !existsSync(join(path, entry.name.replace(/\.ans$/, '.in'))))
      loneAnswers.push(`data/${group}/${entry.name}`);
    if (files.length > MAX_DATA_FILES)
      throw new BoardmillError('input', `${folder} has more than ${MAX_DATA_FILES} data files`);
  }
}

function dataFileOf(owner: PackageOfTests, testName: string, inherited: GroupSettings): DataFile {
  const name = `data/${testName}`;
  const path = join(owner.folder, name);
  const answerPath = `${path}.ans`;
  if (!existsSync(answerPath))
    throw new BoardmillError('file', `cannot open ${answerPath}: there is no answer file for this input`);
  const yaml = isInFormat(owner, `${name}.yaml`, 'later') ? readYamlFile(`${path}.yaml`) : null;
  return {
    name: `${name}.in`,
    testName,
    inputPath: `${path}.in`,
    answerPath,
    ...(yaml === null ? inherited : withSettings(owner, inherited, `${name}.yaml`, yaml)),
    filesPath: isInFormat(owner, `${name}.files`, 'later') ? `${path}.files` : null,
  };
}

function withGroupFiles(owner: PackageOfTests, inherited: GroupSettings, group: string): GroupSettings {
  const { folder, constants } = owner;
  return (['legacy', 'later'] as const).reduce<GroupSettings>((settings, format) => {
    const name = `${group}/${GROUP_FILES[format]}`;
    if (!isInFormat(owner, name, format)) return settings;
    const yaml = readYamlFile(join(folder, name), (text) => constants.replaceIn(text, name));
    return yaml === null ? settings : withSettings(owner, settings, name, yaml);
  }, inherited);
}

/** Returns the settings of a group: those that its file states, and the inherited ones for all others. */
function withSettings(
  { format, warn }: PackageOfTests,
  inherited: GroupSettings,
  file: string,
  written: YamlMap,
): GroupSettings {
  const yaml = knownGroupSettings(file, written, format, warn);
  const key = FLAG_KEYS.find((each) => yaml.states(each));
  const inputKey = INPUT_FLAG_KEYS.find((each) => yaml.states(each));
  return {
    args: yaml.states('args') ? (yaml.words('args') ?? []) : inherited.args,
    validatorFlags: key === undefined ? inherited.validatorFlags : flagsAt(yaml, key),
    inputFlags: inputKey === undefined ? inherited.inputFlags : inputFlagsAt(yaml, inputKey),
  };
}

/**
 * Returns the input validators' flags at a key: words for all of them; in the format `legacy` a map with the name of one and
 * its flags; in later formats a map from names to flags.
 */
function inputFlagsAt(yaml: YamlMap, key: string): InputValidatorFlags {
  if (!yaml.hasMap(key)) return yaml.words(key) ?? [];
  const map = yaml.map(key);
  if (map.has('name') && map.states('flags'))
    return new Map([[map.text('name') ?? '', map.words('flags') ?? []]]);
  return new Map(map.keys.map((name) => [name, map.words(name) ?? []]));
}

/** Returns the validator's flags at a key: words, or in the format `legacy` also a map from the validator's name to flags. */
function flagsAt(yaml: YamlMap, key: string): readonly string[] {
  const isNamed = yaml.hasMap(key) && yaml.map(key).states('flags');
  return (isNamed ? yaml.map(key).words('flags') : yaml.words(key)) ?? [];
}

/** Returns the entries of a folder by their names without the ending, which is how tests and groups are ordered. */
function sortedEntries(path: string): Dirent[] {
  const stem = ({ name }: Dirent) => name.replace(/\.in$/, '');
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  try {
    return readdirSync(path, { withFileTypes: true }).sort((one, other) => compare(stem(one), stem(other)));
  } catch (error) {
    throw fileError('open', path, error);
  }
}

/** Whether an entry of a folder is a folder, or a link to one. */
export function isFolder(path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(join(path, entry.name), { throwIfNoEntry: false })?.isDirectory() === true;
}
