/** Calls the functions of a user's module. Only worker threads do this. */
import type { AnswerScope } from '../../formats/answer-format.js';
import type { TreeAnswer, TreeAnswerFormat } from '../../formats/answers/answers.js';
import { readBackAnswer } from '../../formats/answers/read-back.js';
import type { RecordValue } from '../../formats/language/tree.js';
import { copyForExpressions, copyOfRecord } from '../../formats/tree/copy-value.js';
import { type BatchContext, CaseFailure, type Solver } from '../problem.js';
import type { ProblemDefinition } from './definition.js';
import { messageOfThrown } from './module-verdict.js';

type Outcome = TreeAnswer | CaseFailure;

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

  /** Returns no promise unless a function of the module does: promises would take longer than small cases. */
  solve(
    cases: readonly RecordValue[],
    count: number,
    answers: Outcome[],
    context: BatchContext,
  ): void | Promise<void> {
    return this.#solveFrom(0, cases, count, answers, context);
  }

  #solveFrom(
    from: number,
    cases: readonly RecordValue[],
    count: number,
    answers: Outcome[],
    context: BatchContext,
  ): void | Promise<void> {
    for (let i = from; i < count; i++) {
      const outcome = this.#solveCase(cases[i], i, context);
      if (outcome instanceof Promise) {
        return outcome.then((settled) => {
          answers[i] = settled;
          return this.#solveFrom(i + 1, cases, count, answers, context);
        });
      }
      answers[i] = outcome;
    }
  }

  #solveCase(value: RecordValue, index: number, context: BatchContext): Outcome | Promise<Outcome> {
    const { firstCase, head, nimbers } = context;
    const scope = { value, head };
    return nimbers === undefined
      ? this.#answerTo(firstCase + index, scope)
      : this.#answerWithNimber(firstCase + index, scope, nimbers, index);
  }

  async #answerWithNimber(
    caseNumber: number,
    scope: AnswerScope<RecordValue>,
    nimbers: number[],
    index: number,
  ): Promise<Outcome> {
    // `solve` may change the fields that it gets.
    const unchanged = copyOfRecord(scope.value);
    const outcome = await this.#answerTo(caseNumber, scope);
    if (outcome instanceof CaseFailure) return outcome;
    const nimber = await this.#nimberOf(unchanged, scope.head as RecordValue);
    if (nimber instanceof CaseFailure) return nimber;
    nimbers[index] = nimber;
    return outcome;
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
  #answerTo(caseNumber: number, given: AnswerScope<RecordValue>): Outcome | Promise<Outcome> {
    // `solve` may change the fields that it gets, but the length of its answer is that which the input asks for.
    const scope = this.#format.needsCase ? copyOfScope(given) : given;
    try {
      const result = this.#definition.solve!(given.value, given.head as RecordValue);
      return isThenable(result)
        ? this.#answerLater(result, caseNumber, given, scope)
        : this.#printAndReadBack(result, caseNumber, given, scope);
    } catch (error) {
      return crashed(error);
    }
  }

  async #answerLater(
    result: PromiseLike<unknown>,
    caseNumber: number,
    given: AnswerScope<RecordValue>,
    scope: AnswerScope<RecordValue>,
  ): Promise<Outcome> {
    try {
      return this.#printAndReadBack(await result, caseNumber, given, scope);
    } catch (error) {
      return crashed(error);
    }
  }

  /** Prints the result with the fields that the author's functions were given, and reads the answer within `scope`. */
  #printAndReadBack(
    result: unknown,
    caseNumber: number,
    given: AnswerScope<RecordValue>,
    scope: AnswerScope<RecordValue>,
  ): Outcome {
    const text = this.#print(result, caseNumber, given.value, given.head as RecordValue);
    return typeof text === 'string' ? this.#readBack(text, caseNumber, scope) : text;
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
  #readBack(text: string, caseNumber: number, scope: AnswerScope<RecordValue>): Outcome {
    const answer = readBackAnswer(this.#format, text, caseNumber, scope);
    if (answer !== null) return answer;
    const expected = this.#format.describe(scope);
    const label = this.#format.label(caseNumber);
    const place = label === '' ? '' : ` after "${label}"`;
    const hint = LARGE_INTEGER.test(text.slice(0, MAX_SEARCHED_LENGTH)) ? HINT_AT_BIGINT : '';
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

function copyOfScope({ value, head }: AnswerScope<RecordValue>): AnswerScope<RecordValue> {
  return {
    value: copyForExpressions(value),
    head: head === null ? null : copyForExpressions(head as RecordValue),
  };
}

function isThenable(result: unknown): result is PromiseLike<unknown> {
  return typeof (result as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

function crashed(error: unknown): CaseFailure {
  return new CaseFailure('crash', `its solver failed: ${messageOfThrown(error)}`);
}

function isPrintable(result: unknown): boolean {
  switch (typeof result) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return true;
    default:
      return false;
  }
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
/** A regular expression cannot search a text of millions of digits. */
const MAX_SEARCHED_LENGTH = 1000;
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
