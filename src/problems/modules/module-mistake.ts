/**
 * The errors of a user's module, as messages to its author: `PATH:line:column: ...`, without a stack trace. Everything
 * that goes wrong while a module loads is its author's mistake, unless the process lacks files or memory.
 */
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BoardmillError, describeShortageOfSystem } from '../../core/errors.js';
import { INSTALLATION_FOLDER } from '../../core/installation.js';
import { importsIn, isCodeFile, localFilesOf, type ModuleFile, readCode } from './module-identity.js';
import type { UserModule } from './module-path.js';

/** A place in the code of an author. */
interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number | null;
}

/** Returns the error for whatever a module threw while it was loading. Never throws itself. */
export async function moduleLoadingMistake(error: unknown, module: UserModule): Promise<BoardmillError> {
  const thrown = readError(error);
  const lack = describeShortageOfSystem(thrown);
  if (lack !== null)
    return new BoardmillError('worker', `cannot load ${module.shownAs}: ${lack}`, { cause: error });
  const place = placeOf(thrown.stack) ?? (await findPlace(thrown, module));
  const shownPlace = await showPlace(place, module);
  return new BoardmillError('usage', `${shownPlace}: ${reasonOf(thrown)}`, { cause: error });
}

interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code: string;
}

/** The longest text of an author that a message repeats, and the longest that boardmill searches for a place. */
const MAX_MESSAGE_LENGTH = 500;
const MAX_STACK_LENGTH = 10_000;

const NO_ERROR: ThrownError = {
  name: '',
  message: 'it threw something that is not an error',
  stack: '',
  code: '',
};

/** Reads the properties of an error. An author can throw anything, even an object whose properties throw. */
function readError(error: unknown): ThrownError {
  try {
    if (!(error instanceof Error)) return { ...NO_ERROR, message: `it threw ${String(error)}` };
    const { name, message, stack, code } = error as NodeJS.ErrnoException;
    return { name: String(name), message: String(message), stack: String(stack), code: String(code) };
  } catch {
    return NO_ERROR;
  }
}

function reasonOf({ name, message, code }: ThrownError): string {
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /"\.[mc]?ts"/.test(message)) return NO_TYPESCRIPT;
  const line = message
    .slice(0, MAX_MESSAGE_LENGTH)
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  const short = message.length > MAX_MESSAGE_LENGTH ? `${line}...` : line;
  // In a message, these names of errors would tell the user nothing.
  return ['', 'Error', 'AuthorError', 'BoardmillError'].includes(name) ? short : `${name}: ${short}`;
}

const NO_TYPESCRIPT =
  'this Node cannot load TypeScript; use Node 22.18 or later, or compile the module to JavaScript';

async function showPlace(place: Place | null, module: UserModule): Promise<string> {
  if (place === null) return module.shownAs;
  // In stack traces, Node names a file by its real path, even if the user named a link to the file.
  const modulePath = await realpath(module.path).catch(() => module.path);
  const path = place.path === modulePath ? module.shownAs : shorten(place.path);
  return place.column === null ? `${path}:${place.line}` : `${path}:${place.line}:${place.column}`;
}

/** Returns the path from the current folder if the file is below it, otherwise the whole path. */
function shorten(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}

/** The folder of the compiled code of boardmill. */
const OWN_FOLDER = fileURLToPath(INSTALLATION_FOLDER);

/** Returns the first place in a stack trace that is in the author's own code. */
function placeOf(stack: string): Place | null {
  const shownPlace = placeAboveMessage(stack.slice(0, MAX_STACK_LENGTH).split('\n', MAX_CODE_LINES));
  if (shownPlace !== null) return shownPlace;
  // The frames follow the message, which may be long.
  const places = stack
    .slice(-MAX_STACK_LENGTH)
    .split('\n')
    .map(placeOfFrame)
    .filter((place) => place !== null);
  return places.find(({ path }) => !path.startsWith(OWN_FOLDER) && !path.includes('/node_modules/')) ?? null;
}

/**
 * Reads the place that Node writes before the message of some errors: `FILE:LINE`, the lines of code, and `^` below the column.
 */
function placeAboveMessage(lines: readonly string[]): Place | null {
  const match = /^(.*):(\d+)$/.exec(lines[0]);
  if (match === null || !/^file:|[/\\]/.test(match[1])) return null;
  const markers = lines.slice(1).find((line) => /^\s*\^+\s*$/.test(line));
  const column = markers === undefined ? null : markers.indexOf('^') + 1;
  return { path: pathOf(match[1]), line: Number(match[2]), column };
}

/** Number of lines in which Node shows the code around an error. */
const MAX_CODE_LINES = 8;

/** Reads a frame of a stack trace, such as `at f (file:///home/me/sums.mjs:3:5)`. */
function placeOfFrame(line: string): Place | null {
  const match = /^\s+at (?:.*?\()?(?:async )?(file:.*|\/.*|[A-Za-z]:\\.*):(\d+):(\d+)\)?$/.exec(line);
  return match && { path: pathOf(match[1]), line: Number(match[2]), column: Number(match[3]) };
}

/** Returns the path of a file that a stack trace names by its path or URL. */
function pathOf(file: string): string {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file;
  } catch {
    return file;
  }
}

/** Returns the place of an error whose stack trace names no place in the author's code. */
async function findPlace(error: ThrownError, module: UserModule): Promise<Place | null> {
  if (error.name === 'SyntaxError') return findSyntaxError(module);
  const match = MISSING_IMPORT.exec(error.message);
  return match && findImport(match[1], pathOf(match[2]));
}

/** Matches what Node says about an import that leads to no file or package. */
const MISSING_IMPORT = /^Cannot find (?:module|package) '([^']+)' imported from (.+)$/;

/** Returns the place in a file where it imports a file (by its path) or a package (by its name). */
async function findImport(target: string, importer: string): Promise<Place | null> {
  const code = readCode(importer);
  const found = (await importsIn(code)).find(
    ({ specifier }) =>
      specifier === target ||
      specifier.startsWith(`${target}/`) ||
      resolve(dirname(importer), specifier) === target,
  );
  if (found === undefined) return null;
  const lines = code.slice(0, found.start).split('\n');
  return { path: importer, line: lines.length, column: lines[lines.length - 1].length + 1 };
}

/** Largest number of files that are searched for a syntax error. */
const MAX_CHECKED_FILES = 50;

/**
 * Returns the place of the syntax error in a module or in the files that it imports. Node reports such an error without
 * its place, except for `node --check`, which parses a file without running it.
 */
async function findSyntaxError(module: UserModule): Promise<Place | null> {
  const files = await localFilesOf(module.path).catch((): ModuleFile[] => []);
  for (const { path } of files.filter(({ path }) => isCodeFile(path)).slice(0, MAX_CHECKED_FILES)) {
    const report = await checkSyntax(path);
    const place = placeAboveMessage(report.split('\n', MAX_CODE_LINES));
    if (place !== null) return place;
  }
  return null;
}

const CHECK_MS = 5000;

/** Returns what `node --check` reports about a file: an empty text if its syntax is right. */
async function checkSyntax(path: string): Promise<string> {
  const options = { timeout: CHECK_MS, env: { ...process.env, NODE_OPTIONS: '' } };
  return promisify(execFile)(process.execPath, ['--check', path], options).then(
    () => '',
    (error: { stderr?: string }) => error.stderr ?? '',
  );
}
