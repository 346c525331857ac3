/** The reason why a job of BullMQ has failed, as a text: worker processes write it, and runs read it. */
import * as v from 'valibot';
import { parseJsonOrNull } from '../../core/json.js';
import type { CaseRange } from '../../core/range.js';
import { ChunkFailure } from '../dispatcher.js';
import { BadChunkError } from './chunk-frame.js';
import { MAX_FAILURE_REASON_CHARS } from './limits.js';
import { type WorkerProcessIdentity, WorkerProcessSchema } from './presence.js';
import type { SolvingAttempt } from './second-opinion.js';

const CaseNumber = v.pipe(v.number(), v.safeInteger());

const Reason = v.object({
  /** The worker process that has written the reason. */
  by: WorkerProcessSchema,
  /** The id of the chunk that has failed, or of the job if none of its chunks was begun. */
  chunk: v.string(),
  /** The kind of the failure, as in ChunkFailure, or `refused`: the worker process cannot solve chunks of the run. */
  kind: v.picklist(['crash', 'timeout', 'no-start', 'refused']),
  reason: v.pipe(
    v.string(),
    v.transform((text) => text.slice(0, MAX_FAILURE_REASON_CHARS)),
  ),
  suspects: v.nullable(v.object({ from: CaseNumber, to: CaseNumber })),
});

type JobFailure = v.InferOutput<typeof Reason>;

export function printJobFailure(failure: JobFailure): string {
  return JSON.stringify(failure);
}

/** Describes why a worker process has not solved a chunk as the failure of its job. */
export function createJobFailure(by: WorkerProcessIdentity, chunk: string, error: unknown): JobFailure {
  if (error instanceof BadChunkError)
    return { by, chunk, kind: 'refused', reason: error.message, suspects: null };
  if (error instanceof ChunkFailure) {
    const { kind, reason, suspects } = error;
    // Only runs give up. A worker process never tells its dispatcher to, so the kind `given-up` would count as a crash.
    return { by, chunk, kind: kind === 'given-up' ? 'crash' : kind, reason, suspects };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { by, chunk, kind: 'crash', reason: `its solver failed: ${reason}`, suspects: null };
}

/** A chunk of a failed job. */
interface FailedChunk {
  readonly id: string;
  /** The numbers of its cases. */
  readonly cases: CaseRange;
  /** Whether the job has no other chunk. */
  readonly isOnly: boolean;
}

/**
 * Returns what the text of a failed job says about a chunk; null if it says nothing about this chunk. If no worker process has
 * written the text, it comes from BullMQ: worker processes ended again and again while they solved the job.
 */
export function parseFailedAttempt(text: string, { id, cases, isOnly }: FailedChunk): SolvingAttempt | null {
  const read = v.safeParse(Reason, parseJsonOrNull(text));
  if (!read.success) {
    if (!isOnly) return null;
    const reason = 'every worker process that solved it ended before it had an answer';
    return { by: null, outcome: new ChunkFailure('crash', reason, null) };
  }
  const { by, chunk, kind, reason, suspects } = read.output;
  if (chunk !== id) return null;
  if (kind === 'refused') return { by, refusal: reason };
  const areInChunk = suspects !== null && cases.from <= suspects.from && suspects.to <= cases.to;
  const inChunk = areInChunk && suspects.from <= suspects.to ? suspects : null;
  return { by, outcome: new ChunkFailure(kind, reason, inChunk) };
}
