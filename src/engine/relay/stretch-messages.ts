/** What the coordinator and the workers send each other about stretches: plain data. */
import type { Span } from '../../core/location.js';
import type { BlockHashes } from '../input-hash.js';
import type { ChunkResult, TaskHead } from '../messages.js';
import type { ChunkSettings } from '../output-settings.js';
import type { ScanPosition } from '../position.js';
import type { End } from '../scan.js';
import type { Baton } from './baton.js';
import type { StretchBounds } from './stretch-scanner.js';

/** A stretch of a regular file as a worker gets it. */
export interface StretchTask extends StretchBounds {
  /** The descriptor of the file, which all threads of the process can read. It stays open until the stretch is solved. */
  readonly descriptor: number;
  /** Size of the file in bytes when it was opened. */
  readonly fileBytes: number;
  readonly head: TaskHead;
  /** Number of cases that the head promises; null if it states none. */
  readonly promised: number | null;
  readonly settings: ChunkSettings;
  /** Whether the worker hashes the bytes of the stretch. */
  readonly isHashed: boolean;
  /** The baton from the stretch before, and the one for the stretch after this one. */
  readonly baton: Baton;
  readonly nextBaton: Baton;
}

/** A chunk of a stretch, and its result. */
export interface SolvedPart {
  readonly firstCase: number;
  readonly cases: number;
  readonly inputBytes: number;
  /** Span from the end of the previous chunk, or the start of the stretch, to the first byte of the chunk. */
  readonly spanBefore: Span;
  readonly result: ChunkResult;
}

/** The result of a stretch. */
export interface StretchResult {
  readonly parts: readonly SolvedPart[];
  /** Span from the end of the last chunk to the position at which the scan has ended. */
  readonly spanAfter: Span;
  /** Where the scan began and where it has ended. */
  readonly start: number;
  readonly stop: Pick<ScanPosition, 'offset' | 'cases' | 'searching' | 'next'>;
  readonly end: End | null;
  /** Whether the worker had guessed where the scan begins. */
  readonly isGuessed: boolean;
  /** Whether no stretch follows: the input is over, or a bad case ends the run. */
  readonly isOver: boolean;
  /** The hashes of the bytes of the stretch; null if they were not wanted, or if the stretch has none. */
  readonly hashes: BlockHashes | null;
  /** Milliseconds that the worker took to read and to scan. Both are 0 if the coordinator did. */
  readonly readMs: number;
  readonly scanMs: number;
}
