/**
 * Gives the ranges of a regular file or a pipe to workers, which scan them themselves. So the coordinator's work does not grow
 * with the number of bytes: it only chooses where ranges end, and merges their answers.
 */
import { MIB } from '../../core/bytes.js';
import { BoardmillError, systemReason } from '../../core/errors.js';
import { EMPTY_SPAN } from '../../core/location.js';
import { type AnswerWriter, memoryBytesOfResult, type SolvedPart } from '../answer-writer.js';
import type { ChunkCutting } from '../cut/chunk-size.js';
import type { Chunk, InputEnd } from '../cut/scan.js';
import { ChunkFailure, type Dispatcher, type SolveRange } from '../dispatcher.js';
import type { HashJoiner, InputHasher } from '../input/input-hash.js';
import type { Source } from '../input/source.js';
import { HASH_BLOCK_BYTES, MIN_CHUNK_BYTES_FOR_RANGES } from '../limits.js';
import type { InputHeadOfTask } from '../messages.js';
import type { ScanPosition } from '../position.js';
import { GivenUpError } from '../recover.js';
import type { RunParts } from '../run-parts.js';
import type { Sink } from '../sink.js';
import { solveFailedRange } from './failed-range.js';
import { abandonHandoff, createHandoff, fillHandoff } from './handoff.js';
import { PipeRangeCutter } from './pipe-range-cutter.js';
import { FileRangeCutter, type RangeCutter } from './range-cutter.js';
import { type RangeResult, type RangeTask, rangeBytes, type ScanRange } from './range-messages.js';

/**
 * The time that solving a range should take, in milliseconds, and the largest size of a range. Each range costs the coordinator
 * up to 1 ms, however large the range is. So larger ranges leave the coordinator more time for other workers.
 */
const RANGE_TARGET_MS = 160;
const MAX_RANGE_BYTES = 8 * MIB;

const RANGE_CUTTING: ChunkCutting = {
  targetMs: RANGE_TARGET_MS,
  maxBytes: MAX_RANGE_BYTES,
  isAligned: false,
};

/** The measured time of a range counts as typical if the range has at least this share of the wanted bytes. */
const MIN_TYPICAL_SHARE = 1 / 8;

/** The facts about the input that are known when the parallel scan begins. */
interface ScanStart {
  /** The last chunk that the coordinator has cut. The first range begins after this chunk. */
  readonly lastChunk: Chunk;
  /** Joins the hashes of the ranges; null if the input is not hashed. */
  readonly hash: HashJoiner | null;
  /** The settings that the tasks of all ranges share. */
  readonly task: Pick<RangeTask, 'head' | 'promised' | 'settings' | 'isHashed'>;
}

export class ParallelScan {
  readonly #cutter: RangeCutter;
  readonly #solveByteRange: SolveRange;
  readonly #parts: RunParts;
  /** The ranges that are being solved. */
  readonly #openRanges = new Set<RangeTask>();
  #begun: ScanStart | null = null;
  #end: InputEnd | null = null;
  /** The hash of all bytes up to the end of the last range that was written; null if the input is not hashed. */
  #digest: string | null = null;
  #isOver = false;
  /** The error because of which the rest of the input cannot be read; null if there is none. */
  #failure: { readonly error: unknown } | null = null;

  /** Returns the parallel scan of a run; null if the coordinator must scan the whole input. */
  static open(source: Source, sink: Sink, dispatcher: Dispatcher, parts: RunParts): ParallelScan | null {
    const { solveByteRange, maxCasesPerChunk } = dispatcher;
    const { shard, lastCase, settings } = parts.options;
    const needsChunks = sink.wantsCases || settings.columns.length > 0 || maxCasesPerChunk !== null;
    if (solveByteRange === null || needsChunks || shard !== undefined || lastCase !== undefined) return null;
    const cutter = openCutter(source);
    return cutter && new ParallelScan(cutter, solveByteRange, parts);
  }

  private constructor(cutter: RangeCutter, solveByteRange: SolveRange, parts: RunParts) {
    this.#cutter = cutter;
    this.#solveByteRange = solveByteRange;
    this.#parts = parts;
  }

