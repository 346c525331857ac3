/**
 * A sink that writes answers to a regular file. Answers are collected in FILE.partial, next to FILE.checkpoint.
 * When the run has ended, FILE.partial becomes FILE.
 */
import { type Hash, randomUUID } from 'node:crypto';
import { rename, unlink } from 'node:fs/promises';
import { createDigest } from '../../core/digest.js';
import { BoardmillError, Interrupted } from '../../core/errors.js';
import { fileError, identityOfStats, lstatOrNull, writeFailure } from '../../core/files/files.js';
import { piecesOfRegularFile } from '../../core/files/regular-files.js';
import { formatQuantity } from '../../core/format-count.js';
import type { SettingsFingerprint } from '../output-settings.js';
import { NO_INPUTS_BEFORE, RUN_START, type RunPosition } from '../position.js';
import type { RunOutcome } from '../run-outcome.js';
import type { Sink } from '../sink.js';
import {
  assertNextCheckpointReplaceable,
  assertSameSettings,
  type Checkpoint,
  CheckpointRefusal,
  checkpointPath,
  type InputStamp,
  isSameInput,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
  writeFirstCheckpoint,
} from './checkpoint.js';
import { type AnswerOrigin, assertReplaceable, fileKindOfAnswers, mayReplaceFile } from './ledger.js';
import { type FileLock, lockFile } from './lock.js';
import { PartialFile, partialPath } from './partial-file.js';
import { assertRecordReplaceable, publishShardRecord, type SolvedShard } from './shard-record.js';

/**
 * Milliseconds between two checkpoints, and so the most work that a killed run loses. Each checkpoint syncs files to the disk,
 * so more frequent checkpoints would slow the run down.
 */
const CHECKPOINT_INTERVAL_MS = 1000;

export interface AnswerFileOptions {
  /** Whether to overwrite files that boardmill did not write, and to discard the checkpoint of an interrupted run. */
  readonly force: boolean;
  /** Whether to continue an interrupted run from its checkpoint, if there is one. */
  readonly resume: boolean;
  readonly settingsFingerprint: SettingsFingerprint;
  /** Whether another run would write the same answers, so that later runs need not solve an unchanged input again. */
  readonly isRepeatable: boolean;
  /** The size and the time of the input, which the checkpoint stores; null if the input is not a regular file. */
  readonly inputStamp: InputStamp | null;
  /** Whether the files of an interrupted run are removed if its input was changed since, as a run over many files does. */
  readonly dropsStaleRun: boolean;
  /**
   * The facts about the shard that its record beside FILE states, except its extent. Missing if the run solves the whole input.
   */
  readonly shard?: Pick<SolvedShard, 'settingsFingerprint' | 'shard'>;
  /** Receives messages that the user should know even though nothing failed. */
  readonly note: (message: string) => void;
}

/**
 * Opens FILE as a sink. Fails with kind `file` if FILE is in use, must not be overwritten, or does not fit its
 * checkpoint.
 */
