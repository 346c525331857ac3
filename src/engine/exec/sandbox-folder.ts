/** The folder outside a sandbox with the files of its runs: the input, the output, and the pipe of standard error. */
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { lstatOrNull } from '../../core/files/files.js';

/** Makes a file readable and writable again, whatever mode a program has given to it. */
export function restoreFileMode(path: string): void {
  chmodSync(path, 0o600);
}

/**
 * The folders of sandboxes that are not yet removed. boardmill must remove them itself, because the shell in a sandbox ends
 * with boardmill.
 */
const folders = new Set<string>();

/** Removes the folder when boardmill ends, if it was not removed before. */
export function removeFolderOnExit(folder: string): void {
  if (folders.size === 0) process.once('exit', removeAll);
  folders.add(folder);
}

function removeAll(): void {
  for (const folder of folders) removeProgramFolder(folder);
}

/**
 * Removes a folder with all files that programs have left there. Returns false if something cannot be removed: an administrator
 * must do that.
 */
export function removeProgramFolder(folder: string): boolean {
  if (folders.delete(folder) && folders.size === 0) process.off('exit', removeAll);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A program may have nested folders until their path is too long for the system, or made folders that cannot be opened.
    spawnSync('sh', ['-c', 'chmod -R u+rwx "$1"; rm -rf "$1"', 'sh', folder], { stdio: 'ignore' });
  }
  return lstatOrNull(folder) === null;
}
