/**
 * Recovery is a dispatcher around another dispatcher. If the solver fails on a chunk, Recovery tries the chunk again,
 * and then narrows the failure down to single cases. All other cases of the chunk keep their answers.
 */
import { BoardmillError, type FaultReason } from '../core/errors.js';
import { type CaseRange, rangeLength } from '../core/range.js';
import { UnfitCasesError } from '../formats/assemble-input.js';
import { CaseLineFinder } from '../problems/output-columns.js';
import { createFailedResult, doFaultsEndRun, isSolverFailure, joinChunkResults } from './chunk-result.js';
import { ChunkFailure, type Dispatcher } from './dispatcher.js';
import { LOOKAHEAD_BYTES } from './limits.js';
import { type ChunkResult, type ChunkTask, casesOfTask } from './messages.js';

/** Number of times that boardmill starts a worker again if it died before it began its chunk, even with `--retries 0`. */
export const WORKER_START_RETRIES = 2;

interface RecoveryOptions {
  /** Number of times that a chunk is tried again after its worker failed. */
  readonly retries: number;
  readonly onRetry: () => void;
  /** Called if the solver failed on several cases together, but then solved all of them in smaller parts. */
  readonly onUnexplainedFailure?: (task: ChunkTask, failure: ChunkFailure) => void;
}

/** What became of a task. */
export interface TaskOutcome {
  /** The result of the first cases of the task; null if no case was solved. */
  readonly result: ChunkResult | null;
  /** Number of cases that `result` covers. */
  readonly cases: number;
  /** Whether the dispatcher has given up on the other cases of the task. If not, `result` covers the whole task. */
  readonly isGivenUp: boolean;
}

/** The error that ends a run because its dispatcher has given up on the remaining cases. */
export class GivenUpError extends Error {
  constructor() {
    super('the dispatcher has given up');
  }
}

export class Recovery {
  readonly #dispatcher: Dispatcher;
  readonly #options: RecoveryOptions;
  #isStopped = false;

  constructor(inner: Dispatcher, options: RecoveryOptions) {
    this.#dispatcher = inner;
    this.#options = options;
  }

  /**
   * Ends all retries. After this call, failures of the solver are thrown to the caller, because the shutdown of the run causes
   * them.
   */
  stop(): void {
    this.#isStopped = true;
  }

  /** Whether failures of the solver are thrown, because the run shuts down. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Solves a task, with recovery. `failure` says how a first attempt has failed; missing if there was no attempt. */
  async solve(task: ChunkTask, failure?: ChunkFailure): Promise<TaskOutcome> {
    const attempt = await this.solveWithRetries(task, failure);
    if (!(attempt instanceof ChunkFailure)) return outcomeOf(task, attempt);
    const outcome = await this.#narrowDown(task, attempt);
    const isExplained = outcome.isGivenUp || outcome.result?.faults.some(isSolverFailure);
    if (!isExplained) this.#options.onUnexplainedFailure?.(task, attempt);
    return outcome;
  }

  /**
   * Solves the whole task, with retries. If all attempts fail, returns the last failure. Fails with kind `worker` if
   * no solver can start.
   */
  async solveWithRetries(task: ChunkTask, failure?: ChunkFailure): Promise<ChunkResult | ChunkFailure> {
    let outcome = failure ?? (await this.#attemptOnce(task));
    for (let retry = 0; retry < this.#retriesAfter(outcome); retry++) {
      this.#options.onRetry();
      outcome = await this.#attemptOnce(task);
    }
    if (outcome instanceof ChunkFailure && outcome.kind === 'no-start') {
      throw new BoardmillError('worker', `a worker cannot start: ${outcome.reason}`, { cause: outcome });
    }
    return outcome;
  }

  async #attemptOnce(task: ChunkTask): Promise<ChunkResult | ChunkFailure> {
    try {
      return await this.#dispatcher.solve(task);
    } catch (error) {
      if (error instanceof ChunkFailure && !this.#isStopped) return error;
      throw error;
    }
  }

  /**
   * Returns the number of retries after an outcome. A case that timed out would time out again, so it is not retried.
   * If a worker died, the cases may not be the cause, so they are retried.
   */
  #retriesAfter(outcome: ChunkResult | ChunkFailure): number {
    if (!(outcome instanceof ChunkFailure) || outcome.kind === 'timeout' || outcome.kind === 'given-up')
      return 0;
    const { retries } = this.#options;
    return outcome.kind === 'no-start' ? Math.max(retries, WORKER_START_RETRIES) : retries;
  }

