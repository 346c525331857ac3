import { assertRelation } from '../src/core/assert.js';
import { ByteWriter } from '../src/core/bytes.js';
import type { Fault, FaultReason } from '../src/core/errors.js';
import { EMPTY_SPAN, joinSpans, measureSpan, type TextSpan } from '../src/core/location.js';
import { createChunkResult, doFaultsEndRun } from '../src/engine/chunk-result.js';
import { BATCH_CASES, KERNEL_LANES, LISTED_SLOWEST_CASES } from '../src/engine/limits.js';
import {
  type CaseFault,
  type ChunkResult,
  publishProgress,
  type SlowCase,
  type WorkerTask,
} from '../src/engine/messages.js';
import type { CaseParser, InputFormat } from '../src/formats/input-format.js';
import type { ProblemColumns } from '../src/problems/output-columns.js';
import { type AnswerPrinting, printerFor } from '../src/problems/output-formats.js';
import { type BatchContext, CaseFailure, type KernelBatch, type Solver } from '../src/problems/problem.js';
import { ChunkColumns } from './chunk-columns.js';

const REFUSED_FAULT: FaultReason = {
  kind: 'refused',
  reason: 'the SIMD kernel cannot solve this board; the portable solver can',
};

/**
 * Number of cases, and about how many bytes of them, that are parsed before they are solved one after another. Their values
 * stay in memory until then.
 */
const MAX_CASES_IN_TURN = 32;
const BYTES_IN_TURN = 1 << 16;

/** The parts of a problem that a worker needs besides the solver. */
interface ChunkFormats<Answer, Case> extends ProblemColumns<Case> {
  readonly inputFormat: InputFormat<Case>;
  readonly answerFormat: AnswerPrinting<Answer>;
}

/**
 * Returns a task with the properties that are used here, always in this order. So tasks from messages and from ranges have the
 * same hidden class, and V8 need not compile the code that uses them twice.
 */
function sameShape({
  bytes,
  starts,
  firstCase,
  head,
  settings,
  origin,
  isSolvedOneByOne,
  progress,
}: WorkerTask): WorkerTask {
  return { bytes, starts, firstCase, head, settings, origin, isSolvedOneByOne, progress };
}

/** Returns how many cases a solver gets together: of many boards, a kernel finds more that it can solve in one group. */
export function batchSizeOf<Answer, Case>({ kernelBatch }: Solver<Answer, Case>): number {
  return kernelBatch?.maxCases ?? BATCH_CASES;
}

/**
 * Solves chunks one after another in a worker thread. Cases, answers and the output buffer are reused from chunk
 * to chunk.
 */
export class ChunkSolver<Answer, Case> {
  readonly #answerFormat: AnswerPrinting<Answer>;
  readonly #solver: Solver<Answer, Case>;
  readonly #parser: CaseParser<Case>;
  /** Whether a board that the kernel cannot solve is refused instead of solved by the portable solver. */
  readonly #refusesFallback: boolean;
  readonly #batchCases: number;
  /**
   * The values of parsed cases. The first `#parsedCases` values belong to consecutive cases that are parsed and not yet solved.
   * The other values are free, so that the parser can fill them again.
   */
  readonly #cases: Case[] = [];
  readonly #answers: (Answer | CaseFailure)[] = [];
  readonly #columns: ChunkColumns<Case>;
  readonly #out = new ByteWriter(1 << 16);
  /** Number of the head that the parser has parsed last. */
  #headNumber = 0;
  #parsedCases = 0;
  #answeredCases = 0;
  #solveMs = 0;
  #printMs = 0;
  #faults: CaseFault[] = [];
  /** The span from the chunk's first byte to the offset `#measuredOffset`. */
  #measuredSpan: TextSpan = EMPTY_SPAN;
  #measuredOffset = 0;
  #slowestCases: SlowCase[] = [];

  /** `batchCases` is the number of cases that a kernel gets together if they have values. */
  constructor(
    problem: ChunkFormats<Answer, Case>,
    solver: Solver<Answer, Case>,
    refusesFallback: boolean,
    batchCases = batchSizeOf(solver),
  ) {
    // The scanner fills chunks up to whole batches, and does not know the solver.
    assertRelation(
      KERNEL_LANES % solver.lanes === 0,
      'KERNEL_LANES is a multiple of the lanes of the solver',
    );
    this.#answerFormat = problem.answerFormat;
    this.#solver = solver;
    this.#parser = problem.inputFormat.createParser();
    this.#columns = new ChunkColumns(problem);
    this.#refusesFallback = refusesFallback;
    this.#batchCases = batchCases;
  }

