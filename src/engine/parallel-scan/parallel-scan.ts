/**
 * Gives the ranges of a regular file or a pipe to workers, which scan them themselves. So the coordinator's work does not grow
 * with the number of bytes: it only chooses where ranges end, and merges their answers.
 */
import { BoardmillError, systemReason } from '../../core/errors.js';
import { EMPTY_SPAN, type Span } from '../../core/location.js';
import { type AnswerWriter, memoryBytesOf, type Solved, type SolvedChunk } from '../answer-writer.js';
import type { ChunkSize, Cutting } from '../cut/chunk-size.js';
import type { Chunk, End } from '../cut/scan.js';
import { ChunkFailure, type Dispatcher, type SolveRange } from '../dispatcher.js';
import type { InputHash, JoinedHash } from '../input/input-hash.js';
import type { Source } from '../input/source.js';
import {
  HASH_BLOCK_BYTES,
  MAX_PIPED_CASE_BYTES,
  MAX_RANGE_BYTES,
  MIN_RANGE_BYTES,
  RANGE_TARGET_MS,
} from '../limits.js';
import type { Merge } from '../merge.js';
import type { TaskHead } from '../messages.js';
import type { ScanPosition } from '../position.js';
import { GivenUpError, type Recovery } from '../recover.js';
import type { RunOptions } from '../run-options.js';
import type { Sink } from '../sink.js';
import type { Tally } from '../tally.js';
import { solveFailedRange } from './failed-range.js';
import { abandonHandoff, createHandoff, fillHandoff } from './handoff.js';
import { PipeRanges } from './pipe-ranges.js';
import type { RangeResult, RangeTask, SolvedPart } from './range-messages.js';
import { type CutRange, FileRanges, type Range, type Ranges } from './ranges.js';

const RANGE_CUTTING: Cutting = {
  targetMs: RANGE_TARGET_MS,
  maxBytes: MAX_RANGE_BYTES,
  isAligned: false,
};

/** A range is typical if it has at least this share of the bytes that a range should have. */
const MIN_TYPICAL_SHARE = 1 / 8;

/** The parts of a run that its parallel scan uses. */
interface RunParts {
  readonly run: RunOptions;
  readonly recovery: Recovery;
  readonly merge: Merge<Solved>;
  readonly chunkSize: ChunkSize;
  readonly tally: Tally;
}

/** What is known about the input when the parallel scan begins. */
interface ScanStart {
  readonly head: TaskHead;
  /** The last chunk that the coordinator has cut. The first range begins behind it. */
  readonly lastChunk: Chunk;
  /** Joins the hashes of the ranges; null if the input is not hashed. */
  readonly hash: JoinedHash | null;
}

export class ParallelScan {
  /** The name of the input. */
  readonly #input: string;
  readonly #ranges: Ranges;
  readonly #solveRange: SolveRange;
  readonly #context: RunParts;
  readonly #openRanges = new Set<Range>();
  #begun: ScanStart | null = null;
  #end: End | null = null;
  /** The hash of all bytes up to the end of the last range that was written; null if the input is not hashed. */
  #digest: string | null = null;
  #isOver = false;
  /** Why the rest of the input cannot be read; null if it can. */
  #failure: { readonly error: unknown } | null = null;

  /** Returns the parallel scan of a run; null if the coordinator must scan the whole input. */
  static open(source: Source, sink: Sink, dispatcher: Dispatcher, context: RunParts): ParallelScan | null {
    const { solveRange, maxCasesPerChunk } = dispatcher;
    const { shard, lastCase, settings } = context.run;
    const needsChunks = sink.wantsCases || settings.columns.length > 0 || maxCasesPerChunk !== null;
    if (solveRange === null || needsChunks || shard !== undefined || lastCase !== undefined) return null;
    const ranges = openRanges(source, context);
    return ranges && new ParallelScan(source.name, ranges, solveRange, context);
  }

