/** `defineProblem`: makes a problem from the options of an author, and refuses options that cannot work. */
import { AuthorError, AuthorPlace, showValue } from '../../formats/language/author-error.js';
import { checkAnswerTree, checkLayoutTree } from '../../formats/language/check-tree.js';
import { toAnswerTree } from '../../formats/language/layouts.js';
import { didYouMean, type FieldScope } from '../../formats/language/scope.js';
import type { Layout } from '../../formats/language/tree.js';
import type {
  AnswerValue,
  CheckedAnswer,
  LayoutOf,
  NamesOf,
  ShownInFull,
  Values,
} from '../../formats/language/types.js';
import { type ContestOptions, toContest } from './define-contest.js';
import type { NamedBounds, ProblemDefinition } from './definition.js';

declare const TYPES: unique symbol;

/**
 * A problem of an author, as `defineProblem` returns it, and as a module exports it as its default. The type parameters are the
 * types of a case, of the head, and of the result of `solve`.
 */
export interface DefinedProblem<Case = unknown, Head = unknown, Answer = unknown> extends ProblemDefinition {
  /**
   * For the compiler only; no problem has this property at run time.
   *
   * @internal
   */
  readonly [TYPES]?: { readonly case: Case; readonly head: Head; readonly answer: Answer };
}

/** The argument of `generate`: a source of random numbers, the number of the case from 0, and the bounds of the fields. */
export interface GenerateRequest {
  /** Returns a random number of at least 0 and less than 1. The same seed gives the same numbers. */
  readonly random: () => number;
  /** The number of the case in the input, from 0. */
  readonly index: number;
  /** The smallest and the largest value of each field, by name. */
  readonly bounds: NamedBounds;
}

/** The object that an author gives to `defineProblem`. `solve` stands before `print`, so that its result has a type. */
export interface ProblemOptions<Case, Head, Answer, AnswerFormat> {
  /** The name of the problem, of letters, digits, "-", "_" and ".". It becomes part of file names. */
  readonly name: string;
  /** The format of the input. */
  readonly input: LayoutOf<Case, Head>;
  /** The format of one answer. Default: a line, or the whole output if an input is one case (`single`). */
  readonly answer?: AnswerFormat & NoInfer<CheckedAnswer<AnswerFormat, NamesOf<Case> | NamesOf<Head>>>;
  /** Returns the answer to a case. Without `solve`, an external program has to solve the cases. */
  readonly solve?: (
    fields: ShownInFull<Values<Case>>,
    head: ShownInFull<Values<Head>>,
  ) => Answer | Promise<Answer>;
  /**
   * Returns the nimber (Grundy number) of a case of an impartial game, for the column `nimber`: 0 if the player to move loses.
   * `nimber` gets a copy of the fields, so `solve` may change its own.
   */
  readonly nimber?: (
    fields: ShownInFull<Values<Case>>,
    head: ShownInFull<Values<Head>>,
  ) => number | Promise<number>;
  /** Returns the text of an answer. Default: the answer on a line of its own. */
  readonly print?: (
    answer: Answer,
    caseNumber: number,
    fields: ShownInFull<Values<Case>>,
    head: ShownInFull<Values<Head>>,
  ) => string;
  /** Returns true if the answer `got` is as right as `expected`, otherwise false, or a text that says why it is wrong. */
  readonly equal?: (
    expected: NoInfer<AnswerValue<AnswerFormat>>,
    got: NoInfer<AnswerValue<AnswerFormat>>,
    fields: ShownInFull<Values<Case>>,
    head: ShownInFull<Values<Head>>,
  ) => boolean | string;
  /** Returns true if a case has the properties that its format cannot express, otherwise false or a text that says why not. */
  readonly valid?: (fields: ShownInFull<Values<Case>>, head: ShownInFull<Values<Head>>) => boolean | string;
  /** Makes a random case, and returns its text or its fields. boardmill draws missing fields from their bounds. */
  readonly generate?: (request: GenerateRequest) => string | Partial<ShownInFull<Values<Case>>>;
  /** How far a number of an answer may differ from the right number, absolutely or relative to it. */
  readonly tolerance?: number;
  /** The contest of the problem: its sets of tests with their constraints, and its time and memory limits. */
  readonly contest?: ContestOptions;
  /** Text that identifies this version of the problem in checkpoints. Default: the hash of the module's files. */
  readonly version?: string;
}

/** The types of answers that boardmill can print without the author's `print`. */
type Printable = string | number | bigint | boolean;

/**
 * The options that the type of the answer requires: if the answer is neither a text nor a number, `print` is required. So
 * `solve` without `print` must return something. `unknown extends Answer` is true if there is no `solve`.
 */
type OptionsFor<Answer> = unknown extends Answer
  ? unknown
  : [Answer] extends [Printable]
    ? unknown
    : { readonly print: (answer: never, ...others: never) => string };

/**
 * Defines a problem. A module that exports the result as its default can stand wherever a command or a function expects
 * the name of a problem.
 *
 * Throws a BoardmillError of the kind `usage` if something in the definition is wrong. The message of the error names the place
 * of the mistake.
 *
 * @example
 * ```js
 * import { defineProblem, formats } from 'boardmill';
 *
 * export default defineProblem({
 *   name: 'sums',
 *   input: formats.counted({ n: formats.int(1, 1000), a: formats.ints('n', -1e6, 1e6) }),
 *   solve: ({ n, a }) => a.reduce((sum, value) => sum + value, 0),
 * });
 * ```
 *
 * @typeParam Case The value of a case.
 * @typeParam Head The value of the head.
 * @typeParam Answer What `solve` returns.
 * @typeParam AnswerFormat How an answer is laid out.
 */
