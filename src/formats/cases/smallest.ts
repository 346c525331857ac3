/** Makes the smallest value of a shape: small numbers, the first letters, the first tags. */

import { isExpression } from '../language/expression.js';
import type {
  Bound,
  Count,
  EitherField,
  Field,
  NumberField,
  NumbersField,
  RecordTree,
  RecordValue,
  Shape,
  TableField,
} from '../language/tree.js';
import {
  compileExpression,
  compileLargeBound,
  type Environment,
  Scope,
  tagCountName,
} from '../tree/compile-expression.js';
import { TreeGrid } from '../tree/grid.js';

type Make<Value = unknown> = (environment: Environment) => Value;

/** A head with more elements in an array is not made, because it would not be small. */
const MAX_ELEMENTS = 1 << 16;

export function makeSmallest(shape: Shape): RecordValue {
  const scope = new Scope();
  const makers = shape.records.map((record) => compileRecord(record, scope));
  const environment = scope.createEnvironment();
  return Object.assign({}, ...makers.map((make) => make(environment)));
}

function compileRecord(record: RecordTree, scope: Scope): Make<RecordValue> {
  const makers = record.fields.map(({ name, field }) => ({ name, make: compileField(name, field, scope) }));
  return (environment) => Object.fromEntries(makers.map(({ name, make }) => [name, make(environment)]));
}

function compileField(name: string, field: Field, scope: Scope): Make {
  switch (field.kind) {
    case 'scalar':
      return compileScalar(name, field, scope);
    case 'word':
      return () => firstLetter(field.letters);
    case 'line':
      return () => (field.mayBeEmpty ? '' : 'a');
    case 'numbers':
      return repeat(compileCount(field.count, scope), compileNumber(field, scope));
    case 'words':
      return repeat(compileCount(field.count, scope), () => firstLetter(field.letters));
    case 'lines':
      return repeat(compileCount(field.count, scope), () => 'a');
    case 'table':
      return compileTable(field, scope);
    case 'grid': {
      const rows = compileCount(field.rows, scope);
      const cols = compileCount(field.cols, scope);
      const perCell = field.letters.length;
      return (environment) => {
        const size = { rows: rows(environment), cols: cols(environment) };
        return new TreeGrid(
          size.rows,
          size.cols,
          new Uint8Array(size.rows * size.cols * perCell),
          field.letters,
        );
      };
    }
    case 'list': {
      const inner = new Scope(scope);
      const make =
        field.of.kind === 'either' ? compileEither(field.of, inner) : compileRecord(field.of, inner);
      const count = compileCount(field.count, scope);
      const tags = field.of.kind === 'either' ? field.of.variants.flatMap((variant) => variant.tags) : [];
      const slots = tags.map((tag) => scope.declare(tagCountName(name, tag)));
      return (environment) => {
        const records = repeat(count, make)(environment);
        slots.forEach((slot, index) => {
          environment[slot] = index === 0 ? records.length : 0;
        });
        return records;
      };
    }
    case 'either':
      return compileEither(field, scope);
  }
}

function compileScalar(name: string, field: NumberField, scope: Scope): Make {
  const make = compileNumber(field, scope);
  if (field.of === 'number') return make;
  const slot = scope.declare(name);
  return (environment) => {
    const value = make(environment);
    environment[slot] = Number(value);
    return value;
  };
}

/** Makes the number that is next to 0 within its bounds, but not below its smallest value. */
function compileNumber(
  { min, max, of }: Pick<NumberField | NumbersField, 'min' | 'max' | 'of'>,
  scope: Scope,
): Make<number | bigint> {
  if (of === 'bigint') {
    const low = compileLargeBound(min, scope);
    const high = compileLargeBound(max, scope);
    return (environment) => low?.(environment) ?? atMostZero(high?.(environment) ?? 0n);
  }
  const low = compileBound(min, scope);
  const high = compileBound(max, scope);
  return (environment) => low?.(environment) ?? Math.min(0, high?.(environment) ?? 0);
}

function compileBound(bound: Bound, scope: Scope): Make<number> | null {
  if (bound === null) return null;
  return bound.kind === 'large-constant' ? () => Number(bound.digits) : compileExpression(bound, scope);
}

function atMostZero(value: bigint): bigint {
  return value < 0n ? value : 0n;
}

/** An array without a known number of elements gets one element. */
function compileCount(count: Count, scope: Scope): Make<number> {
  if (!isExpression(count)) return () => 1;
  const evaluate = compileExpression(count, scope);
  return (environment) => Math.min(MAX_ELEMENTS, Math.max(0, evaluate(environment) || 0));
}

function repeat<Value>(count: Make<number>, make: Make<Value>): Make<Value[]> {
  return (environment) => Array.from({ length: count(environment) }, () => make(environment));
}

function compileTable(field: TableField, scope: Scope): Make {
  const rows = compileCount(field.rows, scope);
  const cols = compileCount(field.cols, scope);
  const cell = compileNumber({ ...field, of: 'number' }, scope);
  return (environment) => {
    const size = { rows: rows(environment), cols: cols(environment) };
    return { ...size, cells: Array.from({ length: size.rows * size.cols }, () => cell(environment)) };
  };
}

function compileEither({ tag, variants }: EitherField, scope: Scope): Make<RecordValue> {
  const [first] = variants;
  const make = compileRecord(first.record, new Scope(scope));
  return (environment) => ({ [tag]: first.tags[0], ...make(environment) });
}

function firstLetter(letters: string | null): string {
  return letters === null ? 'a' : [...letters][0];
}