  async solve(received: WorkerTask): Promise<ChunkResult> {
    const begin = performance.now();
    const task = sameShape(received);
    const fallbackBefore = this.#solver.fallbackCases;
    this.#reset();
    this.#columns.useTask(task);
    this.#useHead(task);
    publishProgress(task.progress, 0, 0);
    const { kernelBatch } = this.#solver;
    // Without parsed values, a run has no columns, and a failing case cannot be found.
    if (kernelBatch === undefined || task.isSolvedOneByOne || task.settings.columns.length > 0)
      await this.#solveCases(task);
    else await this.#solveFromText(task, kernelBatch);
    publishProgress(task.progress, 0, 0);
    const span = this.#measureTo(task, task.starts[task.starts.length - 1]);
    const total = performance.now() - begin;
    return createChunkResult({
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
    // If the solver threw in the previous chunk, this discards the unfinished output of that chunk.
    this.#out.take();
    this.#parsedCases = 0;
    this.#answeredCases = 0;
    this.#solveMs = 0;
    this.#printMs = 0;
    this.#faults = [];
    this.#measuredSpan = EMPTY_SPAN;
    this.#measuredOffset = 0;
    this.#slowestCases = [];
  }

  #useHead({ head }: WorkerTask): void {
    if (head.number === this.#headNumber) return;
    this.#parser.useHead(head.bytes);
    this.#headNumber = head.number;
  }

  /** Solves the cases of a chunk in batches that the kernel batch of the solver takes from the text. */
  async #solveFromText(task: WorkerTask, kernelBatch: KernelBatch<Answer, Case>): Promise<void> {
    const { bytes, starts } = task;
    const cases = starts.length - 1;
    // All batches get about the same size, because a small last batch would fill few lanes.
    const batch = Math.ceil(cases / Math.ceil(cases / kernelBatch.maxCases));
    for (let from = 0; from < cases; ) {
      const to = kernelBatch.loadText(bytes, starts, from, Math.min(cases, from + batch));
      while (from < to) {
        const end = this.#takeCases(task, kernelBatch, from, to);
        // The parser forgets the fault if the cases before it are parsed again.
        const fault = end < to ? this.#parser.fault : null;
        await this.#solveTaken(task, kernelBatch, from, end);
        this.#addParserFault(task, end, fault);
        if (this.#mustStop(task)) return;
        from = end + 1;
      }
      from = to;
    }
  }

  /**
   * Takes the cases from index `from` to `to - 1` into the kernel batch. Returns the index of the first invalid case, or `to`.
   */
  #takeCases(
    { bytes, starts }: WorkerTask,
    kernelBatch: KernelBatch<Answer, Case>,
    from: number,
    to: number,
  ): number {
    for (let index = from; ; index++) {
      const next = kernelBatch.takeCanonical(index);
      this.#passLines(starts[index], starts[next], kernelBatch.lineEnds);
      if (next === to || !this.#parseCase(bytes, starts[next], starts[next + 1])) return next;
      kernelBatch.takeParsed(this.#cases[0]);
      index = next;
    }
  }

  /** Solves the cases that the kernel batch has taken, and prints their answers. */
  async #solveTaken(
    task: WorkerTask,
    kernelBatch: KernelBatch<Answer, Case>,
    index: number,
    end: number,
  ): Promise<void> {
    const count = end - index;
    if (count === 0) return;
    const fallbackBefore = this.#solver.fallbackCases;
    await this.#timeBatch(task, index, count, () => kernelBatch.solveTaken(this.#answers));
    if (this.#refusesFallback && this.#solver.fallbackCases > fallbackBefore) {
      this.#parseAgain(task, index, count);
      await this.#solveOneByOne(task, index, count);
    } else this.#printAnswers(task, index, 0, count);
  }

  async #solveCases(task: WorkerTask): Promise<void> {
    const { bytes, starts } = task;
    const batch = this.#batchOf(task);
    const cases = starts.length - 1;
    for (let index = 0; index < cases; index++) {
      this.#parser.useIndex?.(task.firstCase + index - 1);
      if (this.#parseCase(bytes, starts[index], starts[index + 1])) {
        if (++this.#parsedCases === batch) await this.#solveParsed(task, index + 1);
      } else {
        await this.#solveParsed(task, index);
        this.#addParserFault(task, index, this.#parser.fault);
      }
      if (this.#mustStop(task)) return;
    }
    await this.#solveParsed(task, cases);
  }

  /** Returns how many cases are parsed before they are solved. */
  #batchOf({ isSolvedOneByOne, settings, starts }: WorkerTask): number {
    if (isSolvedOneByOne) return 1;
    if (this.#solvesTogether) return this.#batchCases;
    // The columns of a row are known only until the next case is solved.
    if (settings.columns.length > 0) return 1;
    const cases = starts.length - 1;
    const bytesOfCase = starts[cases] / cases;
    return Math.max(1, Math.min(MAX_CASES_IN_TURN, Math.floor(BYTES_IN_TURN / bytesOfCase)));
  }

  /** Whether the solver gains from cases that it gets together. Of other solvers, the worker measures the time of each case. */
  get #solvesTogether(): boolean {
    return this.#solver.name === 'simd';
  }

  /** Whether the run ends at a fault that was found. */
  #mustStop({ settings }: WorkerTask): boolean {
    return doFaultsEndRun(this.#faults, settings);
  }

  /** Parses the case that follows the parsed cases. Returns false if the case is invalid. */
  #parseCase(bytes: Uint8Array, start: number, end: number): boolean {
    const parser = this.#parser;
    const parsed = parser.parse(bytes, start, end, this.#cases[this.#parsedCases] ?? null);
    if (parsed === null) return false;
    this.#cases[this.#parsedCases] = parsed;
    if (parser.lineEnds >= 0) this.#passLines(start, end, parser.lineEnds);
    return true;
  }

  /** Extends the measured span over whole lines whose number is known, so that the worker need not count them again. */
  #passLines(start: number, end: number, lines: number): void {
    if (this.#measuredOffset !== start) return;
    this.#measuredSpan = joinSpans(this.#measuredSpan, { lines, bytesAfterLastLineEnd: 0 });
    this.#measuredOffset = end;
  }

  /**
   * Solves the parsed cases and prints their answers. They are the last cases before index `endIndex` of the chunk.
   */
  async #solveParsed(task: WorkerTask, endIndex: number): Promise<void> {
    const count = this.#parsedCases;
    if (count === 0) return;
    this.#parsedCases = 0;
    const index = endIndex - count;
    if (!this.#solvesTogether) return this.#solveInTurn(task, index, count);
    const fallbackBefore = this.#solver.fallbackCases;
    await this.#solveBatch(task, this.#cases, index, count);
    const isRefused = this.#refusesFallback && this.#solver.fallbackCases > fallbackBefore;
    if (isRefused) await this.#solveOneByOne(task, index, count);
    else this.#printAnswers(task, index, 0, count);
  }

  /** Solves the first `count` of the parsed cases one after another. `index` is the index of the first of them in the chunk. */
  async #solveInTurn(task: WorkerTask, index: number, count: number): Promise<void> {
    this.#columns.useBatch(this.#cases, count);
    for (let from = 0; from < count; ) {
      const end = await this.#solveUntilFailure(task, index, from, count);
      this.#printAnswers(task, index, from, end);
      if (this.#mustStop(task)) return;
      from = end;
    }
  }

  /** Solves the parsed cases from `from` on, each by itself, until one fails. Returns the index after the last one. */
  async #solveUntilFailure(task: WorkerTask, index: number, from: number, count: number): Promise<number> {
    const given: Case[] = [];
    const got: (Answer | CaseFailure)[] = [];
    let begin = performance.now();
    for (let i = from; i < count; i++) {
      publishProgress(task.progress, index + i, 1);
      given[0] = this.#cases[i];
      const solving = this.#solver.solve(given, 1, got, this.#contextOf(task, index + i));
      // Most solvers are synchronous, and an `await` without need would cost time for each case.
      if (solving instanceof Promise) await solving;
      this.#answers[i] = got[0];
      const end = performance.now();
      this.#addTime(task.firstCase + index + i, end - begin, 1);
      begin = end;
      if (this.#answers[i] instanceof CaseFailure) return i + 1;
    }
    return count;
  }

  #contextOf({ firstCase }: WorkerTask, index: number): BatchContext {
    return {
      firstCase: firstCase + index,
      head: this.#parser.headValue,
      nimbers: this.#columns.nimbers,
    };
  }

  /** Solves the first `count` of the parsed cases. `index` is the index of the first of them in the chunk. */
  async #solveBatch(task: WorkerTask, cases: readonly Case[], index: number, count: number): Promise<void> {
    this.#columns.useBatch(cases, count);
    const context = this.#contextOf(task, index);
    await this.#timeBatch(task, index, count, () => this.#solver.solve(cases, count, this.#answers, context));
  }

