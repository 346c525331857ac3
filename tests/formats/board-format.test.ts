/** Compares the input format of each board game with the plain reader, on inputs in any layout and on damaged inputs. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/core/errors.js';
import { locationAfter, measureSpan, TEXT_START } from '../../src/core/location.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import type { Board } from '../../src/formats/boards/board.js';
import type { BoardInputFormat } from '../../src/formats/boards/board-format.js';
import { type CaseExtent, NO_TAIL } from '../../src/formats/input-format.js';
import {
  anyCases,
  anyInput,
  anyLayout,
  applyDamage,
  boardCells,
  bytesOf,
  cellsOf,
  linesOf,
  printInput,
  STYLES,
  type Style,
} from '../support/inputs.js';
import { readPlainly } from '../support/plain-reader.js';
import { runs } from '../support/random-tests.js';
import { inPieces, scanInput } from '../support/scanning.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

/** Number of bytes after `neededEnd` that a worker gets, in addition to the bytes that `findCase` has read. */
const LOOKAHEAD = 32;

/** Parses the case in bytes[start, end) and returns its first fault. Returns null if the case is good. */
function faultOf(format: BoardInputFormat, bytes: Uint8Array, start: number, end: number): Fault | null {
  const parser = format.createParser();
  const board = parser.parse(bytes, start, end, null);
  expect(parser.fault === null).toBe(board !== null);
  return parser.fault;
}

/** Returns the start and extent of each case up to the first invalid case or the terminator. It uses only `findCase`. */
function findCases(format: BoardInputFormat, bytes: Uint8Array): (CaseExtent & { start: number })[] {
  const scanner = format.createScanner();
  const head = scanner.readHead(bytes, bytes.length, true);
  if (head === null || 'offset' in head) return [];
  const found: (CaseExtent & { start: number })[] = [];
  for (let start = head.length; start < bytes.length; ) {
    if (scanner.findTail(bytes, start, bytes.length, true, false) !== NO_TAIL) break;
    const extent = { end: 0, neededEnd: 0, isInvalid: false };
    expect(scanner.findCase(bytes, start, bytes.length, true, extent)).toBe(true);
    expect(extent.end).toBeGreaterThan(start);
    expect(extent.neededEnd).toBeGreaterThanOrEqual(extent.end);
    found.push({ start, ...extent });
    if (extent.isInvalid) break;
    start = extent.end;
    while (start < bytes.length && ' \t\n\v\f\r'.includes(String.fromCharCode(bytes[start]))) start++;
  }
  return found;
}

/**
 * Expects that the cases up to the first fault, and this fault, are those that the plain reader finds. Under --on-error stop
 * the scanner jumps over canonical cases; under --on-error mark it scans every case by the tree of fields.
 */
async function expectPlainReading(style: Style, bytes: Uint8Array): Promise<void> {
  for (const onError of ['stop', 'mark'] as const) await expectPlainReadingUnder(onError, style, bytes);
}

async function expectPlainReadingUnder(onError: ErrorPolicy, style: Style, bytes: Uint8Array): Promise<void> {
  const plain = readPlainly(style, bytes);
  const { cases, end } = await scanInput(style, inPieces(bytes, bytes.length), 100, onError);
  const bad = cases.find(({ fault }) => fault !== null);
  expect(bad === undefined ? cases.length : bad.number - 1).toBe(plain.cases.length);
  const reported = bad === undefined ? end : `case ${bad.number}: ${bad.fault}`;
  if (plain.fault === null) {
    expect(reported).toBeNull();
    return;
  }
  const { line, column } = locationAfter(TEXT_START, measureSpan(bytes, 0, plain.fault.offset));
  const label = plain.fault.caseNumber === null ? '' : `case ${plain.fault.caseNumber}: `;
  expect(reported).toContain(`${label}${line}:${column}: expected `);
}

/** Returns the letters of all cells of a board, as the plain reader does. */
function cellText(style: Style, board: Board): string {
  const isIndex = style.letters.length === 1;
  const letters = boardCells(style, board).map((code) =>
    isIndex ? style.letters[0][code] : String.fromCharCode(code),
  );
  return letters.join('');
}

