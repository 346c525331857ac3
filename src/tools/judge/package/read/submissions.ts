/** The submissions of a package, and what is expected of each. */
import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { fileError } from '../../../../core/files/files.js';
import { MAX_SUBMISSION_KEYS, MAX_SUBMISSIONS } from '../limits.js';
import { LANGUAGES } from '../programs/languages.js';
import {
  isIgnoredName,
  NO_HINTS,
  type ProgramHints,
  type ProgramSource,
  readProgramSource,
} from '../programs/program-source.js';
import {
  type Expectation,
  type ExpectationContext,
  expectationOf,
  expectsAccepted,
  findExpectedResults,
  SUBMISSION_FOLDERS,
  unknownVerdictNamesIn,
} from './expectations.js';
import { GlobCompiler } from './glob.js';
import { spellingHint } from './known-keys.js';
import type { PackageSettings } from './settings.js';
import { isFolder } from './test-data.js';
import { readYamlFile, type YamlMap } from './yaml.js';

export interface Submission {
  /** The path from the folder of the package, such as `submissions/accepted/a.py`. */
  readonly name: string;
  readonly source: ProgramSource;
  /** What the package expects of the program; null if it expects nothing. */
  readonly expectation: Expectation | null;
}

/** Returns the size of all files of a submission. */
export function codeSizeOf({ source }: Submission): number {
  return source.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

const SUBMISSIONS_FOLDER = 'submissions';

/** Reads all submissions, in the order of their paths. */
export function readSubmissions(
  folder: string,
  { isLegacy, isScoredByValidator }: PackageSettings,
  warn: (message: string) => void,
): Submission[] {
  const root = join(folder, SUBMISSIONS_FOLDER);
  const yaml = readYamlFile(join(root, 'submissions.yaml'));
  if (yaml !== null) assertFewKeys(yaml);
  const paths = existsSync(root) ? submissionPaths(root) : [];
  if (paths.length === 0)
    throw new BoardmillError('file', `${folder} has no submissions, such as submissions/accepted/a.py`);
  for (const name of looseSources(root))
    warn(`${SUBMISSIONS_FOLDER}/${name} is not judged, because it lies in no folder such as accepted/`);
  const globs = new GlobCompiler();
  if (yaml !== null) warnOfTypos(yaml, globs, paths, warn);
  const context = { isLegacy, isScoredByValidator, yaml, globs };
  const submissions = paths.map((path) => readSubmission(root, path, context, warn));
  warnOfUnexpected(submissions, warn);
  return submissions;
}

/** Warns of unknown folders of which nothing is expected, and of a package without an accepted submission. */
function warnOfUnexpected(submissions: readonly Submission[], warn: (message: string) => void): void {
  const unexpected = submissions.filter(({ expectation }) => expectation === null);
  const folderOf = ({ name }: Submission) => name.split('/')[1];
  for (const folder of new Set(unexpected.map(folderOf))) {
    if (SUBMISSION_FOLDERS.includes(folder)) continue;
    const what = `${SUBMISSIONS_FOLDER}/${folder}/ is a folder that no package format knows`;
    const isAll = submissions.every((one) => folderOf(one) !== folder || one.expectation === null);
    const which = isAll ? 'its submissions' : 'its submissions without an expectation of their own';
    warn(`${what}, so nothing is expected of ${which}${spellingHint(folder, SUBMISSION_FOLDERS)}`);
  }
  if (!submissions.some(({ expectation }) => expectation !== null && expectsAccepted(expectation)))
    warn(`no submission is expected to be accepted, as those in ${SUBMISSIONS_FOLDER}/accepted/ are`);
}

/** Fails if submissions.yaml has too many keys. Each is compared with each submission, and each rule with each data file. */
function assertFewKeys(yaml: YamlMap): void {
  const rules = yaml.keys.reduce((sum, key) => sum + (yaml.hasMap(key) ? yaml.map(key).keys.length : 1), 0);
  if (rules > MAX_SUBMISSION_KEYS)
    throw new BoardmillError('input', `submissions.yaml has more than ${MAX_SUBMISSION_KEYS} rules`);
}

/** The keys that a rule may have in the package formats, including those that boardmill does not use. */
const RULE_KEYS = [
  ...['language', 'entrypoint', 'authors', 'permitted', 'required', 'score', 'message', 'use_for_time_limit'],
  'model_solution',
];

/** Warns of keys that match no submission, and of keys of rules that no package format has: both may be typing errors. */
function warnOfTypos(
  yaml: YamlMap,
  globs: GlobCompiler,
  paths: readonly string[],
  warn: (message: string) => void,
): void {
  for (const key of yaml.keys) {
    const glob = globs.compile(key);
    if (!paths.some((path) => glob.test(path))) warn(`submissions.yaml: no submission matches "${key}"`);
    if (!yaml.hasMap(key)) continue;
    const rule = yaml.map(key);
    for (const name of rule.keys.filter((each) => !rule.hasMap(each) && !RULE_KEYS.includes(each)))
      warn(`submissions.yaml: "${key}" has the unknown key "${name}", which means nothing`);
  }
}

function readSubmission(
  root: string,
  path: string,
  context: ExpectationContext,
  warn: (message: string) => void,
): Submission {
  const name = `${SUBMISSIONS_FOLDER}/${path}`;
  const source = readProgramSource(name, join(root, path), hintsFor(path, context));
  const comment = commentIn(source);
  for (const unknown of comment === null ? [] : unknownVerdictNamesIn(comment))
    warn(`${name}: @EXPECTED_RESULTS@ has the unknown result "${unknown}", which means nothing`);
  return { name, source, expectation: expectationOf(path, comment, context) };
}

/** Returns the paths of all files and folders that lie in a folder of `submissions/`. */
function submissionPaths(root: string): string[] {
  try {
    const folders = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => isFolder(root, entry) && !isIgnoredName(entry.name),
    );
    const paths = folders.flatMap(({ name }) =>
      readdirSync(join(root, name))
        .filter((entry) => !isIgnoredName(entry))
        .map((entry) => `${name}/${entry}`),
    );
    if (paths.length > MAX_SUBMISSIONS)
      throw new BoardmillError('input', `${root} has more than ${MAX_SUBMISSIONS} submissions`);
    return paths.sort();
  } catch (error) {
    throw error instanceof BoardmillError ? error : fileError('open', root, error);
  }
}

/** Returns the names of the sources that lie beside the folders of submissions. */
function looseSources(root: string): string[] {
  const isSource = (name: string) => LANGUAGES.some(({ endings }) => endings.includes(extname(name)));
  const files = readdirSync(root, { withFileTypes: true }).filter((entry) => !isFolder(root, entry));
  return files.map(({ name }) => name).filter((name) => !isIgnoredName(name) && isSource(name));
}

/** Returns what submissions.yaml says about how a submission is run. */
function hintsFor(path: string, { yaml, globs }: ExpectationContext): ProgramHints {
  const keys = (yaml?.keys ?? []).filter((key) => globs.compile(key).test(path));
  return keys.reduce<ProgramHints>((hints, key) => {
    const map = yaml!.map(key);
    return {
      language: map.text('language') ?? hints.language,
      entryPoint: map.text('entrypoint') ?? hints.entryPoint,
    };
  }, NO_HINTS);
}

function commentIn({ files }: ProgramSource): string | null {
  for (const { bytes } of files) {
    const comment = findExpectedResults(bytes.toString('latin1'));
    if (comment !== null) return comment;
  }
  return null;
}
