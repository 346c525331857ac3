/** What the reports of judged inputs need besides sums: single results, of which a bounded number is kept. */
import type { JUnitSuite, JUnitTest } from '../../../core/junit.js';
import type { InputHeadOfTask } from '../../../engine/messages.js';
import type { Verdict } from '../../../engine/verdict.js';
import type { JudgedCase, JudgedRow } from '../judge.js';
import { type AnswerGroup, AnswerGroups } from './answer-groups.js';
import type { VerdictMatrixRow } from './matrix.js';

/** The smallest case on which a program has failed so far. */
export interface SmallestFailure {
  readonly program: string;
  /** The input and the number of the case in it. */
  readonly origin: string;
  readonly verdict: Verdict;
  readonly message: string | null;
  readonly head: InputHeadOfTask;
  readonly bytes: Uint8Array;
  readonly expected: Uint8Array;
  readonly got: string | null;
}

/** The results of one program on one input. */
interface InputResults {
  readonly input: string;
  cases: number;
  failing: number;
  seconds: number;
  /** Descriptions of the first failing cases. */
  readonly details: string[];
  /** Why the input was not judged to the end; null if it was. */
  error: string | null;
}

/** Largest number of failing cases that a page lists, and that JUnit XML describes for each program and input. */
const MAX_LISTED_CASES = 2000;
const MAX_DESCRIBED_CASES = 100;

export class CaseResults {
  /** The rows of the cases on which a program fails, the first of them. */
  readonly matrix: VerdictMatrixRow[] = [];
  readonly #programs: readonly string[];
  readonly #groups = new AnswerGroups();
  readonly #smallest = new Map<string, SmallestFailure>();
  /** For each program, the results on the inputs in their order. */
  readonly #byInput = new Map<string, InputResults[]>();
  #failingRows = 0;

  constructor(programs: readonly string[]) {
    this.#programs = programs;
  }

  add(input: string, row: JudgedRow): void {
    const test = `${input}:${row.caseNumber}`;
    for (const [index, result] of row.results.entries()) {
      const program = this.#programs[index];
      // A case without an answer may have what the run has printed until it failed, which may be chance.
      const isPrinted = result.verdict === 'AC' || result.verdict === 'WA';
      const printed = isPrinted ? JSON.stringify([result.got, result.reason]) : null;
      this.#groups.add(program, test, result.verdict, printed);
      this.#addToInput(program, input, row.caseNumber, result);
      if (result.verdict !== 'AC') this.#addFailure(program, test, row, result);
    }
    this.#addRow(test, row);
  }

  /** Number of failing cases that `matrix` leaves out. */
  get omittedRows(): number {
    return this.#failingRows - this.matrix.length;
  }

  /** The smallest failing cases, in the order of the programs. */
  get smallest(): SmallestFailure[] {
    return this.#programs.flatMap((program) => this.#smallest.get(program) ?? []);
  }

  findGroups(): AnswerGroup[] {
    return this.#groups.find();
  }

  /** Takes note that an input was not judged to the end, after the results on the cases before. */
  addError(input: string, message: string): void {
    for (const program of this.#programs) this.#resultsOn(program, input).error ??= message;
  }

  /** Returns a suite for each program, with a test for each input. */
  suites(): JUnitSuite[] {
    return this.#programs.map((program) => ({
      name: program,
      tests: (this.#byInput.get(program) ?? []).map((results) => ({
        name: results.input,
        classname: program,
        seconds: results.cases === 0 ? null : results.seconds,
        outcome: outcomeOf(results),
      })),
    }));
  }

  #resultsOn(program: string, input: string): InputResults {
    const inputs = this.#byInput.get(program) ?? [];
    this.#byInput.set(program, inputs);
    if (inputs.at(-1)?.input !== input)
      inputs.push({ input, cases: 0, failing: 0, seconds: 0, details: [], error: null });
    return inputs[inputs.length - 1];
  }

  #addToInput(program: string, input: string, caseNumber: number, result: JudgedCase): void {
    const results = this.#resultsOn(program, input);
    results.cases++;
    results.seconds += result.seconds;
    if (result.verdict === 'AC') return;
    results.failing++;
    if (results.details.length < MAX_DESCRIBED_CASES)
      results.details.push(`case ${caseNumber}: ${result.verdict} ${messageOf(result) ?? ''}`.trimEnd());
  }

  #addFailure(program: string, origin: string, row: JudgedRow, result: JudgedCase): void {
    const known = this.#smallest.get(program);
    if (known !== undefined && known.bytes.length <= row.bytes.length) return;
    const { bytes, start, end } = row.expected;
    this.#smallest.set(program, {
      program,
      origin,
      verdict: result.verdict,
      message: messageOf(result),
      head: row.head,
      bytes: row.bytes.slice(),
      expected: bytes.slice(start, end),
      got: result.got === null ? null : textOfAnswer(result.got),
    });
  }

  #addRow(test: string, { results }: JudgedRow): void {
    if (results.every(({ verdict }) => verdict === 'AC')) return;
    this.#failingRows++;
    if (this.matrix.length >= MAX_LISTED_CASES) return;
    const cells = results.map((result) => ({
      verdict: result.verdict,
      seconds: result.seconds,
      message: messageOf(result),
      isBad: result.verdict !== 'AC',
    }));
    this.matrix.push({ test, cells });
  }
}

function outcomeOf({ cases, failing, details, error }: InputResults): JUnitTest['outcome'] {
  const failures = `${failing} of ${cases} ${cases === 1 ? 'case' : 'cases'} not accepted; ${details[0]}`;
  if (error !== null) {
    const message = failing === 0 ? error : `${error}; ${failures}`;
    return { kind: 'error', message, details: [error, ...details].join('\n') };
  }
  return failing === 0 ? null : { kind: 'failure', message: failures, details: details.join('\n') };
}

const MAX_MESSAGE_CHARACTERS = 300;

function messageOf({ verdict, reason, expected, got }: JudgedCase): string | null {
  if (reason !== null || verdict !== 'WA') return reason;
  return `expected ${textOfAnswer(expected)}, got ${textOfAnswer(got)}`.slice(0, MAX_MESSAGE_CHARACTERS);
}

/** Returns an answer as a text. */
export function textOfAnswer(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