describe.each(STYLES)('$name', (style) => {
  const { inputFormat } = style;

  test('in any layout, findCase finds where the cases of a good input start, and the parser reads their boards', () => {
    fc.assert(
      fc.property(anyCases(style), anyLayout(), (cases, layout) => {
        const bytes = bytesOf(layout(linesOf(style, cases)));
        const found = findCases(inputFormat, bytes);
        const plain = readPlainly(style, bytes);
        expect(plain.fault).toBeNull();
        expect(found.map(({ start }) => start)).toEqual(plain.cases.map(({ offset }) => offset));
        const parser = inputFormat.createParser();
        let board: Board | null = null;
        for (const [i, { start, end, isInvalid }] of found.entries()) {
          expect(isInvalid).toBe(false);
          // The parser gets the board of the case before, which it may fill again.
          board = parser.parse(bytes, start, end, board);
          expect(parser.fault).toBeNull();
          expect(board).toMatchObject({ rows: cases[i].rows, cols: cases[i].cols });
          expect(boardCells(style, board as Board)).toEqual(cellsOf(style, cases[i]));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('the parser knows the number of line ends of every case in canonical layout', () => {
    fc.assert(
      fc.property(anyCases(style, 5, 12), (cases) => {
        const bytes = bytesOf(printInput(style, cases));
        // The last case is left out: it ends with its last row, before the line end, and so is not in canonical layout.
        const found = findCases(inputFormat, bytes).slice(0, -1);
        const parser = inputFormat.createParser();
        const areRead = found.map(({ start, end }) => {
          return parser.parse(bytes, start, end, null) !== null && parser.lineEnds >= 0;
        });
        expect(areRead).toEqual(cases.slice(1).map(() => true));
      }),
    );
  });

  test('a case whose line ends the parser states has these line ends, and is valid for the tree of fields too', () => {
    let readCases = 0;
    const replacement = fc.record({
      kind: fc.constant('replace' as const),
      place: fc.nat({ max: 9999 }).map((part) => part / 10_000),
      byte: fc.constantFrom(...'.#LRXOAS?0 \n\r').map((char) => char.charCodeAt(0)),
      length: fc.constant(1),
    });
    const damagedPrint = fc
      .tuple(anyCases(style), fc.array(replacement, { maxLength: 2 }))
      .map(([cases, damages]) => damages.reduce(applyDamage, bytesOf(printInput(style, cases))));
    fc.assert(
      fc.property(fc.oneof(anyInput(style, 3), damagedPrint), (bytes) => {
        const plain = readPlainly(style, bytes);
        const parser = inputFormat.createParser();
        // The plain reader reads no further than the first fault.
        const found = findCases(inputFormat, bytes).slice(0, plain.cases.length);
        for (const [i, { start, end }] of found.entries()) {
          const board = parser.parse(bytes, start, end, null);
          if (board === null || parser.lineEnds < 0) continue;
          readCases++;
          expect(measureSpan(bytes, start, end)).toEqual({
            lines: parser.lineEnds,
            bytesAfterLastLineEnd: 0,
          });
          // These faults are those of the parser of trees, which reads what the reader of boards does not read.
          expect(parser.findFaults(bytes, start, end)).toEqual([]);
          expect(cellText(style, board)).toBe(plain.cases[i].cells);
        }
      }),
      { numRuns: runs(400) },
    );
    expect(readCases).toBeGreaterThan(runs(100));
  });

  test('the result of findCase does not depend on how many bytes have arrived', () => {
    fc.assert(
      fc.property(anyInput(style, 2), (bytes) => {
        const scanner = inputFormat.createScanner();
        for (const { start, end, neededEnd, isInvalid } of findCases(inputFormat, bytes)) {
          for (let arrived = start; arrived <= bytes.length; arrived++) {
            const extent = { end: 0, neededEnd: 0, isInvalid: false };
            const isComplete = scanner.findCase(bytes.slice(0, arrived), start, arrived, false, extent);
            if (isComplete) expect(extent).toEqual({ end, neededEnd, isInvalid });
            const tail = scanner.findTail(bytes.slice(0, arrived), start, arrived, false, false);
            expect(tail ?? NO_TAIL).toBe(NO_TAIL);
          }
        }
      }),
      { numRuns: runs(50) },
    );
  });

  test('the result of readHead does not depend on how many bytes have arrived', () => {
    fc.assert(
      fc.property(anyInput(style, 3), (bytes) => {
        const scanner = inputFormat.createScanner();
        const whole = scanner.readHead(bytes, bytes.length, true);
        for (let arrived = 0; arrived <= bytes.length; arrived++) {
          const early = scanner.readHead(bytes.slice(0, arrived), arrived, false);
          if (early === null) continue;
          if ('offset' in early) expect(early).toEqual(whole);
          else expect(early).toMatchObject({ ...whole, length: early.length });
        }
      }),
    );
  });

  test('the parser finds a fault in every case that findCase calls bad, from the bytes up to neededEnd', () => {
    fc.assert(
      fc.property(anyInput(style, 3), (bytes) => {
        for (const { start, end, neededEnd, isInvalid } of findCases(inputFormat, bytes)) {
          const whole = faultOf(inputFormat, bytes, start, end);
          if (isInvalid) expect(whole).not.toBeNull();
          expect(faultOf(inputFormat, bytes.slice(0, neededEnd + LOOKAHEAD), start, end)).toEqual(whole);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  test('a damaged input is read up to its first fault, at the location that the plain reader finds', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput(style, 3), (bytes) => expectPlainReading(style, bytes)),
      { numRuns: runs(150) },
    );
  });

  test.each(['stop', 'mark'] as const)(
    'the cases of a damaged input are the same for pieces and chunks of any size (--on-error %s)',
    async (onError) => {
      await fc.assert(
        fc.asyncProperty(anyInput(style, 4), async (bytes) => {
          const whole = await scanInput(style, inPieces(bytes, 65536), 1e6, onError);
          for (const [pieceBytes, chunkBytes] of [
            [1, 1],
            [7, 64],
            [65536, 1],
            [3, 1e6],
          ]) {
            const parts = await scanInput(style, inPieces(bytes, pieceBytes), chunkBytes, onError);
            expect(parts).toEqual(whole);
          }
          const numbers = whole.cases.map(({ number }) => number);
          expect(numbers).toEqual(numbers.map((_, i) => i + 1));
        }),
        { numRuns: runs(60) },
      );
    },
  );

  /** Ways to damage one case that leave the start of the next case visible. */
  const damages: [string, (rows: string[][]) => string[][]][] = [
    [
      'a character that is not allowed on boards',
      ([sizeLine, first, ...rest]) => [sizeLine, [`?${first[0].slice(1)}`, ...first.slice(1)], ...rest],
    ],
    ['one row too many', (rows) => [...rows, rows.at(-1)!]],
    ['one row too few', (rows) => rows.slice(0, -1)],
    [
      'a row that is too long',
      ([sizeLine, first, ...rest]) => [sizeLine, [first[0].repeat(3), ...first.slice(1)], ...rest],
    ],
    [
      'a digit behind the last row',
      (rows) => [...rows.slice(0, -1), [...rows.at(-1)!.slice(0, -1), `${rows.at(-1)!.at(-1)}1`]],
    ],
    ['a number of rows above the limit', ([[, cols], ...rows]) => [['1000000000', cols], ...rows]],
  ];

  test.each(damages)(
    'only the damaged case is invalid under --on-error mark, and it is reported under --on-error stop: %s',
    async (_, damage) => {
      await fc.assert(
        fc.asyncProperty(anyCases(style, 4), anyLayout(), fc.nat(), async (cases, layout, choice) => {
          fc.pre(cases.length > 0);
          const index = choice % cases.length;
          const lines = cases.map((one) => linesOf({ ...style, preamble: [], terminated: false }, [one]));
          const frame = linesOf(style, cases);
          const head = style.preamble.length > 0 ? frame.slice(0, 1) : [];
          const tail = style.terminated ? frame.slice(-1) : [];
          const body = lines.flatMap((rows, i) => (i === index ? damage(rows) : rows));
          const bytes = bytesOf(layout([...head, ...body, ...tail]));
          const { cases: read, end } = await scanInput(style, inPieces(bytes, 11), 20, 'mark');
          expect(end).toBeNull();
          expect(read.map(({ fault }) => fault !== null)).toEqual(cases.map((_, i) => i === index));
          await expectPlainReading(style, bytes);
          const kept = read.filter(({ fault }) => fault === null).map(({ cells }) => cells);
          expect(kept).toEqual(cases.filter((_, i) => i !== index).map((one) => cellsOf(style, one)));
        }),
        { numRuns: runs(20) },
      );
    },
  );
});