  private constructor(input: string, ranges: Ranges, solveRange: SolveRange, context: RunParts) {
    this.#input = input;
    this.#ranges = ranges;
    this.#solveRange = solveRange;
    this.#context = context;
  }

  /** Whether the workers scan what follows this chunk: chunks have become large, because cases are cheap. */
  isDueAfter({ positionAfter, endsWithInput }: Chunk): boolean {
    const { chunkSize, run } = this.#context;
    const { minRangeBytes = MIN_RANGE_BYTES } = run;
    return !endsWithInput && chunkSize.nextChunkBytes(positionAfter.offset) >= minRangeBytes;
  }

  /** The end of the input, after all answers are written; null if no range has come to it. */
  get end(): End | null {
    if (this.#end === null || this.#end.input === null) return this.#end;
    return { ...this.#end, input: { ...this.#end.input, digest: this.#digest } };
  }

  /** Why the rest of the input could not be read; null if it could. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  /**
   * Gives out the rest of the input behind a chunk, one range when there is room for it in the merge. `hash` is that
   * of the input up to the end of the chunk; null if the input is not hashed.
   */
  async giveOut(lastChunk: Chunk, head: TaskHead, hash: InputHash | null): Promise<void> {
    const { merge, tally, chunkSize } = this.#context;
    this.#begun = { lastChunk, head, hash: hash?.join() ?? null };
    this.#digest = lastChunk.positionAfter.digest;
    chunkSize.useCutting(RANGE_CUTTING);
    const { offset, cases, searching } = lastChunk.positionAfter;
    let handoff = createHandoff();
    fillHandoff(handoff, { offset, cases, searching, isOver: false });
    // If the input is hashed, a range of a file begins with a block, so that its worker has the whole block.
    this.#ranges.begin(offset, hash === null ? 1 : HASH_BLOCK_BYTES);
    for (;;) {
      await tally.stages.measure('wait', () => merge.waitForRoom());
      if (this.#hasStopped) return;
      const range = await tally.stages.measure('read', () => this.#nextRange());
      if (range === null || this.#hasStopped) return;
      const nextHandoff = createHandoff();
      merge.add(this.#solve({ ...range, handoff, nextHandoff }));
      handoff = nextHandoff;
    }
  }

  get #hasStopped(): boolean {
    const { run, merge } = this.#context;
    return run.stop?.aborted === true || merge.isStopped || this.#isOver;
  }

  async #nextRange(): Promise<CutRange | null> {
    try {
      // The offset does not matter, because ranges need not end at multiples of their size.
      return await this.#ranges.next(this.#context.chunkSize.nextChunkBytes(0));
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
    this.#ranges.close();
  }

  async #solve(range: Range): Promise<Solved> {
    this.#openRanges.add(range);
    this.#context.chunkSize.recordGivenOut(range.bytes);
    try {
      return await this.#solveInWorker(range);
    } catch (error) {
      const { recovery } = this.#context;
      if (!(error instanceof ChunkFailure) || recovery.isStopped) throw error;
      return await this.#recover(range, error);
    } finally {
      this.#openRanges.delete(range);
      range.release();
    }
  }

  async #solveInWorker(range: Range): Promise<Solved> {
    const { tally, chunkSize } = this.#context;
    const { stages } = tally;
    const task = this.#taskOf(range);
    const result = await stages.measure('dispatch', () => this.#solveRange(task));
    const workMs = result.parts.reduce((sum, part) => sum + stages.addWorkerTimes(part.result.times), 0);
    const readMs = stages.addRangeTimes(result.readMs, result.scanMs);
    const ms = workMs + readMs;
    if (result.parts.length > 0 && this.#isTypical(range, ms)) chunkSize.recordTime(range.bytes, ms);
    return this.#record(result);
  }

  /** If a range is short because no more bytes of a pipe had come, its time says little, unless it is long. */
  #isTypical({ bytes }: Range, ms: number): boolean {
    const wantedBytes = this.#context.chunkSize.nextChunkBytes(0);
    return bytes >= wantedBytes * MIN_TYPICAL_SHARE || ms >= RANGE_TARGET_MS;
  }

  #taskOf({ from, to, source, handoff, nextHandoff }: Range): RangeTask {
    const { head, lastChunk, hash } = this.#start;
    return {
      from,
      to,
      source,
      handoff,
      nextHandoff,
      head,
      promised: lastChunk.positionAfter.promised,
      settings: this.#context.run.settings,
      isHashed: hash !== null,
    };
  }

  get #start(): ScanStart {
    if (this.#begun === null) throw new Error('the parallel scan has not begun');
    return this.#begun;
  }

  /** Takes note of what a range says about the input, and returns its answers. */
  #record(result: RangeResult, failure: unknown = null): Solved {
    const { tally } = this.#context;
    this.#end ??= result.end;
    if (result.isOver) this.#endScan();
    tally.bytesRead += result.stop.offset - result.start;
    return {
      bytes: result.parts.reduce((sum, part) => sum + memoryBytesOf(part.result, null), 0),
      finishedAt: performance.now(),
      writeTo: (writer) => this.#write(result, failure, writer),
    };
  }

  /** Gives out no more ranges, and waits for no more bytes. */
  #endScan(): void {
    this.#isOver = true;
    this.#ranges.close();
  }

  /** Writes the answers of a range. The merge calls it for one range after another. */
  async #write(result: RangeResult, failure: unknown, writer: AnswerWriter): Promise<void> {
    const position = this.#positionAfter(result);
    const last = result.parts.at(-1);
    for (const part of result.parts) {
      const isLast = part === last;
      await writer.write(
        this.#chunkOf(part, isLast ? position : null, isLast ? result.spanAfter : EMPTY_SPAN),
      );
    }
    if (last === undefined) writer.passOver(result.spanAfter);
    if (failure !== null) throw failure;
  }

