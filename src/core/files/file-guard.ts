/** Notices when one of several files or folders changes: it compares their stamps (identity, size and times). */
import { lstatSync, type Stats } from 'node:fs';
import { type FileStamp, isSameStamp } from './file-stamp.js';
import { stampOfFileStats, statOrNull } from './files.js';

/** A file or a folder with a check of its own whether it was changed. */
interface Watched {
  readonly path: string;
  isTouched(): boolean;
}

export class FileGuard {
  readonly #stamps: ReadonlyMap<string, ChangeStamp>;
  readonly #watched: readonly Watched[];

  /** Begins to watch the files. A file that does not exist yet counts as changed once it exists. */
  static of(paths: readonly string[], watched: readonly Watched[] = []): FileGuard {
    return new FileGuard(new Map(paths.map((path) => [path, changeStampOf(path)])), watched);
  }

  private constructor(stamps: ReadonlyMap<string, ChangeStamp>, watched: readonly Watched[]) {
    this.#stamps = stamps;
    this.#watched = watched;
  }

  /** Returns a guard of these files, too. They are watched from now on, unless they are watched already. */
  withFiles(paths: readonly string[]): FileGuard {
    return new FileGuard(new Map([...FileGuard.of(paths).#stamps, ...this.#stamps]), this.#watched);
  }

  /** Returns the path of a file or a folder that has changed, or null if all are as they were. */
  findChanged(): string | null {
    for (const [path, stamp] of this.#stamps) if (!isSameChangeStamp(changeStampOf(path), stamp)) return path;
    return this.#watched.find((each) => each.isTouched())?.path ?? null;
  }
}

/** What a path names, and if that is a link, what the link leads to. */
export interface ChangeStamp {
  readonly own: FileStamp | null;
  readonly target: FileStamp | null;
}

/** Returns a stamp that differs after every change, even one that is undone: nobody can set back the time of change (ctime). */
export function changeStampOf(path: string): ChangeStamp {
  const own = lstatOrNull(path);
  const target = own?.isSymbolicLink() ? statOrNull(path) : null;
  return { own: own && stampOfFileStats(own), target: target && stampOfFileStats(target) };
}

export function isSameChangeStamp(one: ChangeStamp, other: ChangeStamp): boolean {
  return areSame(one.own, other.own) && areSame(one.target, other.target);
}

function areSame(one: FileStamp | null, other: FileStamp | null): boolean {
  return one === null || other === null ? one === other : isSameStamp(one, other);
}

function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