  /** Whether the workers should scan the input after this chunk: chunks have become large, because cases are cheap. */
  isDueAfter({ positionAfter, endsWithInput, starts }: Chunk): boolean {
    const { chunkSize, options } = this.#parts;
    const { minRangeBytes = MIN_CHUNK_BYTES_FOR_RANGES } = options;
    const { offset } = positionAfter;
    const isLarge = chunkSize.nextChunkBytes(offset) >= minRangeBytes;
    return (
      !endsWithInput &&
      isLarge &&
      this.#cutter.canBegin(offset, starts[starts.length - 1] / (starts.length - 1))
    );
  }

  /** The end of the input. It is known after all answers are written, and null if no range has reached the end. */
  get end(): InputEnd | null {
    if (this.#end === null || this.#end.input === null) return this.#end;
    return { ...this.#end, input: { ...this.#end.input, digest: this.#digest } };
  }

  /** The error because of which the rest of the input could not be read; null if there was none. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  /**
   * Gives the rest of the input after a chunk to the workers, the next range when the merge has room for it. `hash` is the hash
   * of the input up to the end of the chunk; null if the input is not hashed.
   */
  async giveOut(lastChunk: Chunk, head: InputHeadOfTask, hash: InputHasher | null): Promise<void> {
    const { merge, tally } = this.#parts;
    const { task } = this.#begin(lastChunk, head, hash);
    let handoff = createHandoff();
    fillHandoff(handoff, { ...lastChunk.positionAfter, isOver: false });
    for (;;) {
      await tally.stages.measure('wait', () => merge.waitForRoom());
      if (this.#hasStopped) return;
      const range = await tally.stages.measure('read', () => this.#nextRange());
      if (range === null || this.#hasStopped) return;
      const nextHandoff = createHandoff();
      merge.add(this.#solve({ ...range, ...task, handoff, nextHandoff }));
      handoff = nextHandoff;
    }
  }

  #begin(lastChunk: Chunk, head: InputHeadOfTask, hash: InputHasher | null): ScanStart {
    const { chunkSize, options } = this.#parts;
    const { offset, promised, digest } = lastChunk.positionAfter;
    const isHashed = hash !== null;
    this.#digest = digest;
    chunkSize.useCutting(RANGE_CUTTING);
    // If the input is hashed, a range of a file begins with a block, so that its worker has the whole block.
    this.#cutter.begin(offset, isHashed ? HASH_BLOCK_BYTES : 1);
    const task = { head, promised, settings: options.settings, isHashed };
    this.#begun = { lastChunk, hash: hash?.join() ?? null, task };
    return this.#begun;
  }

  get #start(): ScanStart {
    if (this.#begun === null) throw new Error('the parallel scan has not begun');
    return this.#begun;
  }

  get #hasStopped(): boolean {
    const { options, merge } = this.#parts;
    return options.stop?.aborted === true || merge.isStopped || this.#isOver;
  }

  async #nextRange(): Promise<ScanRange | null> {
    try {
      // The offset passed here does not matter, because ranges need not end at multiples of their size.
      return await this.#cutter.next(this.#parts.chunkSize.nextChunkBytes(0));
    } catch (error) {
      this.#failure = { error: this.#readError(error) };
      return null;
    }
  }

  /** Ends the parallel scan. After a failure, no worker waits any longer for a handoff. */
  close(): void {
    for (const { handoff, nextHandoff } of this.#openRanges) {
      abandonHandoff(handoff);
      abandonHandoff(nextHandoff);
    }
    this.#cutter.close();
  }

  async #solve(task: RangeTask): Promise<SolvedPart> {
    this.#openRanges.add(task);
    this.#parts.chunkSize.recordGivenOut(rangeBytes(task));
    try {
      return await this.#solveInWorker(task);
    } catch (error) {
      if (!(error instanceof ChunkFailure) || this.#parts.recovery.isStopped) throw error;
      return await this.#recover(task, error);
    } finally {
      this.#openRanges.delete(task);
      this.#cutter.release(task);
    }
  }

  async #solveInWorker(task: RangeTask): Promise<SolvedPart> {
    const { stages } = this.#parts.tally;
    const result = await stages.measure('dispatch', () => this.#solveByteRange(task));
    const workMs = result.chunks.reduce((sum, chunk) => sum + stages.addWorkerTimes(chunk.result.times), 0);
    const ms = workMs + stages.addRangeTimes(result.readMs, result.scanMs);
    if (result.chunks.length > 0) this.#recordTime(rangeBytes(task), ms);
    return this.#record(task, result);
  }

  /**
   * If a range is short because few bytes of a pipe had arrived, its time says little about other ranges, unless it is long.
   */
  #recordTime(bytes: number, ms: number): void {
    const { chunkSize } = this.#parts;
    const isTypical = bytes >= chunkSize.nextChunkBytes(0) * MIN_TYPICAL_SHARE || ms >= RANGE_TARGET_MS;
    if (isTypical) chunkSize.recordTime(bytes, ms);
  }

  async #recover(task: RangeTask, failure: ChunkFailure): Promise<SolvedPart> {
    const { result, failure: rest } = await solveFailedRange(task, failure, this.#parts);
    if (rest === undefined) return this.#record(task, result);
    return this.#record(task, result, rest instanceof GivenUpError ? rest : this.#readError(rest));
  }

  /** Records what the scan of a range has found out about the input, and returns the answers of the range for the merge. */
  #record(range: ScanRange, result: RangeResult, failure: unknown = null): SolvedPart {
    const { start, stop, end } = result.scan;
    this.#cutter.settle(range, stop.offset);
    this.#end ??= end;
    if (stop.isOver) this.#endScan();
    this.#parts.tally.bytesRead += stop.offset - start;
    return {
      bytes: result.chunks.reduce((sum, chunk) => sum + memoryBytesOfResult(chunk.result, null), 0),
      finishedAt: performance.now(),
      writeTo: (writer) => this.#write(result, failure, writer),
    };
  }

  /** Stops giving out ranges and waiting for bytes of the input. */
  #endScan(): void {
    this.#isOver = true;
    this.#cutter.close();
  }

