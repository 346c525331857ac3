/**
 * The interface between the engine and a problem. The engine receives each problem as a `Problem` object and
 * never imports one by name.
 */

import type { Fault } from '../core/errors.js';
import type { FileGuard } from '../core/files/file-guard.js';
import type { Range } from '../core/range.js';
import type { AnswerFormat } from '../formats/answer-format.js';
import type { Board, BoardLineTokens } from '../formats/boards/board.js';
import type { CaseMeasure } from '../formats/cases/measure.js';
import type { InputFormat } from '../formats/input-format.js';
import type { CaseCountBounds } from '../formats/tree/case-count.js';
import type { CaseValueDefinition, FastBoardCounter } from './census.js';
import type { ContestData } from './contest-sets.js';
import type { Explainer } from './explanation.js';
import type { ProblemColumns } from './output-columns.js';
import type { ProblemReference } from './problem-reference.js';
import type { Sample } from './sample.js';

export type { Board, BoardLimits } from '../formats/boards/board.js';

export type SolverName =
  | 'portable'
  | 'simd'
  /** The `solve` of a module. */
  | 'module';

/** `auto`: the SIMD solver if the problem has one and this machine can run it, otherwise the portable solver. */
export type SolverChoice = 'auto' | 'portable' | 'simd';

/** All values of `--solver`, in the order in which the help lists them. */
export const SOLVER_CHOICES: readonly SolverChoice[] = ['auto', 'simd', 'portable'];

export interface SimdSolverOptions {
  /**
   * Whether the kernel must solve every case that it can solve. If not, the portable solver solves cases for which it takes
   * less time; which cases these are depends on the other cases of the batch.
   */
  readonly usesKernelAlone?: boolean;
}

/** The facts about a batch that a solver gets besides the cases. */
export interface BatchContext {
  /** Number of the first case of the batch; cases are numbered from 1 over the whole input. */
  readonly firstCase: number;
  /** The value of the head of the input. */
  readonly head: unknown;
  /**
   * The array in which the solver stores the nimber of `cases[i]` as element i, if the problem has nimbers. Undefined if
   * nimbers are not wanted.
   */
  readonly nimbers?: number[] | undefined;
}

/**
 * Solves cases in batches. A solver's only state is its own scratch memory. Two solvers never share memory,
 * and the answer to a case never depends on the other cases that the solver has been given.
 */
export interface Solver<Answer, Case = Board> {
  readonly name: SolverName;
  /** Number of cases that the solver solves at once in the lanes of SIMD vectors; 1 if it solves cases one by one. */
  readonly lanes: number;
  /** Number of cases so far that the kernel could not solve and the portable solver solved instead. */
  readonly fallbackCases: number;
  /** Optional. Solves cases in larger batches, without parsing them first. Its batches and those of `solve` may alternate. */
  readonly kernelBatch?: KernelBatch<Answer, Case>;
  /**
   * Writes the answer to `cases[i]` into `answers[i]`, for every i from 0 to `count - 1`. A solver that runs the code of a
   * user writes a `CaseFailure` in place of an answer.
   */
  solve(
    cases: readonly Case[],
    count: number,
    answers: (Answer | CaseFailure)[],
    context?: BatchContext,
  ): void | Promise<void>;
}

/**
 * Takes the cases of a batch from their text into the memory of a kernel, without a value for each case. Only cases in
 * canonical layout are taken from text. The caller parses every other case, and gives its value to the kernel batch. So only
 * the parser decides which cases are invalid, and what is wrong with them.
 */
