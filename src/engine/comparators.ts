/** Decides whether an answer agrees with the right one. */
import pLimit from 'p-limit';
import { decodeText } from '../core/bytes.js';
import { BoardmillError } from '../core/errors.js';
import { assertNotStopped, type GracefulStop } from '../core/stop.js';
import {
  type ComparisonRules,
  findTokenDifference,
  rulesWithTolerance,
  SAME_TOKENS_RULES,
} from '../formats/answers/compare-answers.js';
import type { InputHeadOfTask } from './messages.js';

/** A range of a byte array: bytes[from, to). */
export interface ByteRange {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** Two answers to one case, and the case. */
export interface AnswerPair {
  readonly caseNumber: number;
  readonly caseBytes: Uint8Array;
  readonly head: InputHeadOfTask;
  readonly expected: ByteRange;
  readonly got: ByteRange;
}

export interface AnswerMismatch {
  /** Number of bytes of `got` before the difference. */
  readonly equalBytes: number;
  /** Why the answer is wrong, in the words of a checker or of the problem's author; null if the two texts say enough. */
  readonly reason: string | null;
}

/** Compares answers. The result of a comparison is null if the answer is right. */
export interface AnswerComparator {
  /** Compares two answers without waiting. Returns undefined if only `compareAsync` can decide. */
  compareSync(pair: AnswerPair): AnswerMismatch | null | undefined;
  /** Compares two answers with the help of a program or of a worker. Several comparisons may run at the same time. */
  compareAsync?(pair: AnswerPair): Promise<AnswerMismatch | null>;
}

/** A comparator, and a function that ends the programs or workers that the comparator has started. */
export interface OpenedComparator {
  readonly comparator: AnswerComparator;
  close(): Promise<void>;
}

/** Compares byte by byte. */
export const BYTE_COMPARATOR: AnswerComparator = {
  compareSync: ({ expected, got }) => mismatchAt(findByteDifference(expected, got)),
};

/** Compares answers token by token, and ignores whitespace, as the checkers of contests do. */
export const TOKEN_COMPARATOR: AnswerComparator = {
  compareSync: (pair) => mismatchAt(findDifferentToken(pair, SAME_TOKENS_RULES)),
};

/** Compares answers token by token. Two numbers may differ by `tolerance`, absolutely or relative to the right number. */
export function toleranceComparator(tolerance: number): AnswerComparator {
  const rules = rulesWithTolerance(tolerance);
  return { compareSync: (pair) => mismatchAt(findDifferentToken(pair, rules)) };
}

/** Tells when no more comparisons may start, and when running comparisons must end. */
export interface ComparisonCancellation extends Partial<GracefulStop> {
  /** Called before each comparison. If this function throws, the comparison fails with the same error. */
  readonly beforeComparison?: () => void;
}

/** Returns a `compareAsync` that runs at most `jobs` comparisons at the same time, and starts them within the limits. */
export function limitComparisons(
  match: NonNullable<AnswerComparator['compareAsync']>,
  jobs: number,
  { stop, giveUp, beforeComparison }: ComparisonCancellation = {},
): NonNullable<AnswerComparator['compareAsync']> {
  const limit = pLimit(jobs);
  const matchInTime = async (pair: AnswerPair) => {
    if (stop) assertNotStopped(stop);
    beforeComparison?.();
    try {
      return await match(pair);
    } catch (error) {
      // If a signal has ended the comparison, its error says nothing about the answer.
      if (giveUp) assertNotStopped(giveUp);
      throw error;
    }
  };
  return (pair) => limit(matchInTime, pair);
}

/** Returns a comparator whose failures, such as those of a checker, begin with the name of the input that has the case. */
export function comparatorThatNamesInput(comparator: AnswerComparator, input: string): AnswerComparator {
  const { compareAsync } = comparator;
  if (compareAsync === undefined) return comparator;
  return {
    ...comparator,
    compareAsync: async (pair) => {
      try {
        return await compareAsync(pair);
      } catch (error) {
        if (!(error instanceof BoardmillError) || error.kind !== 'worker') throw error;
        throw new BoardmillError('worker', `${input}: ${error.message}`, { cause: error });
      }
    },
  };
}

/** Creates a comparator that accepts answers that are equal token by token, and lets `decide` decide about all others. */
export function acceptEqualTokensOr(decide: NonNullable<AnswerComparator['compareAsync']>): AnswerComparator {
  return {
    compareSync: (pair) => (findDifferentToken(pair, SAME_TOKENS_RULES) === null ? null : undefined),
    compareAsync: decide,
  };
}

/** Compares two answers: without waiting if `compareSync` can decide, otherwise with `compareAsync`. */
export async function compareAnswerPair(
  comparator: AnswerComparator,
  pair: AnswerPair,
): Promise<AnswerMismatch | null> {
  const verdict = comparator.compareSync(pair);
  return verdict === undefined ? compareAnswerPairAsync(comparator, pair) : verdict;
}

/** Calls `compareAsync` of a comparator whose `compareSync` could not decide. */
export async function compareAnswerPairAsync(
  comparator: AnswerComparator,
  pair: AnswerPair,
): Promise<AnswerMismatch | null> {
  if (comparator.compareAsync === undefined) throw new Error('a comparator can compare in no way');
  return comparator.compareAsync(pair);
}

function mismatchAt(equalBytes: number | null): AnswerMismatch | null {
  return equalBytes === null ? null : { equalBytes, reason: null };
}

function bytesIn({ bytes, from, to }: ByteRange): Uint8Array {
  return bytes.subarray(from, to);
}

export function textOfByteRange({ bytes, from, to }: ByteRange): string {
  return decodeText(bytes, from, to);
}

/** Returns the number of equal bytes at the start of two byte ranges, or null if the ranges are equal. */
function findByteDifference(expected: ByteRange, got: ByteRange): number | null {
  const length = Math.min(expected.to - expected.from, got.to - got.from);
  let equalBytes = 0;
  while (
    equalBytes < length &&
    expected.bytes[expected.from + equalBytes] === got.bytes[got.from + equalBytes]
  )
    equalBytes++;
  return equalBytes === expected.to - expected.from && equalBytes === got.to - got.from ? null : equalBytes;
}

/** Returns the number of bytes of `got` before the first token that differs, or null if no token does. */
function findDifferentToken({ expected, got }: AnswerPair, rules: ComparisonRules): number | null {
  return findTokenDifference(bytesIn(expected), bytesIn(got), rules)?.offset ?? null;
}
