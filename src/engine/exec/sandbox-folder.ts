/** The folder with the files of the runs in a sandbox: the input, the output, and the pipe of standard error. */
import { chmodSync, rmSync } from 'node:fs';

/** Makes a file readable and writable again, whatever a program has made of it. */
export function restoreMode(path: string): void {
  chmodSync(path, 0o600);
}

/**
 * Folders of sandboxes that are not yet removed. No shell outlives boardmill in a sandbox, so boardmill removes them itself.
 */
const folders = new Set<string>();

/** Removes the folder when boardmill ends, if it was not removed before. */
export function removeOnExit(folder: string): void {
  if (folders.size === 0) process.once('exit', removeAll);
  folders.add(folder);
}

function removeAll(): void {
  for (const folder of folders) removeProgramFolder(folder);
}

/** Removes a folder with all that programs have left there. What cannot be removed stays. */
export function removeProgramFolder(folder: string): void {
  if (folders.delete(folder) && folders.size === 0) process.off('exit', removeAll);
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A program has made something in it that only an administrator can remove.
  }
}
