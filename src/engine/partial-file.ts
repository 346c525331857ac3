/**
 * A regular file as a sink: answers collect in FILE.partial beside FILE.checkpoint, and FILE appears when the
 * run has come to its end. What is under the final name is whole.
 */
import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BoardmillError, systemReason } from '../core/errors.js';
import {
  type Checkpoint,
  checkpointFile,
  checkTerms,
  type OutputTerms,
  RUN_START,
  type RunMark,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from './checkpoint.js';
import { kindOf, openFile, syncFolder, writeAll, writeFailure } from './files.js';
import { type Fingerprint, type Made, newHash, recordAnswers, wereMadeByUs } from './ledger.js';
import { CHECKPOINT_MS } from './limits.js';
import { type Lock, lockFile } from './lock.js';
import type { Sink } from './sink.js';

export interface PartialFileOptions {
  /** Overwrite what boardmill did not make, and drop what a cut-off run left. */
  readonly force: boolean;
  /** Go on from a checkpoint, if there is one. */
  readonly resume: boolean;
  readonly terms: OutputTerms;
  /** The input as it was read, asked for once that is over; missing: nobody wants to skip it another time. */
  readonly fingerprint?: Fingerprint;
  /** Told what the user should know though nothing failed. */
  readonly note: (message: string) => void;
}

/** Fails with kind `file` where FILE is in use, must not be overwritten, or does not fit its checkpoint. */
export async function openPartialFile(path: string, options: PartialFileOptions): Promise<Sink> {
  const lock = await lockFile(path);
  try {
    const checkpoint = await chooseStart(path, options);
    const { handle, hash } = await openPartial(path, checkpoint);
    const file = new PartialFile(path, lock, handle, hash, options, checkpoint);
    if (checkpoint === null) await file.checkpoint();
    return file;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The checkpoint to go on from, or null to start afresh; refuses what the user did not ask for. */
export async function chooseStart(path: string, options: PartialFileOptions): Promise<Checkpoint | null> {
  if (options.force) {
    await removeCheckpoint(path);
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
  else if (!(await wereMadeByUs(partial))) {
    throw refusal(partial, 'exists without a checkpoint', '--force overwrites it');
  }
  await refuseForeign(path);
  return null;
}

/** Fails with kind `file` if something would be lost that boardmill did not make. */
export async function refuseForeign(path: string): Promise<void> {
  if (await wereMadeByUs(path)) return;
  throw refusal(path, 'exists and boardmill did not make it', '--force overwrites it');
}

function cutOff({ mark }: Checkpoint): string {
  return `is left from a run that was cut off after ${mark.input.cases} cases`;
}

function refusal(file: string, reason: string, mend: string): BoardmillError {
  return new BoardmillError('file', `${file} ${reason}; ${mend}`);
}

export function partialFile(path: string): string {
  return `${path}.partial`;
}

/** Gives FILE.partial its final name, and remembers whose it is. */
export async function becomeWhole(
  path: string,
  partial: FileHandle,
  made: Made | null = null,
): Promise<void> {
  await partial.sync();
  await partial.close();
  await rename(partialFile(path), path);
  await syncFolder(dirname(path));
  await recordAnswers(path, made);
}

/** Opens FILE.partial at the checkpoint's place, checked: what it holds so far is what was written then. */
async function openPartial(
  path: string,
  checkpoint: Checkpoint | null,
): Promise<{ handle: FileHandle; hash: Hash }> {
  const partial = partialFile(path);
  if (checkpoint === null) return { handle: await openFile(partial, 'w'), hash: newHash() };
  const found = await findPartial(path);
  const hash = await hashStart(found, checkpoint.outputBytes);
  if (hash.copy().digest('hex') !== checkpoint.outputDigest) {
    throw refusal(found, 'is not what the cut-off run wrote', '--force starts afresh');
  }
  if (found !== partial) await rename(found, partial);
  const handle = await openFile(partial, 'a');
  await handle.truncate(checkpoint.outputBytes);
  return { handle, hash };
}

/** FILE itself where the run was cut off between giving it its name and dropping the checkpoint. */
async function findPartial(path: string): Promise<string> {
  const partial = partialFile(path);
  if ((await kindOf(partial)) === 'regular') {
    await refuseForeign(path);
    return partial;
  }
  if ((await kindOf(path)) === 'regular') return path;
  throw refusal(partial, 'is missing, though there is a checkpoint', '--force starts afresh');
}

async function hashStart(path: string, bytes: number): Promise<Hash> {
  const hash = newHash();
  if (bytes === 0) return hash;
  try {
    for await (const piece of createReadStream(path, { end: bytes - 1 })) hash.update(piece as Buffer);
  } catch (error) {
    throw new BoardmillError('file', `cannot open ${path}: ${systemReason(error)}`, { cause: error });
  }
  return hash;
}

/** A point that the run has come to, and the output up to there. */
interface Reached {
  readonly mark: RunMark;
  readonly bytes: number;
  readonly digest: string;
}

class PartialFile implements Sink {
  readonly keepsMarks = true;
  readonly resumed: RunMark | null;
  readonly #path: string;
  readonly #lock: Lock;
  readonly #handle: FileHandle;
  readonly #options: PartialFileOptions;
  /** Of all bytes written. */
  readonly #hash: Hash;
  #bytes: number;
  /** The last point; null: nothing new since the checkpoint. */
  #reached: Reached | null = null;
  /** The checkpoint that is due or being written. */
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();
  /** A checkpoint could not be written. */
  #failure: { readonly error: unknown } | null = null;
  #isOver = false;

  constructor(
    path: string,
    lock: Lock,
    handle: FileHandle,
    hash: Hash,
    options: PartialFileOptions,
    checkpoint: Checkpoint | null,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.#handle = handle;
    this.#hash = hash;
    this.#options = options;
    this.#bytes = checkpoint?.outputBytes ?? 0;
    this.resumed = checkpoint?.mark ?? null;
    if (checkpoint === null) this.#reach(RUN_START);
  }

  async write(bytes: Uint8Array, mark: RunMark | null): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    await writeAll(partialFile(this.#path), this.#handle, bytes);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    if (mark === null) return;
    this.#reach(mark);
    this.#saveInTime();
  }

  /** Writes how far the run has come, after the bytes that it speaks of are on disk. */
  async checkpoint(): Promise<void> {
    const reached = this.#reached;
    if (reached === null) return;
    this.#reached = null;
    try {
      await this.#handle.datasync();
      await writeCheckpoint(this.#path, {
        terms: this.#options.terms,
        mark: reached.mark,
        outputBytes: reached.bytes,
        outputDigest: reached.digest,
      });
    } catch (error) {
      this.#reached ??= reached;
      throw writeFailure(checkpointFile(this.#path), error);
    }
  }

  async finish(): Promise<void> {
    await this.#stopSaving();
    try {
      await becomeWhole(this.#path, this.#handle, this.#made());
      await removeCheckpoint(this.#path);
    } catch (error) {
      throw writeFailure(this.#path, error);
    } finally {
      await this.#lock.release();
    }
  }

  async abandon(): Promise<void> {
    await this.#stopSaving();
    // The run has failed already; that the last second of it cannot be saved must not hide why.
    await this.checkpoint().catch(() => {});
    await this.#handle.close().catch(() => {});
    await this.#lock.release();
  }

  #made(): Made {
    const { fingerprint, terms } = this.#options;
    const input = fingerprint?.taken() ?? null;
    return { digest: this.#hash.copy().digest('hex'), origin: input === null ? null : { terms, ...input } };
  }

  #reach(mark: RunMark): void {
    this.#reached = { mark, bytes: this.#bytes, digest: this.#hash.copy().digest('hex') };
  }

  /** A checkpoint within CHECKPOINT_MS, however long the next answer takes; writing goes on meanwhile. */
  #saveInTime(): void {
    this.#timer ??= setTimeout(() => {
      this.#saving = this.checkpoint()
        .catch((error: unknown) => {
          this.#failure = { error };
        })
        .finally(() => {
          this.#timer = null;
          if (this.#reached !== null && this.#failure === null && !this.#isOver) this.#saveInTime();
        });
    }, CHECKPOINT_MS);
  }

  async #stopSaving(): Promise<void> {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#saving;
  }
}