  /** Returns the position behind a range; null if no run can continue there. Called for one range after another. */
  #positionAfter({ stop, isOver, isContinuable, hashes }: RangeResult): ScanPosition | null {
    const { lastChunk, hash } = this.#start;
    const { promised, head } = lastChunk.positionAfter;
    if (hashes !== null && hash !== null) this.#digest = hash.append(hashes);
    const isKnown = isContinuable && !isOver && (hashes !== null || hash === null);
    return isKnown ? { ...stop, promised, head, digest: this.#digest } : null;
  }

  #chunkOf(part: SolvedPart, positionAfter: ScanPosition | null, spanAfter: Span): SolvedChunk {
    const { firstCase, spanBefore, cases, inputBytes, result } = part;
    const { head } = this.#start.lastChunk;
    return {
      chunk: { firstCase, head, spanBefore, positionAfter, spanAfter },
      cases,
      inputBytes,
      result,
      answered: null,
    };
  }

  async #recover(range: Range, failure: ChunkFailure): Promise<Solved> {
    const { run, recovery, tally } = this.#context;
    const { head, lastChunk, hash } = this.#start;
    const { result, failure: rest } = await solveFailedRange(range, failure, {
      input: this.#input,
      run,
      recovery,
      stages: tally.stages,
      head,
      position: lastChunk.positionAfter,
      isHashed: hash !== null,
    });
    if (rest === undefined) return this.#record(result);
    return this.#record(result, rest instanceof GivenUpError ? rest : this.#readError(rest));
  }

  #readError(failure: unknown): BoardmillError {
    const message = `cannot read ${this.#input}: ${systemReason(failure)}`;
    return new BoardmillError('io', message, { cause: failure });
  }
}

/** Opens the ranges of an input. Returns null if it has none. */
function openRanges({ file, pipe }: Source, { run }: RunParts): Ranges | null {
  if (file !== null) return new FileRanges(file);
  const hasSmallCases = run.problem.inputFormat.maxCaseBytes <= MAX_PIPED_CASE_BYTES;
  return pipe !== null && hasSmallCases ? PipeRanges.open(pipe) : null;
}
