/** Reads the value of a field or a record from the tokens of an answer. */

import { isExpression } from '../language/expression.js';
import {
  evaluateCount,
  evaluateRange,
  type NameScope,
  recordOfTag,
  type ValueRange,
} from '../language/expression-values.js';
import {
  type ArrayStart,
  findArrayStart,
  goesToLineEnd,
  NO_ARRAYS,
  withoutElements,
} from '../language/shapes.js';
import type {
  Bound,
  Count,
  EitherField,
  Field,
  GridField,
  ListField,
  NumberField,
  NumbersField,
  RecordTree,
  RecordValue,
  TableField,
  WordsField,
} from '../language/tree.js';
import type { Table } from '../language/types.js';
import { TreeGrid } from '../tree/grid.js';
import { type AnswerTokens, textOf } from './answer-tokens.js';

/**
 * Reads the value of a field or a record. Stops with an `Unreadable` if the tokens do not fit. `start` is where the value
 * begins if it is an array up to the end of its line, or a record that begins with one.
 */
export function readValue(
  tree: Field | RecordTree,
  tokens: AnswerTokens,
  scope: NameScope,
  start: ArrayStart = 'next-line',
): unknown {
  if (tree.kind !== 'record' && goesToLineEnd(tree)) {
    if (start === 'next-token') tokens.passBlanks();
    if (start === 'next-line' && tokens.takeEmptyLine())
      return readValue(withoutElements(tree), tokens, scope);
  }
  switch (tree.kind) {
    case 'record':
      return readRecord(tree, {}, tokens, scope, start);
    case 'scalar':
      return readNumber(tree, tokens, scope);
    case 'word':
      return readWord(tree.letters, tokens);
    case 'line':
      return tree.mayBeEmpty ? tokens.takeExactLine() : tokens.takeLine();
    case 'numbers':
      return readNumbers(tree, tokens, scope);
    case 'words':
      return readWords(tree, tokens, scope);
    case 'lines':
      return readElements(tree.count, tokens, scope, {
        fits: () => true,
        read: () => tokens.takeLine(),
      });
    case 'grid':
      return readGrid(tree, tokens, scope);
    case 'table':
      return readTable(tree, tokens, scope);
    case 'list':
      return readList(tree, tokens, scope);
    case 'either':
      return readEither(tree, tokens, scope);
  }
}

/** Reads the fields of a record into `record`, which already holds the tag of the record if it has one. */
function readRecord(
  tree: RecordTree,
  record: Record<string, unknown>,
  tokens: AnswerTokens,
  scope: NameScope,
  start: ArrayStart,
): RecordValue {
  const inner = scope.within(record);
  tree.fields.forEach(({ name, field }, index) => {
    const fieldStart = index === 0 ? start : findArrayStart(tree, index, 'line', NO_ARRAYS);
    record[name] = readValue(field, tokens, inner, fieldStart);
  });
  return record;
}

function readEither(field: EitherField, tokens: AnswerTokens, scope: NameScope): RecordValue {
  const tag = tokens.takeText();
  const record = recordOfTag(field, tag) ?? tokens.fail();
  return readRecord(record, { [field.tag]: tag }, tokens, scope, 'same-line');
}

function readNumber(field: NumberField, tokens: AnswerTokens, scope: NameScope): number | bigint {
  const range = rangeOf(field, tokens, scope);
  return parseNumber(tokens.take(), field.of, range, field.decimals) ?? tokens.fail();
}

function readWord(letters: string | null, tokens: AnswerTokens): string {
  const word = tokens.takeText();
  return hasOnlyLetters(word, letters) ? word : tokens.fail();
}

/** How the elements of an array or a list are read. */
interface ElementReader<Element> {
  /** Whether an element may begin with this token. */
  fits(token: string): boolean;
  read(): Element;
}

/** Reads as many elements as `count` says. */
function readElements<Element>(
  count: Count,
  tokens: AnswerTokens,
  scope: NameScope,
  { fits, read }: ElementReader<Element>,
): Element[] {
  const elements: Element[] = [];
  if (isExpression(count)) {
    const wanted = evaluateCount(count, scope) ?? tokens.fail();
    tokens.reserve(wanted);
    while (elements.length < wanted) elements.push(read());
    return elements;
  }
  while (!isAtEnd(count, tokens, fits)) {
    const { at } = tokens;
    tokens.reserve(1);
    elements.push(read());
    // An element without tokens would be read for ever.
    if (tokens.at === at) tokens.fail();
  }
  return elements;
}

