/** Gives the same cases to two solvers, a trusted and the tested one, and finds where their answers differ. */
import { quoteText } from '../../core/bytes.js';
import { DeadlinePassedError } from '../../core/deadline.js';
import { BoardmillError } from '../../core/errors.js';
import { type AnswerComparator, type ByteRange, compareAnswerPair } from '../../engine/comparators.js';
import { ChunkFailure } from '../../engine/dispatcher.js';
import { SharedAnswerError } from '../../engine/exec/external-solver.js';
import type { ChunkResult, ChunkTask, InputHeadOfTask } from '../../engine/messages.js';
import { PLAIN_SETTINGS } from '../../engine/output-settings.js';
import type { Recovery } from '../../engine/recover.js';
import type { AnswerExtent, AnswerFormat, AnswerScope } from '../../formats/answer-format.js';
import type { Problem } from '../../problems/problem.js';
import type { CasesAsBytes } from './shrink.js';

export interface TrialFailure {
  readonly kind: 'wrong' | ChunkFailure['kind'];
  /** The failure as the user reads it: "expected 7, got 6", or how the program failed. */
  readonly description: string;
  /** Index of the first case with a wrong answer; null if the failure cannot be assigned to a case. */
  readonly index: number | null;
  /** The right answers to all cases. */
  readonly expected: Uint8Array;
  /** The answers of the tested solver, as boardmill prints them; empty unless it has answered every case. */
  readonly got: Uint8Array;
}

export interface SolverPair {
  readonly problem: Problem;
  readonly trustedSolver: Pick<Recovery, 'solve'>;
  readonly testedSolver: Pick<Recovery, 'solveWithRetries'>;
  readonly comparator: AnswerComparator;
  /**
   * Whether the tested program is a mutant of a right one. Then it is left open which of several cases takes too long: to find
   * it out, the program would run on each of them.
   */
  readonly isMutant?: boolean;
}

/** The trusted solver has no answer to a case, which says nothing about the tested solver. */
export class NoTrustedAnswerError extends BoardmillError {
  constructor(
    readonly head: InputHeadOfTask,
    /** The case without an answer. */
    readonly caseBytes: Uint8Array,
    /** How the trusted solver failed, such as "no answer within 10 s". */
    readonly reason: string,
    caseNumber: number,
  ) {
    super('worker', `the solver to compare with has no answer to case ${caseNumber}: ${reason}`);
  }
}

/**
 * Solves the cases with both solvers; returns null if all answers agree. Several calls may run at the same time. Fails with
 * NoTrustedAnswerError if the trusted solver has no answer to a case, with DeadlinePassedError if a solver was told to give
 * up, and with kind `worker` if a solver cannot be started, because these failures say nothing about the tested solver.
 */
export async function compareSolvers(
  { problem, trustedSolver, testedSolver, comparator, isMutant = false }: SolverPair,
  head: InputHeadOfTask,
  cases: CasesAsBytes,
): Promise<TrialFailure | null> {
  const task = createChunkTask(head, cases);
  const expected = await answersOf(trustedSolver, task);
  const solved = isMutant ? testedSolver.solveWithRetries(task) : solveInTime(testedSolver, task);
  const outcome = await solved.catch(mergedAnswersToFailure);
  if (outcome instanceof ChunkFailure) {
    if (outcome.kind === 'given-up') throw new DeadlinePassedError();
    const { kind, reason, suspects } = outcome;
    const index = suspects === null ? null : suspects.from - 1;
    return { kind, description: reason, index, expected, got: NO_ANSWERS };
  }
  const texts = new AnswerCutter(problem, head);
  const right = texts.cut(expected, cases);
  const given = texts.cut(outcome.output, cases);
  for (const [index, caseBytes] of cases.entries()) {
    const pair = { caseNumber: index + 1, caseBytes, head, expected: right[index], got: given[index] };
    const mismatch = await compareAnswerPair(comparator, pair);
    if (mismatch === null) continue;
    const reason = mismatch.reason === null ? '' : `: ${mismatch.reason}`;
    const description = `expected ${texts.show(right[index], index)}, got ${texts.show(given[index], index)}${reason}`;
    return { kind: 'wrong', description, index, expected, got: outcome.output };
  }
  return null;
}

