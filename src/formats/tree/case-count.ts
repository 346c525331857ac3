/** The number of cases in the head of a counted layout: its bounds, and the field that reads it. */
import { constantExpression, constantValue } from '../language/expression.js';
import { outermostFieldsOf } from '../language/shapes.js';
import type { Bound, Field, Layout, NamedField, NumberField, Shape } from '../language/tree.js';

/** The name of a number of cases that has no name in the layout. Fields of modules never have an empty name. */
export const UNNAMED_COUNT = '';

/** The smallest and the largest number of cases of a contest file; null if not bounded, or if the bound depends on the head. */
export interface CaseCountBounds {
  readonly min: number | null;
  readonly max: number | null;
}

/** Returns the bounds that the author gives for the number of cases in contest files. `solve` accepts any number. */
export function boundsOfCaseCount({ ending, head }: Layout): CaseCountBounds {
  if (ending.kind !== 'counted') return { min: null, max: null };
  if (ending.name === null || head === null) return ending;
  const field = outermostFieldsOf(head).find(({ name }) => name === ending.name)?.field as NumberField;
  return { min: constantOf(field.min), max: constantOf(field.max) };
}

function constantOf(bound: Bound): number | null {
  if (bound === null || bound.kind === 'large-constant') return null;
  const value = constantValue(bound);
  // The number of cases is a safe integer, so a bound that is not one has no effect.
  return typeof value === 'number' ? value : null;
}

/** Which numbers of cases are accepted: `any`, as `solve` does, or only those within the bounds of the author. */
export type CaseCountRule = 'any' | 'bounded';

/** The head of an input, with the number of cases as one of its fields. */
export interface HeadTree {
  readonly shape: Shape;
  /** The name of the field for the number of cases; null if the head has no such field. */
  readonly countName: string | null;
}

/** Returns the head of a layout, including the field for the number of cases. */
export function headWithCaseCount(layout: Layout, rule: CaseCountRule): HeadTree | null {
  const { ending, head } = layout;
  if (ending.kind !== 'counted') return head && { shape: head, countName: null };
  const bounds = rule === 'any' ? { min: null, max: null } : boundsOfCaseCount(layout);
  const { name } = ending;
  if (name !== null && head !== null) {
    const records = head.records.map((record) => ({
      ...record,
      fields: record.fields.map((named) =>
        named.name === name ? countField(name, bounds, named.field) : named,
      ),
    }));
    return { shape: { ...head, records }, countName: name };
  }
  const count = countField(UNNAMED_COUNT, bounds, null);
  return { shape: appendField(head, count), countName: UNNAMED_COUNT };
}

function countField(name: string, { min, max }: CaseCountBounds, named: Field | null): NamedField {
  const field: NumberField = {
    kind: 'scalar',
    of: named?.kind === 'scalar' && named.of === 'bigint' ? 'bigint' : 'int',
    min: constantExpression(min ?? 0),
    max: constantExpression(max ?? Number.MAX_SAFE_INTEGER),
    decimals: null,
    description: 'the number of cases',
    isCount: true,
  };
  return { name, field };
}

/** Adds a number after the other fields: on the line of the last numbers of a record, or on a new line. */
function appendField(head: Shape | null, named: NamedField): Shape {
  const record = { kind: 'record', fields: [named] } as const;
  if (head === null) return { kind: 'record', records: [record] };
  if (head.kind === 'lines') return { ...head, records: [...head.records, record] };
  const [first, ...others] = head.records;
  return { ...head, records: [{ ...first, fields: [...first.fields, named] }, ...others] };
}
