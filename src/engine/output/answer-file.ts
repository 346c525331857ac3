/**
 * A sink that writes answers to a regular file. Answers are collected in FILE.partial, next to FILE.checkpoint.
 * When the run has ended, FILE.partial becomes FILE.
 */
import { type Hash, randomUUID } from 'node:crypto';
import { createDigest, digestOfFile } from '../../core/digest.js';
import { BoardmillError, Interrupted, WrongAnswerError } from '../../core/errors.js';
import { errorOfFailedWrite, fileError, identityOfStats, lstatOrNull } from '../../core/files/files.js';
import { piecesOfRegularFile } from '../../core/files/regular-files.js';
import { formatQuantity } from '../../core/format-count.js';
import type { RunName } from '../messages.js';
import type { SettingsFingerprint } from '../output-settings.js';
import { NO_INPUTS_BEFORE, type RunPosition } from '../position.js';
import type { RunOutcome } from '../run-outcome.js';
import type { Sink } from '../sink.js';
import {
  assertNextCheckpointReplaceable,
  assertSameSettings,
  type Checkpoint,
  CheckpointFile,
  CheckpointRefusal,
  checkpointPath,
  type FoundCheckpoint,
  type InputStamp,
  isSameInput,
  NO_RUN_PROGRESS,
  notACheckpointError,
  type RunProgress,
  readCheckpoint,
} from './checkpoint.js';
import {
  type AnswerOrigin,
  assertReplaceable,
  fileKindOfAnswers,
  isOutputUnfinished,
  mayReplacePartial,
  OverwriteRefusal,
  type WrittenFileKind,
} from './ledger.js';
import { type FileLock, lockFile } from './lock.js';
import { PartialFile, type PartialFileOptions, partialPath } from './partial-file.js';
import { assertRecordReplaceable, publishShardRecord, type ShardIdentity } from './shard-record.js';

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
  /**
   * Whether the run has many files. Then a file whose input was changed since an interrupted run is solved anew, and to have no
   * checkpoint is nothing to tell the user.
   */
  readonly isOneOfMany: boolean;
  /**
   * Whether the first checkpoint is written at once. By the name of the run, which it contains, a later run finds what this one
   * has in a queue.
   */
  readonly isNamedAtOnce?: boolean;
  /**
   * The shard that the run solves, for its record beside FILE. Missing if the run solves the whole input.
   */
  readonly shard?: ShardIdentity;
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
    const { settingsFingerprint: terms, inputStamp: input } = options;
    const { checkpoint, leftover } = await findInterruptedRun(path, options);
    const runId = checkpoint?.runId ?? randomUUID();
    const checkpoints = new CheckpointFile(path, { terms, runId, input });
    await assertOwnPartial(path, leftover);
    // The claim takes the place of the checkpoint before FILE.partial is removed: there is never one without the other.
    if (checkpoint === null && checkpoints.exists) await checkpoints.claim();
    const partial = await openPartial(path, checkpoint, {
      kind: fileKindOfAnswers(terms),
      claim: () => checkpoints.claim(),
    });
    if (options.isNamedAtOnce && !checkpoints.exists) await checkpoints.claim();
    return new AnswerFile(path, lock, partial, checkpoints, options, runId, checkpoint);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** What an interrupted run has left beside FILE, and whether this run continues or drops that run. */
interface InterruptedRun {
  /** The checkpoint from which this run continues; null if it starts at the beginning of the input. */
  readonly checkpoint: Checkpoint | null;
  /** The checkpoint of a run that this run drops, because it cannot be continued; null if there is none. */
  readonly leftover: FoundCheckpoint;
}

const NOTHING_LEFT: InterruptedRun = { checkpoint: null, leftover: null };

/**
 * Finds out whether this run continues an interrupted run, drops it, or starts over. Fails with kind `file` if the options
 * allow none of these. Changes no file.
 */
