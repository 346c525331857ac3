import { assertRelation } from '../src/core/assert.js';
import { ByteWriter } from '../src/core/bytes.js';
import type { Fault, FaultReason } from '../src/core/errors.js';
import { EMPTY_SPAN, joinSpans, measureSpan, type Span } from '../src/core/location.js';
import { createResult } from '../src/engine/chunk-result.js';
import { BATCH_BOARDS, KERNEL_LANES, STATS_SLOWEST_CASES } from '../src/engine/limits.js';
import {
  type CaseFault,
  type ChunkResult,
  publishProgress,
  type SlowCase,
  type WorkerTask,
} from '../src/engine/messages.js';
import { printerFor } from '../src/problems/output-formats.js';
import type { Board, Problem, Solver } from '../src/problems/problem.js';

const REFUSED_FAULT: FaultReason = {
  kind: 'refused',
  reason: 'the SIMD kernel cannot solve this board (--solver auto falls back to the portable solver)',
};

/**
 * Solves chunks one after another in a worker thread. Boards, answers and the output buffer are reused from chunk
 * to chunk.
 */
export class ChunkSolver<Answer> {
  readonly #problem: Problem<Answer>;
  readonly #solver: Solver<Answer>;
  /** Whether a board that the kernel cannot solve is refused instead of solved by the portable solver. */
  readonly #refusesFallback: boolean;
  /**
   * The objects into which boards are parsed. The first `#parsedBoards` of them are parsed and not yet solved; they
   * belong to consecutive cases.
   */
  readonly #reusedBoards: Board[] = [];
  readonly #reusedAnswers: Answer[] = [];
  readonly #out = new ByteWriter(1 << 16);
  #parsedBoards = 0;
  #answeredCases = 0;
  #solveMs = 0;
  #printMs = 0;
  #faults: CaseFault[] = [];
  /** The span from the chunk's first byte to the offset `#measuredOffset`. */
  #measuredSpan: Span = EMPTY_SPAN;
  #measuredOffset = 0;
  #slowestCases: SlowCase[] = [];

  constructor(problem: Problem<Answer>, solver: Solver<Answer>, refusesFallback: boolean) {
    // The scanner fills chunks up to whole batches, and does not know the solver.
    assertRelation(
      KERNEL_LANES % solver.lanes === 0,
      'KERNEL_LANES is a multiple of the lanes of the solver',
    );
    this.#problem = problem;
    this.#solver = solver;
    this.#refusesFallback = refusesFallback;
  }

  solve(task: WorkerTask): ChunkResult {
    const begin = performance.now();
    const fallbackBefore = this.#solver.fallbackCases;
    this.#reset();
    publishProgress(task.progress, 0, 0);
    this.#solveCases(task);
    publishProgress(task.progress, 0, 0);
    const span = this.#measureTo(task, task.starts[task.starts.length - 1]);
    const total = performance.now() - begin;
    return createResult({
      output: this.#out.take(),
      answeredCases: this.#answeredCases,
      faults: this.#faults,
      span,
      solver: this.#solver.name,
      fallbackCases: this.#solver.fallbackCases - fallbackBefore,
      times: { parse: total - this.#solveMs - this.#printMs, solve: this.#solveMs, print: this.#printMs },
      slowest: this.#slowestCases,
    });
  }

  #reset(): void {
    // If the solver threw in the previous chunk, the unfinished output of that chunk is discarded.
    this.#out.take();
    this.#parsedBoards = 0;
    this.#answeredCases = 0;
    this.#solveMs = 0;
    this.#printMs = 0;
    this.#faults = [];
    this.#measuredSpan = EMPTY_SPAN;
    this.#measuredOffset = 0;
    this.#slowestCases = [];
  }

  #solveCases(task: WorkerTask): void {
    const { bytes, starts } = task;
    // The portable solver gains nothing from a batch. If it solves one board at a time, the time of each case is
    // known.
    const batch = this.#solver.name === 'portable' || task.isSolvedOneByOne ? 1 : BATCH_BOARDS;
    const cases = starts.length - 1;
    for (let index = 0; index < cases; index++) {
      const board = this.#boardAt(this.#parsedBoards);
      const fault = this.#parseCase(bytes, starts[index], starts[index + 1], board);
      if (fault === null) {
        if (++this.#parsedBoards === batch) this.#solveParsed(task, index + 1);
      } else {
        this.#solveParsed(task, index);
        const { offset, expected, got } = fault;
        this.#addFault(task, index, { kind: 'input', expected, got }, offset);
      }
      if (task.settings.onError === 'stop' && this.#faults.length > 0) return;
    }
    this.#solveParsed(task, cases);
  }

  #parseCase(bytes: Uint8Array, start: number, end: number, board: Board): Fault | null {
    const { inputFormat } = this.#problem;
    if (!inputFormat.parseCanonical(bytes, start, end, board))
      return inputFormat.parseCase(bytes, start, end, board);
    if (this.#measuredOffset === start) {
      // The number of lines of a canonical case is known, so the line ends need not be counted.
      this.#measuredSpan = joinSpans(this.#measuredSpan, { lines: board.rows + 1, bytesAfterLastLineEnd: 0 });
      this.#measuredOffset = end;
    }
    return null;
  }