/** Whether the elements are over; skips what ends them. */
function isAtEnd(
  count: Exclude<Count, { kind: 'constant' | 'name' | 'count' | 'binary' }>,
  tokens: AnswerTokens,
  fits: (token: string) => boolean,
): boolean {
  switch (count.kind) {
    case 'until-token':
      return tokens.takeIf(count.token);
    case 'until-line-end':
      return !tokens.hasTokenOnLine();
    case 'until-blank-line':
      return tokens.skipBlankLineOrEnd();
    case 'many': {
      const token = tokens.peek();
      return token === null || !fits(token);
    }
  }
}

function readNumbers(field: NumbersField, tokens: AnswerTokens, scope: NameScope): unknown {
  const range = rangeOf(field, tokens, scope);
  const kind = kindOfNumbers(field);
  const parse = (token: string) => parseNumber(token, kind, range, field.decimals);
  const numbers = readElements(field.count, tokens, scope, {
    fits: (token) => parse(token) !== null,
    read: () => parse(tokens.take()) ?? tokens.fail(),
  });
  return numbersOf(field, numbers);
}

function readWords(field: WordsField, tokens: AnswerTokens, scope: NameScope): string[] {
  return readElements(field.count, tokens, scope, {
    fits: (token) => hasOnlyLetters(textOf(token), field.letters),
    read: () => readWord(field.letters, tokens),
  });
}

function readList({ count, of }: ListField, tokens: AnswerTokens, scope: NameScope): unknown[] {
  return readElements(count, tokens, scope, {
    fits: (token) => mayBeginWith(of, token, scope),
    read: () => readValue(of, tokens, scope, isExpression(count) ? 'next-line' : 'next-token'),
  });
}

/** Reads the rows of a grid. The first row says how many columns there are unless an expression does. */
function readGrid(field: GridField, tokens: AnswerTokens, scope: NameScope): TreeGrid {
  let cols = isExpression(field.cols) ? (evaluateCount(field.cols, scope) ?? tokens.fail()) : null;
  const cells: number[] = [];
  const rows = readElements(field.rows, tokens, scope, {
    fits: (token) => hasOnlyLetters(token, field.letters.join('')),
    read: () => {
      const row =
        field.letters.length === 1 ? readLetterRow(cols, tokens) : readBlockRow(field, cols, tokens);
      cols ??= row.cols;
      appendCells(field, row.text, cells, tokens);
      return row.text;
    },
  });
  return new TreeGrid(rows.length, cols ?? 0, Uint8Array.from(cells), field.letters);
}

interface GridRow {
  readonly cols: number;
  readonly text: string;
}

/** Reads a row that is one word. A row without columns has no word. */
function readLetterRow(cols: number | null, tokens: AnswerTokens): GridRow {
  if (cols === 0) return { cols, text: '' };
  const text = tokens.take();
  return cols === null || cols === text.length ? { cols: text.length, text } : tokens.fail();
}

/** Reads a row of one word for each cell. */
function readBlockRow({ letters }: GridField, cols: number | null, tokens: AnswerTokens): GridRow {
  if (cols !== null) tokens.reserve(cols);
  const words: string[] = [];
  while (cols === null ? words.length === 0 || tokens.hasTokenOnLine() : words.length < cols) {
    const word = tokens.take();
    words.push(word.length === letters.length ? word : tokens.fail());
  }
  return { cols: words.length, text: words.join(' ') };
}

/** Appends the indices of the letters of a row. */
function appendCells({ letters }: GridField, row: string, cells: number[], tokens: AnswerTokens): void {
  for (const letter of row.replaceAll(' ', '')) {
    const index = letters[cells.length % letters.length].indexOf(letter);
    cells.push(index < 0 ? tokens.fail() : index);
  }
}

