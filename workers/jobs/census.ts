/** The job of `census`: counts the cases of a slice. */
import { ByteWriter, decodeText } from '../../src/core/bytes.js';
import { BoardmillError } from '../../src/core/errors.js';
import type { ValidityReply, ValidityRequest } from '../../src/engine/author-messages.js';
import {
  type CensusSlice,
  decodeCensusMessage,
  encodeCensusMessage,
  type SliceCounts,
  type SliceFailure,
} from '../../src/engine/census-slice.js';
import { createChunkResult } from '../../src/engine/chunk-result.js';
import {
  allocateSharedProgress,
  type ChunkResult,
  publishProgress,
  type WatchedTask,
  type WorkerTask,
} from '../../src/engine/messages.js';
import type { Board } from '../../src/formats/boards/board.js';
import { answerInWords } from '../../src/problems/answer-in-words.js';
import {
  type CensusCounts,
  enumerationRequestOf,
  type FastBoardCounter,
  isSizeUnrestricted,
  type LargestCase,
  MAX_CENSUS_ANSWER_CHARS,
  MAX_CENSUS_ANSWERS,
} from '../../src/problems/census.js';
import { CaseFailure, type Problem, type Solver, type SolverChoice } from '../../src/problems/problem.js';
import { batchSizeOf } from '../chunk-solver.js';
import type { ChunkWorker } from './chunk-worker.js';
import { createWarmSolver } from './solve.js';

type AskValid = (task: WatchedTask<ValidityRequest>) => Promise<ValidityReply>;

const askModule: AskValid = async (task) => (await import('../author-functions.js')).callValid(task);

/** Creates the worker that counts slices. `askValid` asks `valid` of the problem's module about cases. */
export function createCensusWorker(
  problem: Problem,
  choice: SolverChoice,
  askValid = askModule,
): ChunkWorker {
  const listed = new ListedSlices(problem, choice, askValid);
  const counted = new CountedSlices(problem);
  return {
    async solve(task: WorkerTask): Promise<ChunkResult> {
      publishProgress(task.progress, 0, 1);
      const slice = decodeCensusMessage<CensusSlice>(task.bytes.subarray(task.starts[0], task.starts[1]));
      const counts = await (slice.candidates === null
        ? counted.count(slice)
        : listed.count(slice, task).catch(mistakeIn));
      const outcome = 'failedAt' in counts ? counts : showLargest(problem, slice, counts);
      const span = { lines: 0, bytesAfterLastLineEnd: task.bytes.length };
      return createChunkResult({ output: encodeCensusMessage(outcome), answeredCases: 1, span });
    },
  };
}

/** Returns the mistake of an author as the outcome of a slice. */
function mistakeIn(error: unknown): SliceFailure {
  if (!(error instanceof BoardmillError) || error.kind !== 'usage') throw error;
  return { failedAt: null, reason: error.message, isMistake: true };
}

/** Adds the rows of the largest board to the counts; if no size of boards is counted, the lines of the largest case. */
function showLargest(problem: Problem, slice: CensusSlice, counts: CensusCounts): SliceCounts {
  const { largest } = counts;
  if (largest === null) return { ...counts, largest };
  const { cases, caseColumns, inputFormat } = problem;
  const [found] = cases.enumerate!(enumerationRequestOf(slice)).candidatesFrom(BigInt(largest.index));
  const rows = isSizeUnrestricted(slice) ? linesOf(inputFormat, found) : caseColumns!.board(found);
  return { ...counts, largest: { ...largest, rows } };
}

function linesOf(format: Problem['inputFormat'], found: unknown): string[] {
  const out = new ByteWriter();
  format.printCase(found, out);
  return decodeText(out.take()).trimEnd().split('\n');
}

/** Slices that the game counts in its own way. */
class CountedSlices {
  readonly #problem: Problem;
  /** The census of the last size, with its tables. */
  #last: { readonly rows: number; readonly cols: number; readonly census: FastBoardCounter } | null = null;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  async count({ rows, cols, number }: CensusSlice): Promise<CensusCounts> {
    return (await this.#load(rows!, cols!)).count(number);
  }

  async #load(rows: number, cols: number): Promise<FastBoardCounter> {
    if (this.#last?.rows !== rows || this.#last.cols !== cols) {
      const census = await this.#problem.solvers!.loadCensus!(rows, cols);
      this.#last = { rows, cols, census: census! };
    }
    return this.#last.census;
  }
}

/** Slices whose cases are listed and solved one after the other. */
class ListedSlices {
  readonly #problem: Problem;
  readonly #choice: SolverChoice;
  readonly #askValid: AskValid;
  #solver: Solver<unknown, unknown> | null = null;
  /** The cases that are solved next, and their indices. Only the first `#indices.length` cases are wanted. */
  readonly #cases: unknown[] = [];
  #indices: number[] = [];
  readonly #answers: unknown[] = [];

  constructor(problem: Problem, choice: SolverChoice, askValid: AskValid) {
    this.#problem = problem;
    this.#choice = choice;
    this.#askValid = askValid;
  }

