/**
 * Gives the stretches of a regular file or a pipe to workers, which scan them themselves. So the coordinator's work does not grow
 * with the number of bytes: it only chooses where stretches end, and merges their answers.
 */
import { BoardmillError, systemReason } from '../../core/errors.js';
import { EMPTY_SPAN, type Span } from '../../core/location.js';
import { type AnswerWriter, memoryBytesOf, type Solved, type SolvedChunk } from '../answer-writer.js';
import type { ChunkSize, Cutting } from '../cut/chunk-size.js';
import type { Chunk, End } from '../cut/scan.js';
import { ChunkFailure, type Dispatcher, type SolveStretch } from '../dispatcher.js';
import type { InputHash, JoinedHash } from '../input/input-hash.js';
import type { Source } from '../input/source.js';
import {
  HASH_BLOCK_BYTES,
  MAX_PIPED_CASE_BYTES,
  MAX_STRETCH_BYTES,
  MIN_STRETCH_BYTES,
  STRETCH_TARGET_MS,
} from '../limits.js';
import type { Merge } from '../merge.js';
import type { TaskHead } from '../messages.js';
import type { ScanPosition } from '../position.js';
import { GivenUpError, type Recovery } from '../recover.js';
import type { RunOptions } from '../run-options.js';
import type { Sink } from '../sink.js';
import type { Tally } from '../tally.js';
import { createBaton, dropBaton, passBaton } from './baton.js';
import { solveFailedStretch } from './failed-stretch.js';
import { PipeStretches } from './pipe-stretches.js';
import type { SolvedPart, StretchResult, StretchTask } from './stretch-messages.js';
import { type CutStretch, FileStretches, type Stretch, type Stretches } from './stretches.js';

const STRETCH_CUTTING: Cutting = {
  targetMs: STRETCH_TARGET_MS,
  maxBytes: MAX_STRETCH_BYTES,
  isAligned: false,
};

/** A stretch is typical if it has at least this share of the bytes that a stretch should have. */
const MIN_TYPICAL_SHARE = 1 / 8;

/** The parts of a run that the relay uses. */
interface RelayContext {
  readonly run: RunOptions;
  readonly recovery: Recovery;
  readonly merge: Merge<Solved>;
  readonly chunkSize: ChunkSize;
  readonly tally: Tally;
}

/** What the relay knows about its input when it begins. */
interface RelayStart {
  readonly head: TaskHead;
  /** The last chunk that the coordinator has cut. The first stretch begins behind it. */
  readonly lastChunk: Chunk;
  /** Joins the hashes of the stretches; null if the input is not hashed. */
  readonly hash: JoinedHash | null;
}

export class Relay {
  /** The name of the input. */
  readonly #input: string;
  readonly #stretches: Stretches;
  readonly #solveStretch: SolveStretch;
  readonly #context: RelayContext;
  readonly #openStretches = new Set<Stretch>();
  #begun: RelayStart | null = null;
  #end: End | null = null;
  /** The hash of all bytes up to the end of the last stretch that was written; null if the input is not hashed. */
  #digest: string | null = null;
  #isOver = false;
  /** Why the rest of the input cannot be read; null if it can. */
  #failure: { readonly error: unknown } | null = null;

  /** Returns the relay of a run; null if the coordinator must scan the whole input. */
  static open(source: Source, sink: Sink, dispatcher: Dispatcher, context: RelayContext): Relay | null {
    const { solveStretch, maxCasesPerChunk } = dispatcher;
    const { shard, lastCase, settings } = context.run;
    const needsChunks = sink.wantsCases || settings.columns.length > 0 || maxCasesPerChunk !== null;
    if (solveStretch === null || needsChunks || shard !== undefined || lastCase !== undefined) return null;
    const stretches = openStretches(source, context);
    return stretches && new Relay(source.name, stretches, solveStretch, context);
  }

  private constructor(
    input: string,
    stretches: Stretches,
    solveStretch: SolveStretch,
    context: RelayContext,
  ) {
    this.#input = input;
    this.#stretches = stretches;
    this.#solveStretch = solveStretch;
    this.#context = context;
  }

  /** Whether the relay goes on after this chunk: chunks have become large, because cases are cheap. */
  isDueAfter({ positionAfter, endsWithInput }: Chunk): boolean {
    const { chunkSize, run } = this.#context;
    const { minStretchBytes = MIN_STRETCH_BYTES } = run;
    return !endsWithInput && chunkSize.nextChunkBytes(positionAfter.offset) >= minStretchBytes;
  }

