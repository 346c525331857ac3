/**
 * The other dispatcher of one machine: an external program solves the chunks (`--exec`). A run of the program gets
 * a well-formed input of its own; what it prints is read back, held to the boards, and printed anew with the case
 * numbers of the whole input.
 */

import pLimit, { type LimitFunction } from 'p-limit';
import { ByteWriter } from '../../core/bytes.js';
import { describeMismatch, type Fault, pluralize } from '../../core/errors.js';
import { measureSpan } from '../../core/location.js';
import type { CaseRange } from '../../core/range.js';
import { type AnswerExtent, type BoardSize, quoteAnswer } from '../../problems/answer-format.js';
import { printerFor } from '../../problems/output-formats.js';
import type { Board, Problem } from '../../problems/problem.js';
import { createResult } from '../chunk-result.js';
import { ChunkFailure, type Dispatcher } from '../dispatcher.js';
import { EXEC_OUTPUT_BYTES, EXEC_OUTPUT_PER_INPUT_BYTE } from '../limits.js';
import type { CaseFault, ChunkResult, ChunkTask } from '../messages.js';
import { findExecutable, Program } from './program.js';

export interface ExecOptions {
  readonly problem: Problem<unknown>;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Programs that run at a time. */
  readonly jobs: number;
  /** Most cases that a run of the program gets. */
  readonly casesPerRun: number;
  /** For one test case: a run gets as many times as long as it has cases. Null: none. */
  readonly timeoutSeconds: number | null;
}

/** A case of the chunk, held to the format. */
interface ReadCase extends BoardSize {
  readonly index: number;
  /** What breaks the format; the program is not given such a case. Null: nothing. */
  readonly fault: Fault | null;
}

/** The answers in what the program printed, up to the first thing that is wrong. */
interface ProgramAnswers {
  readonly answers: readonly unknown[];
  /** What is wrong after these answers, and which cases may be the cause; null: nothing. */
  readonly wrong: { readonly reason: string; readonly suspects: readonly ReadCase[] } | null;
}

export class ExternalSolver implements Dispatcher {
  readonly slots: number;
  readonly chunkCases: number;
  readonly #options: ExecOptions;
  readonly #program: Program;
  /** Several files may be solved at a time: together they run no more programs than one. */
  readonly #inTurn: LimitFunction;

  /** Fails with kind `usage` where there is no such program. */
  static async open(options: ExecOptions): Promise<ExternalSolver> {
    await findExecutable(options.argv);
    return new ExternalSolver(options);
  }

  private constructor(options: ExecOptions) {
    this.slots = options.jobs;
    this.chunkCases = options.casesPerRun;
    this.#options = options;
    this.#program = new Program(options.argv);
    this.#inTurn = pLimit(options.jobs);
  }

  solve(task: ChunkTask): Promise<ChunkResult> {
    return this.#inTurn(() => this.#solve(task));
  }

  async #solve(task: ChunkTask): Promise<ChunkResult> {
    const begin = performance.now();
    const cases = readCases(this.#options.problem, task);
    const good = cases.filter(({ fault }) => fault === null);
    const step = task.oneByOne ? 1 : this.chunkCases;
    const answers: unknown[] = [];
    for (let from = 0; from < good.length; from += step) {
      for (const answer of await this.runProgram(task, good.slice(from, from + step))) answers.push(answer);
    }
    return this.#print(task, cases, answers, performance.now() - begin);
  }

  async close(): Promise<void> {
    this.#program.close();
  }

