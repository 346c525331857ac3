/** Narrows the bounds of a format's fields, as the sets of a contest and the wishes of a user do. */
import { binaryExpression, constantExpression, constantValue } from '../language/expression.js';
import type {
  Bound,
  Expression,
  Field,
  Layout,
  NamedBounds,
  NamedField,
  RecordTree,
  Shape,
} from '../language/tree.js';

/** Returns the layout with the bounds `bounds` for the numbers that they name, at every place where these numbers stand. */
export function narrowLayout(layout: Layout, bounds: NamedBounds): Layout {
  const narrowRecord = (record: RecordTree): RecordTree => ({
    ...record,
    fields: record.fields.map(narrowField),
  });
  const narrowField = (named: NamedField): NamedField => ({
    name: named.name,
    field: narrowNested(fieldWithin(named, bounds)),
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
  return withRecords(layout, narrowRecord);
}

/** Does the same for numbers of the head and of the case itself. Numbers in lists and alternatives stay as they are. */
export function narrowOutermostNumbers(layout: Layout, bounds: NamedBounds): Layout {
  return withRecords(layout, (record) => ({
    ...record,
    fields: record.fields.map((named) => ({ name: named.name, field: fieldWithin(named, bounds) })),
  }));
}

/** Returns the layout with the records of its head and of its cases changed. */
function withRecords(layout: Layout, change: (record: RecordTree) => RecordTree): Layout {
  const changeShape = (shape: Shape): Shape => ({ ...shape, records: shape.records.map(change) });
  const { head, shape } = layout;
  return { ...layout, head: head && changeShape(head), shape: changeShape(shape) };
}

function fieldWithin({ name, field }: NamedField, bounds: NamedBounds): Field {
  if (!Object.hasOwn(bounds, name) || !('min' in field)) return field;
  const [min, max] = bounds[name].map(constantExpression);
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
