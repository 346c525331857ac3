/**
 * A sink for a regular file whose writing cannot be resumed: a generated input, extracted cases, a report.
 * FILE.partial becomes FILE when everything is written. If the run fails, FILE.partial is removed.
 */
import { BoardmillError } from '../../core/errors.js';
import type { Sink } from '../sink.js';
import { checkpointPath, removeCheckpoint } from './checkpoint.js';
import {
  type AnswerOrigin,
  assertReplaceable,
  mayReplaceFile,
  mayReplacePartial,
  type WrittenFileKind,
} from './ledger.js';
import { lockFile } from './lock.js';
import { PartialFile, partialPath } from './partial-file.js';

export interface FreshFileOptions {
  readonly kind: WrittenFileKind;
  /** Whether to overwrite files that boardmill did not write as this kind of output. */
  readonly force: boolean;
  /** What the bytes depend on, if a later run asks whether they are up to date. */
  readonly origin?: AnswerOrigin;
}

/** Opens FILE as a sink. Fails with kind `file` if FILE is in use, or must not be overwritten without `force`. */
export async function openFreshFile(path: string, options: FreshFileOptions): Promise<Sink> {
  const lock = await lockFile(path);
  try {
    await assertNothingOverwritten(path, options);
    const partial = await PartialFile.create(path, { kind: options.kind });
    // An interrupted `solve` on this FILE cannot be resumed, because its FILE.partial was removed.
    if (options.force) await removeCheckpoint(path);
    return freshSink(partial, options, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Fails with kind `file` if writing FILE would overwrite a file that boardmill may not replace. */
async function assertNothingOverwritten(path: string, { kind, force }: FreshFileOptions): Promise<void> {
  if (force) return;
  await assertReplaceable(path, kind);
  for (const [file, isReplaceable] of [
    [partialPath(path), await mayReplacePartial(path, partialPath(path), kind)],
    [checkpointPath(path), await mayReplaceFile(checkpointPath(path), kind)],
  ] as const) {
    if (isReplaceable) continue;
    const reason = 'exists, left by a killed run or by another program';
    throw new BoardmillError('file', `${file} ${reason}; --force overwrites it`);
  }
}

function freshSink(
  file: PartialFile,
  { force, origin }: FreshFileOptions,
  release: () => Promise<void>,
): Sink {
  return {
    write: (bytes) => file.write(bytes),
    async finish() {
      try {
        await file.publish({ origin: origin ?? null, force, isPartialKept: false });
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
