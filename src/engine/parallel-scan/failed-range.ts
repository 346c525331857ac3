/**
 * Solves a range whose worker has failed. The coordinator scans it again, and gives its chunks to the workers as if it had cut
 * them itself. The coordinator does not give the range to another worker, because all workers may be waiting until this range
 * is scanned.
 */
import { BoardmillError } from '../../core/errors.js';
import { createSolvedChunk, doFaultsEndRun } from '../chunk-result.js';
import { type Chunk, offsetOfChunk } from '../cut/scan.js';
import type { ChunkFailure } from '../dispatcher.js';
import type { ChunkTask, InputHeadOfTask, SolvedChunk } from '../messages.js';
import { GivenUpError, type TaskOutcome } from '../recover.js';
import type { RunParts } from '../run-parts.js';
import { awaitHandoff, fillHandoff, type HandoffPosition, readHandoff } from './handoff.js';
import type { RangeResult, RangeScan, RangeTask } from './range-messages.js';
import { RangeReader } from './range-reader.js';
import { RangeScanner, type ScannedRange } from './range-scanner.js';

/** The solved chunks of a range whose worker has failed, and the result of scanning the range again. */
interface RecoveredRange {
  readonly result: RangeResult;
  /**
   * The error because of which some cases of the range have no answer: the input cannot be read to its end, or the dispatcher
   * has given up. Undefined if all cases have answers.
   */
  readonly failure: unknown;
}

/** Fails if the run has ended. */
export async function solveFailedRange(
  task: RangeTask,
  failure: ChunkFailure,
  parts: RunParts,
): Promise<RecoveredRange> {
  const handoff = await awaitHandoff(task.handoff);
  if (handoff === null) throw failure;
  // If the worker had not filled the next handoff, it was still reading the range, so its solver has not failed.
  const hasBegun = readHandoff(task.nextHandoff) !== null;
  const reader = new RangeReader();
  const scanned = scanAgain(task, handoff, reader, parts);
  fillNextHandoff(task, scanned.scan, parts);
  const hashes = task.isHashed ? reader.hash(scanned.scan) : null;
  const chunks: SolvedChunk[] = [];
  for (const chunk of scanned.chunks) {
    const isAffected = hasBegun && isAbout(failure, chunk, scanned.chunks.length);
    const outcome = await solveChunk(chunk, task.head, isAffected ? failure : undefined, parts);
    const { result, cases, isGivenUp } = outcome;
    if (result !== null) chunks.push(createSolvedChunk(chunk, result, cases));
    if (isGivenUp) return givenUpRange(scanned.scan, chunks);
    if (result !== null && doFaultsEndRun(result.faults, task.settings)) break;
  }
  return { result: resultOf(scanned.scan, chunks, hashes), failure: scanned.failure };
}

function resultOf(
  scan: RangeScan,
  chunks: readonly SolvedChunk[],
  hashes: RangeResult['hashes'],
): RangeResult {
  return { scan, chunks, hashes, readMs: 0, scanMs: 0 };
}

/**
 * Returns the result of a range that has answers to only some of its cases. The run ends after these answers, and no run can
 * continue at the end of the range.
 */
function givenUpRange(scan: RangeScan, chunks: readonly SolvedChunk[]): RecoveredRange {
  const unfinished = { ...scan, end: null, isContinuable: false };
  return { result: resultOf(unfinished, chunks, null), failure: new GivenUpError() };
}

/** Scans a failed range again, in the coordinator's thread. */
function scanAgain(
  task: RangeTask,
  handoff: HandoffPosition,
  reader: RangeReader,
  { options }: RunParts,
): ScannedRange {
  reader.load(task);
  reader.reach(handoff.offset, task.isHashed);
  return new RangeScanner(options.problem.inputFormat, reader, task).scanFrom(handoff);
}

/** Fills the next handoff in place of the worker, unless the worker did so before it failed. */
function fillNextHandoff({ nextHandoff }: RangeTask, { stop }: RangeScan, { input }: RunParts): void {
  const found = readHandoff(nextHandoff);
  if (found === null) fillHandoff(nextHandoff, stop);
  else if (found.offset !== stop.offset || found.cases !== stop.cases || found.isOver !== stop.isOver) {
    throw new BoardmillError('io', `cannot read ${input}: it was changed while it was read`);
  }
}

async function solveChunk(
  chunk: Chunk,
  head: InputHeadOfTask,
  failure: ChunkFailure | undefined,
  { input, options, recovery, tally }: RunParts,
): Promise<TaskOutcome> {
  const { starts, firstCase } = chunk;
  const task: ChunkTask = {
    // Only the bytes of the chunk are sent, not the whole memory in which they are.
    bytes: chunk.bytes.slice(),
    starts,
    firstCase,
    head,
    settings: options.settings,
    origin: null,
    isSolvedOneByOne: false,
    place: { input, offset: offsetOfChunk(chunk) },
  };
  const outcome = await recovery.solve(task, failure);
  if (outcome.result !== null) tally.stages.addWorkerTimes(outcome.result.times);
  return outcome;
}

/** Whether the worker of a range failed on this chunk, one of the `chunks` of the range. */
function isAbout({ suspects }: ChunkFailure, { firstCase, starts }: Chunk, chunks: number): boolean {
  if (suspects === null) return chunks === 1;
  return suspects.from >= firstCase && suspects.to < firstCase + starts.length - 1;
}
