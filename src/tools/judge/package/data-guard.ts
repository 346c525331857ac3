/**
 * Notices when a test of the package is changed while submissions run. Submissions have the rights of the user, so one of them
 * could change the inputs, the files beside them and the right answers by which the others are judged.
 */
import { lstatSync, statSync } from 'node:fs';
import { constants, copyFile, cp } from 'node:fs/promises';
import { digestOfFile, digestOfFolder } from '../../../core/digest.js';
import { BoardmillError } from '../../../core/errors.js';
import { fileError } from '../../../core/files/files.js';
import { assertRegularFile } from '../../../core/files/regular-files.js';
import type { DataFile } from './read/test-data.js';

/** Links to files are copied as the files to which they lead. */
const FOLLOWED = { followsFiles: true };

export class TestDataGuard {
  /** The digests of files and folders before the first submission ran; null for a file or a folder that cannot be read. */
  readonly #digests: ReadonlyMap<string, string | null>;

  /** Reads the inputs, answers and `.files` folders of all tests. Called before the first submission runs. */
  static async of(dataFiles: readonly DataFile[]): Promise<TestDataGuard> {
    const digests = new Map<string, string | null>();
    for (const { inputPath, answerPath, filesPath } of dataFiles) {
      for (const path of [inputPath, answerPath]) digests.set(path, await digestOfFile(path));
      if (filesPath !== null) digests.set(filesPath, await digestOfFolder(filesPath, FOLLOWED));
    }
    return new TestDataGuard(digests);
  }

  private constructor(digests: ReadonlyMap<string, string | null>) {
    this.#digests = digests;
  }

  /** Copies an input. Fails with kind `worker` if the input was changed after the first submission began. */
  async copyInput(path: string, copy: string): Promise<void> {
    // A device must not be copied: the copy would never end.
    assertRegularFile(path);
    try {
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
    } catch (error) {
      throw fileError('open', path, error);
    }
    this.#assertSame(path, await digestOfFile(copy));
  }

  /**
   * Copies a folder with the files of a test. Fails with kind `input` if something in it is neither a file nor a folder, and
   * with kind `worker` if the folder was changed after the first submission began.
   */
  async copyFolder(path: string, copy: string): Promise<void> {
    const filter = (each: string) => each === path || isCopied(each);
    try {
      await cp(path, copy, { recursive: true, dereference: true, filter });
    } catch (error) {
      throw error instanceof BoardmillError ? error : fileError('open', path, error);
    }
    this.#assertSame(path, await digestOfFolder(copy, FOLLOWED));
  }

  /** Fails with kind `worker` if a file was changed after the first submission began. Files that are not tests may change. */
  async assertUnchanged(...paths: readonly string[]): Promise<void> {
    for (const path of paths) this.#assertSame(path, await digestOfFile(path));
  }

  #assertSame(path: string, digest: string | null): void {
    const expected = this.#digests.get(path);
    if (expected === undefined || expected === digest) return;
    throw new BoardmillError(
      'worker',
      `${path} was changed while submissions were judged, perhaps by one of them; restore it, and judge with --sandbox`,
    );
  }
}

/**
 * Whether the path leads to a file or a folder that may be copied. FIFOs would block a program, devices may have no end, and
 * links to folders may lead anywhere.
 */
function isCopied(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true || lstatSync(path).isDirectory()) return true;
  throw new BoardmillError('input', `cannot open ${path}: it is not a regular file`);
}
