/** A shard: the cases of an input that `--shard I/N` chooses, so that N runs on any machines solve the whole input. */

import { BoardmillError, pluralize } from '../../core/errors.js';
import type { CaseBoundary } from '../position.js';

/** Largest number of shards into which `--shard` divides an input. */
export const MAX_SHARDS = 1_000_000;

/** The number of a shard, from 1, and how many shards the input is divided into. */
export interface Shard {
  readonly number: number;
  readonly count: number;
}

/** The only shard of what is not divided. */
export const WHOLE_INPUT: Shard = { number: 1, count: 1 };

/** Returns the text `I/N` that names the shard in the option `--shard`. */
export function formatShard({ number, count }: Shard): string {
  return `${number}/${count}`;
}

/**
 * The offsets of a shard in its input. A case belongs to the shard if the case before it (for the first case, the head) ends at
 * an offset of at least `from` and below `to`. So which cases are in a shard depends only on the bytes of the input.
 */
export interface ShardRange {
  readonly from: number;
  /** The offset at which the shard ends: Infinity for the last shard, which ends with the input. */
  readonly to: number;
}

/** Divides an input of this size into `count` ranges of the same size, and returns the range of the shard. */
export function rangeOfShard({ number, count }: Shard, inputBytes: number): ShardRange {
  const boundAfter = (shards: number) => boundAfterShards(shards, count, inputBytes);
  return {
    from: boundAfter(number - 1),
    to: number === count ? Number.POSITIVE_INFINITY : boundAfter(number),
  };
}

/** Divides a whole into `count` shards of about the same size, and returns where the first `shards` of them end. */
export function boundAfterShards(shards: number, count: number, whole: number): number {
  // The product may exceed the largest integer that a number represents exactly, so it is computed with bigints.
  return Number((BigInt(whole) * BigInt(shards)) / BigInt(count));
}

/** The place in the input before the first case of a shard, and the place after its last case. */
export interface ShardExtent {
  readonly start: CaseBoundary;
  readonly end: CaseBoundary;
  /** Whether the run has read the input to its end and found no fault there, so that the shard ends with the input. */
  readonly isInputEnd: boolean;
}

/** The shard of a given input that a run solves. */
export interface ShardOfInput {
  readonly shard: Shard;
  readonly range: ShardRange;
  /** Size of the input in bytes. */
  readonly inputBytes: number;
}

/** Returns the shard of an input of this size. */
export function shardOfInput(shard: Shard, inputBytes: number): ShardOfInput {
  return { shard, range: rangeOfShard(shard, inputBytes), inputBytes };
}

/** Number of bytes of the input between the bounds of the shard. */
export function shardByteLength({ range, inputBytes }: ShardOfInput): number {
  return Math.min(range.to, inputBytes) - range.from;
}

/** A file with what a run has made of a shard. */
export interface PartFile {
  readonly path: string;
  readonly shard: Shard;
}

/** Largest number of missing parts that a message names. */
const MAX_NAMED_PARTS = 20;

/** Fails with kind `file` unless the parts are those of all shards, each once. The caller passes them sorted. */
export function assertAllShards(parts: readonly PartFile[]): void {
  assertSameCount(parts);
  const { count } = parts[0].shard;
  const numbers = parts.map(({ shard }) => shard.number);
  const repeated = numbers.findIndex((number, i) => i > 0 && number === numbers[i - 1]);
  if (repeated > 0) {
    const [one, other] = [parts[repeated - 1].path, parts[repeated].path];
    throw fileFailure(`part ${numbers[repeated]} of ${count} was given twice: ${one} and ${other}`);
  }
  if (numbers.length < count) throw fileFailure(describeMissing(new Set(numbers), count));
}

function assertSameCount([first, ...others]: readonly PartFile[]): void {
  const { count } = first.shard;
  const other = others.find(({ shard }) => shard.count !== count);
  if (other === undefined) return;
  const counts = `${first.path} is one of ${pluralize(count, 'part')}, ${other.path} is one of ${other.shard.count}`;
  throw fileFailure(`the parts do not belong together: ${counts}`);
}

function describeMissing(present: ReadonlySet<number>, count: number): string {
  const missing = Array.from({ length: Math.min(count, MAX_SHARDS) }, (_, i) => i + 1).filter(
    (number) => !present.has(number),
  );
  const named = missing.slice(0, MAX_NAMED_PARTS);
  const others = missing.length - named.length;
  const words = others > 0 ? [...named, `${others} others`] : named;
  const list = [words.slice(0, -1).join(', '), words.at(-1)].filter((text) => text !== '').join(' and ');
  return missing.length === 1
    ? `part ${list} of ${count} is missing`
    : `parts ${list} of ${count} are missing`;
}

function fileFailure(message: string): BoardmillError {
  return new BoardmillError('file', message);
}