export interface KernelBatch<Answer, Case = Board> {
  /** Largest number of cases in a batch. */
  readonly maxCases: number;
  /**
   * Begins a new batch, and loads the text of cases from index `from` to `to - 1`; case i has the bytes from starts[i] to
   * starts[i + 1] - 1. Returns the index after the last case for which there was room, at least `from + 1`.
   */
  loadText(bytes: Uint8Array, starts: Uint32Array, from: number, to: number): number;
  /**
   * Takes loaded cases as the next cases of the batch, from this index on, as long as they are valid and in canonical layout.
   * Returns the index of the first case that it has not taken.
   */
  takeCanonical(index: number): number;
  /** Number of line ends in the cases that the last call of `takeCanonical` has taken. */
  readonly lineEnds: number;
  /** Takes the next case of the batch, which the caller has parsed. The caller may use the value again. */
  takeParsed(value: Case): void;
  /** Writes the answers to the cases of the batch into `answers`, from element 0 on, and begins a new batch. */
  solveTaken(answers: (Answer | CaseFailure)[]): void;
}

/** Why a solver has no answer to a case. */
export class CaseFailure {
  constructor(
    /**
     * `crash`: the solver failed on this case. `refused`: it could solve the case, but the result would be too large.
     * `author`: the problem's module is wrong, so the run must end.
     */
    readonly kind: 'crash' | 'refused' | 'author',
    readonly reason: string,
  ) {}
}

export const CASE_PROFILES = ['tiny', 'random', 'contest-max', 'hard'] as const;
export type CaseProfile = (typeof CASE_PROFILES)[number];

/** The wishes of a user for random cases: how many, how large, in which profile. */
export interface RandomCasesRequest {
  readonly seed: string;
  readonly profile: CaseProfile;
  /** Number of cases in the input. */
  readonly cases: number;
  /**
   * Largest number of rows and columns of a board, and largest count of a list; null if the profile and the bounds of the
   * contest decide.
   */
  readonly maxSize: number | null;
  /** The set of the contest whose bounds the cases obey; null for the widest bounds. */
  readonly set: string | null;
  /** Wishes that only problems with boards can fulfil. */
  readonly boards: WantedBoards;
}

/** The wanted shape and density of boards. A value is null if the profile chooses it. */
export interface WantedBoards {
  readonly rows: Range | null;
  readonly cols: Range | null;
  /** Share of the cells, from 0 to 1, that have the property named by `whatDensityCounts` in registry.ts. */
  readonly density: number | null;
}

export const ANY_BOARDS: WantedBoards = { rows: null, cols: null, density: null };

/** Makes the cases of one input. Two sources with the same request make the same cases on every machine. */
export interface RandomCaseSource<Case> {
  /** The head of the input, in canonical layout; null if the format has no head, or a head without a choice. */
  readonly head: Uint8Array | null;
  /**
   * Returns the case with this index, counted from 0. The source may return the same object for every case, so the caller
   * must not keep it.
   */
  caseAt(index: number): Case;
}

/** The wishes of a user for `--profile all`: which cases to list. */
export interface EnumerationRequest {
  /** The numbers of rows and columns of boards; null if the user has not given them. */
  readonly rows: Range | null;
  readonly cols: Range | null;
  /** The set of the contest whose bounds the cases obey; null for the widest bounds. */
  readonly set: string | null;
}

/**
 * Every case of a problem exactly once, in a fixed order. If `isExact` is false, some candidates are not cases, so the number
 * of cases is known only after all candidates were listed.
 */
export interface CaseEnumeration<Case = unknown> {
  /** The head of the input; null if the format has no head, or a head without a choice. */
  readonly head: Uint8Array | null;
  /** Number of candidates. */
  readonly count: bigint;
  /** Whether every candidate is a case, unless the author's `valid` refuses it. */
  readonly isExact: boolean;
  /** The smallest and the largest number of cases that the format allows in one input. */
  readonly inputCases: CaseCountBounds;
  /**
   * Yields the candidates from this index on, counted from 0, and null for those that are not cases. It may yield the same
   * object each time, so the caller must not keep it.
   */
  candidatesFrom(index: bigint): Iterable<Case | null>;
}

/** The head of an input, as bytes and as the value that solvers get. */
interface HeadOfCase {
  readonly bytes: Uint8Array | null;
  readonly value: unknown;
}

