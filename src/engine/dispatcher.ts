/**
 * The third stage: a dispatcher solves the chunks of a run. A pool of worker threads is a dispatcher; an external program and a
 * queue to other machines are dispatchers, too.
 */
import type { CaseRange } from '../core/range.js';
import type { ChunkCutting } from './cut/chunk-size.js';
import type { ChunkResult, ChunkTask } from './messages.js';
import type { RangeResult, RangeTask } from './parallel-scan/range-messages.js';

/** A function that reads, scans and solves a range of an input; see `Dispatcher.solveByteRange`. */
export type SolveRange = (task: RangeTask) => Promise<RangeResult>;

/**
 * A dispatcher solves chunks, in any order. The engine uses only the fields and methods of this class.
 *
 * Each dispatcher states all of them, with null for an ability that it lacks. A class that wraps another dispatcher extends
 * DispatcherWrapper, so that it loses no ability of that dispatcher.
 */
export abstract class Dispatcher {
  /**
   * Keeps the compiler from accepting an object `{ ...dispatcher, solve }` as a dispatcher, which would lack the methods of the
   * class.
   */
  declare protected readonly isDispatcher: true;
  /**
   * Largest number of chunks that the engine may give to the dispatcher at the same time. This number may change during a run.
   */
  abstract readonly maxChunksAtOnce: number;
  /** Largest number of cases in a chunk; null if the dispatcher accepts any number of cases. */
  abstract readonly maxCasesPerChunk: number | null;
  /**
   * Largest number of workers that the dispatcher has had at the same time; null if it always has the number that the user
   * asked for.
   */
  abstract readonly mostWorkers: number | null;
  /** Number of chunks into which the last part of an input is cut; null stands for the value of `maxChunksAtOnce`. */
  abstract readonly lastChunks: number | null;
  /** How the input is cut into chunks; null if it is cut for worker threads of this process. */
  abstract readonly cutting: ChunkCutting | null;
  /**
   * Whether a case that crashes the solver is looked for by halving its chunk, because each attempt costs much, as it starts a
   * program. Otherwise the cases are solved one by one.
   */
  abstract readonly narrowsByHalves: boolean;
  /** Solves a chunk. Rejects with a ChunkFailure if the solver failed. */
  abstract solve(task: ChunkTask): Promise<ChunkResult>;
  /**
   * Reads, scans and solves a range of an input. Rejects with a ChunkFailure if the solver failed, or if the input cannot be
   * read. Workers begin ranges in the order of the calls, because each range waits for the range before it. Null if the
   * dispatcher cannot solve ranges.
   */
  abstract get solveByteRange(): SolveRange | null;
  /**
   * Makes all chunks and ranges that are being solved fail with a ChunkFailure of kind `given-up`, because a solver may never
   * return. Chunks that the dispatcher gets after this call are solved as usual.
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

  /** Calls `solve`, which solves a chunk or a range, and does before or after it whatever the wrapper adds. */
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

  get cutting(): ChunkCutting | null {
    return this.#inner.cutting;
  }

  get narrowsByHalves(): boolean {
    return this.#inner.narrowsByHalves;
  }

  solve(task: ChunkTask): Promise<ChunkResult> {
    return this.around(() => this.#inner.solve(task));
  }

  get solveByteRange(): SolveRange | null {
    const { solveByteRange } = this.#inner;
    return solveByteRange && ((task) => this.around(() => solveByteRange(task)));
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
