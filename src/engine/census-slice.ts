/** A slice of a census, which a worker gets in place of a case, and its counts, which it returns in place of an answer. */
import { deserialize, serialize } from 'node:v8';
import type { CensusCounts, CensusSize, LargestCase } from '../problems/census.js';

/** Some of the cases of one size. */
export interface CensusSlice extends CensusSize {
  /** The set of the contest within whose bounds the cases are; null for all cases. */
  readonly set: string | null;
  /** Index of the first candidate for a case, and the index after the last one; null if the game counts its own slices. */
  readonly candidates: { readonly from: number; readonly to: number } | null;
  /** The number of the slice among those of its size, from 0. */
  readonly number: number;
}

/** The largest case with the rows of its board. */
export interface LargestCaseWithBoard extends LargestCase {
  readonly rows: readonly string[];
}

/** The counts of a slice, and its largest case with its board. */
export interface SliceCounts extends CensusCounts {
  readonly largest: LargestCaseWithBoard | null;
}

/** Why a slice cannot be counted. */
export interface SliceFailure {
  /** The index of the candidate on which the solver has failed; null if `valid` of a module was asked about several. */
  readonly failedAt: number | null;
  readonly reason: string;
  /** Whether the author of a module has made a mistake, apart from what a function throws while it solves a case. */
  readonly isMistake: boolean;
}

export type SliceOutcome = SliceCounts | SliceFailure;

/** Returns a slice or its outcome as bytes, which `decodeCensusMessage` reads. */
export function encodeCensusMessage(value: CensusSlice | SliceOutcome): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(serialize(value));
}

export function decodeCensusMessage<Value extends CensusSlice | SliceOutcome>(bytes: Uint8Array): Value {
  return deserialize(bytes) as Value;
}
