/**
 * The files that a program consists of. boardmill notices if one of them changes, because the program may then give
 * other answers.
 */
import { digestOfFile } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { type FileStamp, isSameStamp, kindOf, stampOf } from '../../core/files.js';
import { findExecutable } from './program.js';

/**
 * Number of hexadecimal digits of a file's digest that boardmill stores. 16 digits distinguish programs, and are
 * short enough for a message.
 */
const DIGEST_DIGITS = 16;

interface ProgramFile {
  readonly path: string;
  readonly stamp: FileStamp;
}

/**
 * The files of a program: its executable, and every argument that names a file. Each file has the stamp (size, times,
 * inode) that it had when the run began.
 */
export class ProgramFiles {
  readonly #files: readonly ProgramFile[];
  readonly #digests = new Map<string, string>();

  private constructor(files: readonly ProgramFile[]) {
    this.#files = files;
  }

  /** Finds the files of a program. Fails with kind `usage` if the program does not exist or cannot be run. */
  static async find(argv: readonly string[]): Promise<ProgramFiles> {
    const executable = await findExecutable(argv);
    const files: ProgramFile[] = [];
    for (const path of new Set([executable, ...argv.slice(1)])) {
      const stamp = await stampOfRegular(path);
      if (stamp !== null) files.push({ path, stamp });
    }
    return new ProgramFiles(files);
  }

  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  /**
   * Returns the path and the digest of each file of the program. A file that cannot be read has its stamp instead of
   * a digest.
   */
  async digests(): Promise<ReadonlyMap<string, string>> {
    for (const { path, stamp } of this.#files) {
      this.#digests.set(
        path,
        (await shortDigestOf(path)) ?? `${stamp.identity} ${stamp.size} ${stamp.mtimeMs}`,
      );
    }
    return this.#digests;
  }

  /**
   * Fails with kind `worker` if a file of the program has changed since the run began, because the answers may then
   * come from two versions of the program.
   */
  async assertUnchanged(): Promise<void> {
    for (const { path, stamp } of this.#files) {
      const now = await stampOfRegular(path);
      if (now !== null && isSameStamp(now, stamp)) continue;
      const digest = this.#digests.get(path);
      if (digest !== undefined && (await shortDigestOf(path)) === digest) continue;
      throw new BoardmillError(
        'worker',
        `${path} changed during the run, so its answers may come from two programs; run it again with --force`,
      );
    }
  }
}

/** Returns the stamp of a regular file, or null if the path does not lead to a regular file. */
async function stampOfRegular(path: string): Promise<FileStamp | null> {
  const kind = await kindOf(path, 'open').catch(() => null);
  return kind === 'regular' ? stampOf(path) : null;
}

/**
 * Returns the first DIGEST_DIGITS digits of the file's digest. Returns null if the file cannot be read: then only the
 * stamp of the file can show a change.
 */
async function shortDigestOf(path: string): Promise<string | null> {
  return (await digestOfFile(path))?.slice(0, DIGEST_DIGITS) ?? null;
}
