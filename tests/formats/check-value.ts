/** A slow and literal check that a value fits its tree, for values that were drawn or shrunk. */
import type {
  Bound,
  ElementCount,
  Expression,
  Field,
  RecordTree,
  RecordValue,
} from '../../src/formats/language/tree.js';

type Names = readonly RecordValue[];

function calculate(expression: Expression, names: Names): bigint {
  switch (expression.kind) {
    case 'constant':
      return BigInt(expression.value);
    case 'name':
      return BigInt(names.find((record) => expression.name in record)![expression.name] as number);
    case 'count': {
      const list = names.find((record) => expression.list in record)![expression.list] as RecordValue[];
      return BigInt(list.filter((record) => Object.values(record)[0] === expression.tag).length);
    }
    case 'binary': {
      const left = calculate(expression.left, names);
      const right = calculate(expression.right, names);
      if (expression.operator === '+') return left + right;
      if (expression.operator === '-') return left - right;
      if (expression.operator === '*') return left * right;
      if (expression.operator === '/') return left / right;
      return expression.operator === '%' ? left % right : left ** right;
    }
  }
}

const calculateBound = (bound: Exclude<Bound, null>, names: Names): bigint =>
  bound.kind === 'large-constant' ? BigInt(bound.digits) : calculate(bound, names);

type Bounded = { readonly min: Bound; readonly max: Bound };

function isWithin(value: number | bigint, { min, max }: Bounded, names: Names): boolean {
  return (
    (min === null || value >= calculateBound(min, names)) &&
    (max === null || value <= calculateBound(max, names))
  );
}

function isCount(length: number, count: ElementCount, names: Names): boolean {
  if (['until-token', 'until-line-end', 'until-blank-line', 'many'].includes(count.kind)) return true;
  return BigInt(length) === calculate(count as Expression, names);
}

const isWord = (text: string, letters: string | null) =>
  /^\S+$/.test(text) && (letters === null || [...text].every((letter) => letters.includes(letter)));

const isLine = (text: string) => /^\S(.*\S)?$/.test(text);

const isNumber = (value: number, decimals: number | null) =>
  Number.isFinite(value) && (decimals === null || Number(value.toFixed(decimals)) === value);

/** Whether the value fits the field or record. `names` are the records around it, the innermost first. */
export function fits(tree: Field | RecordTree, value: unknown, names: Names): boolean {
  switch (tree.kind) {
    case 'record':
      return tree.fields.every(({ name, field }) =>
        fits(field, (value as RecordValue)[name], [value as RecordValue, ...names]),
      );
    case 'either': {
      const tag = (value as RecordValue)[tree.tag] as string;
      const variant = tree.variants.find(({ tags }) => tags.includes(tag));
      return variant !== undefined && fits(variant.record, value, names);
    }
    case 'scalar': {
      const isKind =
        tree.of === 'bigint'
          ? typeof value === 'bigint'
          : tree.of === 'int'
            ? Number.isSafeInteger(value)
            : isNumber(value as number, tree.decimals);
      return isKind && isWithin(value as number, tree, names);
    }
    case 'word':
      return isWord(value as string, tree.letters);
    case 'line':
      return (tree.mayBeEmpty && value === '') || isLine(value as string);
    case 'numbers': {
      const types = {
        int32: Int32Array,
        'safe-int': Float64Array,
        number: Float64Array,
        bigint: BigInt64Array,
      };
      const array = value as Float64Array;
      return (
        array instanceof types[tree.of] &&
        isCount(array.length, tree.count, names) &&
        array.every((element) => isWithin(element, tree, names)) &&
        (tree.of !== 'number' || array.every((element) => isNumber(element, tree.decimals))) &&
        (tree.of !== 'safe-int' || array.every(Number.isSafeInteger))
      );
    }
    case 'words':
      return (
        isCount((value as string[]).length, tree.count, names) &&
        (value as string[]).every((text) => isWord(text, tree.letters))
      );
    case 'lines':
      return isCount((value as string[]).length, tree.count, names) && (value as string[]).every(isLine);
    case 'grid': {
      const { rows, cols, cells, lines } = value as {
        rows: number;
        cols: number;
        cells: Uint8Array;
        lines: string[];
      };
      const size = tree.letters.length;
      const cellText = (at: number) =>
        tree.letters.map((letters, i) => letters[cells[at * size + i]]).join('');
      const rowText = (row: number) =>
        Array.from({ length: cols }, (_, col) => cellText(row * cols + col)).join(size > 1 ? ' ' : '');
      return (
        isCount(rows, tree.rows, names) &&
        isCount(cols, tree.cols, names) &&
        cells.length === rows * cols * size &&
        lines.length === rows &&
        lines.every((text, row) => text === rowText(row) && !text.includes('undefined'))
      );
    }
    case 'table': {
      const { rows, cols, cells } = value as { rows: number; cols: number; cells: Float64Array };
      return (
        isCount(rows, tree.rows, names) &&
        isCount(cols, tree.cols, names) &&
        cells.length === rows * cols &&
        cells.every((cell) => isWithin(cell, tree, names))
      );
    }
    case 'list':
      return (
        isCount((value as unknown[]).length, tree.count, names) &&
        (value as unknown[]).every((element) => fits(tree.of, element, names))
      );
  }
}
