/**
 * Prints values in canonical layout. In a record, successive numbers share a line. Each word, array, line, and row of a grid,
 * table or list stands on a line of its own. A record of a list, or of a shape of lines, is one line.
 */
import { type ByteWriter, LF, SPACE } from '../../core/bytes.js';
import { isExpressionCount } from '../language/expression.js';
import { recordOfTag } from '../language/expression-values.js';
import { isAscii, isWhitespaceText } from '../language/letters.js';
import {
  countLeadingEmptyLines,
  endsLine,
  hasMeaningfulEmptyLines,
  readsToLineEnd,
  takesLineWithoutTokens,
} from '../language/shapes.js';
import type {
  EitherField,
  ElementCount,
  Field,
  GridField,
  LinesField,
  ListField,
  NumbersField,
  RecordTree,
  RecordValue,
  Shape,
  TableField,
  WordsField,
} from '../language/tree.js';
import { MINUS_BYTE, printNumber } from './numbers.js';

/** The largest integer that is written digit by digit. */
const MAX_PLAIN_INTEGER = 2 ** 31 - 1;

/** Writes tokens and lines, with one space between the tokens of a line. */
class LineWriter {
  readonly #out: ByteWriter;
  #isOpen = false;
  #hasBegun = false;

  constructor(
    out: ByteWriter,
    /** Whether an array without elements is written as an empty line. */
    readonly keepsEmptyArrays: boolean,
    /** Whether an empty line at the start of a case belongs to the case, and is no blank line before it. */
    readonly mayBeginEmpty: boolean,
  ) {
    this.#out = out;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether an array or a record without tokens may be an empty line here. */
  get canBeEmptyLine(): boolean {
    return this.#hasBegun || this.mayBeginEmpty;
  }

  /** Number of bytes so far. */
  get length(): number {
    return this.#out.length;
  }

  token(text: string): void {
    if (this.#isOpen) this.#out.byte(SPACE);
    writeText(text, this.#out);
    this.#isOpen = this.#hasBegun = true;
  }

  number(value: number | bigint): void {
    if (this.#isOpen) this.#out.byte(SPACE);
    this.#isOpen = this.#hasBegun = true;
    // What a caller of the library gave in place of a number is printed as it is, so that the error about it shows it.
    const size = typeof value === 'number' ? Math.abs(value) : Number.NaN;
    if (typeof value !== 'number') writeText(String(value), this.#out);
    else if (!Number.isInteger(size) || size > MAX_PLAIN_INTEGER) this.#out.ascii(printNumber(value));
    else {
      if (value < 0) this.#out.byte(MINUS_BYTE);
      this.#out.integer(size);
    }
  }

  /** Writes the letters of the cells `from` to `to`. Blocks, which have two letters, get a space between them. */
  cells(cells: Uint8Array, from: number, to: number, letters: readonly string[]): void {
    this.#hasBegun = true;
    const perCell = letters.length;
    for (let cell = from; cell < to; cell++) {
      const ofCell = (cell - from) % perCell;
      if (perCell > 1 && ofCell === 0 && cell > from) this.#out.byte(SPACE);
      this.#out.byte(letters[ofCell].charCodeAt(cells[cell]));
    }
  }

  /** Ends the current line if it has a token. */
  close(): void {
    if (this.#isOpen) this.endLine();
  }

  endLine(): void {
    this.#out.byte(LF);
    this.#isOpen = false;
  }

  /** Writes a text as a line of its own. */
  line(text: string): void {
    this.#hasBegun = true;
    this.close();
    writeText(text, this.#out);
    this.endLine();
  }
}

function writeText(text: string, out: ByteWriter): void {
  if (isAscii(text)) out.ascii(text);
  else out.utf8(text);
}

/** Prints a head or a case. `mayBeginEmpty` says whether an empty line can be the first one of its text. */
export function printShape(shape: Shape, value: RecordValue, out: ByteWriter, mayBeginEmpty: boolean): void {
  const writer = new LineWriter(out, !hasMeaningfulEmptyLines(shape), mayBeginEmpty);
  const emptyLines = countLeadingEmptyLines(shape);
  for (const [index, record] of shape.records.entries()) {
    if (shape.kind === 'record') printRecord(record, value, writer);
    else if (index < emptyLines) writer.endLine();
    else printLine(record, value, writer);
  }
  writer.close();
}

function printRecord(record: RecordTree, value: RecordValue, writer: LineWriter): void {
  for (const { name, field } of record.fields) {
    if (field.kind === 'scalar') {
      writer.number(value[name] as number | bigint);
      continue;
    }
    writer.close();
    printField(field, value[name], writer, false);
    const isEmptyArray = isArray(field) && !writer.isOpen && isEmpty(value[name]);
    const isEmptyLine = isEmptyArray && writer.keepsEmptyArrays && writer.canBeEmptyLine;
    if (isEmptyLine && isExpressionCount((field as NumbersField).count)) writer.endLine();
    writer.close();
  }
}

/** Prints a record that is one line of the input. */
function printLine(record: RecordTree, value: RecordValue, writer: LineWriter): void {
  const start = writer.length;
  printFields(record, value, writer, false);
  if (writer.length === start && writer.canBeEmptyLine && takesLineWithoutTokens(record)) writer.endLine();
  writer.close();
}

/** Prints the fields of a record that is one line of the input, or with `isInList` a part of a line. */
function printFields(
  { fields }: RecordTree,
  value: RecordValue,
  writer: LineWriter,
  isInList: boolean,
): void {
  for (const [index, { name, field }] of fields.entries()) {
    // The field before has lines of its own, but perhaps none in this case.
    if (index > 0 && readsToLineEnd(field) && endsLine(fields[index - 1].field, isInList)) writer.close();
    printField(field, value[name], writer, isInList);
  }
}

function isArray(field: Field): field is NumbersField | WordsField {
  return field.kind === 'numbers' || field.kind === 'words';
}

function isEmpty(value: unknown): boolean {
  return (value as ArrayLike<unknown>).length === 0;
}

/** Prints a field after the tokens of the current line. `isInList` is true if the field belongs to a record of a list. */
function printField(field: Field, value: unknown, writer: LineWriter, isInList: boolean): void {
  if (field.kind === 'scalar') writer.number(value as number | bigint);
  else if (field.kind === 'word') writer.token(value as string);
  else if (field.kind === 'line') printLineField(value as string, writer);
  else if (field.kind === 'numbers') printNumbers(field, value as NumberArray, writer);
  else if (field.kind === 'words') printWords(field, value as string[], writer);
  else if (field.kind === 'lines') printLines(field, value as string[], writer);
  else if (field.kind === 'grid') printGrid(field, value as GridValue, writer);
  else if (field.kind === 'table') printTable(field, value as TableValue, writer);
  else if (field.kind === 'either') printEither(field, value as RecordValue, writer);
  else if (isInList || readsToLineEnd(field)) printInnerList(field, value as RecordValue[], writer);
  else printList(field, value as RecordValue[], writer);
}

/** Prints a text after the tokens of the current line if it would be read as the same text there, else on a new line. */
function printLineField(text: string, writer: LineWriter): void {
  const isReadable = !isWhitespaceText(text) && !isWhitespaceText(text[0]);
  if (!writer.isOpen || !isReadable) writer.line(text);
  else {
    writer.token(text);
    writer.endLine();
  }
}

type NumberArray = Int32Array | Float64Array | BigInt64Array;

function printNumbers({ count }: NumbersField, numbers: NumberArray, writer: LineWriter): void {
  for (const number of numbers) writer.number(number);
  endOpenArray(count, writer);
}

function printWords({ count }: WordsField, words: readonly string[], writer: LineWriter): void {
  for (const word of words) writer.token(word);
  endOpenArray(count, writer);
}

function printLines({ count }: LinesField, lines: readonly string[], writer: LineWriter): void {
  for (const line of lines) writer.line(line);
  endRows(count, writer);
}

/** Prints the end of an array of tokens, after its last element. */
function endOpenArray(count: ElementCount, writer: LineWriter): void {
  if (count.kind === 'until-token') writer.token(count.token);
  if (count.kind === 'until-line-end') writer.endLine();
  if (count.kind === 'until-blank-line') endRows(count, writer);
}

/** Prints the end of a list, a grid or a table, after its last row. */
function endRows(count: ElementCount, writer: LineWriter): void {
  if (count.kind === 'until-token') writer.line(count.token);
  if (count.kind === 'until-blank-line') writer.line('');
}

interface GridValue {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Uint8Array;
}

function printGrid(field: GridField, { rows, cols, cells }: GridValue, writer: LineWriter): void {
  writer.close();
  const rowCells = cols * field.letters.length;
  for (let row = 0; row < rows && cols > 0; row++) {
    writer.cells(cells, row * rowCells, (row + 1) * rowCells, field.letters);
    writer.endLine();
  }
  endRows(field.rows, writer);
}

interface TableValue {
  readonly rows: number;
  readonly cols: number;
  readonly cells: ArrayLike<number>;
}

function printTable(field: TableField, { rows, cols, cells }: TableValue, writer: LineWriter): void {
  writer.close();
  for (let row = 0; row < rows; row++) {
    for (let cell = row * cols; cell < (row + 1) * cols; cell++) writer.number(cells[cell]);
    writer.close();
  }
  endRows(field.rows, writer);
}

function printList(field: ListField, records: readonly RecordValue[], writer: LineWriter): void {
  writer.close();
  for (const record of records) {
    printElement(field, record, writer);
    writer.close();
  }
  endRows(field.count, writer);
}

/** Prints a list on one line, because it is in a record of a list or ends at the end of its line. */
function printInnerList(field: ListField, records: readonly RecordValue[], writer: LineWriter): void {
  for (const record of records) printElement(field, record, writer);
  endOpenArray(field.count, writer);
}

function printElement({ of }: ListField, record: RecordValue, writer: LineWriter): void {
  if (of.kind === 'either') printEither(of, record, writer);
  else printFields(of, record, writer, true);
}

function printEither(field: EitherField, value: RecordValue, writer: LineWriter): void {
  const tag = value[field.tag] as string;
  const record = recordOfTag(field, tag);
  if (record === null) throw new Error(`"${tag}" is no tag of ${field.tag}`);
  writer.token(tag);
  printFields(record, value, writer, true);
}
