/** Writes the result of a chunk as a frame, and reads it. */
import * as v from 'valibot';
import { newDigest } from '../../core/digest.js';
import type { AnsweredBy, CaseFault, ChunkResult } from '../messages.js';
import { Count, createFrame, type Frame, readFrame } from './frame.js';

const SCHEMA = 'boardmill/answers/1';

/** All that may answer cases. The compiler compares the list with the type. */
const SOLVERS = Object.keys({
  simd: true,
  portable: true,
  module: true,
  exec: true,
} satisfies Record<AnsweredBy, true>) as AnsweredBy[];

/** Length of the digest that precedes the frame of answers. A chunk needs none, because its id is a digest of its frame. */
const DIGEST_BYTES = 16;

const Duration = v.pipe(v.number(), v.minValue(0));
const Span = v.object({ lines: Count, bytesAfterLastLineEnd: Count });

const Cause = v.variant('kind', [
  v.object({ kind: v.literal('input'), expected: v.string(), got: v.string() }),
  v.object({ kind: v.picklist(['crash', 'timeout', 'refused', 'author']), reason: v.string() }),
]);

const Fault = v.object({
  cause: Cause,
  index: Count,
  span: Span,
  outputOffset: Count,
  line: v.optional(Count),
  /** Whether the bytes of the case follow the answers, as a part of the frame. */
  hasBytes: v.boolean(),
});

const Header = v.object({
  schema: v.literal(SCHEMA),
  chunk: v.string(),
  answeredCases: Count,
  faults: v.array(Fault),
  span: Span,
  solver: v.nullable(v.picklist(SOLVERS)),
  fallbackCases: Count,
  times: v.object({ parse: Duration, solve: Duration, print: Duration }),
  slowest: v.array(v.object({ case: Count, seconds: Duration })),
});

/**
 * Writes the result of the chunk with this id as a frame: the answers, and the bytes of each case that needs them. A digest
 * of the frame precedes it.
 */
export function createAnswerFrame(chunk: string, { output, faults, ...others }: ChunkResult): Frame {
  const header = {
    schema: SCHEMA,
    chunk,
    ...others,
    faults: faults.map(({ bytes, ...fault }) => ({ ...fault, hasBytes: bytes !== null })),
  };
  const frame = createFrame(header, [output, ...faults.flatMap(({ bytes }) => bytes ?? [])]);
  return Buffer.concat([digestOf(frame), frame]);
}

/**
 * Reads the result of the chunk with this id, which has so many cases, from a frame that another process has made. Returns
 * null if the frame is not such a result.
 */
export function readAnswerFrame(sealed: Frame, chunk: string, cases: number): ChunkResult | null {
  const frame = sealed.subarray(DIGEST_BYTES);
  if (!digestOf(frame).equals(sealed.subarray(0, DIGEST_BYTES))) return null;
  const content = readFrame(frame);
  const read = v.safeParse(Header, content?.header);
  if (content === null || !read.success) return null;
  const { schema: _, chunk: answered, faults, ...others } = read.output;
  const [output, ...caseBytes] = content.parts.map((part) => new Uint8Array(part));
  if (output === undefined) return null;
  const areFaultsPossible = faults.every(
    ({ index, outputOffset }) => index < cases && outputOffset <= output.length,
  );
  const isComplete = caseBytes.length === faults.filter(({ hasBytes }) => hasBytes).length;
  if (answered !== chunk || !areFaultsPossible || !isComplete) return null;
  const withBytes = faults.map(
    ({ hasBytes, line, ...fault }): CaseFault => ({
      ...fault,
      ...(line === undefined ? {} : { line }),
      bytes: hasBytes ? caseBytes.shift()! : null,
    }),
  );
  return { ...others, output, faults: withBytes };
}

function digestOf(bytes: Uint8Array): Buffer {
  return newDigest().update(bytes).digest().subarray(0, DIGEST_BYTES);
}