  /** The answers of one run of the program. */
  async runProgram(task: ChunkTask, cases: readonly ReadCase[]): Promise<readonly unknown[]> {
    const { problem, timeoutSeconds } = this.#options;
    const input = problem.inputFormat.assembleInput(bytesOf(task, cases), cases.length, task.id);
    const { stdout, failure } = await this.#program.run(input, {
      timeoutMs: timeoutSeconds === null ? null : timeoutSeconds * cases.length * 1000,
      outputBytes: EXEC_OUTPUT_BYTES + EXEC_OUTPUT_PER_INPUT_BYTE * input.length,
    });
    const { answers, wrong } = readAnswers(problem, stdout, cases);
    if (failure !== null) {
      const reason =
        failure.kind === 'timeout' ? `no answer within ${timeoutSeconds} s` : `the program ${failure.reason}`;
      // A program that has answered a case is done with it.
      throw new ChunkFailure(failure.kind, reason, rangeOf(task, cases.slice(answers.length)));
    }
    if (wrong !== null) {
      throw new ChunkFailure('crash', `the program ${wrong.reason}`, rangeOf(task, wrong.suspects));
    }
    return answers;
  }

  #print(task: ChunkTask, cases: readonly ReadCase[], answers: readonly unknown[], ms: number): ChunkResult {
    const { bytes, starts, firstCase, settings } = task;
    const { printAnswer } = printerFor(settings.outputFormat);
    const out = new ByteWriter();
    const faults: CaseFault[] = [];
    let answered = 0;
    for (const { index, fault } of cases) {
      if (fault !== null) faults.push(placeFault(bytes, index, fault, out.length));
      else printAnswer(this.#options.problem, answers[answered++], firstCase + index, out);
    }
    // How long each took is not known: they count the mean, as the first of them.
    const slowest = {
      case: firstCase + (cases.find(({ fault }) => fault === null)?.index ?? 0),
      seconds: ms / 1000 / answered,
    };
    return createResult({
      output: out.take(),
      answered,
      faults,
      span: measureSpan(bytes, 0, starts[starts.length - 1]),
      solver: 'exec',
      times: { parse: 0, solve: ms, print: 0 },
      slowest: answered > 0 ? [slowest] : [],
    });
  }
}

/** Under `stop` the first bad case is the last. */
function readCases(problem: Problem<unknown>, { bytes, starts, settings }: ChunkTask): ReadCase[] {
  const board: Board = { rows: 0, cols: 0, cells: new Uint8Array(0) };
  const cases: ReadCase[] = [];
  for (let index = 0; index + 1 < starts.length; index++) {
    const fault = problem.inputFormat.parseCase(bytes, starts[index], starts[index + 1], board);
    cases.push({ index, rows: board.rows, cols: board.cols, fault });
    if (settings.onError === 'stop' && fault !== null) break;
  }
  return cases;
}

/** Those cases as they stand in the chunk, without the bad ones between them. */
function bytesOf({ bytes, starts }: ChunkTask, cases: readonly ReadCase[]): Uint8Array {
  return Buffer.concat(cases.map(({ index }) => bytes.subarray(starts[index], starts[index + 1])));
}

/** The range from the first to the last of those cases of the chunk; null: there are none. */
function rangeOf({ firstCase }: ChunkTask, cases: readonly ReadCase[]): CaseRange | null {
  if (cases.length === 0) return null;
  return { from: firstCase + cases[0].index, to: firstCase + cases[cases.length - 1].index };
}

function placeFault(bytes: Uint8Array, index: number, fault: Fault, outputOffset: number): CaseFault {
  const { offset, expected, got } = fault;
  const span = measureSpan(bytes, 0, offset);
  return { why: { kind: 'input', expected, got }, index, span, outputOffset, bytes: null };
}

function readAnswers(problem: Problem<unknown>, out: Uint8Array, cases: readonly ReadCase[]): ProgramAnswers {
  const format = problem.answerFormat;
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  const answers: unknown[] = [];
  const wrongAt = (reason: string, suspects: readonly ReadCase[]): ProgramAnswers => ({
    answers,
    wrong: { reason, suspects },
  });
  const find = () => format.find(out, extent.end, out.length, true, extent);
  for (const [index, board] of cases.entries()) {
    if (!find()) {
      const reason = `printed ${pluralize(index, 'answer')} for ${pluralize(cases.length, 'case')}`;
      // Without labels, any of the cases may be the one that has no answer.
      return wrongAt(reason, format.hasLabels ? cases.slice(index) : cases);
    }
    const isDue = !format.hasLabels || extent.caseNumber === index + 1;
    const answer = isDue ? format.parse(out, extent, board) : null;
    if (answer === null) {
      const expected = isDue ? format.describe(board) : `"${format.label(index + 1)}"`;
      const got = quoteAnswer(out, isDue ? extent.bodyStart : extent.start, extent.end);
      return wrongAt(`printed a malformed answer: ${describeMismatch({ expected, got })}`, [board]);
    }
    answers.push(answer);
  }
  if (!find()) return { answers, wrong: null };
  const more = quoteAnswer(out, extent.start, extent.end);
  return wrongAt(`printed more than ${pluralize(cases.length, 'answer')}: ${more}`, cases);
}