function readTable(field: TableField, tokens: AnswerTokens, scope: NameScope): Table {
  const range = rangeOf(field, tokens, scope);
  const parse = (token: string) => parseNumber(token, 'number', range, null) as number | null;
  const readCell = {
    fits: (token: string) => parse(token) !== null,
    read: () => parse(tokens.take()) ?? tokens.fail(),
  };
  let cols = isExpression(field.cols) ? (evaluateCount(field.cols, scope) ?? tokens.fail()) : null;
  const rows = readElements(field.rows, tokens, scope, {
    fits: readCell.fits,
    read: () => {
      if (!isExpression(field.cols)) tokens.passBlanks();
      const row = readElements(field.cols, tokens, scope, readCell);
      cols ??= row.length;
      return row.length === cols ? row : tokens.fail();
    },
  });
  return { rows: rows.length, cols: cols ?? 0, cells: Float64Array.from(rows.flat()) };
}

/** Whether a field or a record may begin with the token. */
function mayBeginWith(tree: Field | RecordTree, token: string, scope: NameScope): boolean {
  switch (tree.kind) {
    case 'record':
      return tree.fields.length > 0 && mayBeginWith(tree.fields[0].field, token, scope);
    case 'scalar':
    case 'numbers': {
      const range = evaluateRange(tree.min, tree.max, scope);
      const kind = tree.kind === 'scalar' ? tree.of : kindOfNumbers(tree);
      return range !== null && parseNumber(token, kind, range, tree.decimals) !== null;
    }
    case 'word':
    case 'words':
      return hasOnlyLetters(textOf(token), tree.letters);
    case 'line':
    case 'lines':
      return true;
    case 'grid':
      return hasOnlyLetters(token, tree.letters.join(''));
    case 'table':
      return NUMBER_TOKEN.test(token);
    case 'list':
      return mayBeginWith(tree.of, token, scope);
    case 'either':
      return recordOfTag(tree, textOf(token)) !== null;
  }
}

function rangeOf(
  { min, max }: { readonly min: Bound; readonly max: Bound },
  tokens: AnswerTokens,
  scope: NameScope,
): ValueRange {
  return evaluateRange(min, max, scope) ?? tokens.fail();
}

function hasOnlyLetters(word: string, letters: string | null): boolean {
  if (letters === null) return true;
  for (const letter of word) if (!letters.includes(letter)) return false;
  return true;
}

type ParsedKind = 'int' | 'int32' | 'int64' | 'bigint' | 'number';

function kindOfNumbers({ of }: NumbersField): ParsedKind {
  const kinds = { int32: 'int32', 'safe-int': 'int', number: 'number', bigint: 'int64' } as const;
  return kinds[of];
}

function numbersOf({ of }: NumbersField, numbers: readonly (number | bigint)[]): unknown {
  if (of === 'bigint') return BigInt64Array.from(numbers as bigint[]);
  return of === 'int32' ? Int32Array.from(numbers as number[]) : Float64Array.from(numbers as number[]);
}

const INTEGER_TOKEN = /^[+-]?\d+$/;
const NUMBER_TOKEN = /^[+-]?(?:\d+\.?(\d*)|\.(\d+))(?:[eE][+-]?\d+)?$/;

/** Returns the number that a token is; null if it is none of this kind, or not in the range. */
function parseNumber(
  token: string,
  kind: ParsedKind,
  range: ValueRange,
  decimals: number | null,
): number | bigint | null {
  const value = kind === 'number' ? parseDecimal(token, decimals) : parseInteger(token, kind);
  return value !== null && value >= range.low && value <= range.high ? value : null;
}

function parseInteger(token: string, kind: ParsedKind): number | bigint | null {
  if (!INTEGER_TOKEN.test(token)) return null;
  if (kind === 'bigint' || kind === 'int64') {
    const value = token[0] === '-' ? -BigInt(token.slice(1)) : BigInt(token.replace('+', ''));
    return kind === 'bigint' || BigInt.asIntN(64, value) === value ? value : null;
  }
  // The sum makes -0 an ordinary zero.
  const value = Number(token) + 0;
  const isInRange = kind === 'int32' ? (value | 0) === value : Number.isSafeInteger(value);
  return isInRange ? value : null;
}

function parseDecimal(token: string, decimals: number | null): number | null {
  const match = NUMBER_TOKEN.exec(token);
  if (match === null) return null;
  const value = Number(token) + 0;
  const fraction = match[1] ?? match[2];
  return Number.isFinite(value) && (decimals === null || fraction.length <= decimals) ? value : null;
}
