/**
 * Reads the values in an explanation. A value of the wrong type, and a statement that is not true, throw a FalseStatement whose
 * message names the value. Values are named as jq names them, such as `moves[0].nimber`: entries are counted from 0.
 */

/** Thrown if a statement of an explanation is false. */
export class FalseStatement extends Error {
  override readonly name = 'FalseStatement';
}

export function failCheck(message: string): never {
  throw new FalseStatement(message);
}

/** A cell as explanations write it, both numbers from 1 from the top left. */
export interface Cell {
  readonly row: number;
  readonly col: number;
}

/** An object of an explanation, by the names of its fields. */
export type ExplanationFields = Readonly<Record<string, unknown>>;

/** Largest number of characters of a text that a message quotes. */
const MAX_QUOTED_LENGTH = 40;

/** Writes a value of an explanation for a message. The text is short, whatever the value is. */
export function showExplanationValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(clip(value));
  if (Array.isArray(value)) return isShortList(value) ? JSON.stringify(value) : 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function isShortList(value: readonly unknown[]): boolean {
  return value.length <= 6 && value.every((entry) => entry === null || typeof entry === 'number');
}

function clip(text: string): string {
  return text.length <= MAX_QUOTED_LENGTH ? text : `${text.slice(0, MAX_QUOTED_LENGTH)}...`;
}

/** Writes a cell as explanations write it: `[row,column]`. */
export function showCell({ row, col }: Cell): string {
  return `[${row},${col}]`;
}

export function isObject(value: unknown): value is ExplanationFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an object that has exactly these fields. A field in `optional` may be missing. */
export function readExplanationFields(
  value: unknown,
  what: string,
  names: readonly string[],
  optional: readonly string[] = [],
): ExplanationFields {
  if (!isObject(value)) failCheck(`${what} is ${showExplanationValue(value)}, expected an object`);
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) failCheck(`${what} has no field ${showExplanationValue(missing)}`);
  const unknown = Object.keys(value).find((name) => !names.includes(name) && !optional.includes(name));
  if (unknown !== undefined)
    failCheck(`${what} has the field ${showExplanationValue(unknown)}, which verify cannot check`);
  return value;
}

export function readList(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value)
    ? value
    : failCheck(`${what} is ${showExplanationValue(value)}, expected an array`);
}

/** Reads a whole number of at least `min` and at most `max`. */
export function readInteger(value: unknown, what: string, min: number, max: number): number {
  if (isIntegerWithin(value, min, max)) return value;
  return failCheck(
    `${what} is ${showExplanationValue(value)}, expected a whole number from ${min} to ${max}`,
  );
}

export function isIntegerWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

/** Reads `[row, column]`. The cell may be up to `margin` cells outside the board: 1 allows the ring around the board. */
export function readCell(value: unknown, what: string, rows: number, cols: number, margin = 0): Cell {
  if (!Array.isArray(value) || value.length !== 2)
    failCheck(`${what} is ${showExplanationValue(value)}, expected [row, column]`);
  return {
    row: readInteger(value[0], `${what}[0]`, 1 - margin, rows + margin),
    col: readInteger(value[1], `${what}[1]`, 1 - margin, cols + margin),
  };
}

/** Fails unless a value of the explanation is `right`. `reason` says why that is the right value. */
export function assertEqual(value: unknown, what: string, right: unknown, reason: string): void {
  if (value !== right)
    failCheck(
      `${what} is ${showExplanationValue(value)}, expected ${showExplanationValue(right)}: ${reason}`,
    );
}

/** Fails unless a value of the explanation is the list of the texts `right`. */
export function assertTextListEqual(
  value: unknown,
  what: string,
  right: readonly string[],
  reason: string,
): void {
  const texts = readList(value, what);
  if (texts.length !== right.length) {
    failCheck(`${what} has ${texts.length} entries, expected ${right.length}: ${reason}`);
  }
  right.forEach((text, i) => {
    assertEqual(texts[i], `${what}[${i}]`, text, reason);
  });
}
