/**
 * FILE.shard, the record beside FILE, which has the answers to a shard: it says which shard of which input was solved, and how.
 * The command `merge` needs the record, because most answers have no case numbers.
 */
import { BoardmillError } from '../../core/errors.js';
import { fileKindOf } from '../../core/files/files.js';
import { parseSealedJson, printSealedJson } from '../../core/files/sealed-json.js';
import type { Shard, ShardExtent } from '../input/shard.js';
import type { SettingsFingerprint } from '../output-settings.js';
import { assertReplaceable, mayReplacePartial, type WrittenFileKind } from './ledger.js';
import { PartialFile, partialPath } from './partial-file.js';

/** Which shard of which run it is. */
export interface ShardIdentity {
  /** The fingerprint of the settings except `--shard`. All shards of an input must be solved with the same settings. */
  readonly settingsFingerprint: SettingsFingerprint;
  readonly shard: Shard;
}

export interface ShardRecord extends ShardIdentity {
  readonly failedCases: number;
  readonly extent: ShardExtent;
  /** Size and SHA-256 of the file with the answers. */
  readonly outputBytes: number;
  readonly outputDigest: string;
}

const SCHEMA = 'boardmill/shard/2';
/** The first characters of the records of all versions. */
export const SHARD_RECORD_PREFIX = '{"schema":"boardmill/shard/';
const ENDING = '.shard';
const KIND: WrittenFileKind = 'shard record';

/** The path of the record beside a file with the answers of a shard. */
export function shardRecordPath(path: string): string {
  return `${path}${ENDING}`;
}

/** Returns the path of the answers that the record at this path describes; null if the path is not that of a record. */
export function pathOfRecordedAnswers(path: string): string | null {
  return path.endsWith(ENDING) ? path.slice(0, -ENDING.length) : null;
}

/** The JSON of a record. Users and their scripts may read it. */
interface StoredRecord {
  readonly terms: SettingsFingerprint;
  readonly shard: number;
  readonly shards: number;
  readonly firstCase: number;
  readonly cases: number;
  readonly failedCases: number;
  readonly input: {
    readonly start: Place;
    readonly end: Place;
    /** Whether the run has read the input to its end and found no fault there. */
    readonly isEndVerified: boolean;
  };
  readonly outputBytes: number;
  readonly outputDigest: string;
}

/** A place in the input, with the hash of all bytes before it. */
interface Place {
  readonly offset: number;
  readonly digest: string;
}

/** Returns the text of a record. */
function printShardRecord(record: ShardRecord): string {
  const { settingsFingerprint, shard, failedCases, extent, outputBytes, outputDigest } = record;
  const { start, end, isInputEnd } = extent;
  const stored: StoredRecord = {
    terms: settingsFingerprint,
    shard: shard.number,
    shards: shard.count,
    firstCase: start.cases + 1,
    cases: end.cases - start.cases,
    failedCases,
    input: { start: placeOf(start), end: placeOf(end), isEndVerified: isInputEnd },
    outputBytes,
    outputDigest,
  };
  return printSealedJson(SCHEMA, stored);
}

function placeOf({ offset, digest }: ShardExtent['start']): Place {
  return { offset, digest: digest ?? '' };
}

/** Parses the text of a record. Returns null if `printShardRecord` cannot have written the text. */
export function parseShardRecord(text: string): ShardRecord | null {
  const stored = parseSealedJson(SCHEMA, text, isPossible);
  if (stored === null) return null;
  const { terms, shard, shards, firstCase, cases, failedCases, input, outputBytes, outputDigest } = stored;
  const record: ShardRecord = {
    settingsFingerprint: terms,
    shard: { number: shard, count: shards },
    failedCases,
    extent: {
      start: { ...input.start, cases: firstCase - 1 },
      end: { ...input.end, cases: firstCase - 1 + cases },
      isInputEnd: input.isEndVerified,
    },
    outputBytes,
    outputDigest,
  };
  // A text with any other field, or in another order, is not printed again.
  return printShardRecord(record) === text ? record : null;
}

/** Whether the numbers and hashes of a record do not contradict each other. */
function isPossible(record: StoredRecord): boolean {
  const { terms, shard, shards, firstCase, cases, failedCases, input, outputBytes, outputDigest } = record;
  const counts = [shard, firstCase, cases, failedCases, outputBytes, input.start.offset, input.end.offset];
  return (
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    Number.isSafeInteger(shards) &&
    shard >= 1 &&
    shard <= shards &&
    failedCases <= cases &&
    typeof input.isEndVerified === 'boolean' &&
    Object.values(terms).every((term) => typeof term === 'string') &&
    [input.start.digest, input.end.digest, outputDigest].every((digest) => typeof digest === 'string')
  );
}

/**
 * Fails with kind `file` if the record of a shard cannot be created, or if it would overwrite a file that boardmill may not
 * replace without `force`.
 */
export async function assertRecordReplaceable(path: string, force: boolean): Promise<void> {
  const record = shardRecordPath(path);
  const partial = partialPath(record);
  for (const file of [record, partial]) {
    if ((await fileKindOf(file, 'create')) === 'directory')
      throw new BoardmillError('file', `cannot create ${file}: it is a directory`);
  }
  if (force) return;
  await assertReplaceable(record, KIND);
  if (!(await mayReplacePartial(record, partial, KIND))) await assertReplaceable(partial, KIND);
}

/** Writes the record of the shard whose answers are about to get the name `path`. */
export async function publishShardRecord(path: string, record: ShardRecord, force: boolean): Promise<void> {
  await assertRecordReplaceable(path, force);
  const file = await PartialFile.create(shardRecordPath(path), { kind: KIND });
  try {
    await file.write(Buffer.from(printShardRecord(record)));
    await file.publish({ origin: null, force, isPartialKept: false });
  } catch (error) {
    await file.discard().catch(() => {});
    throw error;
  }
}
