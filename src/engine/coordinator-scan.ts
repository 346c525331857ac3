/** Scans an input in the coordinator's thread, and gives its chunks to the dispatcher. */
import { EMPTY_SPAN } from '../core/location.js';
import { memoryBytesOfResult, type SolvedPart } from './answer-writer.js';
import { createSolvedChunk } from './chunk-result.js';
import { ChunkOrigins } from './cut/chunk-origins.js';
import { type Chunk, type InputEnd, offsetOfChunk, type ScanOptions, scanIntoChunks } from './cut/scan.js';
import { copyHeadToSharedMemory } from './cut/task-head.js';
import type { Dispatcher } from './dispatcher.js';
import type { InputHasher } from './input/input-hash.js';
import { InputMemory } from './input/input-memory.js';
import type { Source } from './input/source.js';
import type { ChunkTask, InputHeadOfTask } from './messages.js';
import type { RunPosition } from './position.js';
import { GivenUpError, type TaskOutcome } from './recover.js';
import { skipAnsweredPart } from './resume.js';
import type { RunParts } from './run-parts.js';
import type { CasesWithoutAnswers, Sink } from './sink.js';

export class CoordinatorScan {
  readonly #sink: Sink;
  readonly #parts: RunParts;
  readonly #items: AsyncIterable<Chunk | InputEnd>;
  readonly #memory = new InputMemory();
  readonly #origins: ChunkOrigins | null;
  #head: InputHeadOfTask | null = null;
  /** Counts the bytes of the input that were read. */
  readonly #read = { bytes: 0 };
  #end: InputEnd | null = null;
  #failure: { readonly error: unknown } | null = null;