  /** Writes the answers of a range. The merge calls it for one range after another. */
  async #write({ scan, chunks, hashes }: RangeResult, failure: unknown, writer: AnswerWriter): Promise<void> {
    const { head } = this.#start.lastChunk;
    const atEnd = { positionAfter: this.#positionAfter(scan, hashes), spanAfter: scan.spanAfter };
    const last = chunks.at(-1);
    for (const chunk of chunks) {
      const after = chunk === last ? atEnd : { positionAfter: null, spanAfter: EMPTY_SPAN };
      await writer.write({ ...chunk, ...after, head, answered: null });
    }
    if (last === undefined) writer.passOver(scan.spanAfter);
    if (failure !== null) throw failure;
  }

  /** Returns the position after a range; null if no run can continue there. Called for one range after another. */
  #positionAfter(
    { stop, isContinuable }: RangeResult['scan'],
    hashes: RangeResult['hashes'],
  ): ScanPosition | null {
    const { lastChunk, hash } = this.#start;
    const { promised, head } = lastChunk.positionAfter;
    if (hashes !== null && hash !== null) this.#digest = hash.append(hashes);
    const { isOver, ...position } = stop;
    const isKnown = isContinuable && !isOver && (hashes !== null || hash === null);
    return isKnown ? { ...position, promised, head, digest: this.#digest } : null;
  }

  #readError(failure: unknown): BoardmillError {
    const message = `cannot read ${this.#parts.input}: ${systemReason(failure)}`;
    return new BoardmillError('io', message, { cause: failure });
  }
}

/** Returns what cuts the input into ranges; null if the input has no ranges because the coordinator must scan it. */
function openCutter({ file, pipe }: Source): RangeCutter | null {
  if (file !== null) return new FileRangeCutter(file);
  return pipe === null ? null : PipeRangeCutter.open(pipe);
}
