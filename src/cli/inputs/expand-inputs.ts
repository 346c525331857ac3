/** The files that a command's `inputs` stand for. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { fileError, identityOfStats, kindOf } from '../../core/files.js';
import { usageError } from '../arguments/parse-options.js';

export const INPUT_ENDING = '.in';

export interface InputFiles {
  readonly files: readonly string[];
  /** Whether a folder was among the words: then there may be many, however few there are today. */
  readonly hasFolder: boolean;
  /** What was found in folders under the name of an input and is none: to be reported, the others can be read. */
  readonly unusable: readonly BoardmillError[];
}

/**
 * A folder stands for all `*.in` in it and below, in the order of their names: the layout of Kattis and
 * BAPCtools (`data/sample`, `data/secret`, and groups below) works from any of its levels.
 */
export async function expandInputs(words: readonly string[]): Promise<InputFiles> {
  const files: string[] = [];
  const unusable: BoardmillError[] = [];
  let hasFolder = false;
  for (const word of words.length === 0 ? ['-'] : words) {
    if (word === '') throw usageError('the name of an input is empty');
    // By its other name it could not be opened where it is a socket, as Node's pipes are.
    const name = word === '/dev/stdin' ? '-' : word;
    if (name === '-' || (await kindOf(name, 'open')) !== 'directory') {
      files.push(name);
      continue;
    }
    const walk = new FolderWalk();
    await walk.visit(word);
    if (walk.files.length + walk.unusable.length === 0) {
      throw usageError(`${word} is a folder without any *${INPUT_ENDING}`);
    }
    files.push(...walk.files.sort());
    unusable.push(...walk.unusable);
    hasFolder = true;
  }
  return { files, hasFolder, unusable };
}

/** Finds the inputs in a folder and below. Linked folders are followed, and each folder is visited once. */
class FolderWalk {
  readonly files: string[] = [];
  readonly unusable: BoardmillError[] = [];
  readonly #visited = new Set<string>();
  /** Folders that links lead to: one that is also there by itself is visited under its own name. */
  #linked: string[] = [];

  async visit(folder: string): Promise<void> {
    await this.#visitFolder(folder);
    while (this.#linked.length > 0) {
      const linked = this.#linked;
      this.#linked = [];
      for (const link of linked) await this.#visitFolder(link);
    }
  }

  async #visitFolder(folder: string): Promise<void> {
    const identity = await identityOfFolder(folder);
    if (this.#visited.has(identity)) return;
    this.#visited.add(identity);
    for (const entry of await entriesOf(folder)) await this.#visitEntry(folder, entry);
  }

  async #visitEntry(folder: string, entry: Dirent<Buffer>): Promise<void> {
    const name = entry.name.toString();
    const path = join(folder, name);
    const isInput = name.endsWith(INPUT_ENDING);
    if (!Buffer.from(name).equals(entry.name)) {
      if (isInput) this.#refuse(join(folder, escaped(entry.name)), 'its name is not UTF-8');
    } else if (entry.isDirectory()) await this.#visitFolder(path);
    else if (entry.isFile()) {
      if (isInput) this.files.push(path);
    } else await this.#visitOther(path, entry, isInput);
  }

  /** A link, or no file at all. */
  async #visitOther(path: string, entry: Dirent<Buffer>, isInput: boolean): Promise<void> {
    const target = entry.isSymbolicLink() ? await stat(path).catch(() => null) : null;
    if (target?.isDirectory()) this.#linked.push(path);
    else if (!isInput) return;
    else if (target?.isFile()) this.files.push(path);
    else if (entry.isSymbolicLink() && target === null) this.#refuse(path, 'the link leads to no file');
    else this.#refuse(path, 'it is not a regular file');
  }

  #refuse(path: string, reason: string): void {
    this.unusable.push(new BoardmillError('file', `cannot open ${path}: ${reason}`));
  }
}

async function identityOfFolder(folder: string): Promise<string> {
  try {
    return identityOfStats(await stat(folder));
  } catch (error) {
    throw fileError('open', folder, error);
  }
}

/** In the order of their names. */
async function entriesOf(folder: string): Promise<Dirent<Buffer>[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch (error) {
    throw fileError('open', folder, error);
  }
}

/** The bytes that are no printable ASCII, as `\xff`. */
function escaped(name: Buffer): string {
  return name
    .toString('latin1')
    .replace(/[^ -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