  /** `hash` is null if the input is not hashed. */
  constructor(
    source: Source,
    sink: Sink,
    dispatcher: Dispatcher,
    parts: RunParts,
    hash: InputHasher | null,
    start: RunPosition,
  ) {
    this.#sink = sink;
    this.#parts = parts;
    const { tally, input, options } = parts;
    const { settings } = options;
    this.#origins = settings.columns.length === 0 ? null : new ChunkOrigins(input, start.line, settings);
    const pieces = tally.stages.measureEach('read', tally.countBytes(source.pieces, this.#read), 'scan');
    const isResumed = hash !== null && start.scan.offset > 0;
    const rest = isResumed ? skipAnsweredPart(pieces, start, hash, input) : pieces;
    const items = scanIntoChunks(rest, {
      ...this.#cuttingOf(dispatcher),
      memory: this.#memory,
      readInto: (space) => source.readInto(space),
      hash,
      startPosition: start.scan,
    });
    this.#items = tally.stages.measureEach('scan', items);
  }

  /** Returns the options of the scanner that say how the input is cut into chunks. */
  #cuttingOf({ maxCasesPerChunk, cutting }: Dispatcher): Omit<ScanOptions, 'hash' | 'startPosition'> {
    const { options, chunkSize, tally } = this.#parts;
    const { problem, settings, lastCase, shard } = options;
    return {
      inputFormat: problem.inputFormat,
      onError: settings.onError,
      chunkBytes: (offset) => chunkSize.nextChunkBytes(offset),
      ...(cutting?.caseMultiple === undefined
        ? {}
        : {
            caseMultiple: cutting.caseMultiple,
            maxChunkBytes: (offset: number) => chunkSize.maxChunkBytes(offset),
          }),
      ...(maxCasesPerChunk === null ? {} : { maxCasesPerChunk }),
      ...(lastCase === undefined ? {} : { lastCase }),
      ...(shard === undefined ? {} : { shardRange: shard.range }),
      // If the run solves a shard, the number of its cases is unknown: the head states only the number of all cases of the
      // input.
      onHead: ({ cases }) => tally.addPromised(shard === undefined ? cases : null),
    };
  }

  /** The end of the input; null if the scan has not reached the end. */
  get end(): InputEnd | null {
    return this.#end;
  }

  /** The error because of which the rest of the input could not be read; null if there was none. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  /** The head of the input. It is known as soon as the first chunk was given to the dispatcher. */
  get head(): InputHeadOfTask {
    if (this.#head === null) throw new Error('no chunk was given out');
    return this.#head;
  }

  /**
   * Gives chunks to the dispatcher, the next one when the merge has room for it. Returns null at the end of the input, after a
   * failure or after a signal. If workers are to scan the rest of the input, returns the last chunk before that rest.
   */
  async giveOut(isLast: (chunk: Chunk) => boolean): Promise<Chunk | null> {
    const { merge, tally, options } = this.#parts;
    try {
      for await (const item of this.#items) {
        if (item.kind === 'chunk') await tally.stages.measure('wait', () => merge.waitForRoom());
        // After a signal the source is closed, so a chunk that still arrives may be incomplete.
        if (options.stop?.aborted || merge.isStopped) return null;
        if (item.kind === 'end') {
          this.#end = item;
          return null;
        }
        merge.add(this.#solve(item));
        if (isLast(item)) return this.#endAfter(item);
      }
    } catch (error) {
      this.#failure = { error };
    }
    return null;
  }

  /** Subtracts the bytes after the chunk from the bytes that count as read, because workers read them again. */
  #endAfter(chunk: Chunk): Chunk {
    this.#parts.tally.bytesRead -= this.#read.bytes - chunk.positionAfter.offset;
    return chunk;
  }

  async #solve(chunk: Chunk): Promise<SolvedPart> {
    const { recovery, chunkSize, tally } = this.#parts;
    const task = this.#taskOf(chunk);
    const kept = this.#sink.wantsCases ? keepCases(chunk, task.head) : null;
    const inputBytes = chunk.starts[chunk.starts.length - 1];
    chunkSize.recordGivenOut(inputBytes);
    try {
      const outcome = await tally.stages.measure('dispatch', () => recovery.solve(task));
      const { result } = outcome;
      if (result !== null) chunkSize.recordTime(inputBytes, tally.stages.addWorkerTimes(result.times));
      return solvedOf(chunk, outcome, kept);
    } finally {
      this.#memory.release(chunk.bytes);
    }
  }

  #taskOf(chunk: Chunk): ChunkTask {
    const { bytes, starts, firstCase, canonicalCases } = chunk;
    const { input, options } = this.#parts;
    this.#head ??= copyHeadToSharedMemory(chunk.head);
    return {
      bytes,
      starts,
      firstCase,
      canonicalCases,
      head: this.#head,
      settings: options.settings,
      origin: this.#origins?.next(chunk) ?? null,
      isSolvedOneByOne: false,
      place: { input, offset: offsetOfChunk(chunk) },
      ...(this.#sink.run === undefined ? {} : { run: this.#sink.run }),
    };
  }
}

/**
 * Returns the outcome of a chunk, for the merge. If the dispatcher has given up on some cases, the run ends after the answers
 * to the cases before them.
 */
function solvedOf(
  chunk: Chunk,
  { result, cases, isGivenUp }: TaskOutcome,
  kept: CasesWithoutAnswers | null,
): SolvedPart {
  const { head, endsWithInput } = chunk;
  const by = result?.solvedBy === undefined ? {} : { solvedBy: result.solvedBy };
  const answered = kept && { ...kept, count: cases, ...by };
  const positionAfter = isGivenUp || endsWithInput ? null : chunk.positionAfter;
  const solved = result && createSolvedChunk(chunk, result, cases);
  const toWrite = solved && { ...solved, head, positionAfter, spanAfter: EMPTY_SPAN, answered };
  return {
    bytes: result === null ? 0 : memoryBytesOfResult(result, answered),
    finishedAt: performance.now(),
    async writeTo(writer) {
      if (toWrite !== null) await writer.write(toWrite);
      if (isGivenUp) throw new GivenUpError();
    },
  };
}

/** Copies the cases of a chunk for a sink that wants them, because the chunk's own memory is reused for other chunks. */
function keepCases({ bytes, starts, firstCase }: Chunk, head: InputHeadOfTask): CasesWithoutAnswers {
  return { bytes: bytes.slice(), starts, count: starts.length - 1, firstCase, head };
}