  /** The end of the input, after all answers are written; null if no stretch has come to it. */
  get end(): End | null {
    if (this.#end === null || this.#end.input === null) return this.#end;
    return { ...this.#end, input: { ...this.#end.input, digest: this.#digest } };
  }

  /** Why the rest of the input could not be read; null if it could. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  /**
   * Gives out the rest of the input behind a chunk, one stretch when there is room for it in the merge. `hash` is that
   * of the input up to the end of the chunk; null if the input is not hashed.
   */
  async giveOut(lastChunk: Chunk, head: TaskHead, hash: InputHash | null): Promise<void> {
    const { merge, tally, chunkSize } = this.#context;
    this.#begun = { lastChunk, head, hash: hash?.join() ?? null };
    this.#digest = lastChunk.positionAfter.digest;
    chunkSize.useCutting(STRETCH_CUTTING);
    const { offset, cases, searching } = lastChunk.positionAfter;
    let baton = createBaton();
    passBaton(baton, { offset, cases, searching, isOver: false });
    // If the input is hashed, a stretch of a file begins with a block, so that its worker has the whole block.
    this.#stretches.begin(offset, hash === null ? 1 : HASH_BLOCK_BYTES);
    for (;;) {
      await tally.stages.measure('wait', () => merge.waitForRoom());
      if (this.#hasStopped) return;
      const stretch = await tally.stages.measure('read', () => this.#nextStretch());
      if (stretch === null || this.#hasStopped) return;
      const nextBaton = createBaton();
      merge.add(this.#solve({ ...stretch, baton, nextBaton }));
      baton = nextBaton;
    }
  }

  get #hasStopped(): boolean {
    const { run, merge } = this.#context;
    return run.stop?.aborted === true || merge.isStopped || this.#isOver;
  }

  async #nextStretch(): Promise<CutStretch | null> {
    try {
      // The offset does not matter, because stretches need not end at multiples of their size.
      return await this.#stretches.next(this.#context.chunkSize.nextChunkBytes(0));
    } catch (error) {
      this.#failure = { error: this.#readError(error) };
      return null;
    }
  }

  /** Ends the relay. After a failure, no worker waits any longer for a baton. */
  close(): void {
    for (const { baton, nextBaton } of this.#openStretches) {
      dropBaton(baton);
      dropBaton(nextBaton);
    }
    this.#stretches.close();
  }

  async #solve(stretch: Stretch): Promise<Solved> {
    this.#openStretches.add(stretch);
    this.#context.chunkSize.recordGivenOut(stretch.bytes);
    try {
      return await this.#solveInWorker(stretch);
    } catch (error) {
      const { recovery } = this.#context;
      if (!(error instanceof ChunkFailure) || recovery.isStopped) throw error;
      return await this.#recover(stretch, error);
    } finally {
      this.#openStretches.delete(stretch);
      stretch.release();
    }
  }

  async #solveInWorker(stretch: Stretch): Promise<Solved> {
    const { tally, chunkSize } = this.#context;
    const { stages } = tally;
    const task = this.#taskOf(stretch);
    const result = await stages.measure('dispatch', () => this.#solveStretch(task));
    const workMs = result.parts.reduce((sum, part) => sum + stages.addWorkerTimes(part.result.times), 0);
    const readMs = stages.addStretchTimes(result.readMs, result.scanMs);
    const ms = workMs + readMs;
    if (result.parts.length > 0 && this.#isTypical(stretch, ms)) chunkSize.recordTime(stretch.bytes, ms);
    return this.#record(result);
  }

  /** If a stretch is short because no more bytes of a pipe had come, its time says little, unless it is long. */
  #isTypical({ bytes }: Stretch, ms: number): boolean {
    const wantedBytes = this.#context.chunkSize.nextChunkBytes(0);
    return bytes >= wantedBytes * MIN_TYPICAL_SHARE || ms >= STRETCH_TARGET_MS;
  }

  #taskOf({ from, to, source, baton, nextBaton }: Stretch): StretchTask {
    const { head, lastChunk, hash } = this.#start;
    return {
      from,
      to,
      source,
      baton,
      nextBaton,
      head,
      promised: lastChunk.positionAfter.promised,
      settings: this.#context.run.settings,
      isHashed: hash !== null,
    };
  }

  get #start(): RelayStart {
    if (this.#begun === null) throw new Error('the relay has not begun');
    return this.#begun;
  }

  /** Takes note of what a stretch says about the input, and returns its answers. */
  #record(result: StretchResult, failure: unknown = null): Solved {
    const { tally } = this.#context;
    this.#end ??= result.end;
    if (result.isOver) this.#endRelay();
    tally.bytesRead += result.stop.offset - result.start;
    return {
      bytes: result.parts.reduce((sum, part) => sum + memoryBytesOf(part.result, null), 0),
      finishedAt: performance.now(),
      writeTo: (writer) => this.#write(result, failure, writer),
    };
  }

  /** Gives out no more stretches, and waits for no more bytes. */
  #endRelay(): void {
    this.#isOver = true;
    this.#stretches.close();
  }

  /** Writes the answers of a stretch. The merge calls it for one stretch after another. */
  async #write(result: StretchResult, failure: unknown, writer: AnswerWriter): Promise<void> {
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

  /** Returns the position behind a stretch; null if no run can continue there. Called for one stretch after another. */
  #positionAfter({ stop, isOver, isContinuable, hashes }: StretchResult): ScanPosition | null {
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

  async #recover(stretch: Stretch, failure: ChunkFailure): Promise<Solved> {
    const { run, recovery, tally } = this.#context;
    const { head, lastChunk, hash } = this.#start;
    const { result, failure: rest } = await solveFailedStretch(stretch, failure, {
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

/** Opens the stretches of an input. Returns null if it has none. */
function openStretches({ file, pipe }: Source, { run }: RelayContext): Stretches | null {
  if (file !== null) return new FileStretches(file);
  const hasSmallCases = run.problem.inputFormat.maxCaseBytes <= MAX_PIPED_CASE_BYTES;
  return pipe !== null && hasSmallCases ? PipeStretches.open(pipe) : null;
}
