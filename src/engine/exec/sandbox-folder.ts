/** The folder of the runs in a sandbox, which boardmill empties between two runs. */
import { fstatSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_SUBFOLDERS } from './sandbox-command.js';

/** What a folder contains before a run: the input, the pipe of standard error, and the subfolders. */
const NAMES = ['err', 'in', ...SANDBOX_SUBFOLDERS].sort().join();

/**
 * Empties the subfolders. Returns false if the program has left the folder in another state than it had before the run, or
 * something that cannot be removed. `inputDescriptor` is the open file of the input.
 */
export function emptySandboxFolder(folder: string, inputDescriptor: number): boolean {
  try {
    for (const name of SANDBOX_SUBFOLDERS) emptyFolder(join(folder, name));
    const hasInput = lstatSync(join(folder, 'in')).ino === fstatSync(inputDescriptor).ino;
    return hasInput && lstatSync(join(folder, 'err')).isFIFO() && readdirSync(folder).sort().join() === NAMES;
  } catch {
    return false;
  }
}

function emptyFolder(path: string): void {
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is not a folder any more`);
  for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true, force: true });
}

/** Folders of sandboxes that are not yet removed. No shell outlives boardmill in a sandbox, so boardmill removes them itself. */
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
