/**
 * The bounds of the engine: on memory, on time, on numbers of things, and on how much is reported. The relations between
 * them that other code relies on are asserted at the end.
 *
 * Not here, because they belong to something that the engine does not know:
 * - the sizes of boards: `limits` and `contest` of each problem, in its solve.ts;
 * - the bounds of one token, one case and one answer: problems/input-format.ts and problems/answer-format.ts. Two of
 *   them are exported again here, because the engine relies on them;
 * - the widths of lines and messages: beside the code that prints them, in cli/ and bench/.
 * Constants that tune a method and bound nothing (such as how fast the size of chunks adapts) stand beside the method.
 */
import { assertRelation } from '../core/assert.js';
import { MAX_ANSWER_BYTES } from '../problems/answer-format.js';
import { MAX_CASE_BYTES } from '../problems/input-format.js';

const KIB = 1024;
const MIB = 1024 * KIB;

export { MAX_ANSWER_BYTES, MAX_CASE_BYTES };

// Reading and chunks

/** Bytes that one read from an input returns at most. */
export const READ_BYTES = MIB;

/** Size of the first adaptive chunks: small, so that the first measurements come soon and small inputs use all workers. */
export const FIRST_CHUNK_BYTES = 512;

/** Largest size of an adaptive chunk, however cheap its cases are. */
export const MAX_CHUNK_BYTES = MIB;

/** Largest size that `--chunk` accepts. */
export const MAX_CHOSEN_CHUNK_BYTES = 256 * MIB;

/**
 * Work that an adaptive chunk aims at. It is long compared with dispatching a chunk, which takes 0.1 ms, or some
 * milliseconds when all processors are busy; and it is short compared with a run.
 */
export const CHUNK_TARGET_MS = 80;

/** Smallest block of shared memory for the bytes of a chunk. */
export const MIN_CHUNK_BUFFER_BYTES = 4 * KIB;

/** Bytes after the last case of a chunk that go with it, so that a message can show the token that follows. */
export const LOOKAHEAD_BYTES = 32;

/** Boards that a worker parses before it solves them together. */
export const BATCH_BOARDS = 512;

/** A large chunk is filled up to a multiple of this number of cases, so that no lane of a kernel stays empty. */
export const KERNEL_LANES = 16;

/** Chunks with fewer cases are not filled up: the work would be shared out less evenly. */
export const MIN_CASES_FOR_LANES = 48;

// Workers

/**
 * Largest number of workers that are started. Their work is computing, so more than a few per processor have nothing to
 * do. Small machines may start some more, so that users can try what large machines do.
 */
export function maxJobs(processors: number): number {
  return Math.max(64, 4 * processors);
}

/** With more workers than this, the user is warned. */
export function jobsToWarnAbove(processors: number): number {
  return Math.max(16, 4 * processors);
}

/** Chunks given out per worker: one that is being solved and one that waits, so that the worker is never idle. */
export const CHUNKS_PER_WORKER = 2;

/** An input with this many bytes per thread is worth the start of the thread (50 ms), before the cost of cases is known. */
export const BYTES_PER_THREAD = 256 * KIB;

/** How often per `--timeout` the pool checks what the workers are doing. */
export const CHECKS_PER_TIMEOUT = 16;

/** How often a worker that died before it got to its chunk is started again, even with `--retries 0`. */
export const START_RETRIES = 2;

/** How often `stress` retries a chunk after a worker of boardmill itself died, which says nothing about the program. */
export const TRUSTED_RETRIES = 2;

// Answers

/** Finished answers that may wait for an earlier chunk. Above this, no further chunk is given out. */
export const MAX_WAITING_BYTES = 48 * MIB;

/** Rough size in memory of the objects around a finished chunk, and of a fault in it. */
export const RESULT_BYTES = KIB;
export const FAULT_BYTES = 512;

/** Time between two checkpoints: the work that an interrupted run loses at most. Each checkpoint syncs to the disk. */
export const CHECKPOINT_MS = 1000;

/** Files that are solved at the same time, per worker: enough to keep the workers busy with small files. */
export const FILES_PER_WORKER = 4;

/** Input bytes of all files that are solved at the same time. A file that is larger is solved alone. */
export const MAX_BYTES_OF_OPEN_FILES = 64 * MIB;

// Programs behind --exec

/**
 * Bytes that a program may print: EXEC_OUTPUT_BYTES for a few words, and EXEC_OUTPUT_PER_INPUT_BYTE per byte of its
 * input. That is more than any answers take: the smallest case has 6 bytes (`1 1` and a cell), its answer up to 30.
 */
export const EXEC_OUTPUT_PER_INPUT_BYTE = 8;
export const EXEC_OUTPUT_BYTES = 64 * KIB;

/** Bytes at the end of a program's standard error that boardmill reads, and characters of its last line that it shows. */
export const EXEC_STDERR_BYTES = 4 * KIB;
export const EXEC_STDERR_CHARS = 200;

/** Bytes of a program's standard error that may lie on the disk while it runs. */
export const EXEC_STDERR_FILE_BYTES = MIB;

/** Time between two checks of a running program. In between, it may print more than its bound. */
export const EXEC_CHECK_MS = 50;

// Tools

/** Size of the pieces in which a generated input is written. */
export const GENERATED_BYTES = 16 * KIB;

/** Time that `stress` spends on shrinking a counterexample. */
export const SHRINK_SECONDS = 60;

/** Bytes of a program's output that `stress` saves beside the smallest case. */
export const MAX_GOT_BYTES = MIB;

/** The shortest case: `1 1` and a row. */
export const MIN_CASE_BYTES = 6;

/** Cases that an input is taken to have at most, if neither its size nor its preamble says more. */
export const MAX_CASES_OF_UNKNOWN_SIZE = 1e9;

/** Bytes at the start of an input that are kept, to find out whether it belongs to another problem. */
export const BEGINNING_BYTES = 64 * KIB;

// Reports

/** Bytes of a differing answer that `check` shows. */
export const MAX_SHOWN_BYTES = 16 * KIB;

/** Slowest cases that `--stats` names. */
export const STATS_SLOWEST_CASES = 5;

/** Slowest cases that `bench` names. */
export const BENCH_SLOWEST_CASES = 10;

/** Marked cases that are reported one by one under `--on-error mark`. The others are only counted. */
export const MAX_REPORTED_FAULTS = 20;

/** Errors of one layout rule that `validate` reports one by one. The others are only counted. */
export const MAX_REPORTED_LAYOUT = 10;

assertRelation(FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES, 'FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES');
assertRelation(MAX_CHUNK_BYTES <= MAX_WAITING_BYTES, 'MAX_CHUNK_BYTES <= MAX_WAITING_BYTES');
assertRelation(READ_BYTES <= MAX_CASE_BYTES, 'READ_BYTES <= MAX_CASE_BYTES');
assertRelation(READ_BYTES <= MAX_ANSWER_BYTES, 'READ_BYTES <= MAX_ANSWER_BYTES');
assertRelation(BATCH_BOARDS % KERNEL_LANES === 0, 'BATCH_BOARDS % KERNEL_LANES === 0');
assertRelation(MAX_CASE_BYTES <= MAX_BYTES_OF_OPEN_FILES, 'MAX_CASE_BYTES <= MAX_BYTES_OF_OPEN_FILES');
