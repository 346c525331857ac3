/**
 * A dispatcher that solves nothing. It parses the cases and finds invalid ones, for runs that already have the right answers.
 */
import { measureSpan } from '../../core/location.js';
import type { Problem } from '../../problems/problem.js';
import { createChunkResult } from '../chunk-result.js';
import { Dispatcher } from '../dispatcher.js';
import type { ChunkResult, ChunkTask } from '../messages.js';
import { createCaseFault, parseCases } from './program-cases.js';

export class CaseReadingDispatcher extends Dispatcher {
  readonly maxChunksAtOnce = 2;
  readonly maxCasesPerChunk: number;
  readonly mostWorkers = null;
  readonly lastChunks = null;
  readonly cutting = null;
  readonly narrowsByHalves = false;
  readonly solveByteRange = null;
  readonly #problem: Problem;

  constructor(problem: Problem, maxCasesPerChunk: number) {
    super();
    this.#problem = problem;
    this.maxCasesPerChunk = maxCasesPerChunk;
  }

  /** Returns a result without output, in which every good case counts as answered. */
  async solve(task: ChunkTask): Promise<ChunkResult> {
    const cases = parseCases(this.#problem, task);
    const faults = cases.flatMap(({ index, fault }) =>
      fault === null ? [] : [createCaseFault(task.bytes, index, fault, 0)],
    );
    const span = measureSpan(task.bytes, 0, task.starts[task.starts.length - 1]);
    return createChunkResult({ answeredCases: cases.length - faults.length, faults, span });
  }

  giveUp(): void {}

  async close(): Promise<void> {}
}
