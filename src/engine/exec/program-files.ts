/**
 * The files that a program consists of. boardmill notices if one of them changes, because the program may then give
 * other answers.
 */
import { digestOfFile } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { type FileStamp, isSameStamp, kindOf, stampOf } from '../../core/files.js';
import type { ComparedPath } from './compared-path.js';
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
 * The files of a program: its executable, every argument that names a file, and what `--also-compare` names. Each file has
 * the stamp (size, times, inode) that it had when the run began.
 */
export class ProgramFiles {
  readonly #files: readonly ProgramFile[];
  /** What `--also-compare` names, in the order of the command line. */
  readonly compared: readonly ComparedPath[];
  readonly #digests = new Map<string, string>();

  private constructor(files: readonly ProgramFile[], compared: readonly ComparedPath[]) {
    this.#files = files;
    this.compared = compared;
  }

  /**
   * Finds the files of a program, and what `--also-compare` names. Fails with kind `usage` if the program does not exist or
   * cannot be run, or if something cannot be compared.
   */
  static async find(argv: readonly string[], compared: readonly ComparedPath[] = []): Promise<ProgramFiles> {
    const executable = await findExecutable(argv);
    const files: ProgramFile[] = [];
    for (const path of new Set([executable, ...argv.slice(1)])) {
      const stamp = await stampOfRegular(path);
      if (stamp !== null) files.push({ path, stamp });
    }
    return new ProgramFiles(files, compared);
  }

  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  /**
   * Returns the path and the digest of each file of the program, and of what `--also-compare` names. A file of the program
   * that cannot be read has its stamp instead of a digest.
   */
  async digests(): Promise<ReadonlyMap<string, string>> {
    for (const { path, stamp } of this.#files) {
      this.#digests.set(
        path,
        (await shortDigestOf(path)) ?? `${stamp.identity} ${stamp.size} ${stamp.mtimeMs}`,
      );
    }
    for (const each of this.compared) this.#digests.set(each.path, shorten(await each.digest()));
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
      throw changedError(path);
    }
    for (const each of this.compared) await this.#assertSame(each);
  }

  async #assertSame(compared: ComparedPath): Promise<void> {
    if (!compared.isTouched()) return;
    const digest = this.#digests.get(compared.path);
    const now = digest === undefined ? null : await compared.digest().catch(() => null);
    if (now === null || shorten(now) !== digest) throw changedError(compared.path);
  }
}

function changedError(path: string): BoardmillError {
  return new BoardmillError(
    'worker',
    `${path} changed during the run, so its answers may come from two programs; run it again with --force`,
  );
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
  const digest = await digestOfFile(path);
  return digest === null ? null : shorten(digest);
}

function shorten(digest: string): string {
  return digest.slice(0, DIGEST_DIGITS);
}
