/** Writes the result of a chunk as a frame, and reads such frames. */
import * as v from 'valibot';
import { KIB } from '../../core/bytes.js';
import { createDigest } from '../../core/digest.js';
import { LISTED_SLOWEST_CASES } from '../limits.js';
import type { AnsweringSolver, CaseFault, ChunkResult } from '../messages.js';
import { CountSchema, createQueueFrame, type QueueFrame, readQueueFrame } from './frame.js';
import { MAX_CHUNK_HEADER_BYTES } from './limits.js';
import { type WorkerProcessIdentity, WorkerProcessSchema } from './presence.js';

/** Largest size of a frame's header per case. For a case without an answer, the header says what is wrong. */
const MAX_FAULT_BYTES = 16 * KIB;

const SCHEMA = 'boardmill/answers/1';

/** The names of all solvers that may have answered cases. The compiler checks that the list has every name of the type. */
const SOLVERS = Object.keys({
  simd: true,
  portable: true,
  module: true,
  exec: true,
} satisfies Record<AnsweringSolver, true>) as AnsweringSolver[];

/**
 * Length of the digest that precedes a frame of answers. The frame of a chunk has no such digest, because the id of a chunk is
 * already a digest of its frame.
 */
const DIGEST_BYTES = 16;

const Duration = v.pipe(v.number(), v.minValue(0));
const Span = v.object({ lines: CountSchema, bytesAfterLastLineEnd: CountSchema });

const Cause = v.variant('kind', [
  v.object({ kind: v.literal('input'), expected: v.string(), got: v.string() }),
  v.object({ kind: v.picklist(['crash', 'timeout', 'refused', 'author']), reason: v.string() }),
]);

const Fault = v.object({
  cause: Cause,
  index: CountSchema,
  span: Span,
  outputOffset: CountSchema,
  line: v.optional(CountSchema),
  /** Whether the bytes of the case follow the answers, as a part of the frame. */
  hasBytes: v.boolean(),
});

const Header = v.object({
  schema: v.literal(SCHEMA),
  chunk: v.string(),
  by: WorkerProcessSchema,
  answeredCases: CountSchema,
  faults: v.array(Fault),
  span: Span,
  solver: v.nullable(v.picklist(SOLVERS)),
  fallbackCases: CountSchema,
  times: v.object({ parse: Duration, solve: Duration, print: Duration }),
  slowest: v.array(v.object({ case: CountSchema, seconds: Duration })),
});

/**
 * Writes the result of the chunk with this id as a frame: the worker process that has solved the chunk, the answers, and for
 * each failed case its bytes. A digest precedes the frame.
 */
export function createAnswerFrame(
  chunk: string,
  by: WorkerProcessIdentity,
  { output, faults, ...others }: ChunkResult,
): QueueFrame {
  const header = {
    schema: SCHEMA,
    chunk,
    by,
    ...others,
    faults: faults.map(({ bytes, ...fault }) => ({ ...fault, hasBytes: bytes !== null })),
  };
  const frame = createQueueFrame(header, [output, ...faults.flatMap(({ bytes }) => bytes ?? [])]);
  return Buffer.concat([digestOf(frame), frame]);
}

/** The facts about a chunk with which a run checks the answers that it reads for the chunk. */
export interface SentChunk {
  readonly id: string;
  readonly firstCase: number;
  /** Number of cases. */
  readonly cases: number;
  /** Length of the chunk in bytes. */
  readonly bytes: number;
  /** Whether the answers end at the first fault. */
  readonly isStoppedByFaults: boolean;
}

/** The result of a chunk, and the worker process that has solved the chunk. */
export interface ReceivedResult {
  readonly by: WorkerProcessIdentity;
  readonly outcome: ChunkResult;
}

/**
 * Reads the result of a chunk from a frame that another process has made. Returns null if the frame is not the result of this
 * chunk, or if its numbers cannot be right.
 */
export function readAnswerFrame(sealed: QueueFrame, answeredChunk: SentChunk): ReceivedResult | null {
  const frame = sealed.subarray(DIGEST_BYTES);
  if (!digestOf(frame).equals(sealed.subarray(0, DIGEST_BYTES))) return null;
  const content = readQueueFrame(frame, MAX_CHUNK_HEADER_BYTES + answeredChunk.cases * MAX_FAULT_BYTES);
  const read = v.safeParse(Header, content?.header);
  if (content === null || !read.success) return null;
  const { schema: _, chunk: answered, by, faults, ...others } = read.output;
  const [output, ...caseBytes] = content.parts.map((part) => new Uint8Array(part));
  if (output === undefined) return null;
  const isComplete = caseBytes.length === faults.filter(({ hasBytes }) => hasBytes).length;
  if (answered !== answeredChunk.id || !isComplete) return null;
  const withBytes = faults.map(
    ({ hasBytes, line, ...fault }): CaseFault => ({
      ...fault,
      ...(line === undefined ? {} : { line }),
      bytes: hasBytes ? caseBytes.shift()! : null,
    }),
  );
  const outcome = { ...others, output, faults: withBytes };
  return isPossible(outcome, answeredChunk) ? { by, outcome } : null;
}

/** Whether a result can belong to the chunk: each case has an answer or a fault, and all offsets lie inside the chunk. */
function isPossible(result: ChunkResult, chunk: SentChunk): boolean {
  const { faults, answeredCases, fallbackCases, slowest, span, output } = result;
  const found = answeredCases + faults.length;
  const mayEndEarly =
    faults.length > 0 && (chunk.isStoppedByFaults || faults.at(-1)?.cause.kind === 'author');
  return (
    (found === chunk.cases || (mayEndEarly && found < chunk.cases)) &&
    areFaultsInOrder(faults, chunk, output.length) &&
    isSpanInside(span, chunk) &&
    // If the kernel refuses a board of a batch, the whole batch is solved again case by case, so a board may count twice.
    fallbackCases <= 2 * chunk.cases &&
    slowest.length <= Math.max(LISTED_SLOWEST_CASES, chunk.cases) &&
    slowest.every((each) => each.case >= chunk.firstCase && each.case < chunk.firstCase + chunk.cases)
  );
}

function areFaultsInOrder(faults: readonly CaseFault[], chunk: SentChunk, outputBytes: number): boolean {
  let index = -1;
  let outputOffset = 0;
  for (const fault of faults) {
    const isLater = fault.index > index && fault.outputOffset >= outputOffset;
    const isInside = fault.index < chunk.cases && fault.outputOffset <= outputBytes;
    if (!isLater || !isInside || !isSpanInside(fault.span, chunk)) return false;
    if (fault.bytes !== null && fault.bytes.length > chunk.bytes) return false;
    ({ index, outputOffset } = fault);
  }
  return true;
}

function isSpanInside({ lines, bytesAfterLastLineEnd }: ChunkResult['span'], { bytes }: SentChunk): boolean {
  return lines + bytesAfterLastLineEnd <= bytes;
}

function digestOf(bytes: Uint8Array): Buffer {
  return createDigest().update(bytes).digest().subarray(0, DIGEST_BYTES);
}
