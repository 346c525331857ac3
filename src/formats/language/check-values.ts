/** Finds mistakes in the counts, bounds and letters of a field. */
import { type AuthorPlace, mistakeOf, showValue } from './author-error.js';
import { INT32_LIMITS, SAFE_LIMITS } from './exact.js';
import { constantValue, namesIn, printExpression } from './expression.js';
import type { FieldScope } from './scope.js';
import type { Bound, ElementCount, Expression, NumberField, NumbersField } from './tree.js';

/** Fails if this part of a tree is a placeholder for something that an author got wrong. */
export function refusePlaceholder(part: object, place: AuthorPlace): void {
  const mistake = mistakeOf(part);
  if (mistake !== null) throw place.error(mistake.message, { cause: mistake });
}

/** Fails if an expression uses an unknown name. Messages call the expression `what`, such as "its count". */
export function checkNames(
  expression: Expression,
  what: string,
  scope: FieldScope,
  place: AuthorPlace,
): void {
  refusePlaceholder(expression, place);
  for (const name of namesIn(expression)) {
    const mistake = scope.findMistake(name);
    if (mistake !== null) throw place.error(`${what} is "${printExpression(expression)}", but ${mistake}`);
  }
}

export function checkCount(count: ElementCount, what: string, scope: FieldScope, place: AuthorPlace): void {
  if (count.kind === 'until-token') checkToken(count.token, place);
  if (isOpen(count)) return;
  checkNames(count, what, scope, place);
  const value = constantValue(count);
  if (value === null || (Number.isSafeInteger(value) && value >= 0)) return;
  throw place.error(`${what} is ${printExpression(count)}, but it must be a whole number of at least 0`);
}

function isOpen(count: ElementCount): count is Exclude<ElementCount, Expression> {
  return count.kind.startsWith('until-') || count.kind === 'many';
}

function checkToken(token: unknown, place: AuthorPlace): void {
  if (typeof token === 'string' && /^\S+$/u.test(token)) return;
  throw place.error(
    `until(...) expects one token without whitespace, "\\n" or "\\n\\n", got until(${showValue(token)})`,
  );
}

/** The type of the numbers that a field can hold. */
type NumberRange = NumberField['of'] | NumbersField['of'];

interface BoundedField {
  readonly min: Bound;
  readonly max: Bound;
}

export function checkBounds(
  { min, max }: BoundedField,
  range: NumberRange,
  scope: FieldScope,
  place: AuthorPlace,
): void {
  checkBound(min, 'its smallest value', range, scope, place);
  checkBound(max, 'its largest value', range, scope, place);
  const [from, to] = [boundValue(min), boundValue(max)];
  if (from !== null && to !== null && from > to) {
    throw place.error(`its smallest value ${from} is greater than its largest value ${to}`);
  }
}

function checkBound(
  bound: Bound,
  what: string,
  range: NumberRange,
  scope: FieldScope,
  place: AuthorPlace,
): void {
  if (bound === null) return;
  if (bound.kind !== 'large-constant') checkNames(bound, what, scope, place);
  const value = boundValue(bound);
  const reason = value === null ? null : findRangeMistake(value, range);
  if (reason !== null) throw place.error(`${what} is ${value}, ${reason}`);
}

/** Returns the value of a bound that uses no names; null for any other bound. */
function boundValue(bound: Bound): number | bigint | null {
  if (bound === null) return null;
  return bound.kind === 'large-constant' ? BigInt(bound.digits) : constantValue(bound);
}

/** Returns why a field cannot hold the number, as the end of a sentence; null if the field can hold it. */
function findRangeMistake(value: number | bigint, range: NumberRange): string | null {
  if (range === 'number') return Number.isFinite(value) ? null : 'but it must be a finite number';
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'but it must be a safe integer';
  const fits = range === 'bigint' || (value >= RANGES[range].low && value <= RANGES[range].high);
  return fits ? null : RANGES[range].hint;
}

const RANGES = {
  int: { ...SAFE_LIMITS, hint: 'which is not a safe integer; use bigint' },
  'safe-int': { ...SAFE_LIMITS, hint: 'which is not a safe integer; use bigints' },
  int32: { ...INT32_LIMITS, hint: 'which does not fit in 32 bits; use safeInts' },
} as const;

/** Fails if the bounds of a field do not fit in the 64 bits of a BigInt64Array. */
export function checkBoundsFitInt64({ min, max }: BoundedField, place: AuthorPlace): void {
  for (const value of [boundValue(min), boundValue(max)]) {
    if (value !== null && BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) {
      throw place.error(`its bound ${value} does not fit in 64 bits; use a list of records with a bigint`);
    }
  }
}

export function checkDecimals(decimals: unknown, place: AuthorPlace): void {
  if (decimals === null || (Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 100)) {
    return;
  }
  throw place.error(`expected from 0 to 100 decimals, got ${showValue(decimals)}`);
}

/** The letters of a field are single bytes in a file, so they must be ASCII characters. */
const LETTERS = /^[!-~]+$/;

export function checkLetters(letters: unknown, place: AuthorPlace): void {
  if (typeof letters !== 'string' || letters === '') {
    throw place.error(`expected the allowed letters, such as ".#", got ${showValue(letters)}`);
  }
  if (!LETTERS.test(letters)) {
    throw place.error(`its letters ${showValue(letters)} must be ASCII characters without whitespace`);
  }
  const range = findRange(letters);
  if (range !== null) {
    throw place.error(
      `its letters ${showValue(letters)} are literal, and "${range}" is three letters and no range: use formats.lower, formats.upper and formats.digits, or put "-" first`,
    );
  }
  const repeated = [...letters].find((letter, index) => letters.indexOf(letter) < index);
  if (repeated !== undefined) throw place.error(`its letters ${showValue(letters)} have "${repeated}" twice`);
}

/** Returns the part of the letters that an author may have meant as a range, such as `a-z`; null if there is none. */
function findRange(letters: string): string | null {
  const ranges = letters.match(/[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]/g) ?? [];
  return ranges.find((range) => range[0] < range[2]) ?? null;
}
