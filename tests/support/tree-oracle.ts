/**
 * A slow reader of inputs by a tree, with which tests compare the scanner and the parser. It splits the input into tokens
 * and interprets the tree field by field. It knows no fields or counts that depend on lines.
 */
import type {
  Bound,
  EitherField,
  ElementCount,
  Expression,
  Field,
  Layout,
  RecordTree,
} from '../../src/formats/language/tree.js';

/** Thrown where the input has a fault. */
class FoundFault {}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
}

type Names = Map<string, number>;

/** Returns the values of the cases before the first fault, and whether there is a fault. */
export function readByOracle(layout: Layout, text: string): { values: unknown[]; hasFault: boolean } {
  const reader: Reader = { tokens: text.split(/[ \t\n\v\f\r]+/).filter((token) => token !== ''), at: 0 };
  const values: unknown[] = [];
  try {
    readCases(layout, reader, values);
    return { values, hasFault: false };
  } catch (error) {
    if (!(error instanceof FoundFault)) throw error;
    return { values, hasFault: true };
  }
}

function readCases({ ending, shape }: Layout, reader: Reader, values: unknown[]): void {
  if (reader.tokens.length === 0) throw new FoundFault();
  const promised =
    ending.kind === 'counted'
      ? Number(readNumber(reader, COUNT, 0, Number.MAX_SAFE_INTEGER))
      : Number.POSITIVE_INFINITY;
  while (values.length < promised) {
    if (ending.kind === 'until-end' && reader.at === reader.tokens.length) return;
    if (ending.kind === 'until-terminator') {
      const wanted = ending.text.split(' ');
      const got = reader.tokens.slice(reader.at, reader.at + wanted.length);
      if (
        got.length === wanted.length &&
        got.every((token, i) => token === wanted[i] || isSameNumber(token, wanted[i]))
      )
        return;
    }
    const names: Names = new Map();
    const value = Object.assign({}, ...shape.records.map((record) => readRecord(record, reader, names)));
    checkSurplus(shape.records.at(-1), reader);
    values.push(value);
  }
}

/** A token of the letters of the last grid is one more row, so the case is invalid. */
function checkSurplus(record: RecordTree | undefined, reader: Reader): void {
  const last = record?.fields.at(-1)?.field;
  const next = reader.tokens[reader.at];
  if (last?.kind !== 'grid' || next === undefined) return;
  const [first, second] = last.letters;
  const isRow =
    second === undefined
      ? [...next].every((letter) => first.includes(letter))
      : next.length === 2 && first.includes(next[0]) && second.includes(next[1]);
  if (isRow) throw new FoundFault();
}

function next(reader: Reader): string {
  const token = reader.tokens[reader.at++];
  if (token === undefined) throw new FoundFault();
  return token;
}

function readRecord(record: RecordTree, reader: Reader, names: Names): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const { name, field } of record.fields) value[name] = readField(name, field, reader, names);
  return value;
}

function readField(name: string, field: Field, reader: Reader, names: Names): unknown {
  switch (field.kind) {
    case 'scalar': {
      if (field.of === 'bigint') return readBigInt(reader, Number.POSITIVE_INFINITY);
      const value = readNumber(reader, field.of === 'int' ? INTEGER : DECIMAL, ...limits(field, names));
      names.set(name, value);
      return value;
    }
    case 'word':
      return readWord(reader, field.letters);
    case 'numbers': {
      const syntax = field.of === 'number' ? DECIMAL : INTEGER;
      const [min, max] = limits(field, names);
      const size = field.of === 'int32' ? 2 ** 31 : Number.POSITIVE_INFINITY;
      const read = () => readNumber(reader, syntax, Math.max(min, -size), Math.min(max, size - 1));
      return repeat<number | bigint>(
        field,
        reader,
        names,
        field.of === 'bigint' ? () => readBigInt(reader, 64) : read,
      );
    }
    case 'words':
      return repeat(field, reader, names, () => readWord(reader, field.letters));
    case 'grid':
      return readGrid(field.letters, evaluate(field.rows, names), evaluate(field.cols, names), reader);
    case 'table': {
      const rows = evaluate(field.rows, names);
      const cols = evaluate(field.cols, names);
      if (rows < 0 || cols < 0 || rows > 2 ** 27 || cols > 2 ** 27) throw new FoundFault();
      // Sizes may be larger than any array: the input ends before so many cells.
      const cells: number[] = [];
      while (cells.length < rows * cols) cells.push(readNumber(reader, DECIMAL, ...limits(field, names)));
      return { rows, cols, cells };
    }
    case 'list': {
      const { of } = field;
      const records = repeat(field, reader, names, () =>
        of.kind === 'either' ? readEither(of, reader, names) : readRecord(of, reader, new Map(names)),
      );
      for (const record of records as Record<string, unknown>[]) {
        const key = of.kind === 'either' ? `${name} ${record[of.tag]}` : '';
        names.set(key, (names.get(key) ?? 0) + 1);
      }
      return records;
    }
    case 'either':
      return readEither(field, reader, names);
    default:
      throw new Error(`the oracle does not read ${field.kind}`);
  }
}

