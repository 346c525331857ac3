/**
 * A regular file as a sink for what is quicker made again than gone on with: FILE.partial becomes FILE when
 * all is written, and goes away when it is not.
 */
import type { FileHandle } from 'node:fs/promises';
import { checkpointFile, removeCheckpoint } from './checkpoint.js';
import { openFile, removeIfThere, writeAll, writeFailure } from './files.js';
import { lockFile } from './lock.js';
import { becomeWhole, partialFile, refuseForeign } from './partial-file.js';
import type { Sink } from './sink.js';

/** Fails with kind `file` where FILE is in use, or must not be overwritten without `force`. */
export async function openFreshFile(path: string, force: boolean): Promise<Sink> {
  const lock = await lockFile(path);
  try {
    const handle = await openPartial(path, force);
    return freshFile(path, handle, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openPartial(path: string, force: boolean): Promise<FileHandle> {
  // A cut-off `solve` on this FILE could not go on: its part of the answers is overwritten here.
  if (force) await removeCheckpoint(path);
  else for (const file of [path, partialFile(path), checkpointFile(path)]) await refuseForeign(file);
  return openFile(partialFile(path), 'w');
}

function freshFile(path: string, handle: FileHandle, release: () => Promise<void>): Sink {
  return {
    keepsMarks: false,
    resumed: null,
    write: (bytes) => writeAll(partialFile(path), handle, bytes),
    async finish() {
      try {
        await becomeWhole(path, handle);
      } catch (error) {
        throw writeFailure(path, error);
      } finally {
        await release();
      }
    },
    async abandon() {
      await handle.close().catch(() => {});
      await removeIfThere(partialFile(path)).catch(() => {});
      await release();
    },
  };
}
