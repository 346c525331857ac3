/** Solves single cases on this thread, in Node and in browsers. */
import { encodeUtf8, skipBlanks } from '../core/bytes.js';
import { BoardmillError, CaseError, describeMismatch } from '../core/errors.js';
import { advance, measureSpan, TEXT_START } from '../core/location.js';
import type { AnswerScope } from '../formats/answer-format.js';
import { TreeAnswerFormat } from '../formats/answers.js';
import type { BoardLines } from '../formats/boards/board.js';
import type { InputFormat } from '../formats/input-format.js';
import type { RecordValue } from '../formats/tree.js';
import { TreeFormat } from '../formats/tree-format.js';
import { chooseSolver } from '../problems/choose-solver.js';
import type { ProblemDefinition } from '../problems/definition.js';
import { ModuleSolver } from '../problems/module-solver.js';
import { CaseFailure, type Problem } from '../problems/problem.js';
import { checkOptions, checkValue, type OptionRule, TEXT } from './check-options.js';

/** How `solveOne` reads a case. */
export interface SolveOneOptions {
  /** The head of the input, for a problem whose cases depend on it: its text, with the number of cases 1. */
  readonly head?: string;
}

/** Fails with kind `usage` if an argument of `solveOne` is wrong. */
export function checkArguments(problem: unknown, input: unknown, options: unknown): void {
  checkValue('`problem`', PROBLEM_RULE, problem);
  checkValue('`input`', typeof problem === 'string' ? TEXT : CASE_RULE, input);
  checkOptions(options, { head: TEXT });
}

const PROBLEM_RULE: OptionRule = {
  expected: 'the name of a problem, the path of a module, or what `defineProblem` returned',
  accepts: (value) =>
    typeof value === 'string' || typeof (value as DefinitionLike)?.description?.layout === 'object',
};

type DefinitionLike = Partial<ProblemDefinition> | null | undefined;

const CASE_RULE: OptionRule = {
  expected: 'the text of a case, or an object with its fields',
  accepts: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
};

/** Solves a case of a user's problem: its text, or its fields. Returns what the problem's `solve` returns. */
export async function solveDefined(
  definition: ProblemDefinition,
  input: unknown,
  { head }: SolveOneOptions,
): Promise<unknown> {
  const { description, solve } = definition;
  if (solve === null) throw new BoardmillError('usage', `${description.name} has no solver`);
  if (typeof input !== 'string') {
    const isHeadKnown = description.layout.head === null;
    return solveScope(definition, { value: input as RecordValue, head: {} }, isHeadKnown);
  }
  const { value, headValue } = parseText(new TreeFormat(description.layout), input, head);
  return solveScope(definition, { value, head: headValue as RecordValue }, true);
}

/**
 * Returns what `solve` returns, after the check of the command: `answer` must be able to read it. Without the head, which may
 * say how long an answer is, there is no check.
 */
async function solveScope(
  definition: ProblemDefinition,
  scope: AnswerScope<RecordValue>,
  isHeadKnown: boolean,
): Promise<unknown> {
  const { description } = definition;
  let result: unknown;
  let cause: unknown;
  const solve: ProblemDefinition['solve'] = async (...given) => {
    try {
      result = await definition.solve!(...given);
      return result;
    } catch (error) {
      cause = error;
      throw error;
    }
  };
  const format = new TreeAnswerFormat(description.answer, description.layout);
  const answers: unknown[] = [];
  const solver = new ModuleSolver({ ...definition, solve }, format);
  await solver.solve([scope.value], 1, answers as never[], { firstCase: 1, head: scope.head });
  const [answer] = answers;
  if (answer instanceof CaseFailure && (isHeadKnown || cause !== undefined))
    throw failureOf(description.name, answer, cause);
  return result;
}

function failureOf(name: string, { kind, reason }: CaseFailure, cause?: unknown): BoardmillError {
  return new BoardmillError(kind === 'author' ? 'usage' : 'worker', `${name}: ${reason}`, { cause });
}

/** Solves a case of a problem of boardmill, and returns the answer as JSON has it. */
export async function solveBuiltIn(
  problem: Problem,
  text: string,
  { head }: SolveOneOptions,
): Promise<unknown> {
  if (!problem.hasSolver) throw new BoardmillError('usage', `${problem.name} has no solver`);
  const caseText = problem.boardLines === undefined ? text : withHeader(text, problem.boardLines);
  const { value, headValue } = parseText(problem.inputFormat, caseText, head);
  const answers: unknown[] = [];
  await chooseSolver(problem, 'auto').solve([value], 1, answers, { firstCase: 1, head: headValue });
  const [answer] = answers;
  if (answer instanceof CaseFailure) throw failureOf(problem.name, answer);
  return problem.answerFormat.toJson(answer);
}

/** Adds the number of rows and columns before the rows of a board, unless they are there. */
function withHeader(text: string, { isRowOfBlocks }: BoardLines): string {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  if (rows.length === 0 || /^\s*\d+\s+\d+\s*$/.test(rows[0])) return text;
  const firstRow = rows[0].trim();
  const cols = isRowOfBlocks ? firstRow.split(/\s+/).length : firstRow.length;
  return `${rows.length} ${cols}\n${text}`;
}

/** What an error calls the text of a case. */
const CASE_NAME = '<case>';

/** Parses the text of one case. Throws a CaseError if it breaks the input format. */
function parseText<Case>(
  format: InputFormat<Case>,
  text: string,
  head: string | undefined,
): { value: Case; headValue: unknown } {
  const parser = format.createParser();
  parser.useHead(head === undefined ? null : encodeUtf8(head));
  const bytes = encodeUtf8(text);
  const start = skipBlanks(bytes, 0, bytes.length);
  const value = parser.parse(bytes, start, bytes.length, null);
  if (value !== null) return { value, headValue: parser.headValue };
  const fault = parser.fault!;
  throw new CaseError('input', {
    input: CASE_NAME,
    caseNumber: 1,
    description: describeMismatch(fault),
    mismatch: fault,
    ...advance(TEXT_START, measureSpan(bytes, 0, fault.offset)),
  });
}
