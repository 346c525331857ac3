/** Solves single cases on this thread, in Node and in browsers. */
import { ByteWriter, encodeUtf8, quoteToken, skipWhitespace } from '../core/bytes.js';
import { BoardmillError, CaseError, describeMismatch, type Fault } from '../core/errors.js';
import { locationAfter, measureSpan, TEXT_START } from '../core/location.js';
import type { AnswerScope } from '../formats/answer-format.js';
import { TreeAnswerFormat } from '../formats/answers/answers.js';
import type { BoardLineTokens } from '../formats/boards/board.js';
import type { CaseScanner, InputFormat } from '../formats/input-format.js';
import { showValue } from '../formats/language/author-error.js';
import type { RecordValue } from '../formats/language/tree.js';
import { TreeInputFormat } from '../formats/tree/tree-format.js';
import { chooseSolver } from '../problems/choose-solver.js';
import type { ProblemDefinition } from '../problems/modules/definition.js';
import { ModuleSolver } from '../problems/modules/module-solver.js';
import { CaseFailure, type Problem } from '../problems/problem.js';
import { findRoundTripDifference } from './field-difference.js';
import type { SolveOneOptions } from './solve-one-options.js';

/** Solves a case of a user's problem, given as text or as fields. Returns what the problem's `solve` returns. */
export async function solveCaseOfDefinition(
  definition: ProblemDefinition,
  input: unknown,
  { head }: SolveOneOptions,
): Promise<unknown> {
  const { description, solve } = definition;
  if (solve === null) throw new BoardmillError('usage', `${description.name} has no solver`);
  if (description.layout.head !== null && head === undefined) {
    throw new BoardmillError(
      'usage',
      `${description.name} needs the option \`head\`, the head of an input of one case`,
    );
  }
  const format = new TreeInputFormat(description.layout);
  const bytes = typeof input === 'string' ? encodeUtf8(input) : printFields(format, input as RecordValue);
  const { value, headValue } = parseCase(format, { bytes, addedLines: 0 }, head);
  // Fields that no input has, such as a word with a space, may be read as other fields.
  const difference = typeof input === 'string' ? null : findRoundTripDifference(input, value);
  if (difference !== null)
    throw wrongField(difference.path.slice(1), difference.given, difference.read !== undefined);
  return solveScope(definition, { value, head: headValue as RecordValue });
}

/** Prints the fields of a case as text, which is then parsed like any other case. So `solve` never gets wrong fields. */
function printFields(format: TreeInputFormat, fields: RecordValue): Uint8Array {
  const out = new ByteWriter();
  let name = '';
  const watched = new Proxy(fields, {
    get(target, key) {
      name = String(key);
      return target[name];
    },
  });
  try {
    format.printCase(watched, out);
  } catch {
    throw wrongField(name, fields[name], true);
  }
  return out.take();
}

function wrongField(path: string, value: unknown, isExpected: boolean): CaseError {
  const expected = isExpected ? `a value of \`${path}\` that fits the input format` : `no field \`${path}\``;
  const fault = { offset: 0, expected, got: showValue(value) };
  return caseErrorOf(CASE_NAME, 1, new Uint8Array(), fault, 0);
}

/**
 * Calls `solve` for a parsed case and returns its result. As in the command `solve`, fails if the answer format cannot read the
 * result.
 */
async function solveScope(definition: ProblemDefinition, scope: AnswerScope<RecordValue>): Promise<unknown> {
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
  if (answer instanceof CaseFailure) throw failureOf(description.name, answer, cause);
  return result;
}

function failureOf(name: string, { kind, reason }: CaseFailure, cause?: unknown): BoardmillError {
  return new BoardmillError(kind === 'author' ? 'usage' : 'worker', `${name}: ${reason}`, { cause });
}

