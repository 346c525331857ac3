/**
 * A regular file as a sink for answers: they collect in FILE.partial beside FILE.checkpoint, and FILE appears when
 * the run has come to its end.
 */
import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { newDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { fileError, identityOfStats, lstatOrNull, writeFailure } from '../../core/files.js';
import { CHECKPOINT_MS } from '../limits.js';
import type { OutputTerms } from '../output-settings.js';
import { RUN_START, type RunPosition } from '../position.js';
import type { Sink } from '../sink.js';
import {
  assertSameTerms,
  type Checkpoint,
  checkpointPath,
  readCheckpoint,
  refuseForeignCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from './checkpoint.js';
import { type Fingerprint, mayReplace, type Origin, refuseForeign } from './ledger.js';
import { type Lock, lockFile } from './lock.js';
import { PartialFile, partialPath } from './partial-file.js';

export interface AnswerFileOptions {
  /** Overwrite files that boardmill did not write, and discard the checkpoint of an interrupted run. */
  readonly force: boolean;
  /** Continue from a checkpoint, if there is one. */
  readonly resume: boolean;
  readonly terms: OutputTerms;
  /** The input as it was read, asked for once that is over; missing: nobody wants to skip it another time. */
  readonly fingerprint?: Fingerprint;
  /** Receives what the user should know though nothing failed. */
  readonly note: (message: string) => void;
}

/** Fails with kind `file` where FILE is in use, must not be overwritten, or does not fit its checkpoint. */
export async function openAnswerFile(path: string, options: AnswerFileOptions): Promise<Sink> {
  const lock = await lockFile(path);
  try {
    const checkpoint = await chooseStart(path, options);
    if (options.force) await removeCheckpoint(path);
    const partial =
      checkpoint === null ? await PartialFile.create(path) : await reopenPartial(path, checkpoint);
    const file = new AnswerFile(path, lock, partial, options, checkpoint);
    if (checkpoint === null) await file.saveStart();
    return file;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The checkpoint to continue from, or null to start over; refuses what the user did not ask for. Touches nothing. */
export async function chooseStart(path: string, options: AnswerFileOptions): Promise<Checkpoint | null> {
  if (options.force) return null;
  await refuseForeignCheckpoint(path);
  const checkpoint = await readCheckpoint(path);
  if (checkpoint !== null) {
    if (!options.resume) throw interruptedRun(path, checkpoint);
    assertSameTerms(path, checkpoint.terms, options.terms);
    return checkpoint;
  }
  const partial = partialPath(path);
  // A partial file is never in the ledger: one that holds something is not ours to lose.
  if (!(await mayReplace(partial, 'answers'))) {
    throw refusal(partial, 'exists without a checkpoint', '--force overwrites it');
  }
  await refuseForeign(path, 'answers');
  if (options.resume) options.note(`there is no checkpoint of ${path}: starting from the beginning`);
  return null;
}

function interruptedRun(path: string, { position }: Checkpoint): BoardmillError {
  const reason = `is left from a run that was interrupted after ${position.scan.cases} cases`;
  return refusal(checkpointPath(path), reason, '--resume continues, --force starts over');
}

function refusal(file: string, reason: string, mend: string): BoardmillError {
  return new BoardmillError('file', `${file} ${reason}; ${mend}`);
}

/** Opens FILE.partial at the checkpoint's place, checked: what it holds so far is what was written then. */
async function reopenPartial(path: string, checkpoint: Checkpoint): Promise<PartialFile> {
  const partial = partialPath(path);
  const found = await findPartial(path, checkpoint);
  const hash = await hashStart(found, checkpoint.outputBytes);
  if (hash.copy().digest('hex') !== checkpoint.outputDigest) {
    throw refusal(found, 'is not what the interrupted run wrote', '--force starts over');
  }
  if (found !== partial) await rename(found, partial);
  return PartialFile.reopen(path, hash, checkpoint.outputBytes);
}

/** FILE itself where the run was interrupted between giving it its name and dropping the checkpoint. */
async function findPartial(path: string, { outputBytes }: Checkpoint): Promise<string> {
  const partial = partialPath(path);
  const [whole, part] = [await lstatOrNull(path), await lstatOrNull(partial)];
  if (part?.isFile()) {
    // FILE is a second name of the same file for as long as publishing takes.
    if (whole !== null && identityOfStats(whole) === identityOfStats(part)) await unlink(path);
    else if (part.nlink > 1) {
      throw refusal(
        partial,
        'has another name (a hard link), which would change with it',
        '--force starts over',
      );
    }
    await refuseForeign(path, 'answers');
    return partial;
  }
  if (part !== null) throw refusal(partial, 'is no regular file', '--force starts over');
  // The bytes tell whose file it is, unless the checkpoint speaks of none.
  if (whole?.isFile() && (outputBytes > 0 || whole.size === 0)) return path;
  throw refusal(partial, 'is missing, though there is a checkpoint', '--force starts over');
}

async function hashStart(path: string, bytes: number): Promise<Hash> {
  const hash = newDigest();
  if (bytes === 0) return hash;
  try {
    for await (const piece of createReadStream(path, { end: bytes - 1 })) hash.update(piece as Buffer);
  } catch (error) {
    throw fileError('open', path, error);
  }
  return hash;
}

/** A point that the run has come to, and the output up to there. */
interface Reached {
  readonly position: RunPosition;
  readonly bytes: number;
  readonly digest: string;
}

class AnswerFile implements Sink {
  readonly keepsPositions = true;
  readonly resumePosition: RunPosition | null;
  readonly #path: string;
  readonly #lock: Lock;
  readonly #partial: PartialFile;
  readonly #options: AnswerFileOptions;
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
    partial: PartialFile,
    options: AnswerFileOptions,
    checkpoint: Checkpoint | null,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.#partial = partial;
    this.#options = options;
    this.resumePosition = checkpoint?.position ?? null;
    if (checkpoint === null) this.#reach(RUN_START);
  }

  /** Writes the first checkpoint: from now on the file belongs to this run. */
  async saveStart(): Promise<void> {
    try {
      await this.#checkpoint();
    } catch (error) {
      await this.#removeAll();
      throw error;
    }
  }

  async write(bytes: Uint8Array, position: RunPosition | null): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    await this.#partial.write(bytes);
    if (position === null) return;
    this.#reach(position);
    this.#saveInTime();
  }

  async finish(): Promise<void> {
    await this.#stopSaving();
    try {
      const { force } = this.#options;
      await this.#partial.publish({ kind: 'answers', origin: this.#origin(), force });
      await removeCheckpoint(this.#path);
    } catch (error) {
      await this.#keep();
      throw writeFailure(this.#path, error);
    } finally {
      await this.#lock.release();
    }
  }

  /** Keeps what was answered for `--resume`; a run that has answered nothing leaves nothing behind. */
  async abandon(): Promise<boolean> {
    await this.#stopSaving();
    const isWorthKeeping = this.resumePosition !== null || this.#partial.bytes > 0;
    if (isWorthKeeping) await this.#keep();
    else await this.#removeAll().catch(() => {});
    await this.#lock.release();
    return isWorthKeeping;
  }

  async #keep(): Promise<void> {
    // The run has failed already; that the last second of it cannot be saved must not hide why.
    await this.#checkpoint().catch(() => {});
    await this.#partial.close();
  }

  async #removeAll(): Promise<void> {
    await this.#partial.discard();
    await removeCheckpoint(this.#path);
  }

  /** Writes how far the run has come, after the bytes that it speaks of are on disk. */
  async #checkpoint(): Promise<void> {
    const reached = this.#reached;
    if (reached === null) return;
    this.#reached = null;
    try {
      await this.#partial.datasync();
      await writeCheckpoint(this.#path, {
        terms: this.#options.terms,
        position: reached.position,
        outputBytes: reached.bytes,
        outputDigest: reached.digest,
      });
    } catch (error) {
      this.#reached ??= reached;
      throw writeFailure(checkpointPath(this.#path), error);
    }
  }

  #origin(): Origin | null {
    const { fingerprint, terms } = this.#options;
    const input = fingerprint?.taken() ?? null;
    return input === null ? null : { terms, ...input };
  }

  #reach(position: RunPosition): void {
    this.#reached = { position, bytes: this.#partial.bytes, digest: this.#partial.digest() };
  }

  /** A checkpoint within CHECKPOINT_MS, however long the next answer takes; writing goes on meanwhile. */
  #saveInTime(): void {
    this.#timer ??= setTimeout(() => {
      this.#saving = this.#checkpoint()
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