  async count(slice: CensusSlice, task: WorkerTask): Promise<CensusCounts | SliceFailure> {
    this.#solver ??= createWarmSolver(this.#problem, this.#choice);
    const { inputFormat, cases, author, reference } = this.#problem;
    const isBoard = reference.kind === 'built-in';
    const batchCases = isBoard ? batchSizeOf(this.#solver) : 1;
    const parser = inputFormat.createParser();
    parser.useHead(task.head.bytes);
    const counter = new CaseCounter(this.#problem);
    const { from, to } = slice.candidates!;
    const listed = cases.enumerate!(enumerationRequestOf(slice)).candidatesFrom(BigInt(from));
    const candidates = author?.hasValid ? await this.#dropInvalid(listed, to - from, task) : listed;
    let index = from;
    this.#indices = [];
    for (const candidate of candidates) {
      if (candidate !== null) {
        const at = this.#indices.length;
        this.#cases[at] = isBoard ? copyBoard(candidate as Board, this.#cases[at] as Board) : candidate;
        this.#indices.push(index);
      }
      index++;
      const isLast = index === to;
      const failure =
        isLast || this.#indices.length === batchCases
          ? await this.#solveBatch(this.#solver, parser.headValue, counter)
          : null;
      if (failure !== null) return failure;
      if (isLast) break;
    }
    return counter.counts;
  }

  /** Solves and counts the cases that have come together. Returns the failure of the solver if it fails on one of them. */
  async #solveBatch(
    solver: Solver<unknown, unknown>,
    head: unknown,
    counter: CaseCounter,
  ): Promise<SliceFailure | null> {
    const nimbers = this.#problem.hasNimbers ? [] : undefined;
    const solving = solver.solve(this.#cases, this.#indices.length, this.#answers, {
      firstCase: 1,
      head,
      nimbers,
    });
    if (solving instanceof Promise) await solving;
    for (const [i, index] of this.#indices.entries()) {
      const answer = this.#answers[i];
      if (answer instanceof CaseFailure)
        return { failedAt: index, reason: answer.reason, isMistake: answer.kind === 'author' };
      counter.add(answer, nimbers?.[i], index);
    }
    this.#indices = [];
    return null;
  }

  /**
   * Returns the first `count` candidates, with null in place of those that `valid` of the module refuses. It is asked about all
   * at once: to ask about each took most of the time of a census.
   */
  async #dropInvalid(listed: Iterable<unknown>, count: number, { head }: WorkerTask): Promise<unknown[]> {
    const out = new ByteWriter();
    const candidates: unknown[] = [];
    for (const candidate of listed) if (candidates.push(candidate) === count) break;
    const printed = candidates.flatMap((candidate) => {
      if (candidate === null) return [];
      this.#problem.inputFormat.printCase(candidate, out);
      return [out.take()];
    });
    // The progress of the task is that of the slice, which is its only case.
    const reasons = await this.#askValid({ head, cases: printed, progress: allocateSharedProgress() });
    const reasonsInTurn = reasons.values();
    return candidates.map((candidate) =>
      candidate !== null && reasonsInTurn.next().value === null ? candidate : null,
    );
  }
}

/** Copies a board, into an earlier copy if there is one. The listing writes the next board into the same memory. */
function copyBoard({ rows, cols, cells }: Board, copy: Board | undefined): Board {
  if (copy?.cells.length !== cells.length) return { rows, cols, cells: cells.slice() };
  copy.rows = rows;
  copy.cols = cols;
  copy.cells.set(cells);
  return copy;
}

/** Counts cases by their values and answers. */
class CaseCounter {
  readonly #problem: Problem;
  #cases = 0;
  readonly #values = new Map<string, number>();
  /** Number of cases by printed answer, and the printed form of answers that are no objects. */
  readonly #answers = new Map<string, number>();
  readonly #plainAnswers = new Map<unknown, string>();
  /** False if there are too many answers, or one that is too long. */
  #areAnswersCounted = true;
  #largest: LargestCase | null = null;

  constructor(problem: Problem) {
    this.#problem = problem;
  }

  add(answer: unknown, nimber: number | undefined, index: number): void {
    const { caseValues } = this.#problem;
    this.#cases++;
    if (this.#areAnswersCounted) this.#addAnswer(this.#labelOf(answer));
    const value = caseValues?.of(answer, nimber);
    if (value === undefined) return;
    increment(this.#values, value.label);
    const { size } = value;
    if (size !== null && (this.#largest === null || size > this.#largest.size))
      this.#largest = { size, index };
  }

  get counts(): CensusCounts {
    return {
      cases: this.#cases,
      values: this.#values,
      answers: this.#areAnswersCounted ? this.#answers : null,
      largest: this.#largest,
    };
  }

  #addAnswer(label: string): void {
    increment(this.#answers, label);
    this.#areAnswersCounted =
      label.length <= MAX_CENSUS_ANSWER_CHARS && this.#answers.size <= MAX_CENSUS_ANSWERS;
  }

  #labelOf(answer: unknown): string {
    const known = this.#plainAnswers.get(answer);
    if (known !== undefined) return known;
    const label = answerInWords(this.#problem.answerFormat, answer, 1);
    if (typeof answer !== 'object' && this.#plainAnswers.size <= MAX_CENSUS_ANSWERS)
      this.#plainAnswers.set(answer, label);
    return label;
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