  #boardAt(index: number): Board {
    if (index === this.#reusedBoards.length)
      this.#reusedBoards.push({ rows: 0, cols: 0, cells: new Uint8Array(0) });
    return this.#reusedBoards[index];
  }

  /**
   * Solves the parsed boards and prints their answers. The boards belong to the last cases before index `endIndex` of
   * the chunk.
   */
  #solveParsed(task: WorkerTask, endIndex: number): void {
    const count = this.#parsedBoards;
    if (count === 0) return;
    this.#parsedBoards = 0;
    const fallbackBefore = this.#solver.fallbackCases;
    this.#solveBoards(task, this.#reusedBoards, endIndex - count, count);
    const isRefused = this.#refusesFallback && this.#solver.fallbackCases > fallbackBefore;
    if (isRefused) this.#solveOneByOne(task, endIndex - count, count);
    else this.#printAnswers(task, endIndex - count, count);
  }

  /**
   * Solves the first `count` boards. The first board belongs to the case with this index in the chunk; the next
   * boards belong to the next cases.
   */
  #solveBoards(task: WorkerTask, boards: readonly Board[], index: number, count: number): void {
    const { progress, firstCase } = task;
    publishProgress(progress, index, count);
    const begin = performance.now();
    this.#solver.solve(boards, count, this.#reusedAnswers);
    const ms = performance.now() - begin;
    this.#solveMs += ms;
    this.#recordTime(firstCase + index, ms / 1000 / count);
  }

  #printAnswers(task: WorkerTask, index: number, count: number): void {
    const begin = performance.now();
    const { printAnswer } = printerFor(task.settings.outputFormat);
    for (let i = 0; i < count; i++) {
      printAnswer(this.#problem, this.#reusedAnswers[i], task.firstCase + index + i, this.#out);
    }
    this.#printMs += performance.now() - begin;
    this.#answeredCases += count;
  }

  /**
   * Solves the boards of a batch one by one, to find out which of them the kernel cannot solve. Called if the kernel
   * refused at least one board of the batch.
   */
  #solveOneByOne(task: WorkerTask, index: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const fallbackBefore = this.#solver.fallbackCases;
      this.#solveBoards(task, [this.#reusedBoards[i]], index + i, 1);
      if (this.#solver.fallbackCases === fallbackBefore) this.#printAnswers(task, index + i, 1);
      else this.#addFault(task, index + i, REFUSED_FAULT, task.starts[index + i]);
      if (task.settings.onError === 'stop' && this.#faults.length > 0) return;
    }
  }

  #addFault(task: WorkerTask, index: number, cause: FaultReason, offset: number): void {
    const span = this.#measureTo(task, offset);
    this.#faults.push({ cause, index, span, outputOffset: this.#out.length, bytes: null });
  }

  /**
   * Returns the span from the chunk's first byte to the offset. Measuring continues from the last measured offset, so
   * the time does not grow with the number of faults.
   */
  #measureTo({ bytes }: WorkerTask, offset: number): Span {
    // The offset of a fault may be before `#measuredOffset`: the span of these bytes was already measured.
    if (offset < this.#measuredOffset) return measureSpan(bytes, 0, offset);
    this.#measuredSpan = joinSpans(this.#measuredSpan, measureSpan(bytes, this.#measuredOffset, offset));
    this.#measuredOffset = offset;
    return this.#measuredSpan;
  }

  /**
   * Adds the time of a case to the list of the chunk's slowest cases if the case is slow enough. The slowest case
   * comes first.
   */
  #recordTime(caseNumber: number, seconds: number): void {
    const slowest = this.#slowestCases;
    if (slowest.length === STATS_SLOWEST_CASES && seconds <= slowest[STATS_SLOWEST_CASES - 1].seconds) return;
    slowest.push({ case: caseNumber, seconds });
    slowest.sort((a, b) => b.seconds - a.seconds);
    if (slowest.length > STATS_SLOWEST_CASES) slowest.pop();
  }
}
