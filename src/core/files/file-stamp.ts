/** Stamps of files, which are compared in place of their contents. */

/**
 * The properties of a file that show, without reading it, whether it has changed. Users can set back the time of
 * modification (mtime), as `touch -r` does, but not the time of change (ctime).
 */
export interface FileStamp {
  readonly identity: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return isSameContentStamp(one, other) && one.ctimeMs === other.ctimeMs;
}

/**
 * Whether two stamps are equal apart from the time of change (ctime). A new link to the file, or another owner or
 * mode, changes only that time.
 */
export function isSameContentStamp(one: FileStamp, other: FileStamp): boolean {
  return one.identity === other.identity && one.size === other.size && one.mtimeMs === other.mtimeMs;
}
