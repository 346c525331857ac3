/** The folder outside a sandbox with the files of its runs: the input, the output, and the pipe of standard error. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lstatOrNull } from '../../core/files/files.js';

/** Makes a file readable and writable again, whatever mode a program has given to it. */
export function makeReadableAndWritable(path: string): void {
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

/** Folders that are nested deeper are left to `rm`: Node goes through them by paths that grow, and then fails. */
const MAX_DEPTH_FOR_NODE = 64;

/**
 * Removes a folder. To change modes takes as long as to remove, so that is done only if it is needed. A signal that is meant
 * for boardmill reaches this script too, as from a terminal, and must not end it halfway.
 */
const REMOVE_SCRIPT = `trap '' HUP INT TERM
rm -rf "$1" || { chmod -R u+rwx "$1"; rm -rf "$1"; }`;

/**
 * Removes a folder with all files that programs have left there. Returns false if something cannot be removed: an administrator
 * must do that.
 */
export function removeProgramFolder(folder: string): boolean {
  if (!removeByNode(folder)) spawnSync('sh', scriptArguments(folder), { stdio: 'ignore' });
  return lstatOrNull(folder) === null;
}

/** Like `removeProgramFolder`, but boardmill goes on: a program may have made so many folders that this takes many seconds. */
export async function removeProgramFolderInBackground(folder: string): Promise<boolean> {
  if (!removeByNode(folder))
    await once(spawn('sh', scriptArguments(folder), { stdio: 'ignore' }), 'close').catch(() => {});
  return lstatOrNull(folder) === null;
}

function scriptArguments(folder: string): string[] {
  return ['-c', REMOVE_SCRIPT, 'sh', folder];
}

/** Removes a folder as most programs leave it, and says whether it is gone. */
function removeByNode(folder: string): boolean {
  if (folders.delete(folder) && folders.size === 0) process.off('exit', removeAll);
  try {
    if (!isNested(folder, MAX_DEPTH_FOR_NODE)) rmSync(folder, { recursive: true, force: true });
  } catch {
    // The path may be too long for the system, or a program has made folders that cannot be opened.
  }
  return lstatOrNull(folder) === null;
}

/** Whether folders in the folder are nested more than `depth` deep. */
function isNested(folder: string, depth: number): boolean {
  if (depth < 0) return true;
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && isNested(join(folder, entry.name), depth - 1),
  );
}
