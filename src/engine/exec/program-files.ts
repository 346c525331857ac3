/**
 * The files that a program consists of. If one of these files changes, the program may give other answers, so boardmill must
 * notice the change.
 */
import { digestOfFile, shortenDigest } from '../../core/digest.js';
import { FileGuard } from '../../core/files/file-guard.js';
import { fileKindOf, fileStampOf } from '../../core/files/files.js';
import type { AlsoComparedPath } from './compared-path.js';
import { findExecutable } from './program.js';

/** The files of a program: its executable, every argument that names a file, and what `--also-compare` names. */
export class ProgramFiles {
  /** The paths of the executable and of the arguments that name files. */
  readonly paths: readonly string[];
  /** The files and folders that `--also-compare` names, in the order of the command line. */
  readonly compared: readonly AlsoComparedPath[];
  /** Notices any change of the program's files and the compared files since before they were read for their digests. */
  readonly guard: FileGuard;

  private constructor(paths: readonly string[], compared: readonly AlsoComparedPath[]) {
    this.paths = paths;
    this.compared = compared;
    this.guard = FileGuard.of(paths, compared);
  }

  /**
   * Finds the files of a program, and what `--also-compare` names. Fails with kind `usage` if the program does not exist or
   * cannot be run, or if something cannot be compared.
   */
  static async find(
    argv: readonly string[],
    compared: readonly AlsoComparedPath[] = [],
  ): Promise<ProgramFiles> {
    const executable = await findExecutable(argv);
    const paths: string[] = [];
    for (const path of new Set([executable, ...argv.slice(1)])) if (await isRegular(path)) paths.push(path);
    return new ProgramFiles(paths, compared);
  }

  /**
   * Returns the path and the digest of each file of the program, and of what `--also-compare` names. A file of the program
   * that cannot be read has its stamp instead of a digest.
   */
  async digests(): Promise<ReadonlyMap<string, string>> {
    const digests = new Map<string, string>();
    for (const path of this.paths) {
      const digest = await digestOfFile(path);
      digests.set(path, digest === null ? await describeUnread(path) : shortenDigest(digest));
    }
    for (const each of this.compared) digests.set(each.path, shortenDigest(await each.digest()));
    return digests;
  }
}

async function isRegular(path: string): Promise<boolean> {
  return (await fileKindOf(path, 'open').catch(() => null)) === 'regular';
}

async function describeUnread(path: string): Promise<string> {
  const stamp = await fileStampOf(path);
  return stamp === null ? 'missing' : `${stamp.identity} ${stamp.size} ${stamp.mtimeMs}`;
}
