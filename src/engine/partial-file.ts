/**
 * A regular file as a sink: answers collect in FILE.partial beside FILE.checkpoint, and FILE appears when the
 * run has come to its end. What is under the final name is whole.
 */
import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BoardmillError } from '../core/errors.js';
import {
  type Checkpoint,
  checkpointFile,
  checkTerms,
  newHash,
  type OutputTerms,
  RUN_START,
  type RunMark,
  readCheckpoint,
  writeCheckpoint,
} from './checkpoint.js';
import { kindOf, openFile, removeIfThere, syncFolder, writeAll, writeFailure } from './files.js';
import { recordAnswers, wereMadeByUs } from './ledger.js';
import { CHECKPOINT_MS } from './limits.js';
import { type Lock, lockFile } from './lock.js';
import type { Sink } from './sink.js';

export interface PartialFileOptions {
  /** Overwrite what boardmill did not make, and drop what a cut-off run left. */
  readonly force: boolean;
  /** Go on from a checkpoint, if there is one. */
  readonly resume: boolean;
  readonly terms: OutputTerms;
  /** Told what the user should know though nothing failed. */
  readonly note: (message: string) => void;
}

/** Fails with kind `file` where FILE is in use, must not be overwritten, or does not fit its checkpoint. */
export async function openPartialFile(path: string, options: PartialFileOptions): Promise<Sink> {
  const lock = await lockFile(path);
  try {
    const checkpoint = await chooseStart(path, options);
    const { handle, hash } = await openPartial(path, checkpoint);
    const file = new PartialFile(path, lock, handle, hash, options.terms, checkpoint);
    if (checkpoint === null) await file.checkpoint();
    return file;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The checkpoint to go on from, or null to start afresh; refuses what the user did not ask for. */
async function chooseStart(path: string, options: PartialFileOptions): Promise<Checkpoint | null> {
  if (options.force) {
    await removeIfThere(checkpointFile(path));
    return null;
  }
  const checkpoint = await readCheckpoint(path);
  if (checkpoint !== null) {
    if (!options.resume)
      throw refusal(checkpointFile(path), cutOff(checkpoint), '--resume goes on, --force drops it');
    checkTerms(path, checkpoint.terms, options.terms);
    return checkpoint;
  }
  const partial = partialFile(path);
  if (options.resume) options.note(`there is no checkpoint of ${path}: starting afresh`);
  else if ((await kindOf(partial)) !== 'missing') {
    throw refusal(partial, 'exists without a checkpoint', '--force overwrites it');
  }
  if (!(await wereMadeByUs(path))) {
    throw refusal(path, 'exists and boardmill did not make it', '--force overwrites it');
  }
  return null;
}

function cutOff({ mark }: Checkpoint): string {
  return `is left from a run that was cut off after ${mark.input.cases} cases`;
}

function refusal(file: string, reason: string, mend: string): BoardmillError {
  return new BoardmillError('file', `${file} ${reason}; ${mend}`);
}

function partialFile(path: string): string {
  return `${path}.partial`;
}

/** Opens FILE.partial at the checkpoint's place, checked: what it holds so far is what was written then. */
async function openPartial(
  path: string,
  checkpoint: Checkpoint | null,
): Promise<{ handle: FileHandle; hash: Hash }> {
  const partial = partialFile(path);
  const hash = newHash();
  if (checkpoint === null || checkpoint.outputBytes === 0)
    return { handle: await openFile(partial, 'w'), hash };
  // A run that was cut off between giving FILE its name and dropping the checkpoint: take the name back.
  if ((await kindOf(partial)) === 'missing' && (await kindOf(path)) === 'regular')
    await rename(path, partial);
  const handle = await openFile(partial, 'r+');
  const end = checkpoint.outputBytes - 1;
  for await (const piece of createReadStream(partial, { end })) hash.update(piece as Buffer);
  if (hash.copy().digest('hex') !== checkpoint.outputDigest) {
    await handle.close();
    throw refusal(partial, 'is not what the cut-off run wrote', '--force drops it');
  }
  await handle.truncate(checkpoint.outputBytes);
  await handle.close();
  return { handle: await openFile(partial, 'a'), hash };
}

class PartialFile implements Sink {
  readonly keepsMarks = true;
  readonly resumed: RunMark | null;
  readonly #path: string;
  readonly #lock: Lock;
  readonly #handle: FileHandle;
  readonly #terms: OutputTerms;
  /** Of all bytes written. */
  readonly #hash: Hash;
  #bytes: number;
  /** The last point the run came to, with the output up to there; null: nothing new since the checkpoint. */
  #reached: { mark: RunMark; bytes: number; hash: Hash } | null;
  #checkpointed = performance.now();

  constructor(
    path: string,
    lock: Lock,
    handle: FileHandle,
    hash: Hash,
    terms: OutputTerms,
    checkpoint: Checkpoint | null,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.#handle = handle;
    this.#hash = hash;
    this.#terms = terms;
    this.#bytes = checkpoint?.outputBytes ?? 0;
    this.resumed = checkpoint?.mark ?? null;
    this.#reached = checkpoint === null ? { mark: RUN_START, bytes: 0, hash: hash.copy() } : null;
  }

  async write(bytes: Uint8Array, mark: RunMark | null): Promise<void> {
    await writeAll(partialFile(this.#path), this.#handle, bytes);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    if (mark !== null) this.#reached = { mark, bytes: this.#bytes, hash: this.#hash.copy() };
    if (performance.now() - this.#checkpointed >= CHECKPOINT_MS) await this.checkpoint();
  }

  /** Writes how far the run has come, after the bytes that it speaks of are on disk. */
  async checkpoint(): Promise<void> {
    if (this.#reached === null) return;
    const { mark, bytes, hash } = this.#reached;
    try {
      await this.#handle.datasync();
      await writeCheckpoint(this.#path, {
        terms: this.#terms,
        mark,
        outputBytes: bytes,
        outputDigest: hash.digest('hex'),
      });
    } catch (error) {
      throw writeFailure(checkpointFile(this.#path), error);
    }
    this.#reached = null;
    this.#checkpointed = performance.now();
  }

  async finish(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(partialFile(this.#path), this.#path);
      await syncFolder(dirname(this.#path));
      await removeIfThere(checkpointFile(this.#path));
    } catch (error) {
      throw writeFailure(this.#path, error);
    } finally {
      await this.#lock.release();
    }
    await recordAnswers(this.#path);
  }

  async abandon(): Promise<void> {
    // The run has failed already; that the last second of it cannot be saved must not hide why.
    await this.checkpoint().catch(() => {});
    await this.#handle.close().catch(() => {});
    await this.#lock.release();
  }
}
