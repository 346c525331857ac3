/**
 * The statistics of a chunk, which a worker computes for `stats`. The worker sends them in place of answers, as bytes: so if a
 * chunk had to be solved in parts, the statistics of the parts can be joined like answers:
 *
 *     a line of JSON      the ChunkSurvey
 *     8 bytes a case      the hash of the case
 *     8 bytes a case      the hash that all cases share which are equal up to symmetries; missing if nobody asks for it
 */
import { LF, MIB } from '../core/bytes.js';
import type { PlainValueCounts } from '../core/value-counts.js';
import type { AnswerStatistics } from './answer-statistics.js';

/**
 * `stats` counts at most MAX_DISTINCT_ANSWERS different answers (or sizes) one by one, and all other answers together. The
 * texts of the answers may have MAX_CHARS_OF_DISTINCT_ANSWERS characters in total.
 */
export const MAX_DISTINCT_ANSWERS = 1 << 16;
export const MAX_CHARS_OF_DISTINCT_ANSWERS = 16 * MIB;

export interface ChunkStatistics {
  readonly cases: number;
  /** For each size that occurs, the numbers that make up this size (those with the role `size`), and how many cases have it. */
  readonly sizes: readonly (readonly [values: readonly number[], cases: number])[];
  /**
   * The distribution of each number that `stats` measures in a case. For numbers with the role `elements`, only their range.
   */
  readonly numbers: readonly PlainValueCounts[];
  /** For each measured number, the number of cases in which the number is at its lower limit, and at its upper limit. */
  readonly atMin: readonly number[];
  readonly atMax: readonly number[];
  /** The densities in thousandths, rounded for the bars; null if the problem has no density. */
  readonly densities: PlainValueCounts | null;
  /** For each set of the contest, the number of cases that belong to the set. */
  readonly sets: readonly number[];
  /** Null if the cases were not solved. */
  readonly answers: AnswerStatistics | null;
  /** The nimbers of the cases; null if nobody computes them. */
  readonly nimbers: PlainValueCounts | null;
  /** Whether there are hashes for cases that are equal up to symmetries. */
  readonly hasSymmetries: boolean;
}

/** The hashes of a chunk's cases, in input order. */
export interface CaseHashes {
  /** Two 32-bit integers a case, the low half first. */
  readonly exact: Uint32Array;
  /** For each case, the hash that it shares with all symmetric cases; null if nobody asks for it. */
  readonly symmetric: Uint32Array | null;
}

const HASH_BYTES = BigUint64Array.BYTES_PER_ELEMENT;

export function encodeStatistics(
  statistics: ChunkStatistics,
  exact: BigUint64Array,
  symmetric: BigUint64Array,
): Uint8Array<ArrayBuffer> {
  const bytesOf = ({ buffer, byteOffset, byteLength }: BigUint64Array) =>
    new Uint8Array(buffer, byteOffset, byteLength);
  const json = Buffer.from(`${JSON.stringify(statistics)}\n`);
  const parts = [json, bytesOf(exact), ...(statistics.hasSymmetries ? [bytesOf(symmetric)] : [])];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Reads the statistics of one or more parts of a chunk from their bytes, and yields them one after another. */
export function* decodeStatistics(
  bytes: Uint8Array,
): Generator<{ readonly statistics: ChunkStatistics; readonly hashes: CaseHashes }> {
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf(LF, at);
    const statistics = JSON.parse(Buffer.from(bytes.subarray(at, lineEnd)).toString()) as ChunkStatistics;
    const length = statistics.cases * HASH_BYTES;
    const exactEnd = lineEnd + 1 + length;
    const exact = hashesIn(bytes, lineEnd + 1, exactEnd);
    const symmetric = statistics.hasSymmetries ? hashesIn(bytes, exactEnd, exactEnd + length) : null;
    at = statistics.hasSymmetries ? exactEnd + length : exactEnd;
    yield { statistics, hashes: { exact, symmetric } };
  }
}

/** Copies the hashes, because an array of integers must begin at a multiple of their size. */
function hashesIn(bytes: Uint8Array, from: number, to: number): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes.subarray(from, to)).buffer);
}
