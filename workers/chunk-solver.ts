import { ByteWriter } from '../src/core/bytes.js';
import type { Fault } from '../src/core/errors.js';
import { measureSpan } from '../src/core/position.js';
import { BATCH_BOARDS, SLOWEST_CASES } from '../src/engine/limits.js';
import type { CaseFault, ChunkResult, ChunkTask, SlowCase } from '../src/engine/messages.js';
import type { Board, Problem, Solver } from '../src/problems/problem.js';

/** Solves chunks one after another. Boards, answers and the output buffer are reused. */
export class ChunkSolver<Answer> {
  readonly #problem: Problem<Answer>;
  readonly #solver: Solver<Answer>;
  /** Boards parsed and not yet solved are boards[0, #parsed); they belong to consecutive cases. */
  readonly #boards: Board[] = [];
  readonly #answers: Answer[] = [];
  readonly #out = new ByteWriter(1 << 16);
  readonly #batch: number;
  #parsed = 0;
  #answered = 0;
  #solveMs = 0;
  #printMs = 0;
  #slowest: SlowCase[] = [];

  constructor(problem: Problem<Answer>, solver: Solver<Answer>) {
    this.#problem = problem;
    this.#solver = solver;
    // The portable solver gains nothing from a batch, and alone a case's time is its own.
    this.#batch = solver.name === 'simd' ? BATCH_BOARDS : 1;
    for (let i = 0; i < this.#batch; i++) {
      this.#boards.push({ rows: 0, cols: 0, cells: new Uint8Array(0) });
    }
  }

  solve(task: ChunkTask): ChunkResult {
    const begin = performance.now();
    const fallbackBefore = this.#solver.fallbackCases;
    this.#reset();
    const faults = this.#solveCases(task);
    const span = measureSpan(task.bytes, 0, task.starts[task.starts.length - 1]);
    const total = performance.now() - begin;
    return {
      output: this.#out.take(),
      answered: this.#answered,
      faults,
      span,
      solver: this.#solver.name,
      fallbackCases: this.#solver.fallbackCases - fallbackBefore,
      times: { parse: total - this.#solveMs - this.#printMs, solve: this.#solveMs, print: this.#printMs },
      slowest: this.#slowest,
    };
  }

  #reset(): void {
    this.#parsed = 0;
    this.#answered = 0;
    this.#solveMs = 0;
    this.#printMs = 0;
    this.#slowest = [];
  }

  #solveCases(task: ChunkTask): CaseFault[] {
    const { bytes, starts } = task;
    const faults: CaseFault[] = [];
    const cases = starts.length - 1;
    for (let index = 0; index < cases; index++) {
      const board = this.#boards[this.#parsed];
      const fault = this.#problem.format.parseCase(bytes, starts[index], starts[index + 1], board);
      if (fault === null) {
        if (++this.#parsed === this.#batch) this.#solveBatch(task, index + 1);
        continue;
      }
      this.#solveBatch(task, index);
      faults.push(this.#placeFault(task, index, fault));
      if (task.onError === 'stop') return faults;
    }
    this.#solveBatch(task, cases);
    return faults;
  }

  /** Solves and prints what was parsed: the cases before `endIndex`. */
  #solveBatch(task: ChunkTask, endIndex: number): void {
    const count = this.#parsed;
    if (count === 0) return;
    const firstCase = task.firstCase + endIndex - count;
    const begin = performance.now();
    this.#solver.solve(this.#boards, count, this.#answers);
    const solved = performance.now();
    for (let i = 0; i < count; i++) this.#print(task, this.#answers[i], firstCase + i);
    this.#noteTime(firstCase, (solved - begin) / 1000 / count);
    this.#solveMs += solved - begin;
    this.#printMs += performance.now() - solved;
    this.#answered += count;
    this.#parsed = 0;
  }

  #print(task: ChunkTask, answer: Answer, caseNumber: number): void {
    if (task.format === 'text') {
      this.#problem.printAnswer(answer, caseNumber, this.#out);
    } else {
      const json = { case: caseNumber, answer: this.#problem.answerToJson(answer) };
      this.#out.utf8(`${JSON.stringify(json)}\n`);
    }
  }

  #placeFault(task: ChunkTask, index: number, fault: Fault): CaseFault {
    const span = measureSpan(task.bytes, 0, fault.offset);
    return { ...fault, index, span, outputOffset: this.#out.length };
  }

  /** Keeps the few slowest cases of the chunk, slowest first. */
  #noteTime(caseNumber: number, seconds: number): void {
    const slowest = this.#slowest;
    if (slowest.length === SLOWEST_CASES && seconds <= slowest[SLOWEST_CASES - 1].seconds) return;
    slowest.push({ case: caseNumber, seconds });
    slowest.sort((a, b) => b.seconds - a.seconds);
    if (slowest.length > SLOWEST_CASES) slowest.pop();
  }
}
