/**
 * Notices when a test of the package is changed while submissions run. Submissions have the rights of the user, so one of them
 * could change the inputs and the right answers by which the others are judged.
 */
import { constants, copyFile } from 'node:fs/promises';
import { digestOfFile } from '../core/digest.js';
import { BoardmillError } from '../core/errors.js';
import { fileError } from '../core/files.js';
import { assertRegularFile } from '../core/regular-files.js';
import type { DataFile } from './test-data.js';

export class DataGuard {
  /** The digests of inputs and answers before the first submission ran; null for a file that cannot be read. */
  readonly #digests: ReadonlyMap<string, string | null>;

  /** Reads the inputs and answers of all tests. Called before the first submission runs. */
  static async of(dataFiles: readonly DataFile[]): Promise<DataGuard> {
    const digests = new Map<string, string | null>();
    for (const { inputPath, answerPath } of dataFiles) {
      for (const path of [inputPath, answerPath]) digests.set(path, await digestOfFile(path));
    }
    return new DataGuard(digests);
  }

  private constructor(digests: ReadonlyMap<string, string | null>) {
    this.#digests = digests;
  }

  /** Copies an input. Fails with kind `worker` if the copy is not what the input was. */
  async copyInput(path: string, copy: string): Promise<void> {
    // The copy of a device would never end.
    assertRegularFile(path);
    try {
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
    } catch (error) {
      throw fileError('open', path, error);
    }
    await this.#assertDigest(path, copy);
  }

  /** Fails with kind `worker` if one of the files is no longer what it was. Files that are no tests may change. */
  async assertUnchanged(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.#assertDigest(path, path);
  }

  async #assertDigest(path: string, copy: string): Promise<void> {
    const expected = this.#digests.get(path);
    if (expected === undefined || expected === (await digestOfFile(copy))) return;
    throw new BoardmillError(
      'worker',
      `${path} was changed while submissions were judged, perhaps by one of them; restore it, and judge with --sandbox`,
    );
  }
}
