/**
 * Judges programs: runs each of them on the cases of an input, and compares their answers with the right ones. The judge
 * is the sink of a run of the engine: the run hands over each case, and the right answer if the solver has found it.
 */

import { decodeText } from '../../core/bytes.js';
import {
  type AnswerComparator,
  type AnswerPair,
  type ByteRange,
  compareAnswerPair,
} from '../../engine/comparators.js';
import type { InputHeadOfTask } from '../../engine/messages.js';
import type { RunPosition } from '../../engine/position.js';
import type { PrintedAnswer } from '../../engine/printed-answer.js';
import type { CasesWithoutAnswers, Sink } from '../../engine/sink.js';
import type { CaseOutcome, JudgedProgram, Verdict } from '../../engine/verdict.js';
import type { AnswerExtent, AnswerFormat, AnswerScope } from '../../formats/answer-format.js';
import type { Problem } from '../../problems/problem.js';
import { AnswerScopeParser } from '../cases/case-scopes.js';
import { MAX_SHOWN_BYTES } from '../compare/compare.js';

/** The verdict on one program for one case. */
export interface JudgedCase {
  readonly verdict: Verdict;
  /** Why the verdict is not AC; null if the answer is merely another one. */
  readonly reason: string | null;
  readonly seconds: number;
  readonly cpuSeconds: number | null;
  /** The right answer and the program's, as JSON; the latter is a text if it is malformed, and null if there is none. */
  readonly expected: unknown;
  readonly got: unknown;
}

/** A case with the verdicts of all programs, in the order of the programs. */
export interface JudgedRow {
  readonly caseNumber: number;
  /** The bytes of the case in the input. */
  readonly bytes: Uint8Array;
  readonly head: InputHeadOfTask;
  /** The right answer. */
  readonly expected: PrintedAnswer;
  readonly results: readonly JudgedCase[];
}

/** A source of the right answers: one for each case, in the order of the cases. */
export interface RightAnswers {
  /** Returns the right answer to the next case. `scope` is the parsed case, if the answer format needs it. */
  next(scope: AnswerScope | null, caseNumber: number): Promise<PrintedAnswer>;
}

interface JudgeOptions {
  readonly problem: Problem;
  readonly programs: readonly JudgedProgram[];
  readonly comparator: AnswerComparator;
  /** The right answers from a file; null if the run of the engine brings them. */
  readonly answers: RightAnswers | null;
  /** Largest number of groups of cases that are judged at the same time. */
  readonly maxRunning: number;
  /** Receives the cases in order. */
  readonly onCase: (row: JudgedRow) => Promise<void>;
}

/** Consecutive cases that the programs are being run on. */
interface Group {
  readonly cases: CasesWithoutAnswers;
  readonly firstCase: number;
  readonly expected: readonly PrintedAnswer[];
  /** The outcomes of each program. */
  readonly outcomes: Promise<readonly (readonly CaseOutcome[])[]>;
}

/** The right answer to a case, and what is needed to compare others with it. */
interface DueAnswer {
  readonly pair: Omit<AnswerPair, 'got'>;
  readonly scope: AnswerScope | null;
}

