/**
 * Divides cases into runs of a program of `--exec`, makes the input of each run, and reads the answers that the program prints.
 */
import { KIB, skipWhitespace } from '../../core/bytes.js';
import { describeMismatch, type Fault, pluralize } from '../../core/errors.js';
import { measureSpan } from '../../core/location.js';
import type { AnswerExtent, AnswerScope } from '../../formats/answer-format.js';
import { quoteAnswer, quoteUnlabelled } from '../../formats/answers/answer-text.js';
import { InputAssembly, UnfitCasesError } from '../../formats/assemble-input.js';
import type { Problem, SumConstraints } from '../../problems/problem.js';
import { CaseSums } from '../cut/case-sums.js';
import type { CaseFault, ChunkTask } from '../messages.js';

/**
 * A program that plays a board game may print EXEC_OUTPUT_BYTES, and EXEC_OUTPUT_PER_INPUT_BYTE more for each byte of its
 * input. Correct answers are always shorter: the smallest case has 6 bytes (`1 1` and a cell), and its answer has at most
 * 30 bytes. For any other problem, the bound is the largest answer and EXEC_OUTPUT_PER_INPUT_BYTE for each byte.
 */
const EXEC_OUTPUT_PER_INPUT_BYTE = 8;
const EXEC_OUTPUT_BYTES = 64 * KIB;

/** A case of the chunk after parsing. */
export interface ParsedCase {
  readonly index: number;
  /** The parsed value of the case, which the answer format needs to read the answer. Null if the case is invalid. */
  readonly scope: AnswerScope | null;
  /**
   * What is wrong with the case; null if the case is valid. boardmill does not pass a case with a fault to the
   * program.
   */
  readonly fault: Fault | null;
}

/** An answer that the program printed, and its place in the output. */
export interface ProgramAnswer extends Readonly<AnswerExtent> {
  readonly value: unknown;
}

interface OutputMistake {
  readonly reason: string;
  readonly suspects: readonly ParsedCase[];
  /** Whether the output ends before all cases have an answer. */
  readonly isTooShort: boolean;
}

/** The answers that the program printed, up to the first error. */
interface ProgramAnswers {
  readonly answers: readonly ProgramAnswer[];
  /**
   * The first error after the good answers in the program's output, and the cases that may be its cause. Null if the
   * output has no error.
   */
  readonly mistake: OutputMistake | null;
}

/** Returns the number of bytes that a program may print for an input of this size. */
export function maxOutputBytes({ boardLines, answerFormat }: Problem, inputBytes: number): number {
  const constantPart = boardLines === undefined ? answerFormat.maxAnswerBytes : EXEC_OUTPUT_BYTES;
  return constantPart + EXEC_OUTPUT_PER_INPUT_BYTE * inputBytes;
}

