/** Inputs of every format: random cases, the layouts a file may have, and the ways it may be damaged. */
import fc from 'fast-check';
import { inputFormat as bacterialTactics } from '../../src/problems/bacterial-tactics/format.js';
import type { Board } from '../../src/problems/board.js';
import { inputFormat as darkraft } from '../../src/problems/darkraft/format.js';
import type { InputFormat } from '../../src/problems/input-format.js';
import { inputFormat as linkAndPop } from '../../src/problems/link-and-pop/format.js';
import { inputFormat as riverPawn } from '../../src/problems/river-pawn/format.js';
import { Random } from './random.js';

/** A format as its statement tells it, independent of the reader under test. */
export interface Style {
  readonly name: string;
  readonly inputFormat: InputFormat;
  /** What a cell may be: one letter, or two where the symbol comes first. */
  readonly letters: readonly string[];
  readonly preamble: readonly ('id' | 'T')[];
  readonly terminated: boolean;
  readonly minRows: number;
  readonly maxSide: number;
  readonly maxCells: number;
  readonly hasPieces: boolean;
}

const SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const COMMON = { preamble: [], terminated: false, minRows: 1, maxCells: 1e9, hasPieces: false };

export const STYLES: readonly Style[] = [
  {
    ...COMMON,
    name: 'bacterial-tactics',
    inputFormat: bacterialTactics,
    letters: ['.#'],
    preamble: ['T'],
    maxSide: 50,
  },
  { ...COMMON, name: 'darkraft', inputFormat: darkraft, letters: ['LRX'], maxSide: 40 },
  {
    ...COMMON,
    name: 'link-and-pop',
    inputFormat: linkAndPop,
    letters: [SYMBOLS, 'UDLRS'],
    terminated: true,
    maxSide: 100,
  },
  {
    ...COMMON,
    name: 'river-pawn',
    inputFormat: riverPawn,
    letters: ['.#XO'],
    preamble: ['id', 'T'],
    minRows: 2,
    maxSide: 256,
    maxCells: 256,
    hasPieces: true,
  },
];

/** A case as its tokens: rows of cells, or of blocks. */
export interface PlainCase {
  readonly rows: number;
  readonly cols: number;
  /** The cells of each row. */
  readonly cells: readonly (readonly string[])[];
}

export function randomCase(style: Style, rows: number, cols: number, random: Random): PlainCase {
  const cell = () => style.letters.map((letters) => random.pick(letters)).join('');
  const cells = Array.from({ length: rows }, () => Array.from({ length: cols }, cell));
  if (style.hasPieces) placePieces(cells, random);
  return { rows, cols, cells };
}

/** One X below row 1 and two O, on a board of at least three cells. */
function placePieces(cells: string[][], random: Random): void {
  const rows = cells.length;
  const cols = cells[0].length;
  for (const row of cells) for (let col = 0; col < cols; col++) row[col] = random.pick('..#');
  const black = cols + random.below((rows - 1) * cols);
  const free = Array.from({ length: rows * cols }, (_, cell) => cell).filter((cell) => cell !== black);
  const put = (cell: number, piece: string) => {
    cells[Math.floor(cell / cols)][cell % cols] = piece;
  };
  put(black, 'X');
  for (let red = 0; red < 2; red++) put(free.splice(random.below(free.length), 1)[0], 'O');
}

/** The lines of an input, a list of tokens each. */
export function linesOf(style: Style, cases: readonly PlainCase[]): string[][] {
  const preamble = style.preamble.map((field) => (field === 'T' ? `${cases.length}` : '7'));
  const lines = cases.flatMap(({ rows, cols, cells }) => [
    [`${rows}`, `${cols}`],
    ...cells.map((row) => (style.letters.length === 1 ? [row.join('')] : [...row])),
  ]);
  return [...(preamble.length > 0 ? [preamble] : []), ...lines, ...(style.terminated ? [['0', '0']] : [])];
}

/** As programs print it. */
export function printInput(style: Style, cases: readonly PlainCase[]): string {
  return linesOf(style, cases)
    .map((line) => `${line.join(' ')}\n`)
    .join('');
}

