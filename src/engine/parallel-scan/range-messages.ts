/** The messages between the coordinator and the workers about ranges: plain data. */
import type { TextSpan } from '../../core/location.js';
import type { InputEnd } from '../cut/scan.js';
import type { BlockHashes } from '../input/input-hash.js';
import type { InputHeadOfTask, SolvedChunk } from '../messages.js';
import type { ChunkSettings } from '../output-settings.js';
import type { ScanPosition } from '../position.js';
import type { Handoff, HandoffPosition } from './handoff.js';

/** Where a thread reads the bytes of a range. */
type RangeSource = FileSource | MemorySource;

/** An open regular file. */
interface FileSource {
  readonly kind: 'file';
  /** The descriptor of the file, for all threads of the process. The file stays open until the range is solved. */
  readonly descriptor: number;
  /** Size of the file in bytes when it was opened. */
  readonly end: number;
}

/** Consecutive bytes of a pipe, in memory that is not reused until the range is solved. */
export interface MemorySource {
  readonly kind: 'memory';
  /** Blocks of shared memory of PIPE_SEGMENT_BYTES each, which contain the bytes. */
  readonly segments: readonly SharedArrayBuffer[];
  /** The offset in the input at which the first segment begins, a multiple of HASH_BLOCK_BYTES. */
  readonly offset: number;
  /** The offset in the input after the last byte that has arrived from the pipe. */
  readonly end: number;
  /** Whether the input ends at `end`. If not, the scan of the next range continues where that of this range had to stop. */
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

/** Returns the number of bytes in a range. The last range of a file ends where the file ended when it was opened. */
export function rangeBytes({ from, to, source }: ScanRange): number {
  return Math.min(to, source.end) - from;
}

/** A range as a worker gets it. */
export interface RangeTask extends ScanRange {
  readonly head: InputHeadOfTask;
  /** Number of cases that the head promises; null if the head states no number. */
  readonly promised: number | null;
  readonly settings: ChunkSettings;
  /** Whether the bytes of the range are hashed. */
  readonly isHashed: boolean;
  /** The handoff of this range, and the handoff of the next range. */
  readonly handoff: Handoff;
  readonly nextHandoff: Handoff;
}

/** The result of scanning a range, apart from its cases. */
export interface RangeScan {
  /** The offset at which the scan began. */
  readonly start: number;
  /** The position at which the scan of the range has ended. */
  readonly stop: HandoffPosition & Pick<ScanPosition, 'next'>;
  /** Span of the bytes of the range after its last chunk. */
  readonly spanAfter: TextSpan;
  /** The end of the input; null if it is not in this range, or if an invalid case ended the run. */
  readonly end: InputEnd | null;
  /**
   * Whether a later run can continue where the scan has ended. That needs the token that follows, which may have decided
   * whether the last case is valid.
   */
  readonly isContinuable: boolean;
  /** Whether the range was scanned speculatively, and the speculation was right. */
  readonly isSpeculative: boolean;
}

/** The result of a range. */
export interface RangeResult {
  readonly scan: RangeScan;
  readonly chunks: readonly SolvedChunk[];
  /** The hashes of the blocks of the range; null if hashes were not wanted, or if the range has no bytes. */
  readonly hashes: BlockHashes | null;
  /** Milliseconds that the worker took to read and to scan the range. Both are 0 if the coordinator scanned the range. */
  readonly readMs: number;
  readonly scanMs: number;
}
