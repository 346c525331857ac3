/** The files that a program's answers come from, to notice when one of them changes: it may answer otherwise then. */
import { stat } from 'node:fs/promises';
import { BoardmillError } from '../core/errors.js';
import { identityOfStats } from './files.js';
import { digestOf } from './ledger.js';
import { findExecutable } from './program.js';

/** So many hexadecimal digits tell two programs apart, and can be read in a message. */
const DIGEST_DIGITS = 16;

interface ProgramFile {
  readonly path: string;
  readonly look: string;
}

/** The executable of a command and every argument that is a file, as they were when the run began. */
export class ProgramFiles {
  readonly #files: readonly ProgramFile[];
  readonly #digests = new Map<string, string>();

  private constructor(files: readonly ProgramFile[]) {
    this.#files = files;
  }

  /** Fails with kind `usage` where there is no such program. */
  static async of(command: readonly string[]): Promise<ProgramFiles> {
    const executable = await findExecutable(command);
    const files: ProgramFile[] = [];
    for (const path of new Set([executable, ...command.slice(1)])) {
      const look = await lookAt(path);
      if (look !== null) files.push({ path, look });
    }
    return new ProgramFiles(files);
  }

  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Path and digest of each file. */
  async digests(): Promise<ReadonlyMap<string, string>> {
    for (const { path, look } of this.#files) {
      this.#digests.set(path, (await shortDigestOf(path)) ?? look);
    }
    return this.#digests;
  }

  /** Fails with kind `worker` if a file is no longer what it was: the answers may come from two programs. */
  async assertUnchanged(): Promise<void> {
    for (const { path, look } of this.#files) {
      if ((await lookAt(path)) === look) continue;
      const digest = this.#digests.get(path);
      if (digest !== undefined && (await shortDigestOf(path)) === digest) continue;
      throw new BoardmillError(
        'worker',
        `${path} changed during the run, so its answers may come from two programs; run it again with --force`,
      );
    }
  }
}

/** Null where the path names no regular file. */
async function lookAt(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() ? `${identityOfStats(stats)} ${stats.size} ${stats.mtimeMs}` : null;
}

/** Null where the file cannot be read: then it can only be known by its look. */
async function shortDigestOf(path: string): Promise<string | null> {
  return (await digestOf(path))?.slice(0, DIGEST_DIGITS) ?? null;
}
