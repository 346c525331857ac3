/** The functions with which an author describes the layout of an input, and answers with labels. */
import { AuthorError, markPlaceholder, showValue } from './author-error.js';
import { constantExpression, parseCondition, parseExpression } from './expression.js';
import { isField, toRecord } from './fields.js';
import type {
  AnswerTree,
  Condition,
  Ending,
  Expression,
  Layout,
  NumberField,
  Shape,
  TotalBound,
} from './tree.js';
import type {
  AnswerFields,
  CheckedShape,
  FieldOf,
  FieldsOfCase,
  IntField,
  IntNames,
  Labelled,
  LayoutOf,
  MergedRecords,
  NamesOf,
  NoFields,
} from './types.js';

/** The options of all layouts with several cases. */
interface LayoutOptions<Head> {
  /** The fields before the first case. */
  readonly head?: Head & NoInfer<CheckedShape<Head, never>>;
  /** Bounds on the sum of an expression over the cases of one contest file, such as `{ n: 2e5 }`. */
  readonly total?: { readonly [expression: string]: number };
}

/** The options of `counted`. */
interface CountedOptions<Head> extends LayoutOptions<Head> {
  /** The number of cases: the name of an `int` of the head, or an `int` whose bounds hold for a number after the head. */
  readonly cases?: IntField | NoInfer<IntNames<MergedRecords<Head>>>;
}

/** The options of `untilTerminator`. */
interface TerminatorOptions<Head> extends LayoutOptions<Head> {
  /** A condition on the first numbers of a case, such as `months < 0`. If it is true, these numbers are the terminator. */
  readonly when?: string;
}

type CaseAfter<Case, Head> = Case & NoInfer<CheckedShape<Case, NamesOf<MergedRecords<Head>>>>;

/**
 * The number of cases, then that many cases.
 *
 * @typeParam Case The fields of a case.
 * @typeParam Head The fields of the head.
 */
export function counted<const Case extends FieldsOfCase, const Head extends FieldsOfCase = NoFields>(
  fields: CaseAfter<Case, Head>,
  options: CountedOptions<Head> = {},
): LayoutOf<MergedRecords<Case>, MergedRecords<Head>> {
  return typed(layout(toCountedEnding(options?.cases), fields, options, ['head', 'total', 'cases']));
}

/**
 * Cases until the end of the input.
 *
 * @typeParam Case The fields of a case.
 * @typeParam Head The fields of the head.
 */
export function untilEnd<const Case extends FieldsOfCase, const Head extends FieldsOfCase = NoFields>(
  fields: CaseAfter<Case, Head>,
  options: LayoutOptions<Head> = {},
): LayoutOf<MergedRecords<Case>, MergedRecords<Head>> {
  return typed(layout({ kind: 'until-end' }, fields, options, ['head', 'total']));
}

/**
 * Cases until a terminator, whose text is `terminator`. The cases end where these tokens stand. With `when`, they end where the
 * first numbers of a case meet this condition.
 *
 * @typeParam Case The fields of a case.
 * @typeParam Head The fields of the head.
 */
export function untilTerminator<const Case extends FieldsOfCase, const Head extends FieldsOfCase = NoFields>(
  terminator: string,
  fields: CaseAfter<Case, Head>,
  options: TerminatorOptions<Head> = {},
): LayoutOf<MergedRecords<Case>, MergedRecords<Head>> {
  const ending = toTerminatorEnding(terminator, options?.when);
  return typed(layout(ending, fields, options, ['head', 'total', 'when']));
}

/** An input that is one case. */
export function single<const Case extends FieldsOfCase>(
  fields: Case & NoInfer<CheckedShape<Case, never>>,
): LayoutOf<MergedRecords<Case>, NoFields> {
  return typed(layout({ kind: 'single' }, fields, {}, []));
}

/** An answer with a label: the prefix, the number of the case, an optional colon, and then the answer. */
export function labelled(prefix: string): Labelled<FieldOf<string>>;
export function labelled<Answer extends AnswerFields>(prefix: string, answer: Answer): Labelled<Answer>;
export function labelled(prefix: string, answer?: AnswerFields): AnswerTree {
  return { label: prefix, body: answer === undefined ? null : toAnswerBody(answer) };
}

/** The answer format of a problem whose whole output is one answer. */
export const WHOLE_OUTPUT: AnswerTree = { label: null, body: null };
const ONE_LINE: AnswerTree = { label: null, body: { kind: 'line', mayBeEmpty: false } };

/**
 * Returns the tree of the answer that an author has given to `defineProblem`. If none was given, the answer is the whole output
 * for an input of one case, and a line otherwise.
 */
