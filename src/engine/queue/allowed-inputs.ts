/**
 * The folders of `--allow-inputs`, from which a worker process reads inputs of runs with `--shared-input`. Anyone who can write
 * to Redis decides which file a chunk names, so each file is checked before it is read.
 */
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { BoardmillError } from '../../core/errors.js';
import { fileError } from '../../core/files/files.js';
import { openRegularHandle } from '../../core/files/regular-files.js';

/** Why a file may not be read. Only the log of the worker process may show this error: it reveals which files exist. */
class ForbiddenInput extends Error {}

export class AllowedInputFolders {
  static readonly none = new AllowedInputFolders([]);

  /** The allowed folders, by the paths that the user gave, and by their paths without links. */
  readonly #folders: readonly string[];

  /** Fails with kind `file` if one of the paths does not lead to a folder. */
  static async of(paths: readonly string[]): Promise<AllowedInputFolders> {
    const folders = await Promise.all(paths.map(async (path) => [resolve(path), await realFolder(path)]));
    return new AllowedInputFolders(folders.flat());
  }

  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  get isEmpty(): boolean {
    return this.#folders.length === 0;
  }

  /**
   * Opens a regular file in one of the folders. Throws ForbiddenInput, or another error, if the path leads to anything else. A
   * path that does not even look as if it led into an allowed folder is not looked up: the duration of the lookup could reveal
   * whether the file exists.
   */
  async open(path: string): Promise<FileHandle> {
    if (!isAbsolute(path) || !this.#contains(resolve(path)))
      throw new ForbiddenInput('it is not in a folder of --allow-inputs');
    const file = await openRegularHandle(await this.#followLinks(path));
    try {
      // A folder on the way may have been replaced by a link meanwhile, so the path is followed again, to the file that is
      // open.
      const after = await lstat(await this.#followLinks(path));
      if (!isSameFile(await file.stat(), after))
        throw new ForbiddenInput('it was replaced while it was opened');
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Returns the path with all links followed. Throws ForbiddenInput if it leads out of the allowed folders. */
  async #followLinks(path: string): Promise<string> {
    const real = await realpath(resolve(path));
    if (!this.#contains(real)) throw new ForbiddenInput('a link leads out of the folders of --allow-inputs');
    return real;
  }

  #contains(path: string): boolean {
    return this.#folders.some((folder) => {
      const [first] = relative(folder, path).split(sep);
      return first !== '..' && !isAbsolute(first);
    });
  }
}

async function realFolder(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) return await realpath(path);
  } catch (error) {
    throw fileError('open', path, error);
  }
  throw new BoardmillError('file', `--allow-inputs needs a folder: ${path} is not one`);
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