const COUNT = /^\d{1,32}$/;
const INTEGER = /^-?\d+$/;
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** JavaScript reads `0x0` and the empty string as numbers too; an input does not. */
function isSameNumber(token: string, wanted: string): boolean {
  return DECIMAL.test(token) && Number(token) === Number(wanted);
}

function limits({ min, max }: { min: Bound; max: Bound }, names: Names): [number, number] {
  return [min === null ? -Infinity : evaluate(min, names), max === null ? Infinity : evaluate(max, names)];
}

function readNumber(reader: Reader, syntax: RegExp, min: number, max: number): number {
  const token = next(reader);
  const value = Number(token);
  const isGood = syntax.test(token) && Number.isFinite(value) && value >= min && value <= max;
  if (!isGood || (syntax !== DECIMAL && !Number.isSafeInteger(value))) throw new FoundFault();
  return value + 0;
}

function readBigInt(reader: Reader, bits: number): bigint {
  const token = next(reader);
  if (!INTEGER.test(token)) throw new FoundFault();
  const value = BigInt(token);
  if (bits === 64 && BigInt.asIntN(64, value) !== value) throw new FoundFault();
  return value;
}

function readWord(reader: Reader, letters: string | null): string {
  const token = next(reader);
  if (letters !== null && ![...token].every((letter) => letters.includes(letter))) throw new FoundFault();
  return token;
}

function readGrid(letters: readonly string[], rows: number, cols: number, reader: Reader): unknown {
  const cells: number[] = [];
  for (let token = 0; token < (letters.length === 1 ? rows : rows * cols); token++) {
    const text = next(reader);
    const indices = [...text].map((letter, i) => letters[i % letters.length].indexOf(letter));
    if (indices.includes(-1) || text.length !== (letters.length === 1 ? cols : 2)) throw new FoundFault();
    cells.push(...indices);
  }
  return { rows, cols, cells };
}

function readEither({ tag, variants }: EitherField, reader: Reader, names: Names): Record<string, unknown> {
  const token = next(reader);
  const variant = variants.find(({ tags }) => tags.includes(token));
  if (variant === undefined) throw new FoundFault();
  return { [tag]: token, ...readRecord(variant.record, reader, new Map(names)) };
}

type Repeated = Extract<Field, { readonly count: ElementCount }>;

function repeat<T>(field: Repeated, reader: Reader, names: Names, read: () => T): T[] {
  const { count } = field;
  const elements: T[] = [];
  if (count.kind === 'until-token') {
    while (reader.tokens[reader.at] !== count.token) elements.push(read());
    reader.at++;
    return elements;
  }
  if (count.kind === 'many') {
    while (canBegin(field, reader.tokens[reader.at])) elements.push(read());
    return elements;
  }
  const length = evaluate(count, names);
  if (length < 0) throw new FoundFault();
  while (elements.length < length) elements.push(read());
  return elements;
}

/** Whether one more element of the field, or the field itself, can begin with the token. */
function canBegin(field: Field, token: string | undefined): boolean {
  if (token === undefined) return false;
  switch (field.kind) {
    case 'scalar':
    case 'numbers':
      return (field.of === 'number' ? DECIMAL : INTEGER).test(token);
    case 'word':
    case 'words':
      return field.letters === null || [...token].every((letter) => field.letters?.includes(letter));
    case 'list':
      return canBegin(field.of.kind === 'either' ? field.of : field.of.fields[0].field, token);
    case 'either':
      return field.variants.some(({ tags }) => tags.includes(token));
    default:
      throw new Error(`the oracle does not know with what ${field.kind} begins`);
  }
}

function evaluate(value: ElementCount | Bound, names: Names): number {
  const expression = value as Expression;
  if (expression.kind === 'constant') return expression.value;
  if (expression.kind === 'name') return names.get(expression.name) as number;
  if (expression.kind === 'count') return names.get(`${expression.list} ${expression.tag}`) ?? 0;
  if (expression.kind === 'binary' && expression.operator === '+')
    return evaluate(expression.left, names) + evaluate(expression.right, names);
  throw new Error('the oracle does not know this expression');
}
