/**
 * A regular file as a sink for what is quicker made again than gone on with: FILE.partial becomes FILE when
 * all is written, and goes away when it is not.
 */
import { BoardmillError } from '../../core/errors.js';
import type { Sink } from '../sink.js';
import { checkpointPath, removeCheckpoint } from './checkpoint.js';
import { mayReplace, type OutputKind, refuseForeign } from './ledger.js';
import { lockFile } from './lock.js';
import { PartialFile, partialPath } from './partial-file.js';

export interface FreshFileOptions {
  readonly kind: OutputKind;
  /** Overwrite files that boardmill did not write as this kind of output. */
  readonly force: boolean;
}

/** Fails with kind `file` where FILE is in use, or must not be overwritten without `force`. */
export async function openFreshFile(path: string, options: FreshFileOptions): Promise<Sink> {
  const lock = await lockFile(path);
  try {
    await assertReplaceable(path, options);
    // An interrupted `solve` on this FILE could not go on: its part of the answers is overwritten here.
    if (options.force) await removeCheckpoint(path);
    return freshSink(await PartialFile.create(path), options, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Fails with kind `file` if writing FILE would lose something that is not ours to replace. */
async function assertReplaceable(path: string, { kind, force }: FreshFileOptions): Promise<void> {
  if (force) return;
  await refuseForeign(path, kind);
  for (const file of [partialPath(path), checkpointPath(path)]) {
    if (await mayReplace(file, kind)) continue;
    const reason = 'exists, left by a run that was killed or by somebody else';
    throw new BoardmillError('file', `${file} ${reason}; --force overwrites it`);
  }
}

function freshSink(file: PartialFile, { kind, force }: FreshFileOptions, release: () => Promise<void>): Sink {
  return {
    keepsPositions: false,
    resumePosition: null,
    write: (bytes) => file.write(bytes),
    async finish() {
      try {
        await file.publish({ kind, origin: null, force });
      } catch (error) {
        await file.discard();
        throw error;
      } finally {
        await release();
      }
    },
    async abandon() {
      await file.discard().catch(() => {});
      await release();
      return false;
    },
  };
}
