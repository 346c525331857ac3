/** The reason with which a job fails, as a text that BullMQ keeps. */
import * as v from 'valibot';
import { OutageError } from '../../core/errors.js';
import { parseJson } from '../../core/json.js';
import type { CaseRange } from '../../core/range.js';
import { ChunkFailure } from '../dispatcher.js';
import { MAX_REASON_CHARS } from '../limits.js';

const CaseNumber = v.pipe(v.number(), v.safeInteger());

const Reason = v.object({
  /** As in ChunkFailure. Kind `refused`: the host cannot solve the chunk, and the run ends. */
  kind: v.picklist(['crash', 'timeout', 'no-start', 'refused']),
  reason: v.pipe(
    v.string(),
    v.transform((text) => text.slice(0, MAX_REASON_CHARS)),
  ),
  suspects: v.nullable(v.object({ from: CaseNumber, to: CaseNumber })),
});

export type JobFailure = v.InferOutput<typeof Reason>;

export function printJobFailure(failure: JobFailure): string {
  return JSON.stringify(failure);
}

/** Describes an error of a dispatcher as the failure of its job. */
export function describeJobFailure(error: unknown): JobFailure {
  if (error instanceof ChunkFailure) {
    const { kind, reason, suspects } = error;
    // Only a run gives up. Its hosts solve on.
    return { kind: kind === 'given-up' ? 'crash' : kind, reason, suspects };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { kind: 'crash', reason: `its solver failed: ${reason}`, suspects: null };
}

/**
 * Returns the error with which the chunk of a failed job fails. `cases` are the numbers of its cases. A reason that no host has written comes from BullMQ: hosts
 * ended again and again while they solved the chunk.
 */
export function errorOfJob(text: string, cases: CaseRange): Error {
  const read = v.safeParse(Reason, parseJson(text));
  if (!read.success)
    return new ChunkFailure('crash', 'every host that solved it ended before it had an answer', null);
  const { kind, reason, suspects } = read.output;
  if (kind === 'refused') return new OutageError(reason);
  const areInChunk = suspects !== null && cases.from <= suspects.from && suspects.to <= cases.to;
  return new ChunkFailure(kind, reason, areInChunk && suspects.from <= suspects.to ? suspects : null);
}