/** Parses the cases of a chunk. Under `--on-error stop`, parsing ends after the first invalid case. */
export function parseCases(
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

/** Returns the fault of an invalid case, for the result of its chunk. */
export function createCaseFault(
  bytes: Uint8Array,
  index: number,
  fault: Fault,
  outputOffset: number,
): CaseFault {
  const { offset, expected, got } = fault;
  const span = measureSpan(bytes, 0, offset);
  return { cause: { kind: 'input', expected, got }, index, span, outputOffset, bytes: null };
}

/**
 * Divides cases into runs of the program. A run has at most `casesPerRun` cases, and the sums over its cases stay within the
 * bounds of the contest. A single case that exceeds a bound gets a run of its own.
 */
export function divideIntoProgramRuns(
  cases: readonly ParsedCase[],
  casesPerRun: number,
  totals: SumConstraints | null,
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

const ONE_ANSWER_HINT =
  'with --multitest it must answer each case; if its input is one case, which has one answer, leave out --multitest';

/**
 * Returns a description of the mistake if a program has printed one answer to several cases of a grammar, as if the input were
 * one case; otherwise returns null. Run on each case alone, such a program would print answers that all look right.
 */
export function describeSharedAnswer(
  { answerFormat, reading }: Problem,
  { answers, mistake }: ProgramAnswers,
  cases: readonly ParsedCase[],
): string | null {
  if (reading?.isMultitest !== true || answerFormat.hasLabels) return null;
  const isOneAnswer = mistake?.isTooShort === true && answers.length === 1 && cases.length > 1;
  return isOneAnswer ? `${mistake.reason}: ${ONE_ANSWER_HINT}` : null;
}

/** Returns a complete input that has only the given cases of a chunk, without the invalid cases between them. */
export function inputOfCases(
  { inputFormat }: Problem,
  { bytes, starts, head }: ChunkTask,
  cases: readonly ParsedCase[],
): Uint8Array {
  const input = new InputAssembly(inputFormat, cases.length, head.bytes);
  for (const { index, scope } of cases)
    input.addValue(scope?.value ?? null, bytes.subarray(starts[index], starts[index + 1]));
  return input.finish();
}

/**
 * Returns a complete input that has all cases of a chunk, whose bytes the scanner has checked. Returns null if the cases must
 * be parsed. The last case is parsed, because in the input it may be followed by something else than the end.
 */
export function inputOfCanonicalCases(problem: Problem, task: ChunkTask): Uint8Array | null {
  const { inputFormat, totals } = problem;
  const { bytes, starts, firstCase, head, canonicalCases = 0 } = task;
  const last = starts.length - 2;
  const mustParse = task.isSolvedOneByOne || totals !== undefined || inputFormat.joint?.needsWhole === true;
  if (mustParse || last === 0 || canonicalCases < last) return null;
  const [{ scope }] = parseCases(problem, {
    ...task,
    starts: starts.subarray(last),
    firstCase: firstCase + last,
  });
  if (scope === null) return null;
  const input = new InputAssembly(inputFormat, last + 1, head.bytes);
  input.addCanonical(bytes.subarray(starts[0], starts[last]), last);
  input.addValue(scope.value, bytes.subarray(starts[last], starts[last + 1]));
  return input.finish();
}

/** Whether the given cases of a chunk can form a complete, valid input. */
export function canFormInput(problem: Problem, task: ChunkTask, cases: readonly ParsedCase[]): boolean {
  if (problem.inputFormat.joint === undefined) return true;
  try {
    inputOfCases(problem, task, cases);
    return true;
  } catch (error) {
    if (error instanceof UnfitCasesError) return false;
    throw error;
  }
}

/** Reads the answers that the program has printed in a run with the given cases. */
export function readProgramAnswers(
  problem: Problem,
  out: Uint8Array,
  cases: readonly ParsedCase[],
): ProgramAnswers {
  const format = problem.answerFormat;
  const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
  const answers: ProgramAnswer[] = [];
  const stopReading = (
    reason: string,
    suspects: readonly ParsedCase[],
    isTooShort = false,
  ): ProgramAnswers => ({ answers, mistake: { reason, suspects, isTooShort } });
  const findNextAnswer = (scope: AnswerScope | null) =>
    format.find(out, extent.end, out.length, true, extent, scope);
  for (const [index, parsed] of cases.entries()) {
    const { scope } = parsed;
    if (!findNextAnswer(scope)) {
      const reason = `printed ${pluralize(index, 'answer')} for ${pluralize(cases.length, 'case')}`;
      // If answers have no labels such as "Case #1:", any of the cases may be the case without an answer.
      return stopReading(reason, format.hasLabels ? cases.slice(index) : cases, true);
    }
    const isExpectedCase = !format.hasLabels || extent.caseNumber === index + 1;
    const answer = isExpectedCase ? format.parse(out, extent, scope) : null;
    if (answer === null) {
      const expected = isExpectedCase ? format.describe(scope) : `"${format.label(index + 1)}"`;
      const got = isExpectedCase
        ? quoteAnswer(out, extent.bodyStart, extent.end)
        : quoteUnlabelled(out, extent.start, extent.end);
      return stopReading(`printed a malformed answer: ${describeMismatch({ expected, got })}`, [parsed]);
    }
    const { start, bodyStart, end, caseNumber } = extent;
    answers.push({ start, bodyStart, end, caseNumber, value: answer });
  }
  const rest = skipWhitespace(out, extent.end, out.length);
  if (rest === out.length) return { answers, mistake: null };
  const surplus = quoteAnswer(out, rest, out.length);
  return stopReading(`printed more than ${pluralize(cases.length, 'answer')}: ${surplus}`, cases);
}