  /**
   * Narrows a failure down to the case on which the solver failed: solves the suspects one by one, or each half of them, and
   * the other cases of the task together.
   */
  async #narrowDown(task: ChunkTask, failure: ChunkFailure): Promise<TaskOutcome> {
    const all = casesOfTask(task);
    if (failure.kind === 'given-up') return this.#solveBefore(task, failure);
    if (rangeLength(all) === 1) return outcomeOfFailed(task, failure);
    const suspects = failure.suspects ?? all;
    const areAllSuspects = rangeLength(suspects) === rangeLength(all);
    if (areAllSuspects && task.isSolvedOneByOne) return this.#solveParts(task, halvesOf(all), failure);
    const parts = [
      { from: all.from, to: suspects.from - 1 },
      ...this.#partsOfSuspects(suspects, failure),
      { from: suspects.to + 1, to: all.to },
    ];
    return this.#solveParts(task, parts, failure);
  }

  #partsOfSuspects(suspects: CaseRange, failure: ChunkFailure): TaskPart[] {
    const { kind } = failure;
    const isAlone = rangeLength(suspects) === 1;
    // A case that hangs would use up the time of each half that it is in.
    if (kind === 'crash' && !isAlone && this.#dispatcher.narrowsByHalves) return halvesOf(suspects);
    // If the only suspect timed out, it is not solved again, because it would only time out again.
    const isCulpritKnown = kind === 'timeout' && isAlone;
    return [{ ...suspects, isSolvedOneByOne: true, failure: isCulpritKnown ? failure : null }];
  }

  /** Solves the cases before the suspects again, because the answers that they had are lost. */
  async #solveBefore(task: ChunkTask, { suspects }: ChunkFailure): Promise<TaskOutcome> {
    const { from } = casesOfTask(task);
    if (suspects === null || suspects.from === from) return { ...NO_CASES, isGivenUp: true };
    const before = await this.solve(cutTaskPart(task, { from, to: suspects.from - 1 }));
    return { ...before, isGivenUp: before.isGivenUp || !mustEnd(before, task) };
  }

  /** Solves the parts of a task in order, and joins their outcomes. Stops after a fault that ends the run. */
  async #solveParts(
    task: ChunkTask,
    parts: readonly TaskPart[],
    failure: ChunkFailure,
  ): Promise<TaskOutcome> {
    let joined = NO_CASES;
    for (const part of parts.filter((each) => rangeLength(each) > 0)) {
      const partTask = cutTaskPart(task, part);
      const outcome = part.failure
        ? outcomeOfFailed(partTask, part.failure)
        : await this.#solvePart(partTask, failure);
      joined = joinOutcomes(joined, outcome);
      if (outcome.isGivenUp || mustEnd(outcome, task)) break;
    }
    return joined;
  }

  /** Solves one part of a task that has failed. Fails with kind `worker` if the cases of the part cannot form a valid input. */
  async #solvePart(part: ChunkTask, failure: ChunkFailure): Promise<TaskOutcome> {
    try {
      return await this.solve(part);
    } catch (error) {
      if (!(error instanceof UnfitCasesError)) throw error;
      const reason = `${failure.reason}, and nobody can find the case: ${error.message}`;
      throw new BoardmillError('worker', reason, { cause: error });
    }
  }
}

const NO_CASES: TaskOutcome = { result: null, cases: 0, isGivenUp: false };

function outcomeOf({ starts }: ChunkTask, result: ChunkResult): TaskOutcome {
  return { result, cases: starts.length - 1, isGivenUp: false };
}

/** Returns the outcome of a task that has a single case, on which the solver failed. */
function outcomeOfFailed(task: ChunkTask, failure: ChunkFailure): TaskOutcome {
  return outcomeOf(task, createFailedResult(task, faultReasonOf(failure)));
}

/** Whether the run must end because of a fault in these cases. */
function mustEnd({ result }: TaskOutcome, { settings }: ChunkTask): boolean {
  return result !== null && doFaultsEndRun(result.faults, settings);
}

/** Joins the outcomes of two parts of a task, of which the second follows the first. */
function joinOutcomes(first: TaskOutcome, second: TaskOutcome): TaskOutcome {
  const cases = first.cases + second.cases;
  if (first.result === null || second.result === null)
    return { ...second, result: first.result ?? second.result, cases };
  return { ...second, result: joinChunkResults(first.result, first.cases, second.result), cases };
}

function faultReasonOf({ kind, reason }: ChunkFailure): FaultReason {
  return { kind: kind === 'timeout' ? 'timeout' : 'crash', reason };
}

/** Consecutive cases of a task, and how the solver failed on them if they were tried. */
interface TaskPart extends CaseRange {
  readonly isSolvedOneByOne?: boolean;
  /** How the solver failed on the only case of this part. Missing or null if the part has not been solved yet. */
  readonly failure?: ChunkFailure | null;
}

function halvesOf({ from, to }: CaseRange): TaskPart[] {
  const middle = from + (rangeLength({ from, to }) >> 1);
  return [
    { from, to: middle - 1 },
    { from: middle, to },
  ];
}

/** Creates a task with only the cases of one part of a task. */
function cutTaskPart(task: ChunkTask, { from, to, isSolvedOneByOne = false }: TaskPart): ChunkTask {
  const first = from - task.firstCase;
  const end = to + 1 - task.firstCase;
  const begin = task.starts[first];
  const isLast = end === task.starts.length - 1;
  return {
    ...task,
    ...(task.place && { place: { ...task.place, offset: task.place.offset + begin } }),
    bytes: task.bytes.slice(begin, isLast ? task.bytes.length : task.starts[end] + LOOKAHEAD_BYTES),
    starts: task.starts.slice(first, end + 1).map((start) => start - begin),
    firstCase: from,
    canonicalCases: 0,
    origin: task.origin && {
      ...task.origin,
      line: new CaseLineFinder(task.bytes, task.origin.line).lineAt(begin),
    },
    isSolvedOneByOne: task.isSolvedOneByOne || isSolvedOneByOne,
    isPart: true,
  };
}