export class JudgingSink implements Sink {
  readonly wantsCases = true;
  readonly #options: JudgeOptions;
  readonly #format: AnswerFormat;
  readonly #scopes: AnswerScopeParser;
  #givenCases = 0;
  readonly #groups: Group[] = [];

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#format = options.problem.answerFormat;
    this.#scopes = new AnswerScopeParser(options.problem.inputFormat);
  }

  /** Starts the programs on the next cases. `answers` are the right answers, unless they come from a file. */
  async write(
    answers: Uint8Array,
    _position: RunPosition | null,
    cases?: CasesWithoutAnswers,
  ): Promise<void> {
    if (cases === undefined) throw new Error('the judge needs the cases');
    if (cases.count > 0) await this.#start(withoutUnanswered(cases), answers);
  }

  async #start(cases: CasesWithoutAnswers, answers: Uint8Array): Promise<void> {
    const firstCase = this.#givenCases + 1;
    this.#givenCases += cases.count;
    const expected = await this.#rightAnswersTo(cases, firstCase, answers);
    const outcomes = Promise.all(this.#options.programs.map((program) => program.run(cases, firstCase)));
    // The outcomes are awaited after those of earlier groups, one of which may fail first.
    outcomes.catch(() => {});
    this.#groups.push({ cases, firstCase, expected, outcomes });
    while (this.#groups.length > this.#options.maxRunning) await this.#reportFirstGroup();
  }

  /** Waits until all cases are judged and reported. */
  async finish(): Promise<void> {
    while (this.#groups.length > 0) await this.#reportFirstGroup();
  }

  async abandon(): Promise<boolean> {
    return false;
  }

  async #rightAnswersTo(
    cases: CasesWithoutAnswers,
    firstCase: number,
    answers: Uint8Array,
  ): Promise<PrintedAnswer[]> {
    const source = this.#options.answers ?? new PrintedAnswers(this.#format, answers);
    const expected: PrintedAnswer[] = [];
    for (let index = 0; index < cases.count; index++)
      expected.push(await source.next(this.#scopeOf(cases, index, firstCase), firstCase + index));
    return expected;
  }

  #scopeOf(
    { bytes, starts, head }: CasesWithoutAnswers,
    index: number,
    firstCase: number,
  ): AnswerScope | null {
    if (!this.#format.needsCase) return null;
    const caseBytes = bytes.subarray(starts[index], starts[index + 1]);
    return this.#scopes.scopeOf(caseBytes, firstCase + index - 1, head);
  }

  async #reportFirstGroup(): Promise<void> {
    const [group] = this.#groups;
    const outcomes = await group.outcomes;
    this.#groups.shift();
    const { cases, firstCase } = group;
    for (let index = 0; index < cases.count; index++) {
      const bytes = cases.bytes.subarray(cases.starts[index], cases.starts[index + 1]);
      const scope = this.#scopeOf(cases, index, firstCase);
      const expected = group.expected[index];
      const right = { bytes: expected.bytes, from: expected.start, to: expected.end };
      const due = {
        pair: { caseNumber: firstCase + index, caseBytes: bytes, head: cases.head, expected: right },
        scope,
      };
      const shown = this.#toJson(right, scope);
      const results = await Promise.all(
        outcomes.map((ofProgram) => this.#judgeCase(due, shown, ofProgram[index])),
      );
      await this.#options.onCase({
        caseNumber: firstCase + index,
        bytes,
        head: cases.head,
        expected,
        results,
      });
    }
  }

  /** Judges the outcome of one program. `expected` is the right answer as JSON. */
  async #judgeCase({ pair, scope }: DueAnswer, expected: unknown, outcome: CaseOutcome): Promise<JudgedCase> {
    const { answer, failure, seconds, cpuSeconds } = outcome;
    const shown = { seconds, cpuSeconds, expected, got: answer && this.#toJson(answer, scope) };
    if (failure !== null || answer === null)
      return { verdict: failure?.verdict ?? 'WA', reason: failure?.reason ?? null, ...shown };
    const mismatch = await compareAnswerPair(this.#options.comparator, { ...pair, got: answer });
    return { verdict: mismatch === null ? 'AC' : 'WA', reason: mismatch?.reason ?? null, ...shown };
  }

  /** Returns an answer as JSON, or as a text if it is malformed. */
  #toJson({ bytes, from, to }: ByteRange, scope: AnswerScope | null): unknown {
    const extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };
    const isFound = this.#format.find(bytes, from, to, true, extent, scope);
    const answer = isFound ? this.#format.parse(bytes, extent, scope) : null;
    if (answer !== null) return this.#format.toJson(answer);
    const text = bytes.subarray(from, Math.min(to, from + MAX_SHOWN_BYTES));
    return decodeText(text).trimEnd();
  }
}

/** Leaves out the cases that have no answer because an invalid case stopped the run. */
function withoutUnanswered(cases: CasesWithoutAnswers): CasesWithoutAnswers {
  return { ...cases, starts: cases.starts.subarray(0, cases.count + 1) };
}

/** The right answers to the cases of a chunk, as boardmill's solver or the program of `--reference` has printed them. */
class PrintedAnswers implements RightAnswers {
  readonly #format: AnswerFormat;
  readonly #bytes: Uint8Array;
  readonly #extent: AnswerExtent = { start: 0, bodyStart: 0, end: 0, caseNumber: null };

  constructor(format: AnswerFormat, bytes: Uint8Array) {
    this.#format = format;
    this.#bytes = bytes;
  }

  async next(scope: AnswerScope | null): Promise<PrintedAnswer> {
    const bytes = this.#bytes;
    if (!this.#format.find(bytes, this.#extent.end, bytes.length, true, this.#extent, scope))
      throw new Error('a right answer is missing');
    return { ...this.#extent, bytes };
  }
}
