/** Connects the stages: read -> scan -> dispatch -> merge -> write. Decides the order in which they shut down. */
import { Interrupted, type StopSignal } from '../core/errors.js';
import { EMPTY_SPAN } from '../core/location.js';
import { AnswerWriter, memoryBytesOf, type Solved } from './answer-writer.js';
import { createSolvedChunk } from './chunk-result.js';
import { ChunkOrigins } from './cut/chunk-origins.js';
import { ChunkSize } from './cut/chunk-size.js';
import { type Chunk, type End, offsetOf, scan } from './cut/scan.js';
import { shareHead } from './cut/task-head.js';
import type { ChunkFailure, Dispatcher } from './dispatcher.js';
import { openInputHash } from './input/input-hash.js';
import { InputMemory } from './input/input-memory.js';
import { bytesOfShard } from './input/shard.js';
import type { Source } from './input/source.js';
import { DEFAULT_RETRIES, MAX_CHUNK_BYTES, MAX_WAITING_BYTES } from './limits.js';
import { Merge } from './merge.js';
import type { ChunkTask, TaskHead } from './messages.js';
import { ParallelScan } from './parallel-scan/parallel-scan.js';
import { RUN_START } from './position.js';
import { GivenUpError, Recovery } from './recover.js';
import { skipAnsweredPart } from './resume.js';
import type { RunOptions } from './run-options.js';
import type { RunOutcome } from './run-outcome.js';
import type { AnsweredCases, Sink } from './sink.js';
import type { StageTimes } from './stage-times.js';
import type { Tally } from './tally.js';

/**
 * Solves one input, or the part of it that an interrupted run has not answered.
 *
 * Throws a CaseError at the first bad case (under `--on-error stop`) or at a truncated input, and Interrupted after a
 * signal. Before it throws, the sink has received all answers up to the error. The caller finishes or abandons the
 * sink, and closes the source and the dispatcher.
 */
export async function run(
  source: Source,
  sink: Sink,
  dispatcher: Dispatcher,
  options: RunOptions,
  tally: Tally,
): Promise<RunOutcome> {
  const { shard } = options;
  const start = sink.resumePosition ?? RUN_START;
  const { retries = DEFAULT_RETRIES, stop, settings } = options;
  const { stages } = tally;
  const recovery = new Recovery(dispatcher, {
    retries,
    onRetry: () => tally.retries++,
    onUnexplainedFailure: callOnce((task, failure) => options.note?.(describeUnexplained(task, failure))),
  });
  const { maxCasesPerChunk, cutting } = dispatcher;
  const chunkSize = new ChunkSize({
    fixedBytes: options.chunkBytes ?? (maxCasesPerChunk === null ? null : MAX_CHUNK_BYTES),
    lastChunks: () => dispatcher.lastChunks ?? dispatcher.maxChunksAtOnce,
    inputBytes: shard === undefined ? source.size : bytesOfShard(shard),
    ...(cutting === null ? {} : { cutting }),
  });
  const memory = new InputMemory();
  const writer = new AnswerWriter(source.name, sink, options, tally, start);
  const merge = new Merge<Solved>({
    maxRunning: () => dispatcher.maxChunksAtOnce,
    maxWaitingBytes: MAX_WAITING_BYTES,
    bytesOf: ({ bytes }) => bytes,
    write: (finished) => {
      stages.merge += performance.now() - finished.finishedAt;
      return stages.measure('write', () => finished.writeTo(writer));
    },
    // Closing the source ends the reading at once, even if the program that writes to our standard input is slow.
    onStop: () => void source.close(),
  });
  const isHashed = sink.keepsPositions || shard !== undefined;
  const hash = isHashed ? await openInputHash() : null;
  const read = { bytes: 0 };
  const pieces = stages.measureEach('read', tally.countBytes(source.pieces, read), 'scan');
  const rest = hash === null ? pieces : skipAnsweredPart(pieces, start, hash, source.name);
  const items = scan(rest, {
    inputFormat: options.problem.inputFormat,
    onError: settings.onError,
    chunkBytes: (offset) => chunkSize.nextChunkBytes(offset),
    ...(cutting?.caseMultiple === undefined
      ? {}
      : {
          caseMultiple: cutting.caseMultiple,
          maxChunkBytes: (offset: number) => chunkSize.maxChunkBytes(offset),
        }),
    memory,
    readInto: (space) => source.readInto(space),
    ...(maxCasesPerChunk === null ? {} : { maxCasesPerChunk }),
    ...(options.lastCase === undefined ? {} : { lastCase: options.lastCase }),
    ...(shard === undefined ? {} : { shardRange: shard.range }),
    // The head does not say how many of the cases are in a shard.
    onHead: ({ cases }) => tally.addPromised(shard === undefined ? cases : null),
    hash,
    startPosition: start.scan,
  });
  tally.addResumed(start);
  let head: TaskHead | null = null;
  const runId = sink.runId === null ? {} : { runId: sink.runId };
  const origins = settings.columns.length === 0 ? null : new ChunkOrigins(source.name, start.line, settings);
  const solve = (chunk: Chunk) => {
    head ??= shareHead(chunk.head);
    const origin = origins?.next(chunk) ?? null;
    const answered = sink.wantsCases ? keepCases(chunk, head) : null;
    const place = { input: source.name, offset: offsetOf(chunk) };
    const context = { head, origin, place, ...runId };
    return solveChunk(chunk, context, answered, recovery, options, chunkSize, stages).finally(() =>
      memory.release(chunk.bytes),
    );
  };
  const parallelScan = ParallelScan.open(source, sink, dispatcher, {
    input: source.name,
    options,
    recovery,
    merge,
    chunkSize,
    tally,
  });
  const given = await giveOutChunks(
    stages.measureEach('scan', items),
    merge,
    solve,
    parallelScan,
    stages,
    stop,
  );
  try {
    if (given.lastChunk !== null) {
      tally.bytesRead -= read.bytes - given.lastChunk.positionAfter.offset;
      await parallelScan?.giveOut(given.lastChunk, head ?? shareHead(null), hash);
    }
    // Waits until the chunks that are being solved are finished and written, for whatever reason the reading has
    // ended.
    await merge.drain();
  } catch (error) {
    throw error instanceof GivenUpError && stop?.aborted ? interruptedError(stop, tally) : error;
  } finally {
    recovery.stop();
    parallelScan?.close();
  }
  const end = given.end ?? parallelScan?.end ?? null;
  // After a signal, the end of a pipe may not be the end of the input: the signal may have stopped the program that
  // writes to the pipe.
  if (stop?.aborted && (end === null || source.size === null)) throw interruptedError(stop, tally);
  const failure = given.failure ?? parallelScan?.failure ?? null;
  if (failure !== null) throw failure.error;
  return { end: await writer.finish(end), failedCases: writer.failedCases };
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
    `on cases ${firstCase} to ${last} together: ${reason}; each of them was answered when solved alone, ` +
    'and those answers are used'
  );
}