/** Solves a case of a problem of boardmill, and returns the answer as JSON has it. */
export async function solveBuiltInCase(
  problem: Problem,
  text: string,
  { head }: SolveOneOptions,
): Promise<unknown> {
  if (problem.solvers === null) throw new BoardmillError('usage', `${problem.name} has no solver`);
  const caseBytes =
    problem.boardLines === undefined
      ? { bytes: encodeUtf8(text), addedLines: 0 }
      : withSizeLine(text, problem.boardLines);
  const { value, headValue } = parseCase(problem.inputFormat, caseBytes, head);
  const answers: unknown[] = [];
  await chooseSolver(problem, 'auto').solve([value], 1, answers, { firstCase: 1, head: headValue });
  const [answer] = answers;
  if (answer instanceof CaseFailure) throw failureOf(problem.name, answer);
  return problem.answerFormat.toJson(answer);
}

/** The bytes of a case. Its first lines may have been added by boardmill. */
interface CaseBytes {
  readonly bytes: Uint8Array;
  readonly addedLines: number;
}

/** Adds the size line before the rows of a board, unless the text has one. */
function withSizeLine(text: string, { isRowOfBlocks }: BoardLineTokens): CaseBytes {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  if (rows.length === 0 || /^\s*\d+\s+\d+\s*$/.test(rows[0]))
    return { bytes: encodeUtf8(text), addedLines: 0 };
  const firstRow = rows[0].trim();
  const cols = isRowOfBlocks ? firstRow.split(/\s+/).length : firstRow.length;
  return { bytes: encodeUtf8(`${rows.length} ${cols}\n${text}`), addedLines: 1 };
}

/** The names that errors use for the text of a case and for the text of a head. */
const CASE_NAME = '<case>';
const HEAD_NAME = '<head>';

/** Parses one case. Throws a CaseError if it or the head breaks the input format. */
function parseCase<Case>(
  format: InputFormat<Case>,
  { bytes, addedLines }: CaseBytes,
  head: string | undefined,
): { value: Case; headValue: unknown } {
  const headBytes = head === undefined ? null : encodeUtf8(head);
  const scanner = format.createScanner();
  if (headBytes !== null) checkHead(scanner, headBytes);
  scanner.useHead(headBytes);
  const parser = format.createParser();
  parser.useHead(headBytes);
  const value = parser.parse(bytes, scanner.skipToCase(bytes, 0, bytes.length), bytes.length, null);
  if (value !== null) return { value, headValue: parser.headValue };
  throw caseErrorOf(CASE_NAME, 1, bytes, parser.fault!, addedLines);
}

/** Fails unless the bytes are the head of an input of one case, and nothing else. */
function checkHead(scanner: CaseScanner, bytes: Uint8Array): void {
  const head = scanner.readHead(bytes, bytes.length, true)!;
  if ('expected' in head) throw caseErrorOf(HEAD_NAME, null, bytes, head, 0);
  const end = skipWhitespace(bytes, head.length, bytes.length);
  if (end === bytes.length) {
    if ((head.cases ?? 1) === 1) return;
    throw new BoardmillError('usage', `\`head\` must state 1 as the number of cases, got ${head.cases}`);
  }
  const fault = { offset: end, expected: 'the end of the head', got: quoteToken(bytes, end, bytes.length) };
  throw caseErrorOf(HEAD_NAME, null, bytes, fault, 0);
}

/** Returns the error for a fault. A fault in a line that boardmill has added is reported at the start of the user's text. */
function caseErrorOf(
  input: string,
  caseNumber: number | null,
  bytes: Uint8Array,
  fault: Fault,
  addedLines: number,
): CaseError {
  const { line, column } = locationAfter(TEXT_START, measureSpan(bytes, 0, fault.offset));
  const place = line > addedLines ? { line: line - addedLines, column } : { line: 1, column: 1 };
  return new CaseError('input', {
    input,
    caseNumber,
    description: describeMismatch(fault),
    mismatch: fault,
    ...place,
  });
}
