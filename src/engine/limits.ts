/** Every bound of the engine, and the relations between them that the rest relies on. */

import { assertRelation } from '../core/assert.js';
import { MAX_CASE_BYTES } from '../problems/case-format.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** One read from an input. */
export const READ_BYTES = MIB;

export { MAX_CASE_BYTES };

/** An adaptive chunk starts here, so that the first measurements come soon and small inputs use all workers. */
export const FIRST_CHUNK_BYTES = 512;

/** An adaptive chunk is no larger than this, however cheap its cases are. */
export const MAX_CHUNK_BYTES = MIB;

/** What `--chunk` accepts. */
export const MAX_CHOSEN_CHUNK_BYTES = 256 * MIB;

/** The work an adaptive chunk aims at: long against dispatch (0.1 ms, some ms where all processors are busy), short against a run. */
export const CHUNK_TARGET_MS = 80;

/** Boards that a kernel may solve at once, and from how many on a chunk is rounded up to whole batches. */
export const KERNEL_LANES = 16;
export const MIN_CASES_FOR_LANES = 48;

/**
 * Workers that are started at most: their work is computing, so more than a few for each processor have nothing to do.
 * Small machines may start some more, to try what large ones do.
 */
export function mostJobs(processors: number): number {
  return Math.max(64, 4 * processors);
}

/** With more workers than this the user is warned. */
export function manyJobs(processors: number): number {
  return Math.max(16, 4 * processors);
}

/** Chunks given out per worker: one that runs and one that waits, so that no worker idles between two. */
export const CHUNKS_PER_WORKER = 2;

/** An input that has so many bytes for a thread is worth its start (50 ms), before it is known what cases cost. */
export const BYTES_PER_THREAD = 256 * KIB;

/** Finished answers that wait for an earlier chunk; past it no chunk is given out. */
export const MAX_WAITING_BYTES = 48 * MIB;

/** Rough size of the objects around a finished chunk, and of one case in it that has no answer. */
export const RESULT_BYTES = KIB;
export const FAULT_BYTES = 512;

/** Pieces in which a generated input is written. */
export const GENERATED_BYTES = 16 * KIB;

/**
 * Files that are solved at a time, of many: enough that small ones, of a chunk each, keep the workers busy
 * while others are opened and synced. Their bytes bound what all of them hold; a larger file runs alone.
 */
export const FILES_PER_WORKER = 4;
export const MAX_OPEN_BYTES = 64 * MIB;

/** Between two checkpoints: what a cut-off run loses at the most, and what syncing to disk may cost. */
export const CHECKPOINT_MS = 1000;

/** Bytes behind a chunk that go with it, so that a message can show the token that follows. */
export const LOOKAHEAD_BYTES = 32;

/** How often, within a `--timeout`, the workers are looked at. */
export const WATCHES_PER_TIMEOUT = 16;

/** Times that a worker which did not get to its chunk is started again, whatever the user says of retries. */
export const START_RETRIES = 2;

/**
 * What an external program may print to an input: more than any answers take (a case of 6 bytes, `1 1` and a
 * cell, is answered by up to 30), and room for a few words.
 */
export const EXEC_OUTPUT_PER_INPUT_BYTE = 8;
export const EXEC_OUTPUT_BYTES = 64 * KIB;

/** What is read of an external program's last words on standard error, and what may lie on the disk until they come. */
export const EXEC_STDERR_BYTES = 4 * KIB;
export const EXEC_STDERR_FILE_BYTES = MIB;

/** Between two looks at an external program, which may print above its bound meanwhile. */
export const EXEC_LOOK_MS = 50;

/** What is shown of an answer that differs. */
export const MAX_SHOWN_BYTES = 16 * KIB;

/** Boards that a worker parses before it solves them together. */
export const BATCH_BOARDS = 512;

/** Slowest cases that `--stats` names. */
export const SLOWEST_CASES = 5;

/** Bad cases that are told one by one under `--on-error mark`; the rest is only counted. */
export const MAX_TOLD_FAULTS = 20;

/** Findings of one kind on the layout of an input that `validate` tells one by one; the rest is counted. */
export const MAX_TOLD_LAYOUT = 10;

/** The shortest case there is, `1 1` and a row, and what an input of unknown size is taken to hold at the most. */
export const SMALLEST_CASE_BYTES = 6;
export const MAX_CASES_UNTOLD = 1e9;

assertRelation(FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES, 'FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES');
assertRelation(MAX_CHUNK_BYTES <= MAX_WAITING_BYTES, 'MAX_CHUNK_BYTES <= MAX_WAITING_BYTES');
assertRelation(READ_BYTES <= MAX_CASE_BYTES, 'READ_BYTES <= MAX_CASE_BYTES');
assertRelation(BATCH_BOARDS % KERNEL_LANES === 0, 'BATCH_BOARDS % KERNEL_LANES === 0');
