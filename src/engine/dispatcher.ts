/**
 * The third stage: a dispatcher solves the chunks of a run. The local pool of worker threads is one dispatcher; an
 * external program is another.
 */
import type { CaseRange } from '../core/range.js';
import type { Cutting } from './cut/chunk-size.js';
import type { ChunkResult, ChunkTask } from './messages.js';
import type { RangeResult, RangeTask } from './parallel-scan/range-messages.js';

/** Solves a range of an input: see `Dispatcher.solveRange`. */
export type SolveRange = (task: RangeTask) => Promise<RangeResult>;

/**
 * A dispatcher solves chunks, in any order. The engine uses only these fields and methods.
 *
 * Each dispatcher states all of them, null where it lacks an ability. What is around another dispatcher extends
 * DispatcherWrapper, so no ability can be lost by leaving it out.
 */
export abstract class Dispatcher {
  /** Only a subclass is a dispatcher: an object `{ ...dispatcher, solve }` would lack what it does not name. */
  declare protected readonly isDispatcher: true;
  /** Largest number of chunks that the engine may give to the dispatcher at the same time. It may change during a run. */
  abstract readonly maxChunksAtOnce: number;
  /** Largest number of cases in a chunk; null if the dispatcher accepts any number of cases. */
  abstract readonly maxCasesPerChunk: number | null;
  /** Number of workers that the dispatcher has had at once, at most; null if that is the number that the user asked for. */
  abstract readonly mostWorkers: number | null;
  /** Number of chunks into which the last part of an input is divided; null: `maxChunksAtOnce`. */
  abstract readonly lastChunks: number | null;
  /** How the input is cut; null if it is cut for workers of this process. */
  abstract readonly cutting: Cutting | null;
  /** Solves a chunk. Rejects with a ChunkFailure if the solver failed. */
  abstract solve(task: ChunkTask): Promise<ChunkResult>;
  /**
   * Reads, scans and solves a range of an input. Rejects with a ChunkFailure if the solver failed, or if the input cannot be
   * read. Ranges are begun in the order of the calls, because each waits for the one before it. Null if the dispatcher solves
   * only chunks.
   */
  abstract get solveRange(): SolveRange | null;
  /**
   * Lets all that is being solved now fail with a ChunkFailure of kind `given-up`, because a solver may never return. What is
   * given to the dispatcher after this call is solved.
   */
  abstract giveUp(): void;
  abstract close(): Promise<void>;
}

/** A dispatcher around another one, with all of its abilities. */
export abstract class DispatcherWrapper extends Dispatcher {
  readonly #inner: Dispatcher;

  constructor(inner: Dispatcher) {
    super();
    this.#inner = inner;
  }

  /** Does what the wrapper adds, before or after a chunk or a range is solved. */
  protected abstract around<Result>(solve: () => Promise<Result>): Promise<Result>;

  get maxChunksAtOnce(): number {
    return this.#inner.maxChunksAtOnce;
  }

  get maxCasesPerChunk(): number | null {
    return this.#inner.maxCasesPerChunk;
  }

  get mostWorkers(): number | null {
    return this.#inner.mostWorkers;
  }

  get lastChunks(): number | null {
    return this.#inner.lastChunks;
  }

  get cutting(): Cutting | null {
    return this.#inner.cutting;
  }

  solve(task: ChunkTask): Promise<ChunkResult> {
    return this.around(() => this.#inner.solve(task));
  }

  get solveRange(): SolveRange | null {
    const { solveRange } = this.#inner;
    return solveRange && ((task) => this.around(() => solveRange(task)));
  }

  giveUp(): void {
    this.#inner.giveUp();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

/**
 * The error with which a dispatcher reports that a chunk was not solved. Kind `crash`: the solver died or threw an
 * error. Kind `timeout`: a case took too long. Kind `no-start`: no solver could be started, which says nothing about
 * the chunk. Kind `given-up`: the dispatcher was told to give up.
 */
export class ChunkFailure extends Error {
  constructor(
    readonly kind: 'crash' | 'timeout' | 'no-start' | 'given-up',
    /** Reason of the failure, as messages show it to the user, such as "a worker exited". */
    readonly reason: string,
    /** The suspects: consecutive cases, one of which made the solver fail. Null if the suspects are not known. */
    readonly suspects: CaseRange | null,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