export function toAnswerTree(answer: unknown, { ending }: Layout): AnswerTree {
  if (answer === undefined) return ending.kind === 'single' ? WHOLE_OUTPUT : ONE_LINE;
  return isLabelled(answer) ? answer : { label: null, body: toAnswerBody(answer) };
}

/** Whether the value comes from `labelled`. In a record, `label` and `body` may be fields, but `label` is not a text. */
function isLabelled(answer: unknown): answer is AnswerTree {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'body' in answer &&
    'label' in answer &&
    !isField(answer.label)
  );
}

function toAnswerBody(answer: unknown): AnswerTree['body'] {
  return isField(answer) ? answer : toRecord(answer);
}

/** Adds types to a layout for the compiler. At run time, the layout is unchanged. */
function typed<T>(node: Layout): T {
  return node as unknown as T;
}

function layout(ending: Ending, fields: unknown, options: unknown, known: readonly string[]): Layout {
  const { head, total } = (options ?? {}) as { head?: unknown; total?: unknown };
  const node: Layout = {
    ending,
    head: head === undefined ? null : toShape(head),
    shape: toShape(fields),
    total: toTotal(total),
  };
  const unknown = Object.keys(options ?? {}).find((key) => !known.includes(key));
  if (unknown === undefined) return node;
  const alternatives = known.length === 0 ? 'no options' : known.map((key) => `"${key}"`).join(', ');
  return markPlaceholder(node, `expected ${alternatives}, got the option "${unknown}"`);
}

function toShape(fields: unknown): Shape {
  return Array.isArray(fields)
    ? { kind: 'lines', records: Array.from(fields, toRecord) }
    : { kind: 'record', records: [toRecord(fields)] };
}

function toCountedEnding(cases: unknown): Ending {
  const unnamed: Ending = { kind: 'counted', name: null, min: null, max: null };
  if (cases === undefined) return unnamed;
  if (typeof cases === 'string') return { ...unnamed, name: cases };
  if (!isField(cases) || cases.kind !== 'scalar' || cases.of !== 'int') {
    return markPlaceholder(
      unnamed,
      `cases: expected int(...) or the name of an int of the head, got ${showValue(cases)}`,
    );
  }
  const [min, max] = [cases.min, cases.max].map(constantBound);
  if (min !== undefined && max !== undefined) return { ...unnamed, min, max };
  return markPlaceholder(unnamed, 'cases: expected bounds that are numbers, got an expression');
}

/** Returns the value of a bound that is a number; undefined for any other bound. */
function constantBound(bound: NumberField['min']): number | null | undefined {
  if (bound === null) return null;
  return bound.kind === 'constant' ? bound.value : undefined;
}

function toTerminatorEnding(text: unknown, when: unknown): Ending {
  const ending = {
    kind: 'until-terminator',
    text: typeof text === 'string' ? text : '',
    when: null,
  } as const;
  if (typeof text !== 'string' || text.trim() === '') {
    return markPlaceholder<Ending>(
      ending,
      `expected the text of the terminator, such as "0 0", got ${showValue(text)}`,
    );
  }
  if (when === undefined) return ending;
  const condition = parsed(when, 'when', parseCondition);
  return typeof condition === 'string'
    ? markPlaceholder<Ending>(ending, condition)
    : { ...ending, when: condition };
}

function toTotal(total: unknown): TotalBound[] {
  if (total === undefined) return [];
  if (typeof total !== 'object' || total === null || Array.isArray(total)) {
    return [standInTotal('', `total: expected bounds such as { n: 2e5 }, got ${showValue(total)}`)];
  }
  return Object.entries(total).map(([text, max]) => toTotalBound(text, max));
}

function toTotalBound(text: string, max: unknown): TotalBound {
  const expression: Expression | string = parsed(text, 'total', parseExpression);
  if (typeof expression === 'string') return standInTotal(text, expression);
  if (typeof max === 'number' && max > 0 && Number.isSafeInteger(max)) return { text, expression, max };
  return standInTotal(
    text,
    `total: expected a whole number as the bound of "${text}", got ${showValue(max)}`,
  );
}

function standInTotal(text: string, mistake: string): TotalBound {
  return markPlaceholder({ text, expression: constantExpression(0), max: 0 }, mistake);
}

/** Parses the text of an expression or a condition of an author. Returns the mistake as a sentence if the text is wrong. */
function parsed<T extends Expression | Condition>(
  text: unknown,
  option: string,
  parse: (text: string) => T,
): T | string {
  if (typeof text !== 'string') return `${option}: expected a text, got ${showValue(text)}`;
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof AuthorError) return `${option}: ${error.message}`;
    throw error;
  }
}
