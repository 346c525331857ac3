/** Which file a path leads to, whether or not the file exists. */
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { remembered } from '../remembered.js';
import { identityOfStats, statOrNull } from './files.js';

/** Largest number of links that boardmill follows before it takes them for a loop. Linux follows the same number. */
const MAX_FOLLOWED_LINKS = 40;

/**
 * Returns the path of the file that a path leads to through links, even if that file does not exist. If the links form a loop,
 * returns the path itself, which the system refuses to open.
 */
export function followLinks(path: string, folders?: KnownFolders): string {
  if (folders?.areWithout(path)) return path;
  let target = path;
  for (let links = 0; links <= MAX_FOLLOWED_LINKS; links++) {
    const next = targetOfLink(target);
    if (next === null) return target;
    // The target of a link is relative to the real folder of the link.
    target = resolve(realpathSync(dirname(target)), next);
  }
  return path;
}

/** Whether a path leads, through all its links, to a folder or to something in it. False if it leads nowhere. */
export function resolvesInto(folder: string, path: string): boolean {
  try {
    const [real, root] = [path, folder].map((each) => join(realpathSync.native(each), sep));
    return real.startsWith(root);
  } catch {
    return false;
  }
}

/** Returns the target that a link names; null if the path is not a link. */
function targetOfLink(path: string): string | null {
  try {
    // Most paths are not links. Asking first is faster than catching the error that `readlinkSync` throws for them.
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** Of more files than these, the names in their folders are read, which is faster than to look up each name. */
export const FEW_FILES = 16;

/** Folders, each of which is asked only once what file it is. */
export class KnownFolders {
  readonly #identities = new Map<string, string | null>();
  readonly #names = new Map<string, ReadonlySet<string> | null>();
  readonly #isListed: boolean;

  /** `files` is the number of files that will be looked for in the folders. */
  constructor(files: number) {
    this.#isListed = files > FEW_FILES;
  }

  /** Returns the identity of a folder; null if there is none. */
  identityOf(folder: string): string | null {
    return remembered(this.#identities, folder, () => {
      const stats = statOrNull(folder);
      return stats === null ? null : identityOfStats(stats);
    });
  }

  /** Whether the names in its folder tell that there is no file or link with this path. */
  areWithout(path: string): boolean {
    if (!this.#isListed) return false;
    const names = remembered(this.#names, dirname(path), namesIn);
    const name = basename(path);
    return names !== null && !names.has(foldedName(name)) && !SPECIAL_NAMES.includes(name);
  }
}

/** Names that each folder has, without listing them. */
const SPECIAL_NAMES = ['', '.', '..'];

/** Returns the names in a folder, folded; null if they cannot be read. */
function namesIn(folder: string): Set<string> | null {
  try {
    return new Set(readdirSync(folder).map(foldedName));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Set() : null;
  }
}

/** Returns what is equal for all names that some file system takes for the same name. */
function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/**
 * Returns a text that is equal for all paths of the same regular file. A file that does not exist yet has an identity too. Null
 * for devices, pipes and folders, in which no data can be overwritten.
 */
export function fileIdentityOf(path: string, folders = new KnownFolders(1)): string | null {
  const stats = folders.areWithout(path) ? null : statOrNull(path);
  if (stats !== null) return stats.isFile() ? identityOfStats(stats) : null;
  const target = followLinks(path, folders);
  const identity = folders.identityOf(dirname(target));
  return identity === null ? resolve(target) : join(identity, basename(target));
}
