/**
 * The working directory of a call. Files are opened, and programs run, long after the call, so a call that depends on the
 * working directory fails once another part of the process has changed it: its answers might come from other files.
 */
import { isAbsolute } from 'node:path';
import { BoardmillError } from '../core/errors.js';
import { FileGuard } from '../core/files/file-guard.js';
import { assertWatchedFilesUnchanged } from '../engine/guarded-dispatcher.js';
import { isGrammarOfAnswers } from '../problems/grammar-use.js';
import { isGrammarPath, isModulePath } from '../problems/modules/module-path.js';
import { currentFolder } from './current-folder.js';
import type { SolveOptions } from './options.js';

/** What a call names that may depend on the working directory. */
interface NamedByCall {
  readonly problem: string;
  /** The path of the input, if there is one. */
  readonly input?: string | undefined;
  readonly options?: SolveOptions;
}

/**
 * Returns the guard of `folder`, the working directory at the call, which is null if it had been removed. Fails if it has
 * changed. A call that does not depend on it has nothing to guard.
 */
export function guardFolder(
  folder: string | null,
  { problem, input = '-', options = {} }: NamedByCall,
): FileGuard {
  const { exec, answers = '' } = options;
  const isFile = isModulePath(problem) || isGrammarPath(problem);
  const paths = [isFile ? problem : '-', input, isGrammarOfAnswers(answers) ? answers : '-'];
  const depends = exec !== undefined || paths.some(isRelative);
  const watched = { path: `${folder}`, isTouched: () => currentFolder() !== folder };
  const guard = FileGuard.of([], depends ? [watched] : []);
  assertWatchedFilesUnchanged([guard], folderChangedError);
  return guard;
}

/** The error of a call whose working directory has changed. */
export function folderChangedError(folder: string): BoardmillError {
  return new BoardmillError(
    'usage',
    `the working directory is no longer ${folder}, as it was at the call; relative paths and programs of \`exec\` depend on it`,
  );
}

function isRelative(path: string): boolean {
  return path !== '-' && !isAbsolute(path) && !/^file:\/\//i.test(path);
}
