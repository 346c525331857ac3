/** Calls the functions of a user's module. Only worker threads do this. */
import type { AnswerScope } from '../../formats/answer-format.js';
import type { TreeAnswer, TreeAnswerFormat } from '../../formats/answers/answers.js';
import { keepPrintedAnswer } from '../../formats/answers/read-back.js';
import type { RecordValue } from '../../formats/language/tree.js';
import { copyOfRecord } from '../../formats/tree/copy-value.js';
import { type BatchContext, CaseFailure, type Solver } from '../problem.js';
import type { ProblemDefinition } from './definition.js';
import { messageOfThrown } from './module-verdict.js';

/** The solver that calls `solve`, `print` and `nimber` of a module. */
export class ModuleSolver implements Solver<TreeAnswer, RecordValue> {
  readonly name = 'module';
  readonly lanes = 1;
  readonly fallbackCases = 0;
  readonly #definition: ProblemDefinition;
  readonly #format: TreeAnswerFormat;

  constructor(definition: ProblemDefinition, format: TreeAnswerFormat) {
    this.#definition = definition;
    this.#format = format;
  }

  async solve(
    cases: readonly RecordValue[],
    count: number,
    answers: (TreeAnswer | CaseFailure)[],
    { firstCase, head, nimbers }: BatchContext,
  ): Promise<void> {
    for (let i = 0; i < count; i++) {
      // `solve` may change the fields that it gets.
      const unchanged = nimbers === undefined ? null : copyOfRecord(cases[i]);
      answers[i] = await this.#solveCase(firstCase + i, { value: cases[i], head });
      if (unchanged === null || answers[i] instanceof CaseFailure) continue;
      const nimber = await this.#nimberOf(unchanged, head as RecordValue);
      if (nimber instanceof CaseFailure) answers[i] = nimber;
      else nimbers![i] = nimber;
    }
  }

  /** Calls the author's `nimber` for a case. If it throws, only this case fails, as with `solve`. */
  async #nimberOf(value: RecordValue, head: RecordValue): Promise<number | CaseFailure> {
    try {
      const nimber = await this.#definition.nimber!(value, head);
      if (Number.isSafeInteger(nimber) && (nimber as number) >= 0) return nimber as number;
      return new CaseFailure(
        'author',
        `nimber of ${this.#name} must return a whole number of at least 0, but returned ${show(nimber)}`,
      );
    } catch (error) {
      return new CaseFailure('crash', `its nimber failed: ${messageOfThrown(error)}`);
    }
  }

  /** Calls the author's `solve` for one case. Whatever it throws, only this case fails. */
  async #solveCase(caseNumber: number, scope: AnswerScope<RecordValue>): Promise<TreeAnswer | CaseFailure> {
    try {
      const head = scope.head as RecordValue;
      const result = await this.#definition.solve!(scope.value, head);
      const text = this.#print(result, caseNumber, scope.value, head);
      return typeof text === 'string' ? this.#readBack(text, caseNumber, scope) : text;
    } catch (error) {
      return new CaseFailure('crash', `its solver failed: ${messageOfThrown(error)}`);
    }
  }

  /** Returns the text of an answer, or the author's mistake if the answer cannot be printed. */
  #print(result: unknown, caseNumber: number, value: RecordValue, head: RecordValue): string | CaseFailure {
    const { print } = this.#definition;
    if (print === null) {
      if (!isPrintable(result)) return missingPrint(result);
      return this.#isInexact(result) ? missingBigint(result) : String(result);
    }
    const text = print(result, caseNumber, value, head);
    if (typeof text === 'string') return text;
    return new CaseFailure(
      'author',
      `print of ${this.#name} must return a string, but returned ${show(text)}`,
    );
  }

  /** Reads the printed answer as programs that compare answers will, so that a mistake in its format shows at once. */
  #readBack(text: string, caseNumber: number, scope: AnswerScope<RecordValue>): TreeAnswer | CaseFailure {
    const answer = keepPrintedAnswer(this.#format, text, caseNumber, scope);
    if (answer !== null) return answer;
    const expected = this.#format.describe(scope);
    const label = this.#format.label(caseNumber);
    const place = label === '' ? '' : ` after "${label}"`;
    const hint = LARGE_INTEGER.test(text) ? HINT_AT_BIGINT : '';
    return new CaseFailure(
      'author',
      `${this.#name} printed an answer that its format \`answer\` does not read: expected ${expected}${place}, got ${show(text)}${hint}`,
    );
  }

  /** Whether the result is an integer so large that its digits may be wrong, and neither `equal` nor a tolerance allows it. */
  #isInexact(result: unknown): boolean {
    const { equal, description } = this.#definition;
    const isExact = equal === null && description.tolerance === null;
    return isExact && Number.isInteger(result) && !Number.isSafeInteger(result);
  }

  get #name(): string {
    return this.#definition.description.name;
  }
}

function isPrintable(result: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof result);
}

function missingPrint(result: unknown): CaseFailure {
  return new CaseFailure(
    'author',
    `solve returned ${show(result)}, which is neither a text nor a number: define \`print\``,
  );
}

/**
 * Returns the failure of a case whose answer is a number above 2^53: String() may print wrong digits of it, so `solve` should
 * return a bigint.
 */
function missingBigint(result: unknown): CaseFailure {
  return new CaseFailure(
    'author',
    `solve returned ${show(result)}, a number above 2^53, which is not exact: return a bigint`,
  );
}

/** Matches an integer with at least 16 digits, as many as the largest safe integer has. */
const LARGE_INTEGER = /(?<![\d.])\d{16,}(?![\d.])/;
const HINT_AT_BIGINT = '; int() reads integers up to 2^53, bigint() reads integers of any size';

const MAX_SHOWN_LENGTH = 60;

/** Shows a value in a message. */
function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : describeValue(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text;
}

function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `the bigint ${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}