export function defineProblem<Case, Head, Answer, const AnswerFormat = unknown>(
  options: ProblemOptions<Case, Head, Answer, AnswerFormat> & OptionsFor<NoInfer<Answer>>,
): DefinedProblem<ShownInFull<Values<Case>>, ShownInFull<Values<Head>>, Answer> {
  try {
    return define(options);
  } catch (error) {
    if (error instanceof AuthorError) leadToAuthor(error);
    throw error;
  }
}

/**
 * Makes the stack trace of a mistake begin in the author's code: where the author called the builder that found the
 * mistake, otherwise where the author called `defineProblem`. Node keeps only ten frames, which may all be boardmill's own.
 */
function leadToAuthor(error: AuthorError): void {
  if (error.cause instanceof AuthorError) error.stack = error.cause.stack ?? '';
  else Error.captureStackTrace(error, defineProblem);
}

const FUNCTIONS = ['solve', 'nimber', 'print', 'equal', 'valid', 'generate'] as const;
type FunctionName = (typeof FUNCTIONS)[number];
const PROPERTIES: readonly string[] = [
  'name',
  'input',
  'answer',
  ...FUNCTIONS,
  'tolerance',
  'contest',
  'version',
];

/** The options of an author who does not use TypeScript: any property may have any value. */
type UncheckedOptions = Readonly<Record<string, unknown>>;

function define(given: unknown): ProblemDefinition {
  const options = toOptions(given);
  const name = toName(options.name);
  const place = new AuthorPlace(name, 'the definition');
  refuseUnknownProperties(options, place);
  const { layout, scope } = toLayout(options.input, name);
  const answer = toAnswerTree(options.answer, layout);
  checkAnswerTree(answer, scope, new AuthorPlace(name, 'answer'));
  const functions = toFunctions(options, name);
  return {
    description: {
      name,
      layout,
      answer,
      has: mapFunctions((key) => functions[key] !== null),
      tolerance: toTolerance(options.tolerance, new AuthorPlace(name, 'tolerance')),
      contest: toContest(options.contest, layout, new AuthorPlace(name, 'contest')),
      version: toVersion(options.version, new AuthorPlace(name, 'version')),
    },
    ...functions,
  };
}

function toOptions(given: unknown): UncheckedOptions {
  if (typeof given === 'object' && given !== null) return given as UncheckedOptions;
  throw new AuthorError(
    `defineProblem: expected an object such as { name, input, solve }, got ${showValue(given)}`,
  );
}

const MAX_NAME_LENGTH = 100;

/** Checks a problem's name. It becomes part of file names, so it must not look like a hidden file, a folder or an option. */
function toName(name: unknown): string {
  const isName = typeof name === 'string' && /^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u.test(name);
  if (isName && name.length <= MAX_NAME_LENGTH) return name;
  throw new AuthorError(
    `defineProblem: name: expected letters, digits, "-", "_" and ".", beginning with a letter, a digit or "_", got ${showValue(name)}`,
  );
}

function refuseUnknownProperties(options: UncheckedOptions, place: AuthorPlace): void {
  const unknown = Object.keys(options).find((key) => !PROPERTIES.includes(key));
  if (unknown === undefined) return;
  throw place.error(`unknown property "${unknown}"${didYouMean(unknown, PROPERTIES)}`);
}

function toLayout(input: unknown, name: string): { readonly layout: Layout; readonly scope: FieldScope } {
  const place = new AuthorPlace(name, 'input');
  if (!isLayout(input)) {
    throw place.error(
      `expected a layout such as formats.counted({ n: formats.int() }), got ${showValue(input)}`,
    );
  }
  return { layout: input, scope: checkLayoutTree(input, place, new AuthorPlace(name, 'head')) };
}

function isLayout(input: unknown): input is Layout {
  return (
    typeof input === 'object' &&
    input !== null &&
    ['ending', 'head', 'shape', 'total'].every((key) => key in input)
  );
}

function mapFunctions<T>(toValue: (name: FunctionName) => T): Record<FunctionName, T> {
  return Object.fromEntries(FUNCTIONS.map((name) => [name, toValue(name)])) as Record<FunctionName, T>;
}

/** Functions are bound to the author's object, so that `this` is what the author expects. */
function toFunctions(options: UncheckedOptions, name: string): Pick<ProblemDefinition, FunctionName> {
  return mapFunctions((key) => {
    const value = options[key];
    if (value === undefined) return null;
    if (typeof value === 'function') return value.bind(options);
    throw new AuthorPlace(name, key).error(`expected a function, got ${showValue(value)}`);
  });
}

function toTolerance(tolerance: unknown, place: AuthorPlace): number | null {
  if (tolerance === undefined) return null;
  if (typeof tolerance === 'number' && Number.isFinite(tolerance) && tolerance >= 0) return tolerance;
  throw place.error(`expected a number such as 1e-6, got ${showValue(tolerance)}`);
}

function toVersion(version: unknown, place: AuthorPlace): string | null {
  if (version === undefined) return null;
  if (typeof version === 'string' && version !== '') return version;
  throw place.error(`expected a text such as "1", got ${showValue(version)}`);
}
