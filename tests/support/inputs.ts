/** Makes random inputs of every input format, in all layouts that a file may have, and damages inputs in all ways. */
import fc from 'fast-check';
import { loadProblem, PROBLEMS } from '../../src/catalog/registry.js';
import type { Board } from '../../src/formats/boards/board.js';
import type { BoardInputFormat } from '../../src/formats/boards/board-format.js';
import { fixtureOf } from '../fixtures/problems.mjs';
import { Random } from './random.js';

/** An input format as the problem statement describes it, and the code under test that reads inputs of this format. */
export type Style = ReturnType<typeof fixtureOf>['statement'] & {
  readonly name: string;
  readonly inputFormat: BoardInputFormat;
};

/** The styles of all problems, in the order of the registry. */
export const STYLES: readonly Style[] = await Promise.all(
  PROBLEMS.map(async ({ name }) => {
    const { inputFormat } = await loadProblem(name);
    return { ...fixtureOf(name).statement, name, inputFormat };
  }),
);

/** Returns the style of one problem. */
export function styleOf(name: string): Style {
  return STYLES.find((style) => style.name === name) as Style;
}

/** A test case whose cells are stored one by one, as they are written in an input. */
export interface PlainCase {
  readonly rows: number;
  readonly cols: number;
  /** The cells of each row. */
  readonly cells: readonly (readonly string[])[];
}

export function randomCase(style: Style, rows: number, cols: number, random: Random): PlainCase {
  const cell = () => style.letters.map((letters) => random.pick(letters)).join('');
  const cells = Array.from({ length: rows }, () => Array.from({ length: cols }, cell));
  style.arrange?.(cells, (bound) => random.below(bound));
  return { rows, cols, cells };
}

/** Returns the lines of an input. Each line is a list of tokens. */
export function linesOf(style: Style, cases: readonly PlainCase[]): string[][] {
  const preamble = style.preamble.map((field) => (field === 'T' ? `${cases.length}` : '7'));
  const lines = cases.flatMap(({ rows, cols, cells }) => [
    [`${rows}`, `${cols}`],
    ...cells.map((row) => (style.letters.length === 1 ? [row.join('')] : [...row])),
  ]);
  return [...(preamble.length > 0 ? [preamble] : []), ...lines, ...(style.terminated ? [['0', '0']] : [])];
}

/** Returns an input in canonical layout. */
export function printInput(style: Style, cases: readonly PlainCase[]): string {
  return linesOf(style, cases)
    .map((line) => `${line.join(' ')}\n`)
    .join('');
}

/** Returns the text of an input with many small cases. The cases depend only on the seed. */
export function bulkInput(style: Style, count: number, maxSide: number, seed: number): string {
  const random = new Random(seed);
  const { rows, cols } = sidesUpTo(style, maxSide);
  const side = ({ min, max }: Sides) => min + random.below(max - min + 1);
  const cases = Array.from({ length: count }, () => randomCase(style, side(rows), side(cols), random));
  return printInput(style, cases);
}

interface Sides {
  readonly min: number;
  readonly max: number;
}

/** Returns which sides small boards have: two rows or more, if the game has such boards, and columns for enough cells. */
function sidesUpTo(
  { minCells, maxRows, maxCols, maxCells }: Style,
  maxSide: number,
): Record<'rows' | 'cols', Sides> {
  const rows = { min: Math.min(2, maxRows), max: Math.min(maxSide, maxRows) };
  const cols = Math.min(maxSide, maxCols, Math.floor(maxCells / rows.max));
  return { rows, cols: { min: Math.ceil(minCells / rows.min), max: cols } };
}

/** Returns the codes of all cells, as a parsed board stores them. */
export function cellsOf(style: Style, { cells }: PlainCase): number[] {
  return cells
    .flat()
    .flatMap((cell) =>
      style.letters.length === 1
        ? [style.letters[0].indexOf(cell)]
        : [cell.charCodeAt(0), cell.charCodeAt(1)],
    );
}

/** Returns the codes of all cells of a parsed board. */
export function boardCells(style: Style, board: Board): number[] {
  return [...board.cells.subarray(0, board.rows * board.cols * style.letters.length)];
}

// ---- arbitraries for fast-check ----

export function anyCases(style: Style, maxCases = 5, maxSide = 5): fc.Arbitrary<PlainCase[]> {
  const { rows, cols } = sidesUpTo(style, maxSide);
  const plainCase = fc
    .record({ rows: fc.integer(rows), cols: fc.integer(cols), seed: fc.nat() })
    .map(({ rows, cols, seed }) => randomCase(style, rows, cols, new Random(seed)));
  return fc.array(plainCase, { maxLength: maxCases, minLength: style.preamble.length > 0 ? 0 : 1 });
}

