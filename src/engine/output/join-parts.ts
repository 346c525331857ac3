/**
 * Joins the answers to all shards of an input into the answers of one run. First checks that the parts belong together: each
 * shard must begin where the shard before it ends, by offset, number of cases, and hash of all bytes before.
 */
import { existsSync, type Stats, statSync } from 'node:fs';
import { createDigest } from '../../core/digest.js';
import { BoardmillError } from '../../core/errors.js';
import { fileError } from '../../core/files/files.js';
import { followLinks } from '../../core/files/identity.js';
import { readSmallFile } from '../../core/files/regular-files.js';
import { assertNotStopped } from '../../core/stop.js';
import { openRegularSource } from '../input/read.js';
import { assertAllShards } from '../input/shard.js';
import { MAX_STATE_FILE_BYTES } from '../limits.js';
import { describeChangedSettings } from '../output-settings.js';
import type { Sink } from '../sink.js';
import {
  parseShardRecord,
  pathOfRecordedAnswers,
  type ShardRecord,
  shardRecordPath,
} from './shard-record.js';

/** A file with the answers to a shard, and its record. */
export interface AnswerPart {
  readonly path: string;
  readonly recordPath: string;
  readonly record: ShardRecord;
}

/**
 * Finds the parts that the paths name, and returns them in the order of their shards. The path of a record stands for the file
 * of answers that the record describes. Fails with kind `file` unless the parts are all shards of one input, solved in the same
 * way.
 */
export async function findAnswerParts(paths: readonly string[]): Promise<AnswerPart[]> {
  const found: AnswerPart[] = [];
  for (const path of pathsOfParts(paths)) found.push(await readPart(path));
  found.sort((a, b) => a.record.shard.number - b.record.shard.number);
  assertAllShards(found.map(({ path, record: { shard } }) => ({ path, shard })));
  for (const [i, part] of found.entries()) assertContinues(part, i === 0 ? null : found[i - 1]);
  assertWholeEnd(found[found.length - 1]);
  return found;
}

/**
 * Replaces each path of a record by the path of its answers. Drops the record's path if the user names the answers, too, as
 * with `big.ans.*`.
 */
function pathsOfParts(paths: readonly string[]): string[] {
  const named = paths.filter((path) => !isRecord(path));
  const recorded = new Set(paths.filter(isRecord).map((path) => pathOfRecordedAnswers(path) as string));
  return [...named, ...[...recorded].filter((path) => !named.includes(path))];
}

/**
 * Whether the file is a record. A file named `x.shard` may also contain answers; then it has a record of its own,
 * `x.shard.shard`.
 */
function isRecord(path: string): boolean {
  return pathOfRecordedAnswers(path) !== null && !existsSync(shardRecordPath(path));
}

async function readPart(path: string): Promise<AnswerPart> {
  const size = sizeOf(path);
  const recordPath = shardRecordPath(followLinks(path));
  if (!existsSync(recordPath)) {
    throw fileFailure(
      `${path} has no record ${recordPath}: only answers that solve --shard wrote, and counts that census --shard wrote, can be merged`,
    );
  }
  const record = parseShardRecord(readSmallFile(recordPath, MAX_STATE_FILE_BYTES).toString());
  if (record === null) throw fileFailure(`${recordPath} is not the record of a shard, or was changed`);
  if (size !== record.outputBytes) throw changedPartError(path);
  return { path, recordPath, record };
}

function sizeOf(path: string): number {
  const stats = statsOf(path);
  if (!stats.isFile()) throw fileFailure(`cannot open ${path}: it is not a regular file`);
  return stats.size;
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw fileError('open', path, error);
  }
}

/**
 * Fails unless the part continues the part before it: both must come from the same input, and from runs with the same settings.
 */
function assertContinues(part: AnswerPart, before: AnswerPart | null): void {
  const { number } = part.record.shard;
  const { start } = part.record.extent;
  if (before === null) {
    if (start.cases > 0) throw fileFailure(`${part.path} is part 1, but does not begin with case 1`);
    return;
  }
  const difference = describeChangedSettings(
    before.record.settingsFingerprint,
    part.record.settingsFingerprint,
  );
  if (difference !== null) {
    throw fileFailure(
      `${part.path} and ${before.path} were not made in the same way: ${difference} in ${part.path}`,
    );
  }
  const { end } = before.record.extent;
  if (start.cases !== end.cases) {
    const cases = `part ${number - 1} ends with case ${end.cases}, part ${number} begins with case ${start.cases + 1}`;
    throw fileFailure(`${part.path} does not continue ${before.path}: ${cases}`);
  }
  if (start.offset === end.offset && start.digest === end.digest) return;
  throw fileFailure(
    `${part.path} does not continue ${before.path}: part ${number} was made from another input than part ${number - 1}, or from one that was changed meanwhile`,
  );
}

function assertWholeEnd({ path, record }: AnswerPart): void {
  if (!record.extent.isInputEnd)
    throw fileFailure(`${path} is the last part, but does not end with the input`);
}

/** Fails if the answers of a part are not those that its record describes. */
export async function assertPartUnchanged(part: AnswerPart): Promise<void> {
  for await (const _ of readAnswers(part));
}

/**
 * Writes the answers of all parts. Fails if the answers of a part are not those that its record describes. Throws an
 * Interrupted when `stop` is aborted.
 */
export async function joinAnswerParts(
  parts: readonly AnswerPart[],
  sink: Sink,
  stop: AbortSignal,
): Promise<void> {
  for (const part of parts) {
    for await (const piece of readAnswers(part)) {
      assertNotStopped(stop);
      await sink.write(piece, null);
    }
  }
}

/** Yields the answers of a part. After the last of them, fails if they are not the answers that the record describes. */
async function* readAnswers({ path, record }: AnswerPart): AsyncGenerator<Uint8Array> {
  const digest = createDigest();
  const source = await openRegularSource(path);
  try {
    for await (const piece of source.pieces) {
      digest.update(piece);
      yield piece;
    }
  } finally {
    await source.close();
  }
  if (digest.digest('hex') === record.outputDigest) return;
  throw changedPartError(path);
}

function changedPartError(path: string): BoardmillError {
  return fileFailure(`${path} was changed after solve wrote it: its bytes do not fit its record`);
}

function fileFailure(message: string): BoardmillError {
  return new BoardmillError('file', message);
}
