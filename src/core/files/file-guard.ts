/** Notices whether one of some files or folders changes, by their stamps. */
import { lstatSync, type Stats } from 'node:fs';
import { stampOfStats, statOrNull } from './files.js';

/** A file or a folder that knows by itself whether it has changed since it was found. */
interface Watched {
  readonly path: string;
  isTouched(): boolean;
}

export class FileGuard {
  readonly #stamps: ReadonlyMap<string, string>;
  readonly #watched: readonly Watched[];

  /** Begins to watch the files. A file that does not exist may not appear. */
  static of(paths: readonly string[], watched: readonly Watched[] = []): FileGuard {
    return new FileGuard(new Map(paths.map((path) => [path, stampToWatch(path)])), watched);
  }

  private constructor(stamps: ReadonlyMap<string, string>, watched: readonly Watched[]) {
    this.#stamps = stamps;
    this.#watched = watched;
  }

  /** Returns the path of a file or a folder that has changed, or null if all are as they were. */
  findChanged(): string | null {
    for (const [path, stamp] of this.#stamps) if (stampToWatch(path) !== stamp) return path;
    return this.#watched.find((each) => each.isTouched())?.path ?? null;
  }
}

/**
 * Returns a text that is another one after every change of what a path leads to, even if the change is taken back: nobody can
 * set back the time of change (ctime). If the path is a link, it is also another one after the link has led elsewhere.
 */
export function stampToWatch(path: string): string {
  const own = lstatOrNull(path);
  const target = own?.isSymbolicLink() ? statOrNull(path) : null;
  return JSON.stringify([own, target].map((stats) => stats && stampOfStats(stats)));
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