const WHITESPACE = [' ', '\t', '\n', '\r\n', '  ', '\n\n', ' \n', '\v', '\f', '\r'];

/** A function that turns lines of tokens into text. All layouts of the same tokens must be read as the same input. */
export type Layout = (lines: readonly (readonly string[])[]) => string;

export function anyLayout(): fc.Arbitrary<Layout> {
  const join = (lineEnd: string) => (lines: readonly (readonly string[])[]) =>
    lines.map((line) => line.join(' ')).join(lineEnd);
  const anyWhitespace = (seed: number) => (lines: readonly (readonly string[])[]) => {
    const random = new Random(seed);
    return lines.flat().reduce((text, token) => text + random.pick(WHITESPACE) + token, '');
  };
  const anyLineEnds = (seed: number) => (lines: readonly (readonly string[])[]) => {
    const random = new Random(seed);
    return lines.map((line) => line.join(' ') + random.pick(['\n', '\n', '\r\n', ' \n', '\n\n'])).join('');
  };
  const body = fc.oneof(
    fc.constantFrom(join('\n'), join('\r\n'), join(' ')),
    fc.nat().map(anyWhitespace),
    fc.nat().map(anyLineEnds),
  );
  const bom = fc.constantFrom('', '', '\ufeff');
  const head = fc.constantFrom('', '', '\n', ' \t\r\n');
  const tail = fc.constantFrom('', '\n', '\r\n', ' \n\n\t');
  return fc.tuple(bom, head, body, tail).map(
    ([byteOrderMark, before, layOut, after]) =>
      (lines) =>
        byteOrderMark + before + layOut(lines) + after,
  );
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** A change to the bytes of an input. `place` says where the change is, as a share of the input's length (0 to 1). */
export interface Damage {
  readonly kind: 'replace' | 'delete' | 'insert' | 'cut' | 'repeat' | 'stretch';
  readonly place: number;
  readonly byte: number;
  readonly length: number;
}

/** Bytes that are likely to break an input: digits, letters of boards, signs, whitespace, and bytes that are not ASCII. */
const HARMFUL_BYTES = [...'0123456789.#LRXOADSU-+?z \t\n\r\0\x7f', '\xc3', '\xff'].map((char) =>
  char.charCodeAt(0),
);

/**
 * Returns any share from 0 to less than 1, all equally likely. Of the numbers of `fc.double`, nearly all are so small that
 * they name the first byte of any input.
 */
export function anyShare(): fc.Arbitrary<number> {
  const parts = 2 ** 20;
  return fc.nat(parts - 1).map((part) => part / parts);
}

export function anyDamage(): fc.Arbitrary<Damage> {
  return fc.record({
    kind: fc.constantFrom('replace', 'delete', 'insert', 'cut', 'repeat', 'stretch'),
    place: anyShare(),
    byte: fc.oneof(fc.constantFrom(...HARMFUL_BYTES), fc.integer({ min: 0, max: 255 })),
    length: fc.integer({ min: 1, max: 40 }),
  });
}

/** Returns a copy of the bytes with this damage. */
export function applyDamage(bytes: Uint8Array<ArrayBuffer>, damage: Damage): Uint8Array<ArrayBuffer> {
  const at = Math.floor(damage.place * bytes.length);
  const head = bytes.subarray(0, at);
  const here = bytes.subarray(at, at + damage.length);
  const middle: Record<Damage['kind'], ArrayLike<number>[]> = {
    replace: [[damage.byte], bytes.subarray(at + 1)],
    insert: [[damage.byte], bytes.subarray(at)],
    delete: [bytes.subarray(at + damage.length)],
    cut: [],
    stretch: [Array.from({ length: 2 * damage.length }, () => bytes[at] ?? damage.byte), bytes.subarray(at)],
    repeat: [here, here, bytes.subarray(at + damage.length)],
  };
  return Uint8Array.from([head, ...middle[damage.kind]].flatMap((part) => Array.from(part)));
}

/** A well-formed input in any layout, damaged at up to `maxDamages` places. */
export function anyInput(style: Style, maxDamages: number): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  return fc
    .tuple(anyCases(style), anyLayout(), fc.array(anyDamage(), { maxLength: maxDamages }))
    .map(([cases, layout, damages]) => damages.reduce(applyDamage, bytesOf(layout(linesOf(style, cases)))));
}
