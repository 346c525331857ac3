/** Compiles the test whether the tail of an input begins, so that there are no further cases. */
import { LF, skipWhitespace } from '../../core/bytes.js';
import { splitIntoWords } from '../../core/words.js';
import { NO_TAIL } from '../input-format.js';
import { COMPARISONS } from '../language/exact.js';
import { intNames } from '../language/expression.js';
import { leadingNumbers, NO_ARRAYS, outermostFieldsOf } from '../language/shapes.js';
import type { Condition, Field, Layout, Shape } from '../language/tree.js';
import { compileExpression, SlotScope, type SlotValues } from './compile-expression.js';
import { compileTokenTest } from './counts.js';
import { type Cursor, NEEDS_MORE, READ_OK, STRUCTURE_LOST } from './cursor.js';
import { compileSkip, type SkipField } from './scan.js';

/** Returns the index after the tail of the input, NO_TAIL if a case begins at the cursor, null if more bytes are needed. */
export type FindTail = (cursor: Cursor, isLast: boolean) => number | null;

/** `scope` is the scope of the head. `isWhitespaceNoCase` is explained at `CompiledLayout`. */
export function compileTailFinder(
  { ending, shape }: Layout,
  scope: SlotScope,
  isWhitespaceNoCase: boolean,
): FindTail {
  switch (ending.kind) {
    case 'counted':
    case 'single':
      return (cursor, isLast) => (isLast ? cursor.at : NO_TAIL);
    case 'until-end':
      return isWhitespaceNoCase ? endAfterWhitespace : endHere;
    case 'until-terminator':
      return ending.when === null ? compileText(ending.text, shape) : compileWhen(ending.when, shape, scope);
  }
}

function endHere({ at, end, atEnd }: Cursor): number | null {
  if (at < end) return NO_TAIL;
  return atEnd ? at : null;
}

function endAfterWhitespace({ bytes, at, end, atEnd }: Cursor): number | null {
  if (skipWhitespace(bytes, at, end) < end) return NO_TAIL;
  return atEnd ? end : null;
}

/** Recognises a terminator by its text. Numbers in it are compared as numbers, so `00 0` is the terminator `0 0`. */
function compileText(text: string, shape: Shape): FindTail {
  const tests = tokensOfTerminator(text, shape).map((token) => compileTokenTest(...token));
  return (cursor) => {
    for (const isToken of tests) {
      const status = cursor.skipToken();
      if (status === NEEDS_MORE) return null;
      if (status === STRUCTURE_LOST || !isToken(cursor.bytes, cursor.from, cursor.to)) return NO_TAIL;
    }
    return cursor.at;
  };
}

/** Returns, for each token of a terminator, what `compileTokenTest` needs to know about it. */
export function tokensOfTerminator(text: string, shape: Shape): Parameters<typeof compileTokenTest>[] {
  const numbers = leadingNumbers(shape);
  return splitIntoWords(text).map((token, index) => [token, true, isCount(numbers[index]?.field)]);
}

function isCount(field: Field | undefined): boolean {
  return field?.kind === 'scalar' && field.isCount === true;
}

/** Recognises a terminator by a condition on the first numbers of its line. */
function compileWhen({ left, operator, right }: Condition, shape: Shape, scope: SlotScope): FindTail {
  const names = new Set([left, right].flatMap(intNames));
  const inner = new SlotScope(scope);
  const skipNumbers: SkipField = compileSkip(firstFields(shape, names), inner, {
    needed: names,
    nextBeginsWithNumber: false,
    neverEmpty: NO_ARRAYS,
  });
  const leftValue = compileExpression(left, inner);
  const rightValue = compileExpression(right, inner);
  const compare = COMPARISONS[operator];
  const isMet = (environment: SlotValues) => {
    const one = leftValue(environment);
    const other = rightValue(environment);
    return !Number.isNaN(one) && !Number.isNaN(other) && compare(one, other);
  };
  return (cursor) => {
    const status = skipNumbers(cursor);
    if (status === NEEDS_MORE) return null;
    if (status !== READ_OK || !isMet(cursor.environment)) return NO_TAIL;
    const lineEnd = cursor.bytes.subarray(0, cursor.end).indexOf(LF, cursor.at);
    if (lineEnd >= 0) return lineEnd;
    return cursor.atEnd ? cursor.end : null;
  };
}

/** Returns the fields of a case up to the last field that has one of these names. */
function firstFields(shape: Shape, names: ReadonlySet<string>): Shape {
  const all = outermostFieldsOf(shape);
  const last = all.findLastIndex(({ name }) => names.has(name));
  return { kind: 'record', records: [{ kind: 'record', fields: all.slice(0, last + 1) }] };
}
