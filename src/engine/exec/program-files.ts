/**
 * The files that a program consists of. boardmill notices if one of them changes, because the program may then give
 * other answers.
 */
import { digestOfFile } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { type FileStamp, isSameStamp, kindOf, stampOf } from '../../core/files.js';
import { findExecutable } from './program.js';

/**
 * Number of hexadecimal digits of a digest that are stored: enough to distinguish programs, and short enough for a
 * message.
 */
const DIGEST_DIGITS = 16;

interface ProgramFile {
  readonly path: string;
  readonly stamp: FileStamp;
}

/** The executable of a program and every argument that is a file, with their stamps when the run began. */
export class ProgramFiles {
  readonly #files: readonly ProgramFile[];
  readonly #digests = new Map<string, string>();

  private constructor(files: readonly ProgramFile[]) {
    this.#files = files;
  }

  /** Finds the files of a program. Fails with kind `usage` if there is no such program, or it cannot be run. */
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

  /** Path and digest of each file; a file that cannot be read has its stamp instead of the digest. */
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
   * Fails with kind `worker` if a file has changed since the run began, because the answers may come from two
   * programs.
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

/** The stamp of a regular file; null if the path leads to none. */
async function stampOfRegular(path: string): Promise<FileStamp | null> {
  const kind = await kindOf(path, 'open').catch(() => null);
  return kind === 'regular' ? stampOf(path) : null;
}

/** The first digits of the file's digest; null if the file cannot be read, so that only its stamp can show a change. */
async function shortDigestOf(path: string): Promise<string | null> {
  return (await digestOfFile(path))?.slice(0, DIGEST_DIGITS) ?? null;
}
