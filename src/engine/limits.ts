/** Every bound of the engine, and the relations between them that the rest relies on. */
import { MAX_CASE_BYTES } from '../problems/case-format.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** One read from an input. */
export const READ_BYTES = 256 * KIB;

export { MAX_CASE_BYTES };

/** An adaptive chunk starts here, so that the first measurements come soon and small inputs use all workers. */
export const FIRST_CHUNK_BYTES = 512;

/** An adaptive chunk is no larger than this, however cheap its cases are. */
export const MAX_CHUNK_BYTES = MIB;

/** What `--chunk` accepts. */
export const MAX_CHOSEN_CHUNK_BYTES = 256 * MIB;

/** The work an adaptive chunk aims at: long against dispatch (~0.1 ms), short against a run. */
export const CHUNK_TARGET_MS = 30;

/** Chunks given out per worker: one that runs and one that waits, so that no worker idles between two. */
export const CHUNKS_PER_WORKER = 2;

/** Finished answers that wait for an earlier chunk; past it no chunk is given out. */
export const MAX_WAITING_BYTES = 48 * MIB;

/** Rough size of the objects around a finished chunk, and of one case in it that has no answer. */
export const RESULT_BYTES = KIB;
export const FAULT_BYTES = 512;

/** Between two checkpoints: what a cut-off run loses at the most, and what syncing to disk may cost. */
export const CHECKPOINT_MS = 1000;

/** Bytes behind a chunk that go with it, so that a message can show the token that follows. */
export const LOOKAHEAD_BYTES = 32;

/** How often, within a `--timeout`, the workers are looked at. */
export const WATCHES_PER_TIMEOUT = 16;

/** Boards that a worker parses before it solves them together. */
export const BATCH_BOARDS = 512;

/** Slowest cases that `--stats` names. */
export const SLOWEST_CASES = 5;

/** Bad cases that are told one by one under `--on-error mark`; the rest is only counted. */
export const MAX_TOLD_FAULTS = 20;

function assertLimits(holds: boolean, relation: string): void {
  if (!holds) throw new Error(`limits.ts: ${relation} does not hold`);
}

assertLimits(FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES, 'FIRST_CHUNK_BYTES <= MAX_CHUNK_BYTES');
assertLimits(MAX_CHUNK_BYTES <= MAX_WAITING_BYTES, 'MAX_CHUNK_BYTES <= MAX_WAITING_BYTES');
assertLimits(READ_BYTES <= MAX_CASE_BYTES, 'READ_BYTES <= MAX_CASE_BYTES');
