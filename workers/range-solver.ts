import { endsRun } from '../src/engine/chunk-result.js';
import type { Chunk } from '../src/engine/cut/scan.js';
import { MAX_WRONG_SPECULATIONS } from '../src/engine/limits.js';
import type { ChunkResult, WorkerTask, WorkProgress } from '../src/engine/messages.js';
import { publishProgress } from '../src/engine/messages.js';
import { fillHandoff, type HandoffPosition, waitForHandoff } from '../src/engine/parallel-scan/handoff.js';
import type { RangeResult, RangeTask, SolvedPart } from '../src/engine/parallel-scan/range-messages.js';
import { RangeReader } from '../src/engine/parallel-scan/range-reader.js';
import { createPart, createRangeResult, hashRange } from '../src/engine/parallel-scan/range-result.js';
import {
  RangeScanner,
  type ScannedInput,
  type ScannedRange,
} from '../src/engine/parallel-scan/range-scanner.js';
import type { InputFormat } from '../src/formats/input-format.js';

/** A range as a worker thread gets it. */
export interface RangeWork extends RangeTask {
  readonly progress: WorkProgress;
}

/** Reads, scans and solves ranges in a worker thread. */
export class RangeSolver {
  readonly #inputFormat: InputFormat;
  readonly #solveChunk: (task: WorkerTask) => Promise<ChunkResult>;
  readonly #reader = new RangeReader();
  /** Number of the head of the input whose ranges were solved last, and that head, one character per byte. */
  #headNumber = 0;
  #headText: string | null = null;
  /** Number of speculations in a row that were wrong, in that input. */
  #wrongSpeculations = 0;
  /** Milliseconds for which this thread has waited for the handoff of the current range. */
  #waitedMs = 0;

  constructor(inputFormat: InputFormat, solveChunk: (task: WorkerTask) => Promise<ChunkResult>) {
    this.#inputFormat = inputFormat;
    this.#solveChunk = solveChunk;
  }

  async solve(work: RangeWork): Promise<RangeResult> {
    publishProgress(work.progress, 0, 0);
    this.#useHead(work);
    const begin = performance.now();
    this.#reader.load(work.source, work);
    const readMs = performance.now() - begin;
    const scanned = this.#scan(work);
    const hashes = work.isHashed ? await hashRange(this.#reader, scanned) : null;
    const scanMs = performance.now() - begin - readMs - this.#waitedMs;
    const parts = await this.#solveChunks(work, scanned);
    return createRangeResult(scanned, parts, hashes, { readMs, scanMs });
  }

  #useHead({ head }: RangeWork): void {
    if (head.number === this.#headNumber) return;
    this.#headNumber = head.number;
    this.#headText = head.bytes === null ? null : Buffer.from(head.bytes).toString('latin1');
    this.#wrongSpeculations = 0;
  }

  /** Scans the range, waits for its handoff, and fills the next one before anything is solved. */
  #scan(work: RangeWork): ScannedRange {
    const scanner = new RangeScanner(this.#inputOf(work), this.#reader, work);
    const speculated = this.#canSpeculate(work) ? scanner.speculate() : null;
    const handoff = this.#waitForHandoff(work);
    if (handoff === null) throw new Error('the run has ended');
    this.#reader.reach(handoff.offset, work.isHashed);
    const scanned = scanner.verify(speculated, handoff);
    if (scanned.failure !== undefined) throw scanned.failure;
    const { position, isOver } = scanned;
    fillHandoff(work.nextHandoff, { ...position, isOver });
    if (speculated !== null)
      this.#wrongSpeculations = scanned.isSpeculative ? 0 : this.#wrongSpeculations + 1;
    return scanned;
  }

  /** A range of a pipe begins where the one before had to stop, almost never where a case seems to begin. */
  #canSpeculate({ source }: RangeWork): boolean {
    return source.kind === 'file' && this.#wrongSpeculations < MAX_WRONG_SPECULATIONS;
  }

  #waitForHandoff({ handoff }: RangeWork): HandoffPosition | null {
    const begin = performance.now();
    const position = waitForHandoff(handoff);
    this.#waitedMs = performance.now() - begin;
    return position;
  }

  #inputOf({ settings, promised }: RangeWork): ScannedInput {
    const { onError } = settings;
    return { inputFormat: this.#inputFormat, onError, head: this.#headText, promised };
  }

  async #solveChunks(work: RangeWork, { chunks, position }: ScannedRange): Promise<SolvedPart[]> {
    const parts: SolvedPart[] = [];
    const casesOfAll = chunks.reduce((sum, { starts }) => sum + starts.length - 1, 0);
    const casesBefore = position.cases - casesOfAll;
    for (const chunk of chunks) {
      work.progress[3] = chunk.firstCase - 1 - casesBefore;
      const result = await this.#solveChunk(this.#taskOf(work, chunk));
      parts.push(createPart(chunk, result));
      if (endsRun(result.faults, work.settings)) break;
    }
    return parts;
  }

  #taskOf({ head, settings, progress }: RangeWork, { bytes, starts, firstCase }: Chunk): WorkerTask {
    return { bytes, starts, firstCase, head, settings, progress, origin: null, isSolvedOneByOne: false };
  }
}
