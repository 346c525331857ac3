import { isAbsolute, sep } from 'node:path';

/** Returns the working directory; null if it has been removed. */
export function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Returns a path of the same file that is right in every working directory. `-` stays as it is. */
export function pathFrom(folder: string | null, path: string): string {
  // Joining would also shorten `link/..`, which leads elsewhere if `link` is a link.
  return path === '-' || isAbsolute(path) || folder === null ? path : folder + sep + path;
}
