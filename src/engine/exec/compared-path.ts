/**
 * What `--also-compare` names: a file, or a folder with all files below it. The answers of a program depend on these files
 * although its command line does not name them: a script may import them, for example.
 */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { MIB } from '../../core/bytes.js';
import { createDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { type ChangeStamp, changeStampOf, isSameChangeStamp } from '../../core/files/file-guard.js';
import { fileError, statOrNull } from '../../core/files/files.js';
import { piecesOfRegularFile } from '../../core/files/regular-files.js';
import { formatCount } from '../../core/format-count.js';

/** Largest number of files and folders below a folder of `--also-compare`. boardmill checks all of them after each chunk. */
const MAX_COMPARED_FILES = 10_000;

/** Largest total size of the files that one `--also-compare` names. Hashing a GiB takes some seconds. */
const MAX_COMPARED_BYTES = 1024 * MIB;

/**
 * The name of the folders in which Python caches compiled modules. boardmill ignores them: Python creates them during the first
 * run, which would fail as if its files had changed, and the modules themselves are compared anyway.
 */
const CACHE_FOLDER = '__pycache__';

interface ComparedFile {
  /**
   * The path of the file from the compared folder, with `/` between names on every system; empty if the file itself is
   * compared.
   */
  readonly name: string;
  readonly path: string;
}

/** The files and folders that a path of `--also-compare` leads to. */
interface Listing {
  /** The compared folder and all folders below it, each with the stamp that the folder had before its files were listed. */
  readonly folders: ReadonlyMap<string, ChangeStamp>;
  /** Sorted by name. */
  readonly files: readonly ComparedFile[];
}

export class AlsoComparedPath {
  readonly path: string;
  readonly isFolder: boolean;
  /** The paths of the compared files, as they were found when the run began. */
  readonly filePaths: readonly string[];
  /** The stamps of the files, and of the folders, whose stamps change when a file in them is added, removed or renamed. */
  readonly #stamps: Map<string, ChangeStamp>;
  /** The compared folders in which Python has not created its cache folder yet. */
  readonly #withoutCache: Set<string>;

  /**
   * Finds the files that the values of an option name. Fails with kind `usage` if a value names something that cannot be
   * compared.
   */
  static findAll(option: string, paths: readonly string[]): AlsoComparedPath[] {
    return paths.map((path) => AlsoComparedPath.#find(option, path));
  }

  static #find(option: string, path: string): AlsoComparedPath {
    try {
      return new AlsoComparedPath(path);
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
      ...this.filePaths.map((file) => [file, changeStampOf(file)] as const),
    ]);
    this.#withoutCache = new Set([...folders.keys()].filter((folder) => !hasCache(folder)));
  }

  /**
   * Whether a file was added, removed, renamed or written since the files were found, even if the change was undone. Because
   * this is asked after each chunk, it reads no file and lists no folder.
   */
  isTouched(): boolean {
    for (const [path, stamp] of this.#stamps)
      if (!isSameChangeStamp(changeStampOf(path), stamp) && !this.#hasOnlyGotCache(path)) return true;
    return false;
  }

  /** Whether the only change in this folder is that Python has created its cache folder there. */
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
   * Returns the SHA-256 digest of the names and contents of the files. The digest does not cover the path of the compared
   * folder, which may differ between machines. Fails with kind `file` if a file cannot be read.
   */
  async digest(): Promise<string> {
    const whole = createDigest();
    let bytesLeft = MAX_COMPARED_BYTES;
    for (const { name, path } of list(this.path).files) {
      const digest = createDigest();
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

/** Lists the files and folders at a path. Fails with kind `file` if something there cannot be compared. */
function list(path: string): Listing {
  const stats = statOrNull(path);
  if (stats === null) throw new BoardmillError('file', `cannot open ${path}: no such file or directory`);
  const folders = new Map<string, ChangeStamp>();
  const files = stats.isDirectory() ? filesBelow(path, folders) : [fileAt('', path)];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MAX_COMPARED_BYTES) throw tooLarge(path);
  return { folders, files: files.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}

/** Returns the files in a folder and in all folders below it. Adds the stamps of these folders to `stamps`. */
function filesBelow(folder: string, stamps: Map<string, ChangeStamp>): (ComparedFile & { bytes: number })[] {
  const real = realpathSync(folder);
  const files: (ComparedFile & { bytes: number })[] = [];
  let entries = 0;
  // The array grows while the loop goes through it: for each folder, the loop adds the folders inside.
  const folders = [''];
  for (const below of folders) {
    stamps.set(join(folder, below), changeStampOf(join(folder, below)));
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

/** Whether the path is that of a folder. A link to a folder does not count, because it could lead to a folder above. */
function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    throw fileError('open', path, error);
  }
}

/** Fails if the path is a link that leads out of the compared folder, because changes outside would go unnoticed. */
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
  const most = formatCount(MAX_COMPARED_FILES);
  return new BoardmillError(
    'file',
    `${folder} has more than ${most} files and folders; name the folder that the program imports from`,
  );
}

function tooLarge(path: string): BoardmillError {
  const most = `${MAX_COMPARED_BYTES / 2 ** 30} GiB`;
  return new BoardmillError('file', `${path} has more than ${most}; name only what the program imports`);
}
