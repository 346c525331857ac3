/** Connects the stages of a run: read -> scan -> dispatch -> merge -> write. Decides in which order the stages shut down. */
import { formatQuantity } from '../core/format-count.js';
import { describeCaseRange } from '../core/range.js';
import { interruptionError } from '../core/stop.js';
import { AnswerWriter, type SolvedPart } from './answer-writer.js';
import { CoordinatorScan } from './coordinator-scan.js';
import { ChunkSize } from './cut/chunk-size.js';
import type { ChunkFailure, Dispatcher } from './dispatcher.js';
import { createInputHasher } from './input/input-hash.js';
import { shardByteLength } from './input/shard.js';
import type { Source } from './input/source.js';
import {
  DEFAULT_RETRIES,
  MAX_ADAPTIVE_CHUNK_BYTES,
  MAX_STREAMED_CHUNK_BYTES,
  MAX_WAITING_ANSWER_BYTES,
} from './limits.js';
import { ReorderBuffer } from './merge.js';
import type { ChunkTask } from './messages.js';
import { ParallelScan } from './parallel-scan/parallel-scan.js';
import { RUN_START } from './position.js';
import { GivenUpError, Recovery } from './recover.js';
import type { RunOptions } from './run-options.js';
import type { RunOutcome } from './run-outcome.js';
import type { RunParts } from './run-parts.js';
import type { Sink } from './sink.js';
import type { RunTally } from './tally.js';

/**
 * Solves one input, or the part of it that an interrupted run has not answered.
 *
 * Throws a CaseError at the first invalid case (under `--on-error stop`) or at a truncated input, and Interrupted after a
 * signal. Before it throws, the sink has received all answers up to the error. The caller finishes or abandons the
 * sink, and closes the source and the dispatcher.
 */
export async function solveInput(
  source: Source,
  sink: Sink,
  dispatcher: Dispatcher,
  options: RunOptions,
  tally: RunTally,
): Promise<RunOutcome> {
  const start = sink.resumePosition ?? RUN_START;
  const writer = new AnswerWriter(source.name, sink, options, tally, start);
  const parts = createParts(source, dispatcher, writer, options, tally);
  const isHashed = sink.keepsPositions || options.shard !== undefined;
  const hash = isHashed ? createInputHasher() : null;
  if (sink.resumePosition) tally.isResumed = true;
  tally.addResumed(start);
  const scan = new CoordinatorScan(source, sink, dispatcher, parts, hash, start);
  const parallelScan = ParallelScan.open(source, sink, dispatcher, parts);
  const { stop } = options;
  try {
    const lastChunk = await scan.giveOut((chunk) => parallelScan?.isDueAfter(chunk) ?? false);
    if (lastChunk !== null) await parallelScan?.giveOut(lastChunk, scan.head, hash);
    // Whatever the reason why reading has ended, the run first finishes and writes the chunks that are being solved.
    await parts.merge.drain();
  } catch (error) {
    throw error instanceof GivenUpError && stop?.aborted
      ? interruptionError(stop, ` after ${formatQuantity(tally.cases, 'case')}`)
      : error;
  } finally {
    parts.recovery.stop();
    parallelScan?.close();
  }
  const end = scan.end ?? parallelScan?.end ?? null;
  // After a signal, the end of a pipe may not be the end of the input: the signal may have stopped the program that
  // writes to the pipe.
  if (stop?.aborted && (end === null || source.size === null))
    throw interruptionError(stop, ` after ${formatQuantity(tally.cases, 'case')}`);
  const failure = scan.failure ?? parallelScan?.failure ?? null;
  if (failure !== null) throw failure.error;
  const found = await writer.finish(end);
  return { end: found, cases: writer.cases, failedCases: writer.failedCases };
}

function createParts(
  source: Source,
  dispatcher: Dispatcher,
  writer: AnswerWriter,
  options: RunOptions,
  tally: RunTally,
): RunParts {
  return {
    input: source.name,
    options,
    chunkSize: createChunkSize(source, dispatcher, options),
    recovery: createRecovery(dispatcher, options, tally),
    merge: createMerge(source, dispatcher, writer, options, tally),
    tally,
  };
}

function createChunkSize(
  source: Source,
  dispatcher: Dispatcher,
  { chunkBytes, shard, staysNearReader = false }: RunOptions,
): ChunkSize {
  const { maxCasesPerChunk, cutting } = dispatcher;
  return new ChunkSize({
    fixedBytes: chunkBytes ?? (maxCasesPerChunk === null ? null : MAX_ADAPTIVE_CHUNK_BYTES),
    lastChunks: () => dispatcher.lastChunks ?? dispatcher.maxChunksAtOnce,
    inputBytes: shard === undefined ? source.size : shardByteLength(shard),
    ...(staysNearReader ? { maxAdaptedBytes: MAX_STREAMED_CHUNK_BYTES } : {}),
    ...(cutting === null ? {} : { cutting }),
  });
}

function createRecovery(
  dispatcher: Dispatcher,
  { retries = DEFAULT_RETRIES, note }: RunOptions,
  tally: RunTally,
): Recovery {
  return new Recovery(dispatcher, {
    retries,
    onRetry: () => tally.retries++,
    onUnexplainedFailure: callOnce((task, failure) => note(describeUnexplained(task, failure))),
  });
}

function createMerge(
  source: Source,
  dispatcher: Dispatcher,
  writer: AnswerWriter,
  { staysNearReader = false }: RunOptions,
  { stages }: RunTally,
): ReorderBuffer<SolvedPart> {
  return new ReorderBuffer<SolvedPart>({
    maxRunning: () => dispatcher.maxChunksAtOnce,
    maxWaitingBytes: MAX_WAITING_ANSWER_BYTES,
    staysNearReader,
    bytesOf: ({ bytes }) => bytes,
    write: (finished) => {
      stages.merge += performance.now() - finished.finishedAt;
      return stages.measure('write', () => finished.writeTo(writer));
    },
    // Closing the source ends the reading at once, even if boardmill reads from a slow program through a pipe.
    onStop: () => void source.close(),
  });
}

/** Returns a function that calls `act` the first time, and does nothing after that. */
function callOnce<Arguments extends unknown[]>(
  act: (...args: Arguments) => void,
): (...args: Arguments) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    act(...args);
  };
}

function describeUnexplained({ firstCase, starts }: ChunkTask, { reason }: ChunkFailure): string {
  const last = firstCase + starts.length - 2;
  return (
    `on ${describeCaseRange({ from: firstCase, to: last })} together: ${reason}; solved again in smaller parts, all of them were answered, ` +
    'and those answers are used'
  );
}
