/** Recognises the paths and `file:` URLs by which users name a module or a grammar of their own. */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BoardmillError } from '../../core/errors.js';
import type { ProblemReference } from '../problem-reference.js';

const MODULE_ENDING = /\.(?:[mc]?js|m?ts)$/;
const GRAMMAR_ENDING = /\.ctd$/;
const FILE_URL = /^file:/i;
const REMOTE_URL = /^https?:/i;

/**
 * Whether the user means a module by this text. The URL of a remote file counts as a module too, so that `localPathOf`
 * refuses it.
 */
export function isModulePath(text: string): boolean {
  if (isGrammarPath(text)) return false;
  return MODULE_ENDING.test(text) || FILE_URL.test(text) || REMOTE_URL.test(text);
}

/** Whether the user means a checktestdata grammar by this text. */
export function isGrammarPath(text: string): boolean {
  return GRAMMAR_ENDING.test(text) && !REMOTE_URL.test(text);
}

/** Returns the path of the file that a user names by its path or by a `file:` URL. Refuses other URLs. */
export function localPathOf(text: string): string {
  if (REMOTE_URL.test(text)) {
    throw new BoardmillError('usage', `${text}: nothing is fetched; give the path of a file on this machine`);
  }
  return FILE_URL.test(text) ? pathOfFileUrl(text) : text;
}

/** A relative URL such as `file:sums.mjs` is relative to the current folder. */
function pathOfFileUrl(text: string): string {
  try {
    return fileURLToPath(new URL(text, pathToFileURL(`${process.cwd()}/`)));
  } catch (error) {
    const message = `${text}: expected the file: URL of a file on this machine, such as file:///home/me/sums.mjs`;
    throw new BoardmillError('usage', message, { cause: error });
  }
}

/** Returns the reference to the module that the user names. */
export function referenceToModule(typed: string): ProblemReference & { readonly kind: 'module' } {
  return { kind: 'module', url: pathToFileURL(resolve(localPathOf(typed))).href, typed };
}

/** A user's module: its path, and its name in messages. */
export interface UserModule {
  readonly path: string;
  /** The path or the URL that the user typed. */
  readonly shownAs: string;
}

/** The error for a module that is wrong as a whole. The message is a sentence: the name of the module, followed by `reason`. */
export function moduleMistake(module: UserModule, reason: string): BoardmillError {
  return new BoardmillError('usage', `${module.shownAs} ${reason}`);
}
