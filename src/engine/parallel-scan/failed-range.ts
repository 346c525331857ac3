/**
 * Solves a range whose worker has failed. The coordinator scans it again, and gives its chunks to the workers as if it had cut
 * them itself. The range is not given to another worker, because all workers may be waiting for its handoff.
 */
import { BoardmillError } from '../../core/errors.js';
import { endsRun } from '../chunk-result.js';
import { type Chunk, offsetOf } from '../cut/scan.js';
import type { ChunkFailure } from '../dispatcher.js';
import type { ChunkTask, TaskHead } from '../messages.js';
import type { ScanPosition } from '../position.js';
import { GivenUpError, type Recovery } from '../recover.js';
import type { RunOptions } from '../run-options.js';
import type { StageTimes } from '../stage-times.js';
import { awaitHandoff, fillHandoff, type HandoffPosition, readHandoff } from './handoff.js';
import type { RangeResult, SolvedPart } from './range-messages.js';
import { RangeReader } from './range-reader.js';
import { createPart, createRangeResult, hashRange } from './range-result.js';
import { RangeScanner, type ScannedRange } from './range-scanner.js';
import type { Range } from './ranges.js';

/** What is the same for all ranges of a run. */
interface RunOfRanges {
  /** The name of the input. */
  readonly input: string;
  readonly run: RunOptions;
  readonly recovery: Recovery;
  readonly stages: StageTimes;
  readonly head: TaskHead;
  /** The position at which the first range begins. */
  readonly position: ScanPosition;
  readonly isHashed: boolean;
}

/** What is known of a range whose worker has failed. */
interface SolvedRange {
  readonly result: RangeResult;
  /** Why the range has no more answers: the input cannot be read to its end, or the dispatcher has given up. Undefined if it has all. */
  readonly failure: unknown;
}

/** Fails if the run has ended. */
export async function solveFailedRange(
  range: Range,
  failure: ChunkFailure,
  context: RunOfRanges,
): Promise<SolvedRange> {
  const handoff = await awaitHandoff(range.handoff);
  if (handoff === null) throw failure;
  // A worker that had not filled the next handoff was still reading, so its solver has not failed.
  const hasBegun = readHandoff(range.nextHandoff) !== null;
  const reader = new RangeReader();
  const scanned = scan(range, handoff, reader, context);
  passOn(range, scanned, context);
  const hashes = context.isHashed ? await hashRange(reader, scanned) : null;
  const parts: SolvedPart[] = [];
  for (const chunk of scanned.chunks) {
    const isAffected = hasBegun && isAbout(failure, chunk, scanned.chunks.length);
    const part = await solveChunk(chunk, isAffected ? failure : undefined, context);
    if (part instanceof GivenUpError) return givenUpRange(scanned, parts, chunk, part);
    parts.push(part);
    if (endsRun(part.result.faults, context.run.settings)) break;
  }
  return { result: createRangeResult(scanned, parts, hashes), failure: scanned.failure };
}

/** Returns the answers that a range has, after which the run ends. No run can continue at its end. */
function givenUpRange(
  scanned: ScannedRange,
  parts: readonly SolvedPart[],
  { firstCase, starts, spanBefore }: Chunk,
  givenUp: GivenUpError,
): SolvedRange {
  const { before, cases } = givenUp;
  const last = { firstCase, cases, inputBytes: starts[cases], spanBefore };
  const answered = before === null ? parts : [...parts, { ...last, result: before }];
  const unfinished = { ...scanned, end: null, isContinuable: false };
  return { result: createRangeResult(unfinished, answered, null), failure: givenUp };
}

/** Scans a range in this thread. */
function scan(
  range: Range,
  handoff: HandoffPosition,
  reader: RangeReader,
  { run, position, isHashed }: RunOfRanges,
): ScannedRange {
  const { promised, head } = position;
  const { inputFormat } = run.problem;
  const { onError } = run.settings;
  reader.load(range.source, range);
  reader.reach(handoff.offset, isHashed);
  return new RangeScanner({ inputFormat, onError, head, promised }, reader, range).scanFrom(handoff);
}

/** Fills the next handoff in place of the worker, unless the worker did so before it failed. */
function passOn({ nextHandoff }: Range, { position, isOver }: ScannedRange, { input }: RunOfRanges): void {
  const passed = readHandoff(nextHandoff);
  const { offset, cases, searching } = position;
  if (passed === null) fillHandoff(nextHandoff, { offset, cases, searching, isOver });
  else if (passed.offset !== offset || passed.cases !== cases || passed.isOver !== isOver) {
    throw new BoardmillError('io', `cannot read ${input}: it was changed while it was read`);
  }
}

async function solveChunk(
  chunk: Chunk,
  failure: ChunkFailure | undefined,
  { input, run, recovery, stages, head }: RunOfRanges,
): Promise<SolvedPart | GivenUpError> {
  const { starts, firstCase } = chunk;
  const task: ChunkTask = {
    // Only the bytes of the chunk are sent, not the whole memory in which they are.
    bytes: chunk.bytes.slice(),
    starts,
    firstCase,
    head,
    settings: run.settings,
    origin: null,
    isSolvedOneByOne: false,
    place: { input, offset: offsetOf(chunk) },
  };
  const result = await recovery.solve(task, failure).catch((error: unknown) => {
    if (error instanceof GivenUpError) return error;
    throw error;
  });
  if (result instanceof GivenUpError) return result;
  stages.addWorkerTimes(result.times);
  return createPart(chunk, result);
}

/** Whether the failure of a range is one of this chunk, which is one of `chunks` in the range. */
function isAbout({ suspects }: ChunkFailure, { firstCase, starts }: Chunk, chunks: number): boolean {
  if (suspects === null) return chunks === 1;
  return suspects.from >= firstCase && suspects.to < firstCase + starts.length - 1;
}
