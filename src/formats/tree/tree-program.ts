/** Compiles the layout of an input to the code that the scanner and parser of a `TreeInputFormat` share. It holds no state. */
import { intNames } from '../language/expression.js';
import { lettersExcludeNumbers } from '../language/letters.js';
import {
  type CaseStartKind,
  fieldsAtAnyDepthOf,
  findNeverEmptyArrays,
  firstField,
  hasToken,
  isNumberField,
  kindOfCaseStart,
  leadingNumbers,
  outermostFieldsOf,
  recordsOfLayout,
  shapeOfCaseStart,
} from '../language/shapes.js';
import { knownCountsOf, terminatorOperands } from '../language/size-names.js';
import type { Layout, Shape } from '../language/tree.js';
import { type CaseCountRule, type HeadTree, headWithCaseCount } from './case-count.js';
import type { ReadFields } from './case-cursor.js';
import { SlotScope } from './compile-expression.js';
import { compileShapeReader } from './parse.js';
import { INPUT_READING_RULES } from './reading-rules.js';
import { compileSkip, type SkipField } from './scan.js';
import { compileFindSurplusRow, type FindSurplusRow } from './surplus.js';
import { compileTailFinder, type FindTail } from './tail.js';

/** Functions that read a head or a case. They store integers in the slots of one environment. */
interface Functions<F> {
  readonly head: F | null;
  readonly case: F;
  /** Reads the first fields of a case: all numbers before its first other field, or that field. */
  readonly caseStart: F;
  /** The outermost scope, from which environments are made. */
  readonly scope: SlotScope;
  /** The scope for expressions in the case. */
  readonly caseScope: SlotScope;
}

export interface CompiledLayout {
  readonly layout: Layout;
  /** Every valid case has fewer bytes than this, including all whitespace in it. */
  readonly maxCaseBytes: number;
  readonly head: HeadTree | null;
  readonly start: CaseStartKind;
  /** Whether a case begins with a line that may be empty, but has a token in any case. Then whitespace alone is not a case. */
  readonly isWhitespaceNoCase: boolean;
  /** The number of consecutive counts by which a case's start is found; 0 if other fields may have counts, too. */
  readonly headerNumbers: number;
  readonly findTail: FindTail;
  readonly findSurplus: FindSurplusRow | null;
  readonly skip: Functions<SkipField>;
  readonly read: Functions<ReadFields>;
}

export function compileLayout(
  layout: Layout,
  maxCaseBytes: number,
  rule: CaseCountRule = 'any',
): CompiledLayout {
  const head = headWithCaseCount(layout, rule);
  const needed = new Set([...intsInCounts(layout), ...terminatorOperands(layout).flatMap(intNames)]);
  if (head !== null && head.countName !== null) needed.add(head.countName);
  const neverEmpty = findNeverEmptyArrays(layout);
  const plan = { needed, nextBeginsWithNumber: isNumberField(firstField(layout.shape)), neverEmpty };
  const skip = compileBoth(layout, head, (shape, scope) => compileSkip(shape, scope, plan));
  const read = compileBoth(layout, head, (shape, scope) =>
    compileShapeReader(shape, { scope, rules: INPUT_READING_RULES }, plan),
  );
  // Conditions and totals are calculated from values that were read, so the reader must store the values that they use.
  const totals = layout.total.map(({ expression }) => expression);
  for (const name of [...totals, ...terminatorOperands(layout)].flatMap(intNames)) read.caseScope.find(name);
  const start = kindOfCaseStart(layout.shape, neverEmpty);
  const isWhitespaceNoCase = start === 'any-line' && hasToken(layout.shape);
  return {
    layout,
    maxCaseBytes,
    head,
    start,
    isWhitespaceNoCase,
    headerNumbers: countHeaderNumbers(layout.shape),
    findTail: compileTailFinder(layout, skip.scope, isWhitespaceNoCase),
    findSurplus: compileFindSurplusRow(layout),
    skip,
    read,
  };
}

function compileBoth<F>(
  { shape }: Layout,
  head: HeadTree | null,
  compile: (shape: Shape, scope: SlotScope) => F,
): Functions<F> {
  const scope = new SlotScope();
  const compiledHead = head === null ? null : compile(head.shape, scope);
  const caseScope = new SlotScope(scope);
  const compiledCase = compile(shape, caseScope);
  return {
    head: compiledHead,
    case: compiledCase,
    caseStart: compile(shapeOfCaseStart(shape), new SlotScope(scope)),
    scope,
    caseScope,
  };
}

/** Returns the names of the ints in the counts of a layout, without numbers of tagged records: no token has such a number. */
function intsInCounts(layout: Layout): string[] {
  const fields = fieldsAtAnyDepthOf(recordsOfLayout(layout));
  return fields.flatMap(({ field }) => knownCountsOf(field).flatMap(intNames));
}

/** Returns the number of counts at the start of a case, at most 2, if only rows of letters follow them; else 0. */
function countHeaderNumbers(shape: Shape): number {
  const numbers = leadingNumbers(shape);
  const rest = outermostFieldsOf(shape).slice(numbers.length);
  const isGrids = rest.every(
    ({ field }) => field.kind === 'grid' && lettersExcludeNumbers(field.letters.join('')),
  );
  return rest.length > 0 && isGrids ? Math.min(2, numbers.length) : 0;
}