export async function openAnswerFile(path: string, options: AnswerFileOptions): Promise<Sink> {
  const lock = await lockFile(path);
  try {
    const { checkpoint, stale } = await findInterruptedRun(path, options);
    if (options.force) await removeCheckpoint(path);
    if (stale !== null) await dropStaleRun(path, stale);
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

/** The checkpoint that an interrupted run has left beside FILE, and whether this run continues or drops that run. */
interface InterruptedRun {
  /** The checkpoint from which this run continues; null if it starts at the beginning of the input. */
  readonly checkpoint: Checkpoint | null;
  /** The checkpoint of a run that this run drops, because its input was changed; null if there is none. */
  readonly stale: Checkpoint | null;
}

const NOTHING_LEFT: InterruptedRun = { checkpoint: null, stale: null };

/**
 * Finds out whether this run continues an interrupted run, drops it, or starts over. Fails with kind `file` if the options
 * allow none of these. Changes no file.
 */
export async function findInterruptedRun(path: string, options: AnswerFileOptions): Promise<InterruptedRun> {
  if (options.shard !== undefined) await assertRecordReplaceable(path, options.force);
  if (options.force) return NOTHING_LEFT;
  await assertNextCheckpointReplaceable(path);
  const kind = fileKindOfAnswers(options.settingsFingerprint);
  const checkpoint = await readCheckpoint(path);
  if (checkpoint !== null) {
    if (options.dropsStaleRun && !isSameInput(checkpoint.input, options.inputStamp)) {
      await assertReplaceable(path, kind);
      return { checkpoint: null, stale: checkpoint };
    }
    if (!options.resume) throw interruptedRunError(path, checkpoint);
    assertSameSettings(path, checkpoint.terms, options.settingsFingerprint);
    return { checkpoint, stale: null };
  }
  const partial = partialPath(path);
  // The ledger never lists a partial file, so a partial file that is not empty may belong to somebody else.
  if (!(await mayReplaceFile(partial, kind))) {
    throw refusalError(partial, 'exists without a checkpoint', '--force overwrites it');
  }
  await assertReplaceable(path, kind);
  if (options.resume) options.note(`there is no checkpoint of ${path}: starting from the beginning`);
  return NOTHING_LEFT;
}

/** Removes what an interrupted run has left, if it is what that run wrote. */
async function dropStaleRun(path: string, stale: Checkpoint): Promise<void> {
  if ((await lstatOrNull(partialPath(path))) !== null) await (await reopenPartial(path, stale)).discard();
  await removeCheckpoint(path);
}

function interruptedRunError(path: string, { position, hasFailed }: Checkpoint): CheckpointRefusal {
  const { scan, before = NO_INPUTS_BEFORE } = position;
  const cases = before.cases + scan.cases - (scan.shardStart?.cases ?? 0);
  const reason = `is left from a run that ${hasFailed ? 'failed' : 'was interrupted'}`;
  // A run that failed has answered more cases: those between its last checkpoint and the case on which it failed.
  const place = cases === 0 ? 'from the beginning' : `after ${formatQuantity(cases, 'case')}`;
  const remedies = `--resume continues ${place}, --force starts over`;
  return new CheckpointRefusal(`${checkpointPath(path)} ${reason}; ${remedies}`);
}

function refusalError(file: string, reason: string, remedy: string): BoardmillError {
  return new BoardmillError('file', `${file} ${reason}; ${remedy}`);
}

/**
 * Opens FILE.partial to continue it after the bytes that the checkpoint covers. Fails with kind `file` if the digest
 * of these bytes is not the digest in the checkpoint.
 */
async function reopenPartial(path: string, checkpoint: Checkpoint): Promise<PartialFile> {
  const partial = partialPath(path);
  const foundPath = await findPartialPath(path, checkpoint);
  const hash = await hashFirstBytes(foundPath, checkpoint.outputBytes);
  if (hash.copy().digest('hex') !== checkpoint.outputDigest) {
    throw refusalError(
      foundPath,
      'does not match its checkpoint: it is not what that run wrote',
      '--force starts over',
    );
  }
  if (foundPath !== partial) await rename(foundPath, partial);
  return PartialFile.reopen(path, hash, checkpoint.outputBytes);
}

/**
 * Returns the path of the partial output, which is usually FILE.partial. The path is FILE itself if the interrupted
 * run had already renamed FILE.partial to FILE, but had not removed the checkpoint.
 */
async function findPartialPath(path: string, checkpoint: Checkpoint): Promise<string> {
  const partial = partialPath(path);
  const [finalStats, partialStats] = [await lstatOrNull(path), await lstatOrNull(partial)];
  if (partialStats?.isFile()) {
    // While FILE.partial is given its final name, FILE and FILE.partial are two names of the same file.
    if (finalStats !== null && identityOfStats(finalStats) === identityOfStats(partialStats))
      await unlink(path);
    else if (partialStats.nlink > 1) {
      throw refusalError(
        partial,
        'has another name (a hard link), which would change with it',
        '--force starts over',
      );
    }
    await assertReplaceable(path, fileKindOfAnswers(checkpoint.terms));
    return partial;
  }
  if (partialStats !== null) throw refusalError(partial, 'is not a regular file', '--force starts over');
  // The caller compares the digest of FILE with the digest in the checkpoint. A checkpoint that covers no bytes has no digest
  // that could identify FILE, so FILE must then be empty.
  if (finalStats?.isFile() && (checkpoint.outputBytes > 0 || finalStats.size === 0)) return path;
  throw refusalError(partial, 'is missing, but its checkpoint exists', '--force starts over');
}

async function hashFirstBytes(path: string, bytes: number): Promise<Hash> {
  const hash = createDigest();
  try {
    for await (const piece of piecesOfRegularFile(path, bytes)) hash.update(piece);
  } catch (error) {
    throw error instanceof BoardmillError ? error : fileError('open', path, error);
  }
  return hash;
}

class AnswerFile implements Sink {
  readonly keepsPositions = true;
  readonly resumePosition: RunPosition | null;
  readonly runId: string;
  readonly #path: string;
  readonly #lock: FileLock;
  readonly #partialFile: PartialFile;
  readonly #options: AnswerFileOptions;
  /** The checkpoint of the last position, which is not written yet; null if it has been written. */
  #unsaved: Checkpoint | null = null;
  /** The checkpoint of the last position of this run, written or not; null if the run has not come to any. */
  #last: Checkpoint | null = null;
  /** The timer of the next checkpoint; null if no checkpoint is scheduled or being written. */
  #checkpointTimer: NodeJS.Timeout | null = null;
  #pendingCheckpoint: Promise<void> = Promise.resolve();
  /** The error with which writing a checkpoint failed; null if none failed. */
  #checkpointFailure: { readonly error: unknown } | null = null;
  #isClosing = false;

  constructor(
    path: string,
    lock: FileLock,
    partial: PartialFile,
    options: AnswerFileOptions,
    checkpoint: Checkpoint | null,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.#partialFile = partial;
    this.#options = options;
    this.resumePosition = checkpoint?.position ?? null;
    this.runId = checkpoint?.runId ?? randomUUID();
  }

  /** Writes the first checkpoint, which shows later runs that FILE.partial belongs to this run. */
  async saveStart(): Promise<void> {
    this.#last = this.#checkpointAt(RUN_START);
    try {
      await writeFirstCheckpoint(this.#path, this.#last);
    } catch (error) {
      await this.#removeAll();
      throw writeFailure(checkpointPath(this.#path), error);
    }
  }

  async write(bytes: Uint8Array, position: RunPosition | null): Promise<void> {
    if (this.#checkpointFailure !== null) throw this.#checkpointFailure.error;
    await this.#partialFile.write(bytes);
    if (position === null) return;
    this.#last = this.#checkpointAt(position);
    this.#unsaved = this.#last;
    this.#scheduleCheckpoint();
  }

  async finish(outcome?: RunOutcome): Promise<void> {
    await this.#stopCheckpoints();
    try {
      const { force } = this.#options;
      await this.#publishRecord(outcome);
      await this.#partialFile.publish({
        kind: fileKindOfAnswers(this.#options.settingsFingerprint),
        origin: this.#originOfAnswers(outcome),
        force,
        isPartialKept: true,
      });
      await removeCheckpoint(this.#path);
    } catch (error) {
      await this.#keepForResume(error);
      throw writeFailure(this.#path, error);
    } finally {
      await this.#lock.release();
    }
  }

  /** Writes the record of the shard before FILE.partial becomes FILE, so that FILE is never without its record. */
  async #publishRecord(outcome: RunOutcome | undefined): Promise<void> {
    const { shard, force } = this.#options;
    if (shard === undefined) return;
    const extent = outcome?.end.shard;
    if (extent === undefined || extent === null) throw new Error('the shard was not solved to its end');
    const { bytes } = this.#partialFile;
    const solved = { ...shard, failedCases: outcome!.failedCases, extent };
    const record = { ...solved, outputBytes: bytes, outputDigest: this.#partialFile.digest() };
    await publishShardRecord(this.#path, record, force);
  }

  /** Keeps the answers for `--resume`. If the run has written no answers, all its files are removed. */
  async abandon(reason?: unknown): Promise<boolean> {
    await this.#stopCheckpoints();
    const isWorthKeeping = this.resumePosition !== null || this.#partialFile.bytes > 0;
    if (isWorthKeeping) await this.#keepForResume(reason);
    else await this.#removeAll().catch(() => {});
    await this.#lock.release();
    return isWorthKeeping;
  }

  async #keepForResume(reason: unknown): Promise<void> {
    if (this.#last !== null && !(reason instanceof Interrupted))
      this.#unsaved = { ...this.#last, hasFailed: true };
    // If the run has failed and its last checkpoint cannot be written either, this second error is ignored, so that it does not
    // hide the first one.
    await this.#saveCheckpoint().catch(() => {});
    this.#partialFile.close();
  }

  async #removeAll(): Promise<void> {
    await this.#partialFile.discard();
    await removeCheckpoint(this.#path);
  }

  /** Writes the next checkpoint, after all answers that the checkpoint covers have been synced to the disk. */
  async #saveCheckpoint(): Promise<void> {
    const checkpoint = this.#unsaved;
    if (checkpoint === null) return;
    this.#unsaved = null;
    try {
      await this.#partialFile.sync();
      await writeCheckpoint(this.#path, checkpoint);
    } catch (error) {
      this.#unsaved ??= checkpoint;
      throw writeFailure(checkpointPath(this.#path), error);
    }
  }

  /**
   * Returns the origin of the answers for the ledger. Null if the ledger must not call the answers up to date, because another
   * run may answer differently, or because a case has no answer and a later run should try again.
   */
  #originOfAnswers(outcome: RunOutcome | undefined): AnswerOrigin | null {
    const { isRepeatable, settingsFingerprint } = this.#options;
    const input = outcome?.failedCases === 0 ? outcome.end.input : null;
    if (!isRepeatable || input === null || input.digest === null) return null;
    return { terms: settingsFingerprint, inputBytes: input.bytes, inputHash: input.digest };
  }

  /** Returns the checkpoint of a position after the answers before this position were written. */
  #checkpointAt(position: RunPosition): Checkpoint {
    const { settingsFingerprint, inputStamp } = this.#options;
    const { bytes: outputBytes } = this.#partialFile;
    const outputDigest = this.#partialFile.digest();
    return {
      terms: settingsFingerprint,
      runId: this.runId,
      input: inputStamp,
      position,
      outputBytes,
      outputDigest,
    };
  }

  /**
   * Schedules the next checkpoint in CHECKPOINT_INTERVAL_MS, however long the next answer takes. Answers can be
   * written while the checkpoint is written.
   */
  #scheduleCheckpoint(): void {
    this.#checkpointTimer ??= setTimeout(() => {
      this.#pendingCheckpoint = this.#saveCheckpoint()
        .catch((error: unknown) => {
          this.#checkpointFailure = { error };
        })
        .finally(() => {
          this.#checkpointTimer = null;
          if (this.#unsaved !== null && this.#checkpointFailure === null && !this.#isClosing)
            this.#scheduleCheckpoint();
        });
    }, CHECKPOINT_INTERVAL_MS);
  }

  async #stopCheckpoints(): Promise<void> {
    this.#isClosing = true;
    if (this.#checkpointTimer !== null) clearTimeout(this.#checkpointTimer);
    await this.#pendingCheckpoint;
  }
}
