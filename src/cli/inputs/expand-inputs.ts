/** Finds the input files that the `inputs` arguments of a command name. */
import { accessSync, constants, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { fileError, fileKindOf, identityOfStats } from '../../core/files/files.js';
import { escapeCharacter } from '../../core/printable.js';
import { withoutCompression } from '../../engine/input/decompress.js';
import { INPUT_ENDING } from '../../engine/input/file-names.js';
import { usageError } from '../arguments/usage-error.js';
import { assertNotProgramFile } from './program-file.js';
import { namedOrStandardInput } from './with-input.js';

/** Whether a file in a folder has the name of an input, which may be compressed. */
export function isInputName(name: string): boolean {
  return withoutCompression(name).endsWith(INPUT_ENDING);
}

/** The inputs that the arguments name. */
export interface InputFiles {
  readonly files: readonly string[];
  /** The folder among the arguments in which a file was found. Missing for a file that is an argument itself. */
  readonly folderOf: ReadonlyMap<string, string>;
  /**
   * Whether one of the arguments is a folder. If so, the run counts as a run over many files, even if the folder
   * contains only one input.
   */
  readonly hasFolder: boolean;
  /**
   * The errors of what cannot be read: arguments, and in folders subfolders and files that have the name of an input. The other
   * files are read; there is at least one of them.
   */
  readonly unusableInputs: readonly BoardmillError[];
}

/**
 * Replaces each folder among the arguments by all `*.in` files in the folder and its subfolders, sorted by name. So a folder in
 * the layout of Kattis and BAPCtools (`data/sample`, `data/secret`, and groups in them) works at any of its levels. Fails with
 * kind `file` if none of these files can be read.
 */
export async function expandInputs(args: readonly string[]): Promise<InputFiles> {
  const files: string[] = [];
  const folderOf = new Map<string, string>();
  const unusableInputs: BoardmillError[] = [];
  let hasFolder = false;
  for (const arg of args.length === 0 ? [namedOrStandardInput(null)] : args) {
    if (arg === '') throw usageError('the name of an input is empty');
    // If standard input is a socket, as between Node processes, /dev/stdin cannot be opened by its name.
    const name = arg === '/dev/stdin' ? '-' : arg;
    const kind = name === '-' ? 'special' : await fileKindOf(name, 'open').catch(asUserError);
    if (kind instanceof BoardmillError) {
      unusableInputs.push(kind);
      continue;
    }
    if (kind === 'missing' && args.length === 1) throw missingInput(name);
    if (kind === 'regular') assertNotProgramFile(name, 'an input');
    if (kind !== 'directory') {
      files.push(name);
      continue;
    }
    const walk = new FolderSearch();
    await walk.visit(arg);
    if (walk.files.length + walk.unusableInputs.length === 0) {
      throw usageError(`the folder ${arg} contains no *${INPUT_ENDING} file`);
    }
    files.push(...walk.files.sort());
    for (const file of walk.files) folderOf.set(file, arg);
    unusableInputs.push(...walk.unusableInputs);
    hasFolder = true;
  }
  const [unusable] = unusableInputs;
  if (files.length === 0 && unusable !== undefined) throw unusable;
  return { files, folderOf, hasFolder, unusableInputs };
}

/** Returns an error with a message for the user; throws any other one. */
function asUserError(error: unknown): BoardmillError {
  if (error instanceof BoardmillError) return error;
  throw error;
}

/** The error for the only input of a run. Of several inputs, the others are solved. */
function missingInput(path: string): BoardmillError {
  return new BoardmillError('file', `cannot open ${path}: no such file or directory`);
}

/**
 * Finds the inputs in a folder and its subfolders. Links to folders are followed, and each folder is visited once.
 */
class FolderSearch {
  readonly files: string[] = [];
  readonly unusableInputs: BoardmillError[] = [];
  readonly #visitedFolders = new Set<string>();
  /**
   * Links to folders that are not visited yet. They are visited last, so that a folder which is also reachable
   * without a link is visited under its own name.
   */
  #linkedFolders: string[] = [];

  async visit(folder: string): Promise<void> {
    await this.#visitFolder(folder);
    while (this.#linkedFolders.length > 0) {
      const linked = this.#linkedFolders;
      this.#linkedFolders = [];
      for (const link of linked) await this.#visitFolder(link);
    }
  }

  async #visitFolder(folder: string): Promise<void> {
    const entries = await this.#enterFolder(folder).catch((error: unknown) => {
      this.unusableInputs.push(fileError('open', folder, error));
      return [];
    });
    for (const entry of entries) await this.#visitEntry(folder, entry);
  }

  /** Returns the entries of a folder, sorted by the bytes of their names; none if it was visited before. */
  async #enterFolder(folder: string): Promise<Dirent<Buffer>[]> {
    const identity = identityOfStats(await stat(folder));
    if (this.#visitedFolders.has(identity)) return [];
    this.#visitedFolders.add(identity);
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  }

  async #visitEntry(folder: string, entry: Dirent<Buffer>): Promise<void> {
    const name = entry.name.toString();
    const path = join(folder, name);
    const isInput = isInputName(name);
    if (!Buffer.from(name).equals(entry.name)) {
      if (isInput) this.#recordUnusable(join(folder, escapeNonAscii(entry.name)), 'its name is not UTF-8');
    } else if (entry.isDirectory()) await this.#visitFolder(path);
    else if (entry.isFile()) {
      if (isInput) this.#addFile(path);
    } else await this.#visitSpecialEntry(path, entry, isInput);
  }

  /** Visits an entry that is neither a regular file nor a folder: a link, or a special file such as a FIFO. */
  async #visitSpecialEntry(path: string, entry: Dirent<Buffer>, isInput: boolean): Promise<void> {
    const target = entry.isSymbolicLink() ? await stat(path).catch(() => null) : null;
    // A link that leads nowhere may have led to a folder of inputs, on a disk that is gone. Editors leave hidden ones.
    const leadsNowhere = entry.isSymbolicLink() && target === null;
    if (leadsNowhere && isHidden(path)) return;
    if (target?.isDirectory()) this.#linkedFolders.push(path);
    else if (leadsNowhere) this.#recordUnusable(path, 'it is a link to nothing');
    else if (!isInput) return;
    else if (target?.isFile()) this.#addFile(path);
    else this.#recordUnusable(path, 'it is not a regular file');
  }

  #addFile(path: string): void {
    try {
      accessSync(path, constants.R_OK);
      this.files.push(path);
    } catch (error) {
      this.unusableInputs.push(fileError('open', path, error));
    }
  }

  /** Records that the entry cannot be read, and the reason. */
  #recordUnusable(path: string, reason: string): void {
    this.unusableInputs.push(new BoardmillError('file', `cannot open ${path}: ${reason}`));
  }
}

const isHidden = (path: string) => basename(path).startsWith('.');

/** Returns the name of a file. Each byte that is not printable ASCII is shown as an escape such as `\xff`. */
function escapeNonAscii(name: Buffer): string {
  return name.toString('latin1').replace(/[^ -~]/g, escapeCharacter);
}