/**
 * Returns the failure of a tested program that gives one answer to several cases. The user is right about what a case is,
 * because the trusted solver has answered each. Throws all other errors again.
 */
function mergedAnswersToFailure(error: unknown): ChunkFailure {
  if (!(error instanceof SharedAnswerError)) throw error;
  return new ChunkFailure('crash', error.message, null, { cause: error });
}

const NO_ANSWERS = new Uint8Array(0);

/**
 * Solves a task. If several cases together take too long, solves them one by one: a case that takes too long alone is the
 * failure. If none does, but the solver hangs on all of them together, that is the failure.
 */
async function solveInTime(
  solver: SolverPair['testedSolver'],
  task: ChunkTask,
): Promise<ChunkResult | ChunkFailure> {
  const begin = performance.now();
  const outcome = await solver.solveWithRetries(task);
  const isLate = outcome instanceof ChunkFailure && outcome.kind === 'timeout';
  if (!isLate || task.starts.length === 2) return outcome;
  const middle = performance.now();
  const oneByOne = await solver.solveWithRetries({ ...task, isSolvedOneByOne: true });
  const isMuchFaster = performance.now() - middle < (middle - begin) / 2;
  return oneByOne instanceof ChunkFailure || !isMuchFaster ? oneByOne : outcome;
}

/** Returns the answers of the trusted solver as text. Fails with NoTrustedAnswerError if it has no answer to a case. */
async function answersOf(trustedSolver: SolverPair['trustedSolver'], task: ChunkTask): Promise<Uint8Array> {
  const { result, isGivenUp } = await trustedSolver.solve(task);
  if (result === null || isGivenUp) throw new DeadlinePassedError();
  const [fault] = result.faults;
  if (fault === undefined) return result.output;
  const { cause, index } = fault;
  const reason = cause.kind === 'input' ? `expected ${cause.expected}, got ${cause.got}` : cause.reason;
  if (cause.kind === 'author') throw new BoardmillError('usage', reason);
  const caseBytes = task.bytes.slice(task.starts[index], task.starts[index + 1]);
  throw new NoTrustedAnswerError(task.head, caseBytes, reason, index + 1);
}

/** Cuts the text of answers into the answers to single cases. */
class AnswerCutter {
  readonly #format: AnswerFormat;
  readonly #parser;
  #scopes: (AnswerScope | null)[] = [];

  constructor({ inputFormat, answerFormat }: Problem, head: InputHeadOfTask) {
    this.#format = answerFormat;
    this.#parser = inputFormat.createParser();
    this.#parser.useHead(head.bytes);
  }

  cut(bytes: Uint8Array, cases: CasesAsBytes): ByteRange[] {
    if (this.#scopes.length === 0) this.#scopes = cases.map((each, index) => this.#scopeOf(each, index));
    const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
    return this.#scopes.map((scope) => {
      if (!this.#format.find(bytes, extent.end, bytes.length, true, extent, scope))
        throw new Error('an answer that was read cannot be found again');
      return { bytes, from: extent.start, to: extent.end };
    });
  }

  /** Shows an answer in a message: as JSON, without its label. */
  show({ bytes, from, to }: ByteRange, index: number): string {
    const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
    const scope = this.#scopes[index];
    this.#format.find(bytes, from, to, true, extent, scope);
    const answer = this.#format.parse(bytes, extent, scope);
    return quoteText(answer === null ? null : this.#format.toJson(answer));
  }

  #scopeOf(bytes: Uint8Array, index: number): AnswerScope | null {
    if (!this.#format.needsCase) return null;
    this.#parser.useIndex?.(index);
    return { value: this.#parser.parse(bytes, 0, bytes.length, null), head: this.#parser.headValue };
  }
}

/** Returns a task whose chunk consists of the given cases. */
export function createChunkTask(head: InputHeadOfTask, cases: CasesAsBytes): ChunkTask {
  const starts = new Uint32Array(cases.length + 1);
  for (const [i, { length }] of cases.entries()) starts[i + 1] = starts[i] + length;
  const bytes = Buffer.concat(cases);
  return {
    bytes,
    starts,
    firstCase: 1,
    head,
    settings: PLAIN_SETTINGS,
    origin: null,
    isSolvedOneByOne: false,
  };
}
