/** What the coordinator and the workers send each other about ranges: plain data. */
import type { Span } from '../../core/location.js';
import type { End } from '../cut/scan.js';
import type { BlockHashes } from '../input/input-hash.js';
import type { ChunkResult, TaskHead } from '../messages.js';
import type { ChunkSettings } from '../output-settings.js';
import type { ScanPosition } from '../position.js';
import type { Handoff } from './handoff.js';

/** Consecutive bytes of an input that one thread reads and scans: those from offset `from` up to `to`. */
export interface ScanRange {
  readonly from: number;
  /**
   * The scan ends before the first case that begins at or after this offset. Infinity for the
   * last range, and for a range of a pipe, which ends where no more bytes have come.
   */
  readonly to: number;
}

/** Where a thread reads the bytes of a range. */
export type RangeSource = FileSource | MemorySource;

/** An open regular file. */
interface FileSource {
  readonly kind: 'file';
  /** The descriptor of the file, which all threads of the process can read. It stays open until the range is solved. */
  readonly descriptor: number;
  /** Size of the file in bytes when it was opened. */
  readonly fileBytes: number;
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
  /** Whether the input ends there. Otherwise the next range scans on from where this one had to stop. */
  readonly isInputEnd: boolean;
}

/** A range as a worker gets it. */
export interface RangeTask extends ScanRange {
  readonly source: RangeSource;
  readonly head: TaskHead;
  /** Number of cases that the head promises; null if it states none. */
  readonly promised: number | null;
  readonly settings: ChunkSettings;
  /** Whether the worker hashes the bytes of the range. */
  readonly isHashed: boolean;
  /** The handoff from the range before, and the one for the range after this one. */
  readonly handoff: Handoff;
  readonly nextHandoff: Handoff;
}

/** A chunk of a range, and its result. */
export interface SolvedPart {
  readonly firstCase: number;
  readonly cases: number;
  readonly inputBytes: number;
  /** Span from the end of the previous chunk, or the start of the range, to the first byte of the chunk. */
  readonly spanBefore: Span;
  readonly result: ChunkResult;
}

/** The result of a range. */
export interface RangeResult {
  readonly parts: readonly SolvedPart[];
  /** Span from the end of the last chunk to the position at which the scan has ended. */
  readonly spanAfter: Span;
  /** Where the scan began and where it has ended. */
  readonly start: number;
  readonly stop: Pick<ScanPosition, 'offset' | 'cases' | 'searching' | 'next'>;
  readonly end: End | null;
  /** Whether a run can continue where the scan has ended: it has seen what follows. */
  readonly isContinuable: boolean;
  /** Whether the scan began speculatively: before the position was known at which the scan of the range before has ended. */
  readonly isSpeculative: boolean;
  /** Whether no range follows: the input is over, or a bad case ends the run. */
  readonly isOver: boolean;
  /** The hashes of the bytes of the range; null if they were not wanted, or if the range has none. */
  readonly hashes: BlockHashes | null;
  /** Milliseconds that the worker took to read and to scan. Both are 0 if the coordinator did. */
  readonly readMs: number;
  readonly scanMs: number;
}