export async function findInterruptedRun(path: string, options: AnswerFileOptions): Promise<InterruptedRun> {
  if (options.shard !== undefined) await assertRecordReplaceable(path, options.force);
  if (options.force) return NOTHING_LEFT;
  await assertNextCheckpointReplaceable(path);
  const kind = fileKindOfAnswers(options.settingsFingerprint);
  const found = await readCheckpoint(path);
  if (found !== null && found !== 'torn' && isContinuable(path, found, options)) {
    if (!options.resume) throw interruptedRunError(path, found);
    assertSameSettings(path, found.terms, options.settingsFingerprint);
    if (!hasPartial(path) && !(await isWholeOutput(path, found))) await assertReplaceable(path, kind);
    return { checkpoint: found, leftover: null };
  }
  if (found === 'torn') await assertTornByPowerLoss(path, kind);
  if ((found === null || found === 'torn') && !(await mayReplacePartial(path, partialPath(path), kind)))
    throw new OverwriteRefusal(partialPath(path), 'exists without a checkpoint');
  if (!(await isWholeOutput(path, found))) await assertReplaceable(path, kind);
  noteStart(path, found, options);
  return { checkpoint: null, leftover: found };
}

/** Fails with kind `file` unless the damaged checkpoint is empty, or the ledger knows that a run has begun FILE. */
async function assertTornByPowerLoss(path: string, kind: WrittenFileKind): Promise<void> {
  const isEmpty = lstatOrNull(checkpointPath(path))?.size === 0;
  if (!isEmpty && !isOutputUnfinished(path, kind)) throw notACheckpointError(path);
}

/** Whether FILE is what the checkpoint says, as after a run that could not write the ledger. */
async function isWholeOutput(path: string, found: FoundCheckpoint): Promise<boolean> {
  if (found === null || found === 'torn') return false;
  const { outputBytes, outputDigest, whole = { bytes: outputBytes, digest: outputDigest } } = found;
  return lstatOrNull(path)?.size === whole.bytes && (await digestOfFile(path)) === whole.digest;
}

/** Whether a run can continue after a checkpoint: its run has not finished FILE, and the input is as it was. */
function isContinuable(path: string, checkpoint: Checkpoint, options: AnswerFileOptions): boolean {
  if (options.isOneOfMany && !isSameInput(checkpoint.input, options.inputStamp)) return false;
  if (hasPartial(path)) return true;
  // A run that has answered nothing yet may have chunks in a queue, which a run that continues it finds by its name.
  return checkpoint.outputBytes > 0 ? lstatOrNull(path) === null : options.resume;
}

/**
 * Whether there is a FILE.partial that is not FILE. When FILE.partial gets its final name, it is a second name of FILE for a
 * moment, and FILE must stay as it is.
 */
export function hasPartial(path: string): boolean {
  const [file, partial] = [lstatOrNull(path), lstatOrNull(partialPath(path))];
  return partial !== null && (file === null || identityOfStats(file) !== identityOfStats(partial));
}

/** Says that the run does not continue where another one has stopped, if the user would expect that. */
function noteStart(
  path: string,
  found: FoundCheckpoint,
  { resume, isOneOfMany, note }: AnswerFileOptions,
): void {
  if (found === 'torn')
    note(
      `${checkpointPath(path)} is damaged, as it may be after a power loss: ${path} is solved from the beginning`,
    );
  else if (found === null && resume && !isOneOfMany)
    note(`there is no checkpoint of ${path}: starting from the beginning`);
}

