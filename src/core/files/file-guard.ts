/** Notices when one of several files or folders changes: it compares their stamps (identity, size and times). */
import { lstatSync, type Stats } from 'node:fs';
import { stampOfFileStats, statOrNull } from './files.js';

/** A file or a folder with a check of its own whether it was changed. */
interface Watched {
  readonly path: string;
  isTouched(): boolean;
}

export class FileGuard {
  readonly #stamps: ReadonlyMap<string, string>;
  readonly #watched: readonly Watched[];

  /** Begins to watch the files. A file that does not exist yet counts as changed once it exists. */
  static of(paths: readonly string[], watched: readonly Watched[] = []): FileGuard {
    return new FileGuard(new Map(paths.map((path) => [path, changeStampOf(path)])), watched);
  }

  private constructor(stamps: ReadonlyMap<string, string>, watched: readonly Watched[]) {
    this.#stamps = stamps;
    this.#watched = watched;
  }

  /** Returns a guard of these files, too. They are watched from now on, unless they are watched already. */
  withFiles(paths: readonly string[]): FileGuard {
    return new FileGuard(new Map([...FileGuard.of(paths).#stamps, ...this.#stamps]), this.#watched);
  }

  /** Returns the path of a file or a folder that has changed, or null if all are as they were. */
  findChanged(): string | null {
    for (const [path, stamp] of this.#stamps) if (changeStampOf(path) !== stamp) return path;
    return this.#watched.find((each) => each.isTouched())?.path ?? null;
  }
}

/**
 * Returns a text that differs after every change of the file that a path leads to, even if the change is undone: nobody can set
 * back the time of change (ctime). If the path is a link, the text also differs after the link was changed.
 */
export function changeStampOf(path: string): string {
  const own = lstatOrNull(path);
  const target = own?.isSymbolicLink() ? statOrNull(path) : null;
  return JSON.stringify([own, target].map((stats) => stats && stampOfFileStats(stats)));
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