/** Many small cases, the same for the same seed. */
export function bulkInput(style: Style, count: number, maxSide: number, seed: number): string {
  const random = new Random(seed);
  const side = (min: number) => min + random.below(maxSide - min + 1);
  const cases = Array.from({ length: count }, () =>
    randomCase(style, side(2), side(style.hasPieces ? 2 : 1), random),
  );
  return printInput(style, cases);
}

export function cellsOf(style: Style, { cells }: PlainCase): number[] {
  return cells
    .flat()
    .flatMap((cell) =>
      style.letters.length === 1
        ? [style.letters[0].indexOf(cell)]
        : [cell.charCodeAt(0), cell.charCodeAt(1)],
    );
}

export function boardCells(style: Style, board: Board): number[] {
  return [...board.cells.subarray(0, board.rows * board.cols * style.letters.length)];
}

// ---- what fast-check draws from ----

export function anyCases(style: Style, maxCases = 5, maxSide = 5): fc.Arbitrary<PlainCase[]> {
  const side = (min: number) => fc.integer({ min, max: maxSide });
  const plainCase = fc
    .record({ rows: side(2), cols: side(style.hasPieces ? 2 : 1), seed: fc.nat() })
    .map(({ rows, cols, seed }) => randomCase(style, rows, cols, new Random(seed)));
  return fc.array(plainCase, { maxLength: maxCases, minLength: style.preamble.length > 0 ? 0 : 1 });
}

const BLANKS = [' ', '\t', '\n', '\r\n', '  ', '\n\n', ' \n', '\v', '\f', '\r'];

/** How tokens become bytes; every layout reads the same. */
export type Layout = (lines: readonly (readonly string[])[]) => string;

export function anyLayout(): fc.Arbitrary<Layout> {
  const join = (lineEnd: string) => (lines: readonly (readonly string[])[]) =>
    lines.map((line) => line.join(' ')).join(lineEnd);
  const scattered = (seed: number) => (lines: readonly (readonly string[])[]) => {
    const random = new Random(seed);
    return lines.flat().reduce((text, token) => text + random.pick(BLANKS) + token, '');
  };
  const mixed = (seed: number) => (lines: readonly (readonly string[])[]) => {
    const random = new Random(seed);
    return lines.map((line) => line.join(' ') + random.pick(['\n', '\n', '\r\n', ' \n', '\n\n'])).join('');
  };
  const body = fc.oneof(
    fc.constantFrom(join('\n'), join('\r\n'), join(' ')),
    fc.nat().map(scattered),
    fc.nat().map(mixed),
  );
  const bom = fc.constantFrom('', '', '\ufeff');
  const head = fc.constantFrom('', '', '\n', ' \t\r\n');
  const tail = fc.constantFrom('', '\n', '\r\n', ' \n\n\t');
  return fc.tuple(bom, head, body, tail).map(
    ([mark, before, lay, after]) =>
      (lines) =>
        mark + before + lay(lines) + after,
  );
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** A change to the bytes of an input; `place` is a part of its length. */
export interface Damage {
  readonly kind: 'replace' | 'delete' | 'insert' | 'cut' | 'repeat' | 'stretch';
  readonly place: number;
  readonly byte: number;
  readonly length: number;
}

const SPITEFUL = [...'0123456789.#LRXOADSU-+?z \t\n\r\0\x7f', '\xc3', '\xff'].map((char) =>
  char.charCodeAt(0),
);

export function anyDamage(): fc.Arbitrary<Damage> {
  return fc.record({
    kind: fc.constantFrom('replace', 'delete', 'insert', 'cut', 'repeat', 'stretch'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    byte: fc.oneof(fc.constantFrom(...SPITEFUL), fc.integer({ min: 0, max: 255 })),
    length: fc.integer({ min: 1, max: 40 }),
  });
}

export function inflict(bytes: Uint8Array<ArrayBuffer>, damage: Damage): Uint8Array<ArrayBuffer> {
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
    .map(([cases, layout, damages]) => damages.reduce(inflict, bytesOf(layout(linesOf(style, cases)))));
}
