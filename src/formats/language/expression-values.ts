/** Calculates the values of expressions from the whole numbers of records that were read or drawn. */
import type { ExactInteger } from './exact.js';
import { type ExpressionScope, evaluateExpression } from './expression.js';
import { fieldsAtAnyDepthOf, recordsOfLayout } from './shapes.js';
import type { Bound, EitherField, Expression, Layout, RecordTree, RecordValue } from './tree.js';

/** The names under which records hold their tags, by the name of the list that has these records. */
export type TagPropertyNames = ReadonlyMap<string, string>;

/** The records whose values an expression may name, the innermost record first. */
export class NameScope implements ExpressionScope {
  constructor(
    readonly records: readonly RecordValue[],
    readonly tagNames: TagPropertyNames,
  ) {}

  /** Returns the scope for expressions in a record inside this scope. The record may get its properties later. */
  within(record: RecordValue): NameScope {
    return new NameScope([record, ...this.records], this.tagNames);
  }

  valueOf(name: string): unknown {
    return this.records.find((record) => Object.hasOwn(record, name))?.[name];
  }

  int(name: string): number | null {
    const value = this.wholeOf(name);
    // A bigint that an expression names must be a safe integer. Readers refuse all others.
    if (typeof value !== 'bigint') return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : null;
  }

  /** Returns the number with this name; null if there is no value with this name, or if it is not a number. */
  wholeOf(name: string): ExactInteger | null {
    const value = this.valueOf(name);
    return typeof value === 'number' || typeof value === 'bigint' ? value : null;
  }

  count(list: string, tag: string): number | null {
    const records = this.valueOf(list);
    const tagName = this.tagNames.get(list);
    if (!Array.isArray(records) || tagName === undefined) return null;
    return records.filter((record: RecordValue) => record[tagName] === tag).length;
  }
}

/** Returns the value of a count; null if its value is not a possible number of elements. */
export function evaluateCount(expression: Expression, scope: NameScope): number | null {
  const count = evaluateExpression(expression, scope);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** The smallest and the largest value that bounds allow. */
interface ValueRange {
  readonly low: ExactInteger;
  readonly high: ExactInteger;
}

/** Returns the range between two bounds. A bound that is null means no limit. Returns null if a bound has no value. */
export function evaluateRange(min: Bound, max: Bound, scope: NameScope): ValueRange | null {
  const low = min === null ? Number.NEGATIVE_INFINITY : evaluateBound(min, scope);
  const high = max === null ? Number.POSITIVE_INFINITY : evaluateBound(max, scope);
  return low === null || high === null ? null : { low, high };
}

function evaluateBound(bound: Exclude<Bound, null>, scope: NameScope): ExactInteger | null {
  return bound.kind === 'large-constant' ? BigInt(bound.digits) : evaluateExpression(bound, scope);
}

/** Collects the tag names of all lists of tagged records in a layout. */
export function collectTagPropertyNames(layout: Pick<Layout, 'head' | 'shape'>): TagPropertyNames {
  const tagNames = new Map<string, string>();
  for (const { name, field } of fieldsAtAnyDepthOf(recordsOfLayout(layout))) {
    if (field.kind === 'list' && field.of.kind === 'either') tagNames.set(name, field.of.tag);
  }
  return tagNames;
}

/** Returns the record that a tag selects; null if the field has no such tag. */
export function recordOfTag(field: EitherField, tag: unknown): RecordTree | null {
  return field.variants.find(({ tags }) => tags.includes(tag as string))?.record ?? null;
}
