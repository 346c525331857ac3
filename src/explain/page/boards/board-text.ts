/** Reads the text of a board that a user pastes, checks a board that was edited, and prints a board as an input. */
import { pluralize } from '../../../core/errors.js';
import { splitIntoWords } from '../../../core/words.js';
import type { Board, BoardLimits } from '../../../formats/boards/board.js';

/** The rows of a board, from the top, as an input has them. Blocks of two letters are separated by whitespace. */
export type BoardRows = readonly string[];

/** The letters and sizes of a problem's boards, and the lines of an input around a board. */
export interface BoardNotation {
  /** The letters that a cell can be. Cells of two letters, called blocks, have an alphabet for each letter. */
  readonly letters: readonly string[];
  readonly limits: BoardLimits;
  /** The first line of an input with one case; null if an input has no head. */
  readonly head: string | null;
  /** The last line of an input; null if an input has no terminator. */
  readonly terminator: string | null;
}

/** An error whose message says what is wrong with a board, so that a user can mend the board. */
export class BoardError extends Error {}

/** The longest text that is read as a board. The input with the largest board of any problem is a fifth as long. */
const MAX_TEXT = 200_000;

/** The first board of a text. */
interface FirstBoard {
  readonly rows: BoardRows;
  /** Whether the text has nothing after this board. */
  readonly isAll: boolean;
}

/**
 * Reads the first board of a text, which may be a whole input, a case with its size line, or rows alone. Throws BoardError if
 * the text has no board.
 */
export function readBoard(style: BoardNotation, text: string): FirstBoard {
  if (text.length > MAX_TEXT) throw new BoardError('This text is too long for one board.');
  const lines = text
    .split('\n')
    .map(splitIntoWords)
    .filter((words) => words.length > 0);
  const numbers = takeNumbers(lines);
  const rows =
    numbers.length === 0
      ? rowsBeforeNumber(lines)
      : rowsAfterSizeLine(style, sizeOf(style, numbers), lines.flat());
  assertBoard(style, rows);
  const rest = lines.flat().slice(rows.flatMap(splitIntoWords).length).join(' ');
  return { rows, isAll: rest === '' || rest === style.terminator };
}

/** Removes the numbers at the beginning of the lines, and returns them. */
function takeNumbers(lines: string[][]): string[] {
  const numbers: string[] = [];
  while (lines.length > 0 && isNumber(lines[0][0])) {
    numbers.push(lines[0].shift()!);
    if (lines[0].length === 0) lines.shift();
  }
  return numbers;
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word);
}

function rowsBeforeNumber(lines: readonly string[][]): BoardRows {
  const end = lines.findIndex(([first]) => isNumber(first));
  return lines.slice(0, end === -1 ? lines.length : end).map((words) => words.join(' '));
}

/** Returns the number of rows and of columns that the numbers before the first row state. */
function sizeOf(style: BoardNotation, numbers: readonly string[]): [rows: number, cols: number] {
  const headLength = style.head === null ? 0 : splitIntoWords(style.head).length;
  if (numbers.length !== 2 && numbers.length !== headLength + 2) {
    throw new BoardError(
      `The text begins with ${numbers.join(' ')}. A board begins with its rows, or with two numbers: its rows and columns.`,
    );
  }
  const [rows, cols] = numbers.slice(-2).map(Number);
  assertBoardSize(style.limits, rows, cols);
  return [rows, cols];
}

function rowsAfterSizeLine(
  { letters }: BoardNotation,
  [rows, cols]: readonly [number, number],
  words: string[],
): BoardRows {
  const wordsPerRow = letters.length === 1 ? 1 : cols;
  const found = Array.from({ length: rows }, (_, row) =>
    words.slice(row * wordsPerRow, (row + 1) * wordsPerRow),
  );
  const missing = found.findIndex((row) => row.length < wordsPerRow);
  if (missing !== -1) throw new BoardError(`Row ${missing + 1} of ${rows} is missing.`);
  const wrong = letters.length === 1 ? found.findIndex(([row]) => row.length !== cols) : -1;
  if (wrong !== -1)
    throw new BoardError(
      `Row ${wrong + 1} has ${pluralize(found[wrong][0].length, 'cell')} instead of ${cols}.`,
    );
  return found.map((row) => row.join(' '));
}

