import { createSolvedChunk, doFaultsEndRun } from '../src/engine/chunk-result.js';
import type { Chunk } from '../src/engine/cut/scan.js';
import type { ChunkResult, SolvedChunk, WatchedTask, WorkerTask } from '../src/engine/messages.js';
import { publishProgress } from '../src/engine/messages.js';
import { blockUntilHandoff, fillHandoff, type HandoffPosition } from '../src/engine/parallel-scan/handoff.js';
import type { RangeResult, RangeTask } from '../src/engine/parallel-scan/range-messages.js';
import { RangeReader } from '../src/engine/parallel-scan/range-reader.js';
import { RangeScanner, type ScannedRange } from '../src/engine/parallel-scan/range-scanner.js';
import type { InputFormat } from '../src/formats/input-format.js';

/** Number of wrong speculations in a row after which a worker stops speculating in an input. */
const MAX_WRONG_SPECULATIONS = 4;

type WatchedRange = WatchedTask<RangeTask>;

/** Reads, scans and solves ranges in a worker thread. */
export class RangeSolver {
  readonly #inputFormat: InputFormat;
  readonly #solveChunk: (task: WorkerTask) => Promise<ChunkResult>;
  readonly #reader = new RangeReader();
  /** Number of the head of the input whose ranges were solved last. */
  #headNumber = 0;
  /** Number of speculations in that input, the latest in a row, that were wrong. */
  #wrongSpeculations = 0;
  /** Milliseconds for which this thread has waited for the handoff of the current range. */
  #waitedMs = 0;

  constructor(inputFormat: InputFormat, solveChunk: (task: WorkerTask) => Promise<ChunkResult>) {
    this.#inputFormat = inputFormat;
    this.#solveChunk = solveChunk;
  }

  async solve(task: WatchedRange): Promise<RangeResult> {
    publishProgress(task.progress, 0, 0);
    if (task.head.number !== this.#headNumber) this.#beginInput(task.head.number);
    const begin = performance.now();
    this.#reader.load(task);
    const readMs = performance.now() - begin;
    const scanned = this.#scan(task);
    const hashes = task.isHashed ? this.#reader.hash(scanned.scan) : null;
    const scanMs = performance.now() - begin - readMs - this.#waitedMs;
    const chunks = await this.#solveChunks(task, scanned);
    return { scan: scanned.scan, chunks, hashes, readMs, scanMs };
  }

  #beginInput(headNumber: number): void {
    this.#headNumber = headNumber;
    this.#wrongSpeculations = 0;
  }

  /** Scans the range, waits for its handoff, and fills the next handoff before it solves any case. */
  #scan(task: WatchedRange): ScannedRange {
    const scanner = new RangeScanner(this.#inputFormat, this.#reader, task);
    const speculated = this.#canSpeculate(task) ? scanner.speculate() : null;
    const handoff = this.#waitForHandoff(task);
    if (handoff === null) throw new Error('the run has ended');
    this.#reader.reach(handoff.offset, task.isHashed);
    const scanned = scanner.verify(speculated, handoff);
    if (scanned.failure !== undefined) throw scanned.failure;
    fillHandoff(task.nextHandoff, scanned.scan.stop);
    if (speculated !== null)
      this.#wrongSpeculations = scanned.scan.isSpeculative ? 0 : this.#wrongSpeculations + 1;
    return scanned;
  }

  /** A range of a pipe begins where the range before had to stop, which is almost never where a case seems to begin. */
  #canSpeculate({ source }: RangeTask): boolean {
    return source.kind === 'file' && this.#wrongSpeculations < MAX_WRONG_SPECULATIONS;
  }

  #waitForHandoff({ handoff }: RangeTask): HandoffPosition | null {
    const begin = performance.now();
    const position = blockUntilHandoff(handoff);
    this.#waitedMs = performance.now() - begin;
    return position;
  }

  async #solveChunks(task: WatchedRange, { chunks, scan }: ScannedRange): Promise<SolvedChunk[]> {
    const solved: SolvedChunk[] = [];
    const casesOfAll = chunks.reduce((sum, { starts }) => sum + starts.length - 1, 0);
    const casesBefore = scan.stop.cases - casesOfAll;
    for (const chunk of chunks) {
      task.progress[3] = chunk.firstCase - 1 - casesBefore;
      const result = await this.#solveChunk(this.#taskOf(task, chunk));
      solved.push(createSolvedChunk(chunk, result));
      if (doFaultsEndRun(result.faults, task.settings)) break;
    }
    return solved;
  }

  #taskOf({ head, settings, progress }: WatchedRange, { bytes, starts, firstCase }: Chunk): WorkerTask {
    return { bytes, starts, firstCase, head, settings, progress, origin: null, isSolvedOneByOne: false };
  }
}
