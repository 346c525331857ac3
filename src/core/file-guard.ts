/** Notices whether one of some files or folders changes, by their stamps. */
import { type FileStamp, isSameStamp, stampOf } from './files.js';

/** A file or a folder that knows by itself whether it has changed since it was found. */
export interface Watched {
  readonly path: string;
  isTouched(): boolean;
}

export class FileGuard {
  readonly #stamps: ReadonlyMap<string, FileStamp | null>;
  readonly #watched: readonly Watched[];

  /** Begins to watch the files. A file that does not exist may not appear. */
  static async of(paths: readonly string[], watched: readonly Watched[] = []): Promise<FileGuard> {
    const stamps = new Map<string, FileStamp | null>();
    for (const path of paths) stamps.set(path, await stampOf(path));
    return new FileGuard(stamps, watched);
  }

  private constructor(stamps: ReadonlyMap<string, FileStamp | null>, watched: readonly Watched[]) {
    this.#stamps = stamps;
    this.#watched = watched;
  }

  /** Returns the path of a file or a folder that has changed, or null if all are as they were. */
  async findChanged(): Promise<string | null> {
    for (const [path, stamp] of this.#stamps) {
      const now = await stampOf(path);
      const isSame = now === null || stamp === null ? now === stamp : isSameStamp(now, stamp);
      if (!isSame) return path;
    }
    return this.#watched.find((each) => each.isTouched())?.path ?? null;
  }
}
