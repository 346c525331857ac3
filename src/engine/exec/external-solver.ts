/**
 * The dispatcher of `--exec`: an external program solves the chunks. Each run of the program gets a complete, valid
 * input. boardmill reads the answers that the program prints, checks whether they fit the boards, and prints them
 * again with the case numbers of the whole input.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { ByteWriter, skipBlanks } from '../../core/bytes.js';
import { describeMismatch, type Fault, pluralize } from '../../core/errors.js';
import { measureSpan } from '../../core/location.js';
import type { CaseRange } from '../../core/range.js';
import type { AnswerExtent, AnswerScope } from '../../formats/answer-format.js';
import { quoteAnswer } from '../../formats/answer-text.js';
import { assembleInput, assertDivisible } from '../../formats/assemble-input.js';
import { printerFor } from '../../problems/output-formats.js';
import type { CaseTotals, Problem } from '../../problems/problem.js';
import { CaseSums } from '../case-sums.js';
import { createResult } from '../chunk-result.js';
import { ChunkFailure, type Dispatcher } from '../dispatcher.js';
import { EXEC_OUTPUT_BYTES, EXEC_OUTPUT_PER_INPUT_BYTE } from '../limits.js';
import type { CaseFault, ChunkResult, ChunkTask } from '../messages.js';
import { findExecutable, Program } from './program.js';

export interface ExecOptions {
  readonly problem: Problem;
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** Largest number of runs of the program at the same time. */
  readonly jobs: number;
  /** Largest number of cases that one run of the program gets. */
  readonly casesPerRun: number;
  /**
   * Time limit for one test case, in seconds; null if there is no limit. A run of the program with several cases gets
   * this time for each case.
   */
  readonly timeoutSeconds: number | null;
  /**
   * Whether a run with several cases gets only the time of one. A caller that wants this finds out itself whether one of
   * the cases takes too long.
   */
  readonly hasTimeOfOneCase?: boolean;
}

/** A case of the chunk after parsing. */
interface ParsedCase {
  readonly index: number;
  /** The value of the case, which says how long its answer is. Null if the case is bad. */
  readonly scope: AnswerScope | null;
  /**
   * What is wrong with the case; null if the case is valid. boardmill does not pass a case with a fault to the
   * program.
   */
  readonly fault: Fault | null;
}

/** The answers that the program printed, up to the first error. */
interface ProgramAnswers {
  readonly answers: readonly unknown[];
  /**
   * The first error after the good answers in the program's output, and the cases that may be its cause. Null if the
   * output has no error.
   */
  readonly mistake: { readonly reason: string; readonly suspects: readonly ParsedCase[] } | null;
}

export class ExternalSolver implements Dispatcher {
  readonly maxChunksAtOnce: number;
  readonly maxCasesPerChunk: number;
  readonly #options: ExecOptions;
  readonly #program: Program;
  /** Limits how many runs of the program there are at the same time, in total over all input files. */
  readonly #limitRuns: LimitFunction;

  /** Opens the dispatcher for a program. Fails with kind `usage` if the program does not exist or cannot be run. */
  static async open(options: ExecOptions): Promise<ExternalSolver> {
    assertDivisible(options.problem.inputFormat);
    await findExecutable(options.argv);
    return new ExternalSolver(options);
  }

  private constructor(options: ExecOptions) {
    this.maxChunksAtOnce = options.jobs;
    this.maxCasesPerChunk = options.casesPerRun;
    this.#options = options;
    this.#program = new Program(options.argv);
    this.#limitRuns = pLimit(options.jobs);
  }

  solve(task: ChunkTask): Promise<ChunkResult> {
    return this.#limitRuns(() => this.#solve(task));
  }

  async #solve(task: ChunkTask): Promise<ChunkResult> {
    const begin = performance.now();
    const cases = parseCases(this.#options.problem, task);
    const goodCases = cases.filter(({ fault }) => fault === null);
    const casesPerRun = task.isSolvedOneByOne ? 1 : this.maxCasesPerChunk;
    const answers: unknown[] = [];
    for (const run of cutIntoRuns(goodCases, casesPerRun, this.#options.problem.totals ?? null)) {
      for (const answer of await this.runProgram(task, run)) answers.push(answer);
    }
    return this.#print(task, cases, answers, performance.now() - begin);
  }

  async close(): Promise<void> {
    this.#program.close();
  }

  /** Runs the program on the given cases of a chunk, and returns the program's answers. */
  async runProgram(task: ChunkTask, cases: readonly ParsedCase[]): Promise<readonly unknown[]> {
    const { problem, timeoutSeconds, hasTimeOfOneCase = false } = this.#options;
    const input = assembleInput(problem.inputFormat, bytesOf(task, cases), cases.length, task.head.bytes);
    const timedCases = hasTimeOfOneCase ? 1 : cases.length;
    const { stdout, failure } = await this.#program.run(input, {
      timeoutMs: timeoutSeconds === null ? null : timeoutSeconds * timedCases * 1000,
      outputBytes: maxOutputBytes(problem, input.length),
    });
    const { answers, mistake } = readAnswers(problem, stdout, cases);
    if (failure !== null) {
      const reason =
        failure.kind === 'timeout' ? `no answer within ${timeoutSeconds} s` : `the program ${failure.reason}`;
      // If the program has answered a case, that case is no suspect.
      throw new ChunkFailure(failure.kind, reason, rangeOf(task, cases.slice(answers.length)));
    }
    if (mistake !== null) {
      throw new ChunkFailure('crash', `the program ${mistake.reason}`, rangeOf(task, mistake.suspects));
    }
    return answers;
  }

  #print(
    task: ChunkTask,
    cases: readonly ParsedCase[],
    answers: readonly unknown[],
    ms: number,
  ): ChunkResult {
    const { bytes, starts, firstCase, settings } = task;
    const { printAnswer } = printerFor(settings.outputFormat);
    const out = new ByteWriter();
    const faults: CaseFault[] = [];
    let answeredCases = 0;
    for (const { index, fault } of cases) {
      if (fault !== null) faults.push(createCaseFault(bytes, index, fault, out.length));
      else printAnswer(this.#options.problem.answerFormat, answers[answeredCases++], firstCase + index, out);
    }
    // The times of single cases are not known. So all cases of the chunk count as one slow case, which has the number
    // of the first case and the mean time of all cases.
    const slowest = {
      case: firstCase + (cases.find(({ fault }) => fault === null)?.index ?? 0),
      seconds: ms / 1000 / answeredCases,
    };
    return createResult({
      output: out.take(),
      answeredCases,
      faults,
      span: measureSpan(bytes, 0, starts[starts.length - 1]),
      solver: 'exec',
      times: { parse: 0, solve: ms, print: 0 },
      slowest: answeredCases > 0 ? [slowest] : [],
    });
  }
}

