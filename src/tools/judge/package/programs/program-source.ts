/** Reads the source of a program of a package: one file, or a folder of several, and finds out its programming language. */
import { readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { BoardmillError } from '../../../../core/errors.js';
import { fileError } from '../../../../core/files/files.js';
import { readSmallFile } from '../../../../core/files/regular-files.js';
import { MAX_FOLDER_DEPTH, MAX_PROGRAM_BYTES, MAX_SOURCE_FILES } from '../limits.js';
import { isFolder } from '../read/test-data.js';
import { EXECUTABLE_LANGUAGE, LANGUAGES, type Language, SCRIPT_FOLDER_LANGUAGE } from './languages.js';

export interface SourceFile {
  /** The path of the file in the folder of the program. */
  readonly name: string;
  readonly bytes: Buffer;
  readonly isExecutable: boolean;
}

/** What submissions.yaml says about how a program is built and run. */
export interface ProgramHints {
  /** The code of the language; null if the language follows from the files. */
  readonly language: string | null;
  /** The main source or the main class; null if it is found by its usual name. */
  readonly entryPoint: string | null;
}

export interface ProgramSource {
  /** The name of the program in messages: its path from the folder of the package. */
  readonly name: string;
  readonly files: readonly SourceFile[];
  readonly hints: ProgramHints;
}

export const NO_HINTS: ProgramHints = { language: null, entryPoint: null };

/** Reads the files of a program. Fails with kind `input` if they are too many or too large. */
export function readProgramSource(name: string, path: string, hints: ProgramHints = NO_HINTS): ProgramSource {
  try {
    const isFile = !statSync(path).isDirectory();
    return { name, hints, files: isFile ? [readSource(path, basename(path))] : readFilesBelow(path) };
  } catch (error) {
    throw error instanceof BoardmillError ? error : fileError('open', path, error);
  }
}

/** Reads the files of a folder and of the folders in it, by name. A folder that does not exist has no files. */
export function readFilesBelow(path: string): SourceFile[] {
  const files: SourceFile[] = [];
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) addFolder(path, '', files, 1);
  return files;
}

/** Names of files and folders that belong to no program. */
const IGNORED_NAME = /^(\..*|__pycache__)$/;

export function isIgnoredName(name: string): boolean {
  return IGNORED_NAME.test(name);
}

function addFolder(root: string, folder: string, files: SourceFile[], depth: number): void {
  if (depth > MAX_FOLDER_DEPTH)
    throw new BoardmillError('input', `${join(root, folder)} is nested in too many folders`);
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const name = join(folder, entry.name);
    if (isIgnoredName(entry.name)) continue;
    if (isFolder(join(root, folder), entry)) addFolder(root, name, files, depth + 1);
    else files.push(readSource(join(root, name), name));
    assertSize(root, files);
  }
}

function assertSize(root: string, files: readonly SourceFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (files.length <= MAX_SOURCE_FILES && bytes <= MAX_PROGRAM_BYTES) return;
  const limits = `${MAX_SOURCE_FILES} files or ${MAX_PROGRAM_BYTES} bytes`;
  throw new BoardmillError('input', `the program ${root} has more than ${limits}`);
}

const EXECUTABLE_BITS = 0o111;

function readSource(path: string, name: string): SourceFile {
  const bytes = readSmallFile(path, MAX_PROGRAM_BYTES, 'input');
  const { mode } = statSync(path);
  return { name, bytes, isExecutable: (mode & EXECUTABLE_BITS) !== 0 || isScriptText(bytes) };
}

/** Archives often lose which files are executable, so a file that names its interpreter counts as executable, too. */
function isScriptText(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).toString('latin1') === '#!';
}

/** Whether the file is a source in the language. */
export function isSourceIn({ name, bytes }: SourceFile, { endings, firstLine }: Language): boolean {
  const ending = extname(name);
  return endings.includes(ending) && (firstLine === undefined || isFirstLine(bytes, firstLine, ending));
}

/** Whether a first line is one of the language. If only one language has the ending, the first line does not matter. */
function isFirstLine(bytes: Buffer, firstLine: RegExp, ending: string): boolean {
  const isShared = LANGUAGES.filter(({ endings }) => endings.includes(ending)).length > 1;
  return !isShared || firstLine.test(bytes.subarray(0, 200).toString('latin1').split('\n')[0]);
}

/** Returns the language of a program, or null if boardmill cannot run such a program. */
export function programmingLanguageOf({ files, hints }: ProgramSource): Language | null {
  const stated = LANGUAGES.find(({ code }) => code === hints.language);
  if (stated !== undefined) return stated;
  if (files.some(isScript)) return SCRIPT_FOLDER_LANGUAGE;
  const counts = LANGUAGES.map((language) => files.filter((file) => isSourceIn(file, language)).length);
  const most = Math.max(...counts);
  if (most > 0) return LANGUAGES[counts.indexOf(most)];
  return files.filter(({ isExecutable }) => isExecutable).length === 1 ? EXECUTABLE_LANGUAGE : null;
}

/** Returns the files that the system starts by themselves, which are scripts or executables. */
export function directlyRunFilesOf({ files }: ProgramSource, language: Language): SourceFile[] {
  if (language === SCRIPT_FOLDER_LANGUAGE) return files.filter(isScript);
  return language === EXECUTABLE_LANGUAGE ? files.filter(({ isExecutable }) => isExecutable) : [];
}

function isScript({ name, isExecutable }: SourceFile): boolean {
  return (name === 'build' || name === 'run') && isExecutable;
}

/**
 * Returns the program with an ending of the stated language at its main file, if none of its files has one: compilers choose by
 * the ending.
 */
export function withEndingOfLanguage(source: ProgramSource, language: Language): ProgramSource {
  const { files, hints } = source;
  if (hints.language !== language.code || sourcesIn(source, language).length > 0) return source;
  const [ending = ''] = language.endings;
  const isMain = ({ name }: SourceFile) => files.length === 1 || name === hints.entryPoint;
  const renamed = files.map((file) => (isMain(file) ? { ...file, name: file.name + ending } : file));
  const entryPoint = hints.entryPoint === null ? null : hints.entryPoint + ending;
  return { ...source, files: renamed, hints: { ...hints, entryPoint } };
}

/** Returns the files that the compiler of the language gets: those with an ending of the language. */
export function sourcesIn({ files }: ProgramSource, language: Language): SourceFile[] {
  return files.filter(({ name }) => language.endings.includes(extname(name)));
}

/**
 * Returns the name of the main source: the one that submissions.yaml names, one that the language prefers (`__main__.py`), one
 * that is called `main`, or the first.
 */
export function mainSourceOf(program: ProgramSource, language: Language): string {
  if (language === SCRIPT_FOLDER_LANGUAGE) return 'run';
  const sources =
    language === EXECUTABLE_LANGUAGE
      ? program.files.filter(({ isExecutable }) => isExecutable)
      : sourcesIn(program, language);
  const names = sources.map(({ name }) => name);
  const stated = names.find((name) => name === program.hints.entryPoint);
  const preferred = names.find((name) => name === language.mainFile);
  return stated ?? preferred ?? names.find((name) => /^main\.[^.]*$/i.test(name)) ?? names[0] ?? '';
}
