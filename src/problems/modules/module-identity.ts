/**
 * The identity of a user's module: the files that it consists of, with their digests, or the version that its author
 * states. boardmill refuses to resume a run with a module whose identity has changed, because the module may then give
 * other answers.
 */
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { init, parse } from 'es-module-lexer/minimal';
import { digestOfFile, shortenDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { fileError } from '../../core/files/files.js';
import { readSmallFile } from '../../core/files/regular-files.js';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import { localPathOf } from './module-path.js';
import { pathOfUrl, pathsNamedIn, pathsOfSpecifier, requiredPaths } from './named-paths.js';

interface ModuleIdentity {
  /** The version that the author states; null if the files identify the module. */
  readonly version: string | null;
  /**
   * The digest of each file, by the path of the file from the module's folder, so that a module can be moved with its files.
   * Empty if the author states a version.
   */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * Returns the identity of a module. Its files are the module, everything that it imports by a path, except below node_modules,
 * and the files that it names from its own place, as in `new URL('./table.json', import.meta.url)`, or that it has read while
 * it was loaded. `name` is the path or the `file:` URL of the module.
 */
export async function identifyModule(
  name: string,
  version: string | null,
  filesRead: readonly string[] = [],
): Promise<ModuleIdentity> {
  const digests = new Map<string, string>();
  if (version !== null) return { version, digests };
  const path = localPathOf(name);
  const files = [...(await localFilesOf(path)), ...(await localFilesAmong(filesRead, path))];
  for (const { path, shownAs } of files) {
    const digest = await digestOfFile(path);
    if (digest !== null) digests.set(shownAs, shortenDigest(digest));
  }
  return { version, digests };
}

/** A file of a module. */
export interface ModuleFile {
  /** The path of the file, with all links followed. */
  readonly path: string;
  /** The path from the module's folder, with slashes. */
  readonly shownAs: string;
  /** Whether the module imports the file. It reads another one, or writes it. */
  readonly isImported: boolean;
}

/** Largest number of files of a module. It bounds the time that boardmill needs to identify the module. */
const MAX_LOCAL_FILES = 10_000;

/** Largest file in which boardmill looks for imports, in bytes. A larger file counts as one that imports nothing. */
const MAX_CODE_BYTES = 64 << 20;

/** Returns the module itself and then all files that it imports or names, in the order in which they were found. */
export async function localFilesOf(modulePath: string, maxFiles = MAX_LOCAL_FILES): Promise<ModuleFile[]> {
  const path = await realpath(modulePath).catch((error) => {
    throw fileError('open', modulePath, error);
  });
  const folder = dirname(path);
  const files = new Map([[path, { path, shownAs: relative(folder, path), isImported: true }]]);
  // A Map can grow while it is being iterated: the loop also visits the files that it adds.
  for (const file of files.values()) {
    if (!file.isImported) continue;
    for (const found of await filesNamedIn(file.path, folder)) {
      if (found.isImported || !files.has(found.path)) files.set(found.path, found);
    }
    if (files.size > maxFiles) throw tooManyFiles(modulePath, maxFiles);
  }
  return [...files.values()];
}

/** Folders of the system whose files are no data of anybody. */
const NO_DATA = /^\/(?:proc|sys|dev)\//;

/** Returns those of the files that are neither boardmill's nor in a package, as files of the module at `modulePath`. */
export async function localFilesAmong(paths: readonly string[], modulePath: string): Promise<ModuleFile[]> {
  const folder = dirname(await realpath(modulePath));
  const own = fileURLToPath(INSTALLATION_FOLDER);
  const data = paths.filter((path) => !path.startsWith(own) && !NO_DATA.test(path));
  const files = await Promise.all(data.map((path) => localFile(path, folder, false)));
  return files.filter((file) => file !== null);
}

function tooManyFiles(modulePath: string, maxFiles: number): BoardmillError {
  return new BoardmillError(
    'usage',
    `${modulePath} consists of more than ${maxFiles} files; state a \`version\` in defineProblem instead`,
  );
}

/** Returns the files that a file names, by their paths from `folder`. Files that do not exist are left out. */
async function filesNamedIn(path: string, folder: string): Promise<ModuleFile[]> {
  if (!isCodeFile(path)) return [];
  const code = readCode(path);
  const imported = [...(await importedPaths(code, path)), ...requiredPaths(code, path)];
  const files = await Promise.all([
    ...imported.map((target) => localFile(target, folder, true)),
    ...pathsNamedIn(code, path).map((target) => localFile(target, folder, false)),
  ]);
  return files.filter((file) => file !== null);
}

/** Returns the code of a file; '' if the file cannot be read. */
export function readCode(path: string): string {
  try {
    return readSmallFile(path, MAX_CODE_BYTES).toString();
  } catch {
    return '';
  }
}

/** Whether a file may contain imports. */
export function isCodeFile(path: string): boolean {
  return !NO_CODE.test(path);
}

/** Matches the endings of files that cannot contain imports. Node treats all other files as code. */
const NO_CODE = /\.(?:json|wasm|node)$/;

/** Returns the file at a path; null if there is none, or if it belongs to a package. */
async function localFile(path: string, folder: string, isImported: boolean): Promise<ModuleFile | null> {
  const stats = await stat(path).catch((): Stats | null => null);
  if (!stats?.isFile()) return null;
  const real = await realpath(path);
  // A link in the folder is shown as what it is called there, so that a module can be moved with its files.
  const shown = relative(folder, relative(folder, path).startsWith('..') ? real : path);
  const parts = shown.split(sep);
  return parts.includes('node_modules') ? null : { path: real, shownAs: parts.join('/'), isImported };
}

/** Returns the paths that the statements `import` and `export ... from` in some code name. */
async function importedPaths(code: string, importer: string): Promise<string[]> {
  const base = pathToFileURL(importer);
  return (await importsIn(code)).flatMap(({ specifier }) => {
    return /^(?:\.{0,2}\/|file:)/.test(specifier)
      ? pathOfUrl(specifier, base)
      : pathsOfSpecifier(specifier, importer);
  });
}

/** An import whose specifier is a literal. */
interface LiteralImport {
  readonly specifier: string;
  /** Index of the specifier in the code. */
  readonly start: number;
}

/**
 * Returns the imports of some code that name their module with a literal. Imports of types are left out, because they do not
 * exist at run time.
 */
export async function importsIn(code: string): Promise<LiteralImport[]> {
  await init();
  try {
    const [imports] = parse(code);
    return imports.flatMap(({ n: specifier, s: start, ss: statement }) =>
      specifier === undefined || TYPE_IMPORT.test(code.slice(statement, start)) ? [] : [{ specifier, start }],
    );
  } catch {
    return [...code.matchAll(ANY_IMPORT)].map(({ 2: specifier, index }) => ({ specifier, start: index }));
  }
}

/** Matches the beginning of an import of types only, but not `import type from`, which imports a value named `type`. */
const TYPE_IMPORT = /^(?:im|ex)port\s+type\b(?!\s*(?:,|from\b))/;

/** Finds imports in code that the lexer does not understand. It may also match text in comments, which does no harm. */
const ANY_IMPORT = /\b(?:from|import)\s*(?:\(\s*)?(['"`])([^'"`\n]+)\1/g;