/** Returns the number of bytes that a program may print for an input of this size. */
export function maxOutputBytes({ boardLines, answerFormat }: Problem, inputBytes: number): number {
  const constantPart = boardLines === undefined ? answerFormat.maxAnswerBytes : EXEC_OUTPUT_BYTES;
  return constantPart + EXEC_OUTPUT_PER_INPUT_BYTE * inputBytes;
}

/** Parses the cases of a chunk. Under `--on-error stop`, parsing ends after the first bad case. */
function parseCases(
  { inputFormat }: Problem,
  { bytes, starts, firstCase, head, settings }: ChunkTask,
): ParsedCase[] {
  const parser = inputFormat.createParser();
  parser.useHead(head.bytes);
  const cases: ParsedCase[] = [];
  for (let index = 0; index + 1 < starts.length; index++) {
    parser.useIndex?.(firstCase + index - 1);
    const value = parser.parse(bytes, starts[index], starts[index + 1], null);
    const scope = value === null ? null : { value, head: parser.headValue };
    cases.push({ index, scope, fault: value === null ? parser.fault : null });
    if (settings.onError === 'stop' && value === null) break;
  }
  return cases;
}

/**
 * Cuts cases into runs of the program. A run has at most `casesPerRun` cases, and as a contest file, it keeps every sum
 * over its cases within its bound. A single case that exceeds a bound gets a run of its own.
 */
function cutIntoRuns(
  cases: readonly ParsedCase[],
  casesPerRun: number,
  totals: CaseTotals | null,
): ParsedCase[][] {
  const runs: ParsedCase[][] = [];
  let sums: CaseSums | null = null;
  for (const parsed of cases) {
    const run = runs.at(-1);
    const { value, head } = parsed.scope!;
    sums?.add(value, head);
    if (run !== undefined && run.length < casesPerRun && (sums?.findLarge() ?? []).length === 0) {
      run.push(parsed);
      continue;
    }
    runs.push([parsed]);
    sums = totals && new CaseSums(totals);
    sums?.add(value, head);
  }
  return runs;
}

/** Returns the bytes of the given cases of a chunk, without the bad cases between them. */
function bytesOf({ bytes, starts }: ChunkTask, cases: readonly ParsedCase[]): Uint8Array {
  return Buffer.concat(cases.map(({ index }) => bytes.subarray(starts[index], starts[index + 1])));
}

/** Returns the range of case numbers from the first to the last of the given cases, or null if no cases are given. */
function rangeOf({ firstCase }: ChunkTask, cases: readonly ParsedCase[]): CaseRange | null {
  if (cases.length === 0) return null;
  return { from: firstCase + cases[0].index, to: firstCase + cases[cases.length - 1].index };
}

function createCaseFault(bytes: Uint8Array, index: number, fault: Fault, outputOffset: number): CaseFault {
  const { offset, expected, got } = fault;
  const span = measureSpan(bytes, 0, offset);
  return { cause: { kind: 'input', expected, got }, index, span, outputOffset, bytes: null };
}

function readAnswers(problem: Problem, out: Uint8Array, cases: readonly ParsedCase[]): ProgramAnswers {
  const format = problem.answerFormat;
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  const answers: unknown[] = [];
  const stopReading = (reason: string, suspects: readonly ParsedCase[]): ProgramAnswers => ({
    answers,
    mistake: { reason, suspects },
  });
  const findNextAnswer = (scope: AnswerScope | null) =>
    format.find(out, extent.end, out.length, true, extent, scope);
  for (const [index, parsed] of cases.entries()) {
    const { scope } = parsed;
    if (!findNextAnswer(scope)) {
      const reason = `printed ${pluralize(index, 'answer')} for ${pluralize(cases.length, 'case')}`;
      // If answers have no labels such as "Case #1:", any of the cases may be the case without an answer.
      return stopReading(reason, format.hasLabels ? cases.slice(index) : cases);
    }
    const isExpectedCase = !format.hasLabels || extent.caseNumber === index + 1;
    const answer = isExpectedCase ? format.parse(out, extent, scope) : null;
    if (answer === null) {
      const expected = isExpectedCase ? format.describe(scope) : `"${format.label(index + 1)}"`;
      const got = quoteAnswer(out, isExpectedCase ? extent.bodyStart : extent.start, extent.end);
      return stopReading(`printed a malformed answer: ${describeMismatch({ expected, got })}`, [parsed]);
    }
    answers.push(answer);
  }
  const end = skipBlanks(out, extent.end, out.length);
  if (end === out.length) return { answers, mistake: null };
  const surplus = quoteAnswer(out, end, out.length);
  return stopReading(`printed more than ${pluralize(cases.length, 'answer')}: ${surplus}`, cases);
}
