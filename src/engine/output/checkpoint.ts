/**
 * FILE.checkpoint, which an interrupted run leaves next to FILE.partial. Because answers are written in input order,
 * a checkpoint contains only a few numbers and the fingerprint of the settings. A checkpoint does not depend on chunks: a
 * resumed run may cut the input into other chunks.
 */
import { createDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import {
  errorOfFailedWrite,
  lstatOrNull,
  removeFileIfThere,
  replaceDurably,
  statOrNull,
} from '../../core/files/files.js';
import { readSmallFileIfThere } from '../../core/files/regular-files.js';
import { mayBeSealedJson, parseSealedJson, printSealedJson } from '../../core/files/sealed-json.js';
import { MAX_STATE_FILE_BYTES } from '../limits.js';
import { describeChangedSettings, type SettingsFingerprint } from '../output-settings.js';
import { RUN_START, type RunPosition } from '../position.js';

/** The size of an input file and the time of its last change, which tell a later run whether the file was changed. */
export interface InputStamp {
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** How far a run has come. */
export interface RunProgress {
  readonly position: RunPosition;
  /** Whether the run failed. Missing if it was interrupted, or killed. */
  readonly hasFailed?: true;
  /** Size and SHA-256 of FILE.partial up to the position of the checkpoint. */
  readonly outputBytes: number;
  readonly outputDigest: string;
  /** Size and SHA-256 of all answers, just before FILE gets its name. Missing if the ledger states them. */
  readonly whole?: { readonly bytes: number; readonly digest: string };
}

/** How far a run has come that has answered nothing. */
export const NO_RUN_PROGRESS: RunProgress = {
  position: RUN_START,
  outputBytes: 0,
  outputDigest: createDigest().digest('hex'),
};

export interface Checkpoint extends RunProgress {
  /** The fingerprint of the settings. `terms` is its name in the JSON of the file. */
  readonly terms: SettingsFingerprint;
  /** As in Sink. */
  readonly runId: string;
  /** The input when the run began; null if it was no regular file. */
  readonly input: InputStamp | null;
}

/** FILE.checkpoint keeps a run from writing FILE: it is damaged, does not fit the run, or would be lost. */
export class CheckpointRefusal extends BoardmillError {
  constructor(message: string) {
    super('file', message);
  }
}

/** The first characters of the checkpoint files of all versions of boardmill. */
const CHECKPOINT_PREFIX = '{"schema":"boardmill/checkpoint/';
/**
 * The name of the checkpoint format of this version of boardmill. Format 1 had other hashes of the input; format 2 lacked the
 * stamp of the input and the name of the run.
 */
const SCHEMA = 'boardmill/checkpoint/3';

export function checkpointPath(path: string): string {
  return `${path}.checkpoint`;
}

/** Returns the stamp of an input; null if it is not a regular file. */
export function stampOfInput(path: string): InputStamp | null {
  const stats = path === '-' ? null : statOrNull(path);
  return stats?.isFile() ? { bytes: stats.size, mtimeMs: stats.mtimeMs } : null;
}

/**
 * Whether nothing was written to an input between two runs. The hash in a checkpoint cannot tell this, because it covers only
 * the part of the input that was read.
 */
export function isSameInput(one: InputStamp | null, other: InputStamp | null): boolean {
  return one !== null && other !== null && one.bytes === other.bytes && one.mtimeMs === other.mtimeMs;
}

/** Returns the path of the file to which boardmill writes the next checkpoint before it replaces FILE.checkpoint. */
function nextCheckpointPath(path: string): string {
  return `${checkpointPath(path)}.new`;
}

/** Returns the paths of the checkpoint files that a run may write next to FILE. */
export function checkpointPaths(path: string): string[] {
  return [checkpointPath(path), nextCheckpointPath(path)];
}

/** What FILE.checkpoint contains. It is `torn` if a power loss has left only the beginning of a checkpoint, or zeros. */
export type FoundCheckpoint = Checkpoint | 'torn' | null;

/**
 * Reads the checkpoint of FILE. Returns null if FILE has no checkpoint. Fails with kind `file` if boardmill cannot have
 * written it.
 */
export async function readCheckpoint(path: string): Promise<FoundCheckpoint> {
  const file = checkpointPath(path);
  const text = readText(file);
  if (text === null) return null;
  const { isPossibleCheckpoint } = await import('./checkpoint-form.js');
  const checkpoint = parseSealedJson<Checkpoint>(SCHEMA, text, isPossibleCheckpoint);
  if (checkpoint !== null) return checkpoint;
  if (isTorn(text)) return 'torn';
  throw isOfOtherVersion(text)
    ? new CheckpointRefusal(`${file} is a checkpoint of another version of boardmill; --force starts over`)
    : notACheckpointError(path);
}

export function notACheckpointError(path: string): CheckpointRefusal {
  return new CheckpointRefusal(
    `${checkpointPath(path)} is not a checkpoint of boardmill, or was changed; --force starts over`,
  );
}

/** Whether a text is the beginning of a checkpoint. Zeros may follow: a power loss may keep the size of a file alone. */
function isTorn(text: string): boolean {
  const written = text.replace(/\0+$/, '');
  return (
    CHECKPOINT_PREFIX.startsWith(written) ||
    (written.startsWith(CHECKPOINT_PREFIX) && !written.includes('\n'))
  );
}

function isOfOtherVersion(text: string): boolean {
  return text.startsWith(CHECKPOINT_PREFIX) && !text.includes(`"${SCHEMA}"`);
}

/** Fails with kind `file` if a file that boardmill did not write has the name of the next checkpoint. */
export async function assertNextCheckpointReplaceable(path: string): Promise<void> {
  const file = nextCheckpointPath(path);
  const text = readText(file);
  if (text === null || mayBeSealedJson(CHECKPOINT_PREFIX, text)) return;
  throw new CheckpointRefusal(`${file} exists and boardmill did not write it; --force overwrites it`);
}

/**
 * Returns the text of the file, or null if the file does not exist. Fails with kind `file` if boardmill cannot have written the
 * file.
 */
function readText(file: string): string | null {
  try {
    return readSmallFileIfThere(file, MAX_STATE_FILE_BYTES)?.toString() ?? null;
  } catch (error) {
    throw error instanceof BoardmillError
      ? new CheckpointRefusal(`${error.message}; --force starts over`)
      : error;
  }
}

/** FILE.checkpoint, as the run writes it that writes FILE. */
export class CheckpointFile {
  readonly #path: string;
  /** What each checkpoint of the run states alike. */
  readonly #run: Pick<Checkpoint, 'terms' | 'runId' | 'input'>;
  #exists: boolean;

  constructor(path: string, run: Pick<Checkpoint, 'terms' | 'runId' | 'input'>) {
    this.#path = path;
    this.#run = run;
    this.#exists = checkpointPaths(path).some((file) => lstatOrNull(file) !== null);
  }

  /** Whether a checkpoint, or the next one, lies beside FILE. */
  get exists(): boolean {
    return this.#exists;
  }

  /** Writes a checkpoint without answers, which tells later runs that FILE.partial belongs to this run, whatever is in it. */
  claim(): Promise<void> {
    return this.write(NO_RUN_PROGRESS);
  }

  /** Replaces the file in one step. The caller has synced the answers that the checkpoint covers. */
  async write(progress: RunProgress): Promise<void> {
    this.#exists = true;
    const text = printSealedJson(SCHEMA, { ...this.#run, ...progress });
    try {
      await replaceDurably([checkpointPath(this.#path)], () => nextCheckpointPath(this.#path), text);
    } catch (error) {
      throw errorOfFailedWrite(checkpointPath(this.#path), error);
    }
  }

  async remove(): Promise<void> {
    if (this.#exists) await removeCheckpoint(this.#path);
    this.#exists = false;
  }
}

export async function removeCheckpoint(path: string): Promise<void> {
  for (const file of [nextCheckpointPath(path), checkpointPath(path)]) await removeFileIfThere(file);
}

/**
 * Fails with kind `file` if the checkpoint is of a run with other settings, because this run would not write the same
 * bytes as the interrupted run. The message names the settings that differ.
 */
export function assertSameSettings(
  path: string,
  storedFingerprint: SettingsFingerprint,
  currentFingerprint: SettingsFingerprint,
): void {
  const difference = describeChangedSettings(storedFingerprint, currentFingerprint);
  if (difference === null) return;
  throw new CheckpointRefusal(
    `${checkpointPath(path)} does not fit this run: ${difference}; --force starts over`,
  );
}