/** What the author of a module says besides formats and solver. Only worker threads call the author's functions. */
interface AuthorWishes {
  /** How far two numbers of an answer may differ; null if they must be equal. */
  readonly tolerance: number | null;
  /** Whether `equal` decides which answers are right. */
  readonly hasEqual: boolean;
  /** Whether `valid` decides which cases are valid. */
  readonly hasValid: boolean;
  /** Whether `generate` makes the random cases. */
  readonly hasGenerate: boolean;
}

/** Sums over the cases of a contest file that the problem statement bounds. */
export interface SumConstraints<Case = unknown> {
  /** What is summed up, such as `n`, and the largest sum. */
  readonly bounds: readonly { readonly text: string; readonly max: number }[];
  /** Returns, for each bound, what this case adds to the sum. */
  of(value: Case, head: unknown): readonly bigint[];
}

/** Changes of a case that keep its answer, such as turning a board. */
export interface CaseSymmetries<Case = unknown> {
  /** The changes in words, such as "turning and mirroring". */
  readonly description: string;
  /**
   * Yields cases into which these changes turn `value`. Two cases that can be turned into each other yield the same cases. The
   * next step may overwrite a case that was yielded.
   */
  variantsOf(value: Case): Iterable<Case>;
  /** Returns a twin of `value`, which one of these changes makes of it. `draw(n)` returns a random whole number below n. */
  twinOf(value: Case, draw: (bound: number) => number): SymmetricCase<Case>;
  /** Optional. Number of cases of a size up to these changes, of those that `--profile all` lists. */
  countClasses?(rows: number, cols: number): bigint;
}

/** A case whose answer says what the answer to another case is. */
export interface SymmetricCase<Case = unknown> {
  readonly value: Case;
  /** Returns the answer to the other case, from the answer to `value`. */
  answerFrom(answer: unknown): unknown;
}

/** Whether cases belong to a set of the contest. */
export interface SetMembershipTest<Case = unknown, Answer = unknown> {
  /** The name of the set. */
  readonly name: string;
  /** Optional. The caller passes the head of the input before it tests cases of this input. */
  useHead?(head: Uint8Array | null): void;
  /** `text` is the case in canonical layout, and `answer` the answer to it, or null if it is not known. */
  includes(value: Case, text: Uint8Array, answer: Answer | null): boolean;
}

/** How boardmill finds the cases of an input. */
interface ReadingOfInputs {
  readonly isMultitest: boolean;
  /** A description of what the cases are, such as "each input is one case". */
  readonly description: string;
}

/** How cases are made, measured and made simpler. */
export interface CaseOperations<Case = unknown> {
  /** Optional. How many cases a contest file has, if the author says so. */
  readonly countBounds?: CaseCountBounds;
  /** Optional. Which changes of a case keep its answer. */
  readonly symmetries?: CaseSymmetries<Case>;
  /** REQUIRED. Creates random cases. Fails with kind `usage` if no case can be as requested. */
  createSource(request: RandomCasesRequest): RandomCaseSource<Case>;
  /**
   * Optional. Lists every case. Fails with kind `usage` if there are infinitely many cases, or if they cannot be counted; the
   * message names the field or the statement that is the reason.
   */
  enumerate?(request: EnumerationRequest): CaseEnumeration<Case>;
  /** REQUIRED. Yields cases that are one step simpler than a case, the largest steps first. They may be invalid. */
  simpler(value: Case, head: HeadOfCase): Iterable<Case>;
  /** REQUIRED. Creates what `stats` measures cases with. */
  createMeasure(): CaseMeasure<Case>;
  /** Optional. Returns those numbers of a case, by their names, that say how long a part of the case is. Missing for boards. */
  sizesOf?(value: Case): ReadonlyMap<string, number>;
}

/** The contest of a problem: its limits, and the sets of its tests. */
export interface ProblemContest<Answer = unknown, Case = unknown> {
  /** REQUIRED. The sets and the limits of the contest. */
  readonly data: ContestData;
  /** Optional. Returns the set that the head of an input names; null if it names none. */
  setOfHead?(headValue: unknown): string | null;
  /**
   * REQUIRED. Returns the input format under the limits of a set, or under the widest limits if `set` is null. Fails with kind
   * `usage` if the contest has no such set.
   */
  createFormat(set: string | null): InputFormat<Case>;
  /** REQUIRED. For each set of the contest, creates a test whether cases belong to the set. */
  createSetTests(): SetMembershipTest<Case, Answer>[];
}

