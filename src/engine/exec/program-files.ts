/** The files that a program's answers come from, to notice when one of them changes: it may answer otherwise then. */
import { digestOfFile } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { type FileStamp, isSameStamp, kindOf, stampOf } from '../../core/files.js';
import { findExecutable } from './program.js';

/** So many hexadecimal digits tell two programs apart, and can be read in a message. */
const DIGEST_DIGITS = 16;

interface ProgramFile {
  readonly path: string;
  readonly stamp: FileStamp;
}

/** The executable of a command and every argument that is a file, as they were when the run began. */
export class ProgramFiles {
  readonly #files: readonly ProgramFile[];
  readonly #digests = new Map<string, string>();

  private constructor(files: readonly ProgramFile[]) {
    this.#files = files;
  }

  /** Fails with kind `usage` where there is no such program. */
  static async of(argv: readonly string[]): Promise<ProgramFiles> {
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

  /** Path and digest of each file. */
  async digests(): Promise<ReadonlyMap<string, string>> {
    for (const { path, stamp } of this.#files) {
      this.#digests.set(
        path,
        (await shortDigestOf(path)) ?? `${stamp.identity} ${stamp.size} ${stamp.mtimeMs}`,
      );
    }
    return this.#digests;
  }

  /** Fails with kind `worker` if a file is no longer what it was: the answers may come from two programs. */
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

/** Null if the path leads to no regular file. */
async function stampOfRegular(path: string): Promise<FileStamp | null> {
  const kind = await kindOf(path, 'open').catch(() => null);
  return kind === 'regular' ? stampOf(path) : null;
}

/** Null if the file cannot be read. Then only its stamp can tell whether it has changed. */
async function shortDigestOf(path: string): Promise<string | null> {
  return (await digestOfFile(path))?.slice(0, DIGEST_DIGITS) ?? null;
}
