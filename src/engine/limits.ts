/**
 * The bounds that several parts of boardmill share, or that must stand in a certain relation to other bounds. The end of this
 * file asserts these relations. A bound that only one part needs is in the file of that part; the bounds of queues are in
 * queue/limits.ts. The widths of lines and messages are next to the code that prints them.
 */
import { assertRelation } from '../core/assert.js';
import { KIB, MIB } from '../core/bytes.js';
import { MAX_BOARD_ANSWER_BYTES } from '../formats/answer-format.js';

// Reading and chunks

/** Bytes that one read from an input returns at most. */
export const MAX_BYTES_PER_READ = MIB;

/** Size of the blocks in which an input is hashed. */
export const HASH_BLOCK_BYTES = 64 * KIB;

/** Largest size of a file that is read as the record of a shard, as a checkpoint or as an entry of the ledger. */
export const MAX_STATE_FILE_BYTES = 64 * MIB;

/**
 * Size of the first chunks of a run whose chunk size adapts. It is small, so that the run soon measures how long cases take,
 * and small inputs use all workers.
 */
export const FIRST_CHUNK_BYTES = 512;

/** Largest size of a chunk whose size adapts to the cost of its cases, however cheap they are. */
export const MAX_ADAPTIVE_CHUNK_BYTES = MIB;

/** Largest size that `--chunk` accepts. */
export const MAX_CHUNK_OPTION_BYTES = 256 * MIB;

/**
 * Bytes of the input after the last case of a chunk that are sent with the chunk, so that a message can show the
 * token that follows the case.
 */
export const LOOKAHEAD_BYTES = 32;

/**
 * When the chunks of a run on a regular file or a pipe have grown to this size, the run switches to ranges, which workers scan
 * themselves. Until then, the coordinator scans and learns what cases cost; expensive cases need smaller chunks.
 */
export const MIN_CHUNK_BYTES_FOR_RANGES = 256 * KIB;

/**
 * Largest size of a chunk or a range whose size adapts, if a program takes the answers one by one (`solveStream`). Such a run
 * is a few chunks ahead of the program, so the chunks are small, but as large as ranges must be.
 */
export const MAX_STREAMED_CHUNK_BYTES = 256 * KIB;

/** Bytes that one read from a pipe returns at most. A pipe of Linux holds as many, unless somebody has changed that. */
export const PIPE_READ_BYTES = 64 * KIB;

/**
 * Size of the segments of memory into which a thread reads a pipe, and the number of segments that it may fill before the
 * ranges in them are given out.
 */
export const PIPE_SEGMENT_BYTES = 4 * MIB;
export const PIPE_SEGMENTS_AHEAD = 2;

/**
 * Bytes of a pipe that are kept until a thread takes over reading it. The thread takes over only where all bytes are kept that
 * the scanner has not used yet: hardly ever more than a case and a piece of the pipe.
 */
export const PIPE_KEPT_BYTES = 2 * MIB;

/**
 * Number of cases in a batch, unless the solver has a kernel batch, which says how many it takes: a worker first parses all
 * cases of a batch, and then solves them together.
 */
export const BATCH_CASES = 512;

/**
 * The scanner fills a large chunk up to a multiple of this number of cases, so that no lane of a kernel stays
 * empty.
 */
export const KERNEL_LANES = 16;

/**
 * Largest total size of finished answers that wait for the answers of an earlier chunk. While more bytes wait, no further chunk
 * is given to the workers.
 */
export const MAX_WAITING_ANSWER_BYTES = 48 * MIB;

// Workers

/**
 * Largest number of workers that boardmill starts. Workers only compute, so more than a few workers per processor are of no
 * use. Small machines may start a few more, so that users can try how boardmill behaves with many.
 */
export function maxJobs(processors: number): number {
  return Math.max(64, 4 * processors);
}

/** Returns the number of workers above which boardmill warns the user that `--jobs` is too large. */
export function jobsToWarnAbove(processors: number): number {
  return Math.max(16, 4 * processors);
}

/** Number of times that boardmill retries a chunk whose worker failed, unless `--retries` sets another number. */
export const DEFAULT_RETRIES = 1;

/**
 * Number of times that `stress` retries a chunk after one of boardmill's own workers died. Such a death says
 * nothing about the program that `stress` tests.
 */
export const TRUSTED_SOLVER_RETRIES = 2;

// Programs and authors

/** The shortest and the longest time limit that the timers of Node can measure, in seconds. The longest is rounded down. */
export const MIN_TIMEOUT_SECONDS = 0.001;
export const MAX_TIMEOUT_SECONDS = 2_000_000;

/** The largest limit of memory that can be chosen, in bytes: more than any machine has. */
export const MAX_MEMORY_LIMIT_BYTES = 2 ** 50;

/**
 * Time limit in seconds for one case of a checker, and of the functions `equal`, `valid` and `generate` of a module, unless
 * `--timeout` sets another limit.
 */
export const DEFAULT_JUDGING_SECONDS = 10;

/** Number of bytes that the command `generate` collects before it writes them to its output. */
export const GENERATED_PIECE_BYTES = 16 * KIB;

// Reports

/**
 * Number of rectangles or positions that a proof of `explain` lists at most. A proof of this size is a line of 30 to 60 MB.
 * The largest boards of bacterial-tactics and darkraft have fewer rectangles.
 */
export const MAX_PROOF_ENTRIES = 2_000_000;

/** Number of slowest cases that `--stats` lists. */
export const LISTED_SLOWEST_CASES = 5;

assertRelation(FIRST_CHUNK_BYTES <= MAX_ADAPTIVE_CHUNK_BYTES, 'FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES');
assertRelation(
  MIN_CHUNK_BYTES_FOR_RANGES <= MAX_STREAMED_CHUNK_BYTES,
  'MIN_CHUNK_BYTES_FOR_RANGES <= MAX_STREAMED_CHUNK_BYTES',
);
assertRelation(
  MAX_ADAPTIVE_CHUNK_BYTES <= MAX_WAITING_ANSWER_BYTES,
  'MAX_CHUNK_BYTES <= MAX_WAITING_ANSWER_BYTES',
);
assertRelation(MAX_BYTES_PER_READ <= MAX_BOARD_ANSWER_BYTES, 'MAX_BYTES_PER_READ <= MAX_BOARD_ANSWER_BYTES');
assertRelation(
  PIPE_READ_BYTES + HASH_BLOCK_BYTES <= PIPE_KEPT_BYTES,
  'PIPE_READ_BYTES + HASH_BLOCK_BYTES <= PIPE_KEPT_BYTES',
);
assertRelation(PIPE_SEGMENT_BYTES % HASH_BLOCK_BYTES === 0, 'PIPE_SEGMENT_BYTES % HASH_BLOCK_BYTES === 0');
assertRelation(BATCH_CASES % KERNEL_LANES === 0, 'BATCH_CASES % KERNEL_LANES === 0');