/** The solvers of a problem that this thread can create. Only worker threads can create the solver of a module. */
export interface ProblemSolvers<Answer = unknown, Case = unknown> {
  /** Optional. Creates the portable solver. */
  createPortable?(): Solver<Answer, Case>;
  /** Optional. Creates the solver that uses the SIMD kernel. Throws if this machine cannot run the kernel. */
  createSimd?(options?: SimdSolverOptions): Solver<Answer, Case>;
  /** Optional. Creates a small case with which a worker warms its solver up. */
  createWarmUpCase?(): Case;
  /**
   * Optional. Loads a faster way to count all boards of a size than to solve each; null if there is none for this size.
   */
  loadCensus?(rows: number, cols: number): Promise<FastBoardCounter | null>;
}

/** What the check of a whole input has found. */
export interface WholeCheckResult {
  /** The first fault; null if there is none. */
  readonly fault: Fault | null;
  /** The index at which each case begins, up to the fault. */
  readonly caseStarts: readonly number[];
}

export interface Problem<Answer = unknown, Case = unknown> extends ProblemColumns<Case> {
  /** REQUIRED. The problem's name, as messages and file names show it. */
  readonly name: string;
  /** REQUIRED. The words with which a user names the problem on the command line, such as `./sums.mjs`. */
  readonly words: readonly string[];
  /** REQUIRED. How a worker thread finds the problem. */
  readonly reference: ProblemReference;
  /**
   * Optional. Notices any change of the files that define the problem, and of the files that a module imports from its folder,
   * since before they were read. Missing if the problem is built into boardmill, and in worker threads.
   */
  readonly guard?: FileGuard;
  /** REQUIRED. How test cases are laid out in an input. */
  readonly inputFormat: InputFormat<Case>;
  /** Optional. How the user wants the cases of an input to be found, if there is a choice. */
  readonly reading?: ReadingOfInputs;
  /** Optional. What the lines of boards have in common. Missing if `validate` compares cases with their canonical layout. */
  readonly boardLines?: BoardLineTokens;
  /** Optional. Bounds on sums over the cases of a contest file. */
  readonly totals?: SumConstraints<Case>;
  /**
   * Optional. Checks a whole input as the author of a grammar has written it, for `validate`. Missing if `validate` reads
   * case by case.
   */
  checkWhole?(bytes: Uint8Array): WholeCheckResult;
  /** Optional. Fails with kind `usage` if the problem can be used for nothing but `validate`. */
  assertUsable?(): void;
  /** REQUIRED. How answers are laid out in an output. */
  readonly answerFormat: AnswerFormat<Case, Answer>;
  /** REQUIRED. How cases are made. */
  readonly cases: CaseOperations<Case>;
  /** REQUIRED. The solvers of the problem; null if only a program of the user can solve it. */
  readonly solvers: ProblemSolvers<Answer, Case> | null;
  /** Optional. The value of a case by which `census` counts, besides the answer. */
  readonly caseValues?: CaseValueDefinition<Answer>;
  /** REQUIRED. The largest number of cases that one run of a program of `--exec` gets, unless the user sets another number. */
  readonly casesPerRun: number;
  /** Optional. The contest that the problem comes from. */
  readonly contest?: ProblemContest<Answer, Case>;
  /** Optional. The samples of the problem statement. */
  readonly samples?: readonly Sample[];
  /** Optional. The tolerance and the functions that the author of a module has written, apart from `solve`. */
  readonly author?: AuthorWishes;
  /** Optional. Loads the explainer of the problem. Missing if answers cannot be explained, as with modules and grammars. */
  loadExplainer?(): Promise<Explainer<Case>>;
}
