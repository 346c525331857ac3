/**
 * Creates the results of chunks. Every ChunkResult and every SolvedChunk is created in this file, so whoever adds a field must
 * fill it in only here.
 */
import { joinSpans, measureSpan } from '../core/location.js';
import type { Chunk } from './cut/scan.js';
import type { CaseFault, ChunkResult, ChunkTask, ChunkTimes, SolvedChunk } from './messages.js';
import type { ChunkSettings } from './output-settings.js';

/** The fields of a chunk's result that differ from those of an empty result. */
type GivenParts = Pick<ChunkResult, 'span'> & Partial<ChunkResult>;

/** Creates a result with the given fields. All other fields are empty or 0. */
export function createChunkResult(given: GivenParts): ChunkResult {
  return {
    output: new Uint8Array(0),
    answeredCases: 0,
    faults: [],
    solver: null,
    fallbackCases: 0,
    times: { parse: 0, solve: 0, print: 0 },
    slowest: [],
    ...given,
  };
}

/**
 * Creates the record of a chunk of which the first `cases` cases are solved. Fails if the scanner calls the last case invalid,
 * and the parser has answered it: then this answer, and where the next case begins, would be wrong.
 */
export function createSolvedChunk(
  { firstCase, starts, spanBefore, isLastInvalid }: Chunk,
  result: ChunkResult,
  cases = starts.length - 1,
): SolvedChunk {
  const wanted = starts.length - 1;
  if (
    isLastInvalid &&
    result.answeredCases + result.faults.length === wanted &&
    result.faults.at(-1)?.index !== wanted - 1
  )
    throw new Error(`case ${firstCase + wanted - 1} is invalid for the scanner, and valid for the parser`);
  return { firstCase, cases, inputBytes: starts[cases], spanBefore, result };
}

/** Whether the run ends at the last of the given faults, so that no case after that fault needs to be solved. */
export function doFaultsEndRun(faults: readonly CaseFault[], { onError }: ChunkSettings): boolean {
  const last = faults.at(-1);
  return last !== undefined && (onError === 'stop' || last.cause.kind === 'author');
}

/** Whether the solver failed on the case. The result is false if the case breaks the input format. */
export function isSolverFailure({ cause }: CaseFault): boolean {
  return cause.kind === 'crash' || cause.kind === 'timeout';
}

/** Creates the result of a chunk that has a single case, on which the solver failed. */
export function createFailedResult(task: ChunkTask, cause: CaseFault['cause']): ChunkResult {
  const bytes = task.bytes.slice(0, task.starts[1]);
  const span = measureSpan(bytes, 0, bytes.length);
  const fault: CaseFault = {
    cause,
    index: 0,
    span: { lines: 0, bytesAfterLastLineEnd: 0 },
    outputOffset: 0,
    bytes,
    ...(task.origin === null ? {} : { line: task.origin.line }),
  };
  return createChunkResult({ faults: [fault], span });
}

/**
 * Joins the results of the two parts in which a chunk was solved. `firstCases` is the number of cases in the first
 * part.
 */
export function joinChunkResults(first: ChunkResult, firstCases: number, second: ChunkResult): ChunkResult {
  const moved = second.faults.map(
    (fault): CaseFault => ({
      ...fault,
      index: fault.index + firstCases,
      span: joinSpans(first.span, fault.span),
      outputOffset: fault.outputOffset + first.output.length,
    }),
  );
  return createChunkResult({
    output: joinBytes(first.output, second.output),
    answeredCases: first.answeredCases + second.answeredCases,
    faults: [...first.faults, ...moved],
    span: joinSpans(first.span, second.span),
    solver: first.solver ?? second.solver,
    fallbackCases: first.fallbackCases + second.fallbackCases,
    times: joinTimes(first.times, second.times),
    slowest: [...first.slowest, ...second.slowest],
  });
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function joinTimes(first: ChunkTimes, second: ChunkTimes): ChunkTimes {
  return {
    parse: first.parse + second.parse,
    solve: first.solve + second.solve,
    print: first.print + second.print,
  };
}
