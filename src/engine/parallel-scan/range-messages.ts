/** What the coordinator and the workers send each other about ranges: plain data. */
import type { Span } from '../../core/location.js';
import type { End } from '../cut/scan.js';
import type { BlockHashes } from '../input/input-hash.js';
import type { SolvedChunk, TaskHead } from '../messages.js';
import type { ChunkSettings } from '../output-settings.js';
import type { ScanPosition } from '../position.js';
import type { Handoff, HandoffPosition } from './handoff.js';

/** Where a thread reads the bytes of a range. */
type RangeSource = FileSource | MemorySource;

/** An open regular file. */
interface FileSource {
  readonly kind: 'file';
  /** The descriptor of the file, which all threads of the process can read. It stays open until the range is solved. */
  readonly descriptor: number;
  /** Size of the file in bytes when it was opened. */
  readonly end: number;
}

/** Consecutive bytes of a pipe, in memory that is not used for anything else until the range is solved. */
export interface MemorySource {
  readonly kind: 'memory';
  /** Segments of PIPE_SEGMENT_BYTES. */
  readonly segments: readonly SharedArrayBuffer[];
  /** The offset in the input at which the first segment begins, a multiple of HASH_BLOCK_BYTES. */
  readonly offset: number;
  /** The offset behind the last byte that has come from the pipe. */
  readonly end: number;
  /** Whether the input ends there. Otherwise the scan of the next range continues from where this one had to stop. */
  readonly isInputEnd: boolean;
}

/** Consecutive bytes of an input that one thread reads and scans: those from offset `from` up to `to`. */
export interface ScanRange {
  readonly from: number;
  /**
   * The scan ends before the first case that begins at or after this offset. Infinity for the
   * last range, and for a range of a pipe, which ends where no more bytes have come.
   */
  readonly to: number;
  readonly source: RangeSource;
}

/** Number of bytes in a range; in the last range of a file, as many as the file had when it was opened. */
export function rangeBytes({ from, to, source }: ScanRange): number {
  return Math.min(to, source.end) - from;
}

/** A range as a worker gets it. */
export interface RangeTask extends ScanRange {
  readonly head: TaskHead;
  /** Number of cases that the head promises; null if it states none. */
  readonly promised: number | null;
  readonly settings: ChunkSettings;
  /** Whether the bytes of the range are hashed. */
  readonly isHashed: boolean;
  /** The handoff of this range, and that of the next one. */
  readonly handoff: Handoff;
  readonly nextHandoff: Handoff;
}

/** What the scan of a range has found out, apart from the cases. */
export interface RangeScan {
  /** The offset at which the scan began. */
  readonly start: number;
  /** Where the scan has ended. */
  readonly stop: HandoffPosition & Pick<ScanPosition, 'next'>;
  /** Span of the bytes after the last chunk. */
  readonly spanAfter: Span;
  /** The end of the input; null if it is not in this range, or if an invalid case ended the run. */
  readonly end: End | null;
  /**
   * Whether a run can continue where the scan has ended: what follows, which may have decided about the last case, was seen.
   */
  readonly isContinuable: boolean;
  /** Whether the scan began speculatively, and has turned out to be right. */
  readonly isSpeculative: boolean;
}

/** The result of a range. */
export interface RangeResult {
  readonly scan: RangeScan;
  readonly chunks: readonly SolvedChunk[];
  /** The hashes of the bytes of the range; null if they were not wanted, or if the range has none. */
  readonly hashes: BlockHashes | null;
  /** Milliseconds that the worker took to read and to scan. Both are 0 if the coordinator did. */
  readonly readMs: number;
  readonly scanMs: number;
}
