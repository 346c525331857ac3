/** Notices whether one of some files changes, by their stamps. */
import { type FileStamp, isSameStamp, stampOf } from './files.js';

export class FileGuard {
  readonly #stamps: ReadonlyMap<string, FileStamp | null>;

  /** Begins to watch the files. A file that does not exist may not appear. */
  static async of(paths: readonly string[]): Promise<FileGuard> {
    const stamps = new Map<string, FileStamp | null>();
    for (const path of paths) stamps.set(path, await stampOf(path));
    return new FileGuard(stamps);
  }

  private constructor(stamps: ReadonlyMap<string, FileStamp | null>) {
    this.#stamps = stamps;
  }

  /** Returns the path of a file that has changed, or null if all files are as they were. */
  async findChanged(): Promise<string | null> {
    for (const [path, stamp] of this.#stamps) {
      const now = await stampOf(path);
      const isSame = now === null || stamp === null ? now === stamp : isSameStamp(now, stamp);
      if (!isSame) return path;
    }
    return null;
  }
}