  /** Solves a batch of `count` cases, and records the time. `index` is the index of the first case in the chunk. */
  async #timeBatch(
    { progress, firstCase }: WorkerTask,
    index: number,
    count: number,
    solve: () => void | Promise<void>,
  ): Promise<void> {
    publishProgress(progress, index, count);
    const begin = performance.now();
    const solving = solve();
    if (solving instanceof Promise) await solving;
    this.#addTime(firstCase + index, performance.now() - begin, count);
  }

  /** Notes how long it took to solve `count` cases together, of which the first has this number. */
  #addTime(caseNumber: number, milliseconds: number, count: number): void {
    this.#solveMs += milliseconds;
    const seconds = milliseconds / 1000 / count;
    this.#recordTime(caseNumber, seconds);
    this.#columns.setSeconds(seconds);
  }

  /**
   * Parses valid cases of the chunk into the first elements of `#cases`, because only the kernel has read their text so far.
   */
  #parseAgain({ bytes, starts }: WorkerTask, index: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const reused = this.#cases[i] ?? null;
      this.#cases[i] = this.#parser.parse(bytes, starts[index + i], starts[index + i + 1], reused)!;
    }
  }

  /**
   * Prints the answers to the cases from `from` to `to - 1` of the batch that was just solved. `index` is the index in the
   * chunk of the first case of the batch.
   */
  #printAnswers(task: WorkerTask, index: number, from: number, to: number): void {
    const begin = performance.now();
    const { printAnswer } = printerFor(task.settings);
    for (let i = from; i < to; i++) {
      const answer = this.#answers[i];
      if (answer instanceof CaseFailure) this.#addFailure(task, index + i, answer);
      else {
        const values = this.#columns.valuesOf(index + i, i);
        printAnswer(this.#answerFormat, answer, task.firstCase + index + i, this.#out, values);
        this.#answeredCases++;
      }
    }
    this.#printMs += performance.now() - begin;
  }

  /** Adds the fault that the parser has found in the case with this index, unless the run ends at an earlier case. */
  #addParserFault(task: WorkerTask, index: number, fault: Fault | null): void {
    if (fault === null || this.#mustStop(task)) return;
    const { offset, expected, got } = fault;
    this.#addFault(task, index, { kind: 'input', expected, got }, offset);
  }

  /** Adds the fault of a case on which the code of a module failed, with the bytes that repeat the failure. */
  #addFailure(task: WorkerTask, index: number, { kind, reason }: CaseFailure): void {
    const { bytes, starts } = task;
    const caseBytes = bytes.slice(starts[index], starts[index + 1]);
    this.#addFault(task, index, { kind, reason }, starts[index], caseBytes);
  }

  /**
   * Solves the boards of a batch one by one, to find out which of them the kernel cannot solve. Called if the kernel
   * refused at least one board of the batch.
   */
  async #solveOneByOne(task: WorkerTask, index: number, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const fallbackBefore = this.#solver.fallbackCases;
      const single = [this.#cases[i]];
      await this.#solveBatch(task, single, index + i, 1);
      if (this.#solver.fallbackCases === fallbackBefore) this.#printAnswers(task, index + i, 0, 1);
      else this.#addFault(task, index + i, REFUSED_FAULT, task.starts[index + i]);
      if (this.#mustStop(task)) return;
    }
  }

  #addFault(
    task: WorkerTask,
    index: number,
    cause: FaultReason,
    offset: number,
    bytes: Uint8Array | null = null,
  ): void {
    const span = this.#measureTo(task, offset);
    const line = this.#columns.lineOf(index);
    this.#faults.push({ cause, index, span, outputOffset: this.#out.length, bytes, ...line });
  }

  /**
   * Returns the span from the chunk's first byte to the offset. Measuring continues from the last measured offset, so
   * the time does not grow with the number of faults.
   */
  #measureTo({ bytes }: WorkerTask, offset: number): TextSpan {
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
    if (slowest.length === LISTED_SLOWEST_CASES && seconds <= slowest[LISTED_SLOWEST_CASES - 1].seconds)
      return;
    slowest.push({ case: caseNumber, seconds });
    slowest.sort((a, b) => b.seconds - a.seconds);
    if (slowest.length > LISTED_SLOWEST_CASES) slowest.pop();
  }
}
