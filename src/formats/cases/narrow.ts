/** Narrows the bounds of a format's fields, as the sets of a contest do. */
import { binaryExpression, constantExpression, constantValue } from '../language/expression.js';
import type { Bound, Expression, Field, Layout, NamedField, RecordTree, Shape } from '../language/tree.js';

/** Returns the layout with the bounds `bounds` for the numbers that they name, at every place where these numbers stand. */
export function narrowLayout(
  layout: Layout,
  bounds: Readonly<Record<string, readonly [number, number]>>,
): Layout {
  const narrowRecord = (record: RecordTree): RecordTree => ({
    ...record,
    fields: record.fields.map(narrowField),
  });
  const narrowField = ({ name, field }: NamedField): NamedField => ({
    name,
    field: narrowNested(withBounds(field, Object.hasOwn(bounds, name) ? bounds[name] : null)),
  });
  const narrowNested = (field: Field): Field => {
    if (field.kind === 'list') {
      const of = field.of.kind === 'record' ? narrowRecord(field.of) : narrowNested(field.of);
      return { ...field, of: of as typeof field.of };
    }
    if (field.kind !== 'either') return field;
    const variants = field.variants.map((each) => ({ ...each, record: narrowRecord(each.record) }));
    return { ...field, variants };
  };
  const narrowShape = (shape: Shape): Shape => ({ ...shape, records: shape.records.map(narrowRecord) });
  const { head, shape } = layout;
  return { ...layout, head: head && narrowShape(head), shape: narrowShape(shape) };
}

function withBounds(field: Field, bounds: readonly [number, number] | null): Field {
  if (bounds === null || !('min' in field)) return field;
  const [min, max] = bounds.map(constantExpression);
  return { ...field, min: narrowed(field.min, '>=', min), max: narrowed(field.max, '<=', max) };
}

/**
 * Returns the narrower one of two bounds. A bound that is an expression may be narrower for some cases only: then the bound is
 * `old * (old >= new) + new * (1 - (old >= new))`, as a comparison is 1 or 0.
 */
function narrowed(old: Bound, comparison: '>=' | '<=', bound: Expression): Bound {
  if (old === null) return bound;
  const ofSet = constantValue(bound)!;
  const narrowerOf = (value: number | bigint) =>
    (comparison === '>=' ? value > ofSet : value < ofSet) ? old : bound;
  if (old.kind === 'large-constant') return narrowerOf(BigInt(old.digits));
  const value = constantValue(old);
  if (value !== null) return narrowerOf(value);
  const isOldNarrower = binaryExpression(comparison, old, bound);
  const isNewNarrower = binaryExpression('-', constantExpression(1), isOldNarrower);
  return binaryExpression(
    '+',
    binaryExpression('*', old, isOldNarrower),
    binaryExpression('*', bound, isNewNarrower),
  );
}
