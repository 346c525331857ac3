/**
 * Solves the chunks of a run on worker processes. A chunk that failed on one worker process is tried once on another, if there
 * is one, and the failure counts only if that one fails, too. The reason: a machine that lacks memory, or a file that a program
 * reads, fails on valid cases, and does so faster than other machines solve them.
 */
import { OutageError } from '../../core/errors.js';
import { describeCaseRange, rangeLength } from '../../core/range.js';
import { doFaultsEndRun, isSolverFailure } from '../chunk-result.js';
import { ChunkFailure } from '../dispatcher.js';
import type { ChunkResult, ChunkTask } from '../messages.js';
import { REFUSAL_PATIENCE_MS } from './limits.js';
import type { WorkerProcessIdentity } from './presence.js';
import type { WorkerWatch } from './worker-watch.js';

/**
 * The outcome of a chunk on a worker process: the chunk was solved, or it failed, or the worker process cannot solve chunks of
 * this run at all.
 */
export type SolvingAttempt = Tried | { readonly by: WorkerProcessIdentity; readonly refusal: string };

interface Tried {
  /** Null if nobody knows it. */
  readonly by: WorkerProcessIdentity | null;
  readonly outcome: ChunkResult | ChunkFailure;
}

/**
 * Sends a chunk to a worker process, but to none whose id is in `notOn`. Returns null if `isWanted` returned false before a
 * worker process had solved the chunk. `isWanted` is null if the chunk is always wanted.
 */
type Send = (
  task: ChunkTask,
  notOn: readonly string[],
  isWanted: (() => boolean) | null,
) => Promise<SolvingAttempt | null>;

export class SecondOpinion {
  readonly #workerProcesses: WorkerWatch;
  readonly #send: Send;
  readonly #note: (message: string) => void;

  constructor(workerProcesses: WorkerWatch, send: Send, note: (message: string) => void) {
    this.#workerProcesses = workerProcesses;
    this.#send = send;
    this.#note = note;
  }

  /** Solves a chunk. Rejects with a ChunkFailure if the chunk failed on two worker processes, or on the only one. */
  async solve(task: ChunkTask): Promise<ChunkResult> {
    let first = await this.#tryFirst(task);
    // The loop ends, because each round but the last excludes another worker process.
    for (;;) {
      const second = await this.#tryElsewhere(task, first);
      if (second === null) return believe(first);
      const onFirst = findContradiction(task, first, second);
      const onSecond = findContradiction(task, second, first);
      if (onFirst !== null) {
        this.#excludeFailed(first.by!, onFirst, second.by);
        first = second;
      } else if (onSecond !== null && second.by !== null) {
        this.#excludeFailed(second.by, onSecond, first.by);
      } else {
        // A failure because no worker could start says nothing about the cases.
        return believe(isNoStart(second.outcome) ? first : second);
      }
    }
  }

  /** Tries a chunk on any worker process but the one that must not solve it, if there is another one. */
  async #tryFirst(task: ChunkTask): Promise<Tried> {
    const { notBy } = task;
    const hasOther = () => notBy !== undefined && this.#workerProcesses.hasOther(notBy, false);
    const elsewhere = notBy !== undefined && hasOther() ? await this.#try(task, [notBy], hasOther) : null;
    return elsewhere ?? this.#tryAnywhere(task);
  }

  async #tryAnywhere(task: ChunkTask): Promise<Tried> {
    for (;;) {
      const tried = await this.#try(task, [], null);
      if (tried !== null) return tried;
    }
  }

  /** Tries a failed chunk on another worker process. Returns null if the chunk has not failed, or if there is no other. */
  async #tryElsewhere(task: ChunkTask, { by, outcome }: Tried): Promise<Tried | null> {
    if (by === null || !hasFailed(outcome)) return null;
    const begin = performance.now();
    await this.#workerProcesses.lookNow().catch(() => {});
    const hasOther = () => {
      // A worker process that has just started may not have said yet whether it accepts the run.
      const isEarly = performance.now() - begin < REFUSAL_PATIENCE_MS;
      return this.#workerProcesses.hasOther(by.id, isEarly);
    };
    return hasOther() ? this.#try(task, [by.id], hasOther) : null;
  }

  /** Tries a chunk until the answer comes from a worker process that was not excluded meanwhile. */
  async #try(
    task: ChunkTask,
    alsoNotOn: readonly string[],
    isWanted: (() => boolean) | null,
  ): Promise<Tried | null> {
    for (;;) {
      const notOn = [...this.#workerProcesses.excluded, ...alsoNotOn];
      const attempt = await this.#send(task, notOn, isWanted);
      if (attempt === null) return null;
      const { by } = attempt;
      if (by !== null && notOn.includes(by.id))
        throw new OutageError(`worker process ${by.name} has solved what it was told to leave to others`);
      if ('refusal' in attempt)
        this.#exclude(attempt.by, `leaves this run: ${attempt.refusal}`, attempt.refusal);
      else if (by === null || !this.#workerProcesses.excluded.has(by.id)) return attempt;
    }
  }

  #excludeFailed(failed: WorkerProcessIdentity, cases: string, solver: WorkerProcessIdentity | null): void {
    const reason = `failed on ${cases}, which ${solver?.name ?? 'another one'} solved`;
    this.#exclude(failed, `${reason}; it gets no more chunks of this run`, `it ${reason}`);
  }

  #exclude(process: WorkerProcessIdentity, said: string, reason: string): void {
    if (this.#workerProcesses.excluded.has(process.id)) return;
    this.#workerProcesses.exclude(process.id, reason);
    this.#note(`worker process ${process.name} ${said}`);
  }
}

function believe({ by, outcome }: Tried): ChunkResult {
  if (outcome instanceof ChunkFailure) throw outcome;
  return by === null ? outcome : { ...outcome, solvedBy: by.id };
}

function hasFailed(outcome: Tried['outcome']): boolean {
  return outcome instanceof ChunkFailure || outcome.faults.some(isSolverFailure);
}

function isNoStart(outcome: Tried['outcome']): boolean {
  return outcome instanceof ChunkFailure && outcome.kind === 'no-start';
}

/** Returns, as text, the cases on which worker process `one` failed although `other` solved them; null if there are none. */
function findContradiction(
  task: ChunkTask,
  { outcome: one }: Tried,
  { outcome: other }: Tried,
): string | null {
  if (other instanceof ChunkFailure) return null;
  const { firstCase, starts } = task;
  const last = firstCase + starts.length - 2;
  const unsolved = new Set(other.faults.map(({ index }) => firstCase + index));
  const lastReached = doFaultsEndRun(other.faults, task.settings) ? Math.max(...unsolved) : last;
  const isSolved = (number: number) => number <= lastReached && !unsolved.has(number);
  if (!(one instanceof ChunkFailure)) {
    const fault = one.faults.find((each) => isSolverFailure(each) && isSolved(firstCase + each.index));
    if (fault === undefined) return null;
    const number = firstCase + fault.index;
    return describeCaseRange({ from: number, to: number });
  }
  // One of the suspects made the solver of `one` fail. So `other` must have solved all of them. If no worker could start, no
  // case is to blame, and one solved case is enough.
  const range = one.suspects ?? { from: firstCase, to: last };
  const suspects = Array.from({ length: rangeLength(range) }, (_, index) => range.from + index);
  const isContradicted = isNoStart(one) ? suspects.some(isSolved) : suspects.every(isSolved);
  return isContradicted ? describeCaseRange(range) : null;
}