/** Throws BoardError if the size, the shape or a letter of a board is wrong. */
export function assertBoard(style: BoardNotation, rows: BoardRows): void {
  if (rows.length === 0) throw new BoardError('The text has no rows.');
  const cells = rows.map((row) => cellsOfBoardRow(style, row));
  const cols = cells[0].length;
  assertBoardSize(style.limits, rows.length, cols);
  cells.forEach((row, i) => {
    if (row.length !== cols)
      throw new BoardError(`Row ${i + 1} has ${pluralize(row.length, 'cell')}, but row 1 has ${cols}.`);
    const wrong = row.findIndex((cell) => !isCellText(style, cell));
    if (wrong !== -1)
      throw new BoardError(
        `Row ${i + 1}, column ${wrong + 1}: "${shorten(row[wrong])}" is not ${describeCells(style)}.`,
      );
  });
}

/** Throws BoardError if the limits allow no board of this size. */
export function assertBoardSize(
  { minRows, maxRows, minCols, maxCols, maxCells }: BoardLimits,
  rows: number,
  cols: number,
): void {
  assertWithin(rows, minRows, maxRows, 'rows');
  assertWithin(cols, minCols, maxCols, 'columns');
  if (rows * cols > maxCells)
    throw new BoardError(`A board has at most ${maxCells} cells, not ${rows} x ${cols} = ${rows * cols}.`);
}

/** A field in which no number was typed has the value NaN. */
function assertWithin(value: number, min: number, max: number, noun: string): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new BoardError(`A board has ${min} to ${max} ${noun}${Number.isNaN(value) ? '' : `, not ${value}`}.`);
}

export function isCellText({ letters }: BoardNotation, cell: string): boolean {
  return cell.length === letters.length && letters.every((alphabet, i) => alphabet.includes(cell[i]));
}

function describeCells({ letters }: BoardNotation): string {
  const [first, second] = letters.map((alphabet) => [...alphabet].join(' '));
  return second === undefined ? `one of ${first}` : `a letter from A to Z or a to z, and one of ${second}`;
}

function shorten(text: string): string {
  return text.length > 12 ? `${text.slice(0, 11)}…` : text;
}

/** Cuts a row into its cells. */
export function cellsOfBoardRow({ letters }: BoardNotation, row: string): string[] {
  return letters.length === 1 ? [...row] : row.split(' ');
}

export function rowOfCells({ letters }: BoardNotation, cells: readonly string[]): string {
  return cells.join(letters.length === 1 ? '' : ' ');
}

/** Prints an input whose only case is the board. */
export function printBoardInput(style: BoardNotation, rows: BoardRows): string {
  const sizeLine = `${rows.length} ${cellsOfBoardRow(style, rows[0]).length}`;
  return [style.head, sizeLine, ...rows, style.terminator]
    .filter((line) => line !== null)
    .map((line) => `${line}\n`)
    .join('');
}

/** Converts the rows to the board that games and solvers read. */
export function boardOf(style: BoardNotation, rows: BoardRows): Board {
  const cells = rows.flatMap((row) => cellsOfBoardRow(style, row));
  const codes = cells.flatMap((cell) => (cell.length === 1 ? style.letters[0].indexOf(cell) : bytesOf(cell)));
  return { rows: rows.length, cols: cells.length / rows.length, cells: Uint8Array.from(codes) };
}

function bytesOf(block: string): number[] {
  return [...block].map((letter) => letter.charCodeAt(0));
}

/** Returns the rows with another text in one cell, whose row and column are counted from 1. */
export function replaceCell(
  style: BoardNotation,
  rows: BoardRows,
  [row, column]: readonly [number, number],
  cell: string,
): BoardRows {
  return rows.map((text, i) =>
    i + 1 === row ? rowOfCells(style, cellsOfBoardRow(style, text).with(column - 1, cell)) : text,
  );
}

/** Returns a board of another size: the cells at the top left are kept, and new cells get `filler`. */
export function resizeBoardRows(
  style: BoardNotation,
  rows: BoardRows,
  [height, width]: readonly [number, number],
  filler: string,
): BoardRows {
  const cells = rows.map((row) => cellsOfBoardRow(style, row));
  return Array.from({ length: height }, (_, i) =>
    rowOfCells(
      style,
      Array.from({ length: width }, (_, j) => cells[i]?.[j] ?? filler),
    ),
  );
}
