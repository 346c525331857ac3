/**
 * What `--also-compare` names: a file, or a folder with all files below it. The answers of a program depend on these files,
 * although they are not words of its command line: a script imports them, for example.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { MIB } from '../../core/bytes.js';
import { newDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { stampToWatch } from '../../core/files/file-guard.js';
import { fileError, statOrNull } from '../../core/files/files.js';
import { piecesOfRegularFile } from '../../core/files/regular-files.js';

/** Files and folders below a folder of `--also-compare`. boardmill looks at all of them after each chunk. */
const MAX_COMPARED_FILES = 10_000;

/** Bytes of all files that one `--also-compare` names. To hash a GiB takes some seconds. */
const MAX_COMPARED_BYTES = 1024 * MIB;

/**
 * Python writes these folders when a program imports a module, and writes them again when the module was changed. They would
 * make every first run fail, and say nothing that the modules do not say.
 */
const CACHE_FOLDER = '__pycache__';

interface ComparedFile {
  /** The path below the compared folder; empty for a compared file. It has `/` between its names on every system. */
  readonly name: string;
  readonly path: string;
}

/** What a compared path consists of. */
interface Listing {
  /** The folder and all folders in it, each with the stamp that it had before its files were listed. */
  readonly folders: ReadonlyMap<string, string>;
  /** Sorted by name. */
  readonly files: readonly ComparedFile[];
}

export class ComparedPath {
  readonly path: string;
  readonly isFolder: boolean;
  /** The paths of the files when they were found. */
  readonly filePaths: readonly string[];
  /** The stamps of the files, and of the folders, whose stamps change when a file in them is added, removed or renamed. */
  readonly #stamps: Map<string, string>;
  /** The folders in which Python has not made its cache. */
  readonly #withoutCache: Set<string>;

  /** Finds the files of all values of an option. Fails with kind `usage` if it names what cannot be compared. */
  static findAll(option: string, paths: readonly string[]): ComparedPath[] {
    return paths.map((path) => ComparedPath.#find(option, path));
  }

  static #find(option: string, path: string): ComparedPath {
    try {
      return new ComparedPath(path);
    } catch (error) {
      if (!(error instanceof BoardmillError)) throw error;
      throw new BoardmillError('usage', `${option} ${path}: ${error.message}`, { cause: error });
    }
  }

  private constructor(path: string) {
    const { folders, files } = list(path);
    this.path = path;
    this.isFolder = folders.size > 0;
    this.filePaths = files.map((file) => file.path);
    this.#stamps = new Map([
      ...folders,
      ...this.filePaths.map((file) => [file, stampToWatch(file)] as const),
    ]);
    this.#withoutCache = new Set([...folders.keys()].filter((folder) => !hasCache(folder)));
  }

  /**
   * Whether a file was added, removed, renamed or written since the files were found, even if it is now as it was. No file is
   * read for that, and no folder listed, because it is asked after each chunk.
   */
  isTouched(): boolean {
    for (const [path, stamp] of this.#stamps)
      if (stampToWatch(path) !== stamp && !this.#hasOnlyGotCache(path)) return true;
    return false;
  }

  /** Whether Python has made its cache in this folder, for the first time, and nothing else is new. */
  #hasOnlyGotCache(folder: string): boolean {
    if (!this.#withoutCache.has(folder) || !hasCache(folder)) return false;
    try {
      const { folders, files } = list(this.path);
      const found = [...folders.keys(), ...files.map(({ path }) => path)];
      const stamp = folders.get(folder);
      const isSame = found.length === this.#stamps.size && found.every((path) => this.#stamps.has(path));
      if (stamp === undefined || !isSame) return false;
      this.#withoutCache.delete(folder);
      this.#stamps.set(folder, stamp);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Returns the SHA-256 digest of the names and contents of the files. The path itself is not part of it, because it may
   * differ between machines. Fails with kind `file` if a file cannot be read.
   */
  async digest(): Promise<string> {
    const whole = newDigest();
    let bytesLeft = MAX_COMPARED_BYTES;
    for (const { name, path } of list(this.path).files) {
      const digest = newDigest();
      for await (const piece of piecesOfRegularFile(path)) {
        bytesLeft -= piece.length;
        if (bytesLeft < 0) throw tooLarge(this.path);
        digest.update(piece);
      }
      whole.update(`${JSON.stringify([name, digest.digest('hex')])}\n`);
    }
    return whole.digest('hex');
  }
}

function hasCache(folder: string): boolean {
  return existsSync(join(folder, CACHE_FOLDER));
}

/** Finds the compared files. Fails with kind `file` if something there cannot be compared. */
function list(path: string): Listing {
  const stats = statOrNull(path);
  if (stats === null) throw new BoardmillError('file', `cannot open ${path}: no such file or directory`);
  const folders = new Map<string, string>();
  const files = stats.isDirectory() ? filesBelow(path, folders) : [fileAt('', path)];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MAX_COMPARED_BYTES) throw tooLarge(path);
  return { folders, files: files.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}

/** Returns the files in a folder and below. Adds the folders to `stamps`. */
function filesBelow(folder: string, stamps: Map<string, string>): (ComparedFile & { bytes: number })[] {
  const real = realpathSync(folder);
  const files: (ComparedFile & { bytes: number })[] = [];
  let entries = 0;
  // The array grows while it is walked: each folder adds the folders in it.
  const folders = [''];
  for (const below of folders) {
    stamps.set(join(folder, below), stampToWatch(join(folder, below)));
    for (const entry of namesIn(join(folder, below))) {
      if (++entries > MAX_COMPARED_FILES) throw tooMany(folder);
      const name = below === '' ? entry : `${below}/${entry}`;
      const path = join(folder, name);
      if (isFolder(path)) {
        if (entry !== CACHE_FOLDER) folders.push(name);
      } else {
        assertInside(real, path);
        files.push(fileAt(name, path));
      }
    }
  }
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw fileError('open', folder, error);
  }
}

/** Whether this is a folder itself. A link to a folder is none: it could lead to a folder above. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Fails if a link leads out of the folder, where other files may change what it leads to. */
function assertInside(realFolder: string, path: string): void {
  const real = realPathOf(path);
  const below = real === null ? null : relative(realFolder, real);
  if (below !== null && below !== '..' && !below.startsWith(`..${sep}`)) return;
  throw new BoardmillError('file', `the link ${path} leads out of the folder, or to nothing`);
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function fileAt(name: string, path: string): ComparedFile & { bytes: number } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new BoardmillError('file', `${path} has just been removed`);
  if (!stats.isFile()) throw new BoardmillError('file', `${path} is neither a regular file nor a folder`);
  return { name, path, bytes: stats.size };
}

function tooMany(folder: string): BoardmillError {
  const most = MAX_COMPARED_FILES.toLocaleString('en-US');
  return new BoardmillError(
    'file',
    `${folder} has more than ${most} files and folders; name the folder that the program imports from`,
  );
}

function tooLarge(path: string): BoardmillError {
  const most = `${MAX_COMPARED_BYTES / 2 ** 30} GiB`;
  return new BoardmillError('file', `${path} has more than ${most}; name only what the program imports`);
}