/** Fails with kind `file` if FILE.partial is not what the run that this run drops has written. */
async function assertOwnPartial(path: string, leftover: FoundCheckpoint): Promise<void> {
  if (leftover !== null && leftover !== 'torn' && hasPartial(path)) await hashPartial(path, leftover);
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

/** Opens FILE.partial to continue it after the checkpoint, or creates it if there is none. */
async function openPartial(
  path: string,
  checkpoint: Checkpoint | null,
  options: PartialFileOptions,
): Promise<PartialFile> {
  const hasNone = checkpoint?.outputBytes === 0 && !hasPartial(path);
  if (checkpoint === null || hasNone) return PartialFile.create(path, options);
  return PartialFile.reopen(path, options, await hashPartial(path, checkpoint), checkpoint.outputBytes);
}

/**
 * Hashes the bytes of FILE.partial that the checkpoint covers. Fails with kind `file` if their digest is not that in the
 * checkpoint, or if FILE.partial is not what a run leaves.
 */
async function hashPartial(path: string, checkpoint: Checkpoint): Promise<Hash> {
  const partial = partialPath(path);
  const stats = lstatOrNull(partial);
  const refuse = (reason: string) => new BoardmillError('file', `${partial} ${reason}; --force starts over`);
  if (stats === null) throw refuse('is missing, but its checkpoint exists');
  if (!stats.isFile()) throw refuse('is not a regular file');
  if (stats.nlink > 1) throw refuse('has another name (a hard link), which would change with it');
  await assertReplaceable(path, fileKindOfAnswers(checkpoint.terms));
  const hash = await hashFirstBytes(partial, checkpoint.outputBytes);
  if (stats.size >= checkpoint.outputBytes && hash.copy().digest('hex') === checkpoint.outputDigest)
    return hash;
  throw refuse('does not match its checkpoint: it is not what that run wrote');
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

function progressOf({ position, outputBytes, outputDigest }: Checkpoint): RunProgress {
  return { position, outputBytes, outputDigest };
}

class AnswerFile implements Sink {
  readonly keepsPositions = true;
  readonly writesAtOnce = true;
  readonly resumePosition: RunPosition | null;
  readonly run: RunName;
  readonly #path: string;
  readonly #lock: FileLock;
  readonly #partialFile: PartialFile;
  readonly #checkpoints: CheckpointFile;
  readonly #options: AnswerFileOptions;
  /** How far the run has come, if no checkpoint says so yet; null if one does. */
  #unsaved: RunProgress | null = null;
  /** How far the run has come. */
  #last: RunProgress;
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
    checkpoints: CheckpointFile,
    options: AnswerFileOptions,
    runId: string,
    checkpoint: Checkpoint | null,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.#partialFile = partial;
    this.#checkpoints = checkpoints;
    this.#options = options;
    this.run = { id: runId, isContinuation: checkpoint !== null };
    this.resumePosition = checkpoint?.position ?? null;
    this.#last = checkpoint === null ? NO_RUN_PROGRESS : progressOf(checkpoint);
  }

  async write(bytes: Uint8Array, position: RunPosition | null): Promise<void> {
    if (this.#checkpointFailure !== null) throw this.#checkpointFailure.error;
    await this.#partialFile.write(bytes);
    if (position === null) return;
    const { bytes: outputBytes } = this.#partialFile;
    this.#last = { position, outputBytes, outputDigest: this.#partialFile.digest() };
    this.#unsaved = this.#last;
    this.#scheduleCheckpoint();
  }

  async finish(outcome?: RunOutcome): Promise<void> {
    await this.#stopCheckpoints();
    try {
      const { force } = this.#options;
      await this.#publishRecord(outcome);
      await this.#partialFile.publish({
        origin: this.#originOfAnswers(outcome),
        force,
        isPartialKept: true,
        beforeUnknown: () => this.#saveWhole(),
      });
      await this.#checkpoints.remove();
    } catch (error) {
      await this.#keepForResume(error);
      throw errorOfFailedWrite(this.#path, error);
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

  /** Keeps the answers for `--resume`. If the run has no answers, or none to be trusted, all its files are removed. */
  async abandon(reason?: unknown): Promise<boolean> {
    await this.#stopCheckpoints();
    const hasAnswers = this.resumePosition !== null || this.#partialFile.bytes > 0;
    const isWorthKeeping = hasAnswers && !(reason instanceof WrongAnswerError);
    if (isWorthKeeping) await this.#keepForResume(reason);
    else await this.#removeAll().catch(() => {});
    await this.#lock.release();
    return isWorthKeeping;
  }

  async #keepForResume(reason: unknown): Promise<void> {
    if (!(reason instanceof Interrupted)) this.#unsaved = { ...this.#last, hasFailed: true };
    try {
      await this.#saveCheckpoint();
      // A run that has come to no position keeps its answers, too.
      await this.#partialFile.sync();
    } catch {
      // The run has failed, and its last checkpoint cannot be written either. This second error must not hide the first one.
    }
    this.#partialFile.close();
  }

  async #removeAll(): Promise<void> {
    await this.#partialFile.discard();
    await this.#checkpoints.remove();
  }

  /** Writes the next checkpoint, after all answers that the checkpoint covers have been synced to the disk. */
  async #saveCheckpoint(): Promise<void> {
    const progress = this.#unsaved;
    if (progress === null) return;
    this.#unsaved = null;
    try {
      await this.#partialFile.sync();
      await this.#checkpoints.write(progress);
    } catch (error) {
      this.#unsaved ??= progress;
      throw errorOfFailedWrite(this.#path, error);
    }
  }

  /** Lets the checkpoint say what FILE is about to become. */
  async #saveWhole(): Promise<void> {
    const whole = { bytes: this.#partialFile.bytes, digest: this.#partialFile.digest() };
    this.#unsaved = { ...this.#last, whole };
    await this.#saveCheckpoint();
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
