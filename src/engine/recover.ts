/**
 * Stands between the run and any dispatcher: a chunk whose solver failed is tried again, then narrowed down to
 * the case that did it. All other cases keep their answers.
 */
import { BoardmillError } from '../core/errors.js';
import { joinSpans, measureSpan } from '../core/position.js';
import { type CaseRange, ChunkFailure, type Dispatcher } from './dispatch.js';
import { LOOKAHEAD_BYTES, START_RETRIES } from './limits.js';
import type { CaseFault, ChunkResult, ChunkTask } from './messages.js';

export interface RecoveryOptions {
  /** Times that a chunk is tried again after its worker failed. */
  readonly retries: number;
  readonly onRetry: () => void;
  /** Called when a solver has failed on several cases at once, and then on none of them alone. */
  readonly onUnexplained?: (task: ChunkTask, failure: ChunkFailure) => void;
}

export class Recovery implements Dispatcher {
  readonly slots: number;
  readonly chunkCases?: number;
  readonly #inner: Dispatcher;
  readonly #options: RecoveryOptions;
  #isStopped = false;

  constructor(inner: Dispatcher, options: RecoveryOptions) {
    this.slots = inner.slots;
    if (inner.chunkCases !== undefined) this.chunkCases = inner.chunkCases;
    this.#inner = inner;
    this.#options = options;
  }

  /** The run is over: what fails from now on fails because everything is being shut down. */
  stop(): void {
    this.#isStopped = true;
  }

  async solve(task: ChunkTask): Promise<ChunkResult> {
    const outcome = await this.solveTogether(task);
    if (!(outcome instanceof ChunkFailure)) return outcome;
    const result = await this.#narrow(task, outcome);
    if (casesOf(task) > 1 && !hasFailedCase(result)) this.#options.onUnexplained?.(task, outcome);
    return result;
  }

  /** Solves the task as a whole, or says how its solver failed. Fails with kind `worker` where no solver can start. */
  async solveTogether(task: ChunkTask): Promise<ChunkResult | ChunkFailure> {
    let outcome = await this.#attempt(task);
    for (let retry = 0; retry < this.#retriesAfter(outcome); retry++) {
      this.#options.onRetry();
      outcome = await this.#attempt(task);
    }
    if (outcome instanceof ChunkFailure && outcome.kind === 'no-start') {
      throw new BoardmillError('worker', `no worker can start: ${outcome.reason}`, { cause: outcome });
    }
    return outcome;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #attempt(task: ChunkTask): Promise<ChunkResult | ChunkFailure> {
    try {
      return await this.#inner.solve(task);
    } catch (error) {
      if (error instanceof ChunkFailure && !this.#isStopped) return error;
      throw error;
    }
  }

  /** A case over its time would be so again; a dead worker may have died of something else. */
  #retriesAfter(outcome: ChunkResult | ChunkFailure): number {
    if (!(outcome instanceof ChunkFailure) || outcome.kind === 'timeout') return 0;
    const { retries } = this.#options;
    return outcome.kind === 'no-start' ? Math.max(retries, START_RETRIES) : retries;
  }

  /** Solves what is not suspected as before, and what is one by one, down to the one case that does it. */
  async #narrow(task: ChunkTask, failure: ChunkFailure): Promise<ChunkResult> {
    const cases = casesOf(task);
    if (cases === 1) return failedCase(task, failure);
    const { index, count } = failure.suspects ?? { index: 0, count: cases };
    if (count === cases && task.oneByOne) return this.#solveParts(task, halves(cases));
    // One that was solved alone when it ran out of time would only do so again.
    const isKnown = failure.kind === 'timeout' && count === 1;
    return this.#solveParts(task, [
      { index: 0, count: index },
      { index, count, oneByOne: true, failure: isKnown ? failure : null },
      { index: index + count, count: cases - index - count },
    ]);
  }

  /** Solves the parts in order, and joins what comes of them. */
  async #solveParts(task: ChunkTask, parts: readonly Part[]): Promise<ChunkResult> {
    let joined: { result: ChunkResult; cases: number } | null = null;
    for (const part of parts.filter(({ count }) => count > 0)) {
      const cut = cutTask(task, part);
      const result = part.failure ? failedCase(cut, part.failure) : await this.solve(cut);
      joined = joined === null ? { result, cases: part.count } : joinResults(joined, result, part.count);
      if (task.onError === 'stop' && result.faults.length > 0) break;
    }
    if (joined === null) throw new Error('a chunk without cases');
    return joined.result;
  }
}

/** Whether the solver failed on a case, rather than the case being bad. */
function hasFailedCase({ faults }: ChunkResult): boolean {
  return faults.some(({ why }) => why.kind === 'crash' || why.kind === 'timeout');
}

/** A part of a task: some of its cases, and what has been found out about them. */
interface Part extends CaseRange {
  readonly oneByOne?: boolean;
  /** What became of its only case; missing: it is still to be solved. */
  readonly failure?: ChunkFailure | null;
}

function casesOf(task: ChunkTask): number {
  return task.starts.length - 1;
}

function halves(cases: number): Part[] {
  const half = cases >> 1;
  return [
    { index: 0, count: half },
    { index: half, count: cases - half },
  ];
}

/** Those cases as a task of their own. */
function cutTask(task: ChunkTask, { index, count, oneByOne = false }: Part): ChunkTask {
  const begin = task.starts[index];
  const isLast = index + count === casesOf(task);
  const end = isLast ? task.bytes.length : task.starts[index + count] + LOOKAHEAD_BYTES;
  return {
    ...task,
    bytes: task.bytes.slice(begin, end),
    starts: task.starts.slice(index, index + count + 1).map((start) => start - begin),
    firstCase: task.firstCase + index,
    oneByOne: task.oneByOne || oneByOne,
  };
}

/** What stands for the only case of a task when its solver failed. */
function failedCase(task: ChunkTask, failure: ChunkFailure): ChunkResult {
  const bytes = task.bytes.slice(0, task.starts[1]);
  const why = { kind: failure.kind === 'timeout' ? 'timeout' : 'crash', reason: failure.reason } as const;
  return {
    output: new Uint8Array(0),
    answered: 0,
    faults: [{ why, index: 0, span: { lines: 0, tail: 0 }, outputOffset: 0, bytes }],
    span: measureSpan(bytes, 0, bytes.length),
    solver: null,
    fallbackCases: 0,
    times: { parse: 0, solve: 0, print: 0 },
    slowest: [],
  };
}

function joinResults(
  first: { result: ChunkResult; cases: number },
  second: ChunkResult,
  secondCases: number,
): { result: ChunkResult; cases: number } {
  const { result, cases } = first;
  const output = new Uint8Array(result.output.length + second.output.length);
  output.set(result.output);
  output.set(second.output, result.output.length);
  const moved = second.faults.map(
    (fault): CaseFault => ({
      ...fault,
      index: fault.index + cases,
      span: joinSpans(result.span, fault.span),
      outputOffset: fault.outputOffset + result.output.length,
    }),
  );
  return {
    cases: cases + secondCases,
    result: {
      output,
      answered: result.answered + second.answered,
      faults: [...result.faults, ...moved],
      span: joinSpans(result.span, second.span),
      solver: result.solver ?? second.solver,
      fallbackCases: result.fallbackCases + second.fallbackCases,
      times: {
        parse: result.times.parse + second.times.parse,
        solve: result.times.solve + second.times.solve,
        print: result.times.print + second.times.print,
      },
      slowest: [...result.slowest, ...second.slowest],
    },
  };
}
