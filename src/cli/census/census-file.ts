/**
 * FILE.census, the state of a census that writes to FILE. It is replaced from time to time, so that `--resume` can continue a
 * census that was interrupted or killed, and removed when FILE is written.
 */
import { BoardmillError } from '../../core/errors.js';
import { errorOfFailedWrite, removeFileIfThere, replaceDurably } from '../../core/files/files.js';
import { readSmallFileIfThere } from '../../core/files/regular-files.js';
import { mayBeSealedJson } from '../../core/files/sealed-json.js';
import { formatShard } from '../../engine/input/shard.js';
import { MAX_STATE_FILE_BYTES } from '../../engine/limits.js';
import { areCountsUpToDate } from '../../engine/output/ledger.js';
import { isFileLocked } from '../../engine/output/lock.js';
import { describeChangedSettings, type SettingsFingerprint } from '../../engine/output-settings.js';
import {
  CENSUS_STATE_PREFIX,
  type CensusState,
  findCensusPart,
  haveSameNames,
  parseCensusState,
  printCensusState,
} from '../../tools/census/census-state.js';

/** Milliseconds between two states that are written. */
const SAVE_INTERVAL_MS = 500;

export class CensusFile {
  readonly #countsPath: string;
  readonly #path: string;
  #savedAt = performance.now();

  /** `path` is the path of FILE. */
  constructor(path: string) {
    this.#countsPath = path;
    this.#path = `${path}.census`;
  }

  /**
   * Whether FILE has the counts of the census that would begin with the state `fresh`. A shard says itself what it counts; of
   * the counts of a whole census, the ledger knows it. Fails with kind `file` if FILE is a shard of something else, which may
   * have taken hours, and which a slip of the pen would replace.
   */
  async areCountsUpToDate(fresh: CensusState, isShard: boolean): Promise<boolean> {
    const part = findCensusPart(this.#countsPath);
    if (part === null) return !isShard && areCountsUpToDate(this.#countsPath, fresh.terms);
    const difference = describeChangedSettings(termsOf(part), isShard ? termsOf(fresh) : fresh.terms);
    if (difference === null) return true;
    throw new BoardmillError(
      'file',
      `${this.#countsPath} is a shard that another census has counted: ${difference}; --force overwrites it`,
    );
  }

  /** Removes the state of the same census, which was killed when FILE had its counts. */
  async removeLeftover(fresh: CensusState): Promise<void> {
    const state = parseCensusState(readIfThere(this.#path) ?? '');
    const isSame = state !== null && describeChangedSettings(termsOf(state), termsOf(fresh)) === null;
    if (isSame && !(await isFileLocked(this.#countsPath))) await this.remove();
  }

  /**
   * Returns the state from which a census continues that would begin with the state `fresh`. Fails with kind `file` if another
   * census has left its state here, or, without `resume`, the same one; with `force`, any census starts over.
   */
  open(fresh: CensusState, { resume, force }: { resume: boolean; force: boolean }): CensusState {
    const text = force ? null : readIfThere(this.#path);
    const next = force ? null : readIfThere(nextPath(this.#path));
    // A killed census may have left a part of its next state.
    if (next !== null && !mayBeSealedJson(CENSUS_STATE_PREFIX, next))
      throw new BoardmillError(
        'file',
        `${nextPath(this.#path)} exists and boardmill did not write it; --force overwrites it`,
      );
    if (text === null) return fresh;
    const state = parseCensusState(text);
    if (state === null) throw this.#refusal('is not the state of a census of this version, or was changed');
    if (!resume)
      throw new BoardmillError(
        'file',
        `${this.#path} is there from an interrupted census; --resume continues it, --force starts over`,
      );
    const difference = describeChangedSettings(termsOf(state), termsOf(fresh));
    if (difference !== null) throw this.#refusal(`does not fit this census: ${difference}`);
    if (!haveSameNames(state, fresh)) throw this.#refusal('has other names or classes than this census');
    return state;
  }

  /** Writes the state, unless it was written a short time ago and `isLast` is false. */
  async save(state: CensusState, isLast = false): Promise<void> {
    const now = performance.now();
    if (!isLast && now - this.#savedAt < SAVE_INTERVAL_MS) return;
    this.#savedAt = now;
    try {
      await replaceDurably([this.#path], nextPath, printCensusState(state));
    } catch (error) {
      throw errorOfFailedWrite(this.#path, error);
    }
  }

  async remove(): Promise<void> {
    for (const path of [this.#path, nextPath(this.#path)]) await removeFileIfThere(path);
  }

  #refusal(what: string): BoardmillError {
    return new BoardmillError('file', `${this.#path} ${what}; --force starts over`);
  }
}

function readIfThere(path: string): string | null {
  return readSmallFileIfThere(path, MAX_STATE_FILE_BYTES)?.toString() ?? null;
}

/** The path to which the next state is written before it replaces the last one. */
function nextPath(path: string): string {
  return `${path}.new`;
}

/** What two states must share so that one continues the other. */
function termsOf({ terms, shard }: CensusState): SettingsFingerprint {
  return { ...terms, '--shard': formatShard(shard) };
}