/** How the giving out of chunks has ended. */
interface GivenOut {
  /** The end of the input; null if the scan has not come to it. */
  readonly end: End | null;
  readonly failure: { readonly error: unknown } | null;
  /** The chunk after which workers scan; null if the coordinator scans everything. */
  readonly lastChunk: Chunk | null;
}

/**
 * Gives chunks to the dispatcher, one when there is room for it in the merge. Ends at the end of the input, after a
 * failure, after a signal, or when workers are to scan the rest.
 */
async function giveOutChunks(
  items: AsyncIterable<Chunk | End>,
  merge: Merge<Solved>,
  solve: (chunk: Chunk) => Promise<Solved>,
  parallelScan: ParallelScan | null,
  stages: StageTimes,
  stop: AbortSignal | undefined,
): Promise<GivenOut> {
  const stopped: GivenOut = { end: null, failure: null, lastChunk: null };
  try {
    for await (const item of items) {
      if (item.kind === 'chunk') await stages.measure('wait', () => merge.waitForRoom());
      // After a signal the source is closed, so a chunk that still arrives may be incomplete.
      if (stop?.aborted || merge.isStopped) break;
      if (item.kind === 'end') return { ...stopped, end: item };
      merge.add(solve(item));
      if (parallelScan?.isDueAfter(item)) return { ...stopped, lastChunk: item };
    }
    return stopped;
  } catch (error) {
    return { ...stopped, failure: { error } };
  }
}

async function solveChunk(
  chunk: Chunk,
  context: Pick<ChunkTask, 'head' | 'origin' | 'place' | 'runId'>,
  answered: AnsweredCases | null,
  recovery: Recovery,
  { settings }: RunOptions,
  chunkSize: ChunkSize,
  stages: StageTimes,
): Promise<Solved> {
  const { bytes, starts, firstCase, head, endsWithInput } = chunk;
  const inputBytes = starts[starts.length - 1];
  chunkSize.recordGivenOut(inputBytes);
  const task = { bytes, starts, firstCase, settings, isSolvedOneByOne: false, ...context };
  const solving = stages.measure('dispatch', () => recovery.solve(task));
  const result = await solving.catch((error: unknown) => {
    if (error instanceof GivenUpError) return error;
    throw error;
  });
  if (result instanceof GivenUpError) return partOfChunk(chunk, result, answered);
  const workMs = stages.addWorkerTimes(result.times);
  chunkSize.recordTime(inputBytes, workMs);
  const positionAfter = endsWithInput ? null : chunk.positionAfter;
  const solved = {
    ...createSolvedChunk(chunk, result),
    head,
    positionAfter,
    spanAfter: EMPTY_SPAN,
    answered,
  };
  return {
    bytes: memoryBytesOf(result, answered),
    finishedAt: performance.now(),
    writeTo: (writer) => writer.write(solved),
  };
}

/** Returns the answers to the first cases of a chunk, after which the run ends. */
function partOfChunk(chunk: Chunk, givenUp: GivenUpError, answered: AnsweredCases | null): Solved {
  const { before, cases } = givenUp;
  const part = {
    head: chunk.head,
    positionAfter: null,
    spanAfter: EMPTY_SPAN,
    answered: answered && { ...answered, count: cases },
  };
  return {
    bytes: before === null ? 0 : memoryBytesOf(before, part.answered),
    finishedAt: performance.now(),
    async writeTo(writer) {
      if (before !== null) await writer.write({ ...createSolvedChunk(chunk, before, cases), ...part });
      throw givenUp;
    },
  };
}

/** Copies the cases of a chunk for a sink that wants them. The memory of the chunk itself is used again. */
function keepCases({ bytes, starts }: Chunk, head: TaskHead): AnsweredCases {
  return { bytes: bytes.slice(), starts, count: starts.length - 1, head };
}

function interruptedError(stop: AbortSignal, tally: Tally): Interrupted {
  const signal = stop.reason as StopSignal;
  return new Interrupted(signal, `stopped by ${signal} after ${tally.cases} cases`);
}
