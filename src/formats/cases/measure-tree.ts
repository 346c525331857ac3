/** Measures the cases of a tree: its numbers, the lengths of its arrays and lists, and the sides of its grids and tables. */
import { constantValue, printExpression } from '../language/expression.js';
import {
  collectTagPropertyNames,
  evaluateRange,
  NameScope,
  recordOfTag,
} from '../language/expression-values.js';
import { namesInCounts } from '../language/size-names.js';
import type {
  Bound,
  EitherField,
  ElementCount,
  Field,
  Layout,
  ListField,
  RecordTree,
  RecordValue,
} from '../language/tree.js';
import {
  type CaseMeasure,
  CaseMeasurement,
  type MeasuredNumber,
  NO_LIMITS,
  type ValueLimits,
} from './measure.js';

/** Measures one record. The scope knows the names of its values. */
type MeasureRecord = (value: RecordValue, scope: NameScope) => void;
/** Measures one field of a record. */
type MeasureField = (value: unknown, scope: NameScope) => void;

export class TreeCaseMeasure implements CaseMeasure<RecordValue> {
  readonly numbers: readonly MeasuredNumber[];
  readonly #measurement: CaseMeasurement;
  readonly #measureCase: MeasureRecord;
  readonly #tagNames: NameScope['tagNames'];

  constructor(layout: Layout) {
    const { shape } = layout;
    const compiler = new MeasureCompiler(shape.records);
    this.#measureCase = compiler.compileRecords(shape.records, '', true);
    this.numbers = compiler.numbersWithSizes();
    this.#measurement = new CaseMeasurement(this.numbers.length);
    compiler.target = this.#measurement;
    this.#tagNames = collectTagPropertyNames(layout);
  }

  measure(value: RecordValue, head: unknown): CaseMeasurement {
    this.#measurement.clear();
    const records = head === null || head === undefined ? [value] : [value, head as RecordValue];
    this.#measureCase(value, new NameScope(records, this.#tagNames));
    return this.#measurement;
  }
}

/** Turns the fields of a tree into functions that measure them. */
class MeasureCompiler {
  /** The measurement that the compiled functions write to. It is set before the first case is measured. */
  target!: CaseMeasurement;
  readonly #numbers: MeasuredNumber[] = [];
  /** The names of the integers that give numbers of elements. */
  readonly #countNames: ReadonlySet<string>;

  constructor(records: readonly RecordTree[]) {
    this.#countNames = namesInCounts(records);
  }

  /** Returns the numbers that are measured. If none of them is a size, all numbers that every case has count as sizes. */
  numbersWithSizes(): readonly MeasuredNumber[] {
    if (this.#numbers.some(({ role }) => role === 'size')) return this.#numbers;
    return this.#numbers.map((number) => (number.role === 'value' ? { ...number, role: 'size' } : number));
  }

  /** `isSingle` is true if every case has these records exactly once. `path` is put before the names of their fields. */
  compileRecords(records: readonly RecordTree[], path: string, isSingle: boolean): MeasureRecord {
    const parts = records
      .flatMap(({ fields }) => fields)
      .map(({ name, field }) => ({ name, measure: this.#compileField(field, `${path}${name}`, isSingle) }));
    return (value, scope) => {
      for (const { name, measure } of parts) measure(value[name], scope);
    };
  }

  #compileField(field: Field, name: string, isSingle: boolean): MeasureField {
    switch (field.kind) {
      case 'scalar':
        return this.#compileNumber(field, name, isSingle);
      case 'word':
        return this.#compileLength(`length of ${name}`, null, isSingle, 'value');
      case 'line':
        return () => {};
      case 'numbers':
        return both(
          this.#compileLength(`length of ${name}`, field.count, isSingle),
          this.#compileElements(field, name, (value) => value as ArrayLike<number | bigint>),
        );
      case 'words':
      case 'lines':
        return this.#compileLength(`length of ${name}`, field.count, isSingle);
      case 'grid':
        return this.#compileSides(field, name, isSingle);
      case 'table':
        return both(
          this.#compileSides(field, name, isSingle),
          this.#compileElements(field, name, (value) => (value as { cells: Float64Array }).cells),
        );
      case 'list':
        return both(
          this.#compileLength(`length of ${name}`, field.count, isSingle),
          this.#compileList(field, name),
        );
      case 'either':
        return this.#compileEither(field, `${name}.`);
    }
  }

  #add(name: string, role: MeasuredNumber['role'], min: Bound = null, max: Bound = null): number {
    return this.#numbers.push({ name, role, min: textOf(min), max: textOf(max) }) - 1;
  }

  #compileNumber(field: Extract<Field, { kind: 'scalar' }>, name: string, isSingle: boolean): MeasureField {
    const role = this.#countNames.has(name) ? 'size' : 'value';
    const index = this.#add(name, isSingle ? role : 'elements', field.min, field.max);
    const limitsOf = compileLimits(field.min, field.max);
    return (value, scope) =>
      this.target.add(index, value as number | bigint, value as number | bigint, limitsOf(scope));
  }

  /** Measures a length that no number of the tree gives. */
  #compileLength(
    name: string,
    count: ElementCount | null,
    isSingle: boolean,
    role: 'size' | 'value' = 'size',
  ): MeasureField {
    if (count !== null && isToldByNumber(count)) return () => {};
    const index = this.#add(name, isSingle ? role : 'elements');
    return (value) => {
      const { length } = value as { readonly length: number };
      this.target.add(index, length, length, NO_LIMITS);
    };
  }

  #compileSides(
    { rows, cols }: { readonly rows: ElementCount; readonly cols: ElementCount },
    name: string,
    isSingle: boolean,
  ): MeasureField {
    const compileSide = (side: 'rows' | 'cols', what: string, count: ElementCount): MeasureField => {
      const measure = this.#compileLength(`${what} of ${name}`, count, isSingle);
      return (value, scope) => measure({ length: (value as Record<'rows' | 'cols', number>)[side] }, scope);
    };
    return both(compileSide('rows', 'rows', rows), compileSide('cols', 'columns', cols));
  }

  /** Measures all elements of an array or a table together. */
  #compileElements(
    { min, max }: { readonly min: Bound; readonly max: Bound },
    name: string,
    elementsOf: (value: unknown) => ArrayLike<number | bigint>,
  ): MeasureField {
    const index = this.#add(name, 'elements', min, max);
    const limitsOf = compileLimits(min, max);
    return (value, scope) => {
      const elements = elementsOf(value);
      if (elements.length === 0) return;
      let low = elements[0];
      let high = elements[0];
      for (let at = 1; at < elements.length; at++) {
        const element = elements[at];
        if (element < low) low = element;
        else if (element > high) high = element;
      }
      this.target.add(index, low, high, limitsOf(scope));
    };
  }

  #compileList({ of }: ListField, name: string): MeasureField {
    const measure =
      of.kind === 'record'
        ? this.#compileInner(this.compileRecords([of], `${name}.`, false))
        : this.#compileEither(of, `${name}.`);
    return (value, scope) => {
      for (const element of value as readonly unknown[]) measure(element, scope);
    };
  }

  /** Measures inner records, whose expressions may name fields of the records around them. */
  #compileInner(measure: MeasureRecord): MeasureField {
    return (value, scope) => measure(value as RecordValue, scope.within(value as RecordValue));
  }

  #compileEither(field: EitherField, path: string): MeasureField {
    const measures = new Map(
      field.variants.map(({ record }) => [
        record,
        this.#compileInner(this.compileRecords([record], path, false)),
      ]),
    );
    return (value, scope) => {
      const record = recordOfTag(field, (value as RecordValue)[field.tag]);
      if (record !== null) measures.get(record)!(value, scope);
    };
  }
}

function both(first: MeasureField, second: MeasureField): MeasureField {
  return (value, scope) => {
    first(value, scope);
    second(value, scope);
  };
}

/** Whether a number of the case, or the tree itself, gives the number of elements. */
function isToldByNumber({ kind }: ElementCount): boolean {
  return kind === 'name' || kind === 'constant';
}

function textOf(bound: Bound): string | null {
  if (bound === null) return null;
  return bound.kind === 'large-constant' ? bound.digits : printExpression(bound);
}

/** Compiles the limits of a number. Limits that use no names are calculated only once. */
function compileLimits(min: Bound, max: Bound): (scope: NameScope) => ValueLimits {
  const evaluateLimits = (scope: NameScope) => evaluateRange(min, max, scope) ?? NO_LIMITS;
  if (![min, max].every(isFixed)) return evaluateLimits;
  const limits = evaluateLimits(new NameScope([], new Map()));
  return () => limits;
}

function isFixed(bound: Bound): boolean {
  return bound === null || bound.kind === 'large-constant' || constantValue(bound) !== null;
}
