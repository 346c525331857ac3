/** Each format against an obvious reader of tokens, on inputs in any layout and on damaged ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance, measureSpan, TEXT_START } from '../../src/core/location.js';
import type { Board } from '../../src/problems/board.js';
import type { CaseExtent, InputFormat } from '../../src/problems/input-format.js';
import {
  anyCases,
  anyInput,
  anyLayout,
  boardCells,
  bytesOf,
  cellsOf,
  inflict,
  linesOf,
  printInput,
  STYLES,
  type Style,
} from '../support/inputs.js';
import { readPlainly } from '../support/plain-reader.js';
import { inPieces, splitInput } from '../support/scanning.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

/** How far behind what `findCase` has seen the bytes reach that a worker gets. */
const LOOKAHEAD = 32;

function freshBoard(): Board {
  return { rows: 0, cols: 0, cells: new Uint8Array(0) };
}

/** Where each case starts, by `findCase` alone, up to the first bad one or the terminator. */
function findCases(format: InputFormat, bytes: Uint8Array): (CaseExtent & { start: number })[] {
  const preamble = format.readPreamble(bytes, bytes.length, true);
  if (preamble === null || 'offset' in preamble) return [];
  const found: (CaseExtent & { start: number })[] = [];
  for (let start = preamble.length; start < bytes.length; ) {
    if (format.isTerminator(bytes, start, bytes.length, true)) break;
    const extent = { end: 0, neededEnd: 0, isBad: false };
    expect(format.findCase(bytes, start, bytes.length, true, extent)).toBe(true);
    expect(extent.end).toBeGreaterThan(start);
    expect(extent.neededEnd).toBeGreaterThanOrEqual(extent.end);
    found.push({ start, ...extent });
    if (extent.isBad) break;
    start = extent.end;
    while (start < bytes.length && ' \t\n\v\f\r'.includes(String.fromCharCode(bytes[start]))) start++;
  }
  return found;
}

/** Under `stop`: the cases before the first fault, and that, are what the plain reader finds. */
async function expectPlainReading(style: Style, bytes: Uint8Array): Promise<void> {
  const plain = readPlainly(style, bytes);
  const { cases, end } = await splitInput(style, inPieces(bytes, bytes.length), 100);
  const bad = cases.find(({ fault }) => fault !== null);
  expect(cases.length - (bad === undefined ? 0 : 1)).toBe(plain.cases.length);
  const told = bad === undefined ? end : `case ${bad.number}: ${bad.fault}`;
  if (plain.fault === null) {
    expect(told).toBeNull();
    return;
  }
  const { line, column } = advance(TEXT_START, measureSpan(bytes, 0, plain.fault.offset));
  const label = plain.fault.caseNumber === null ? '' : `case ${plain.fault.caseNumber}: `;
  expect(told).toContain(`${label}${line}:${column}: expected `);
}

describe.each(STYLES)('$name', (style) => {
  const { inputFormat } = style;

  test('a good input is cut where its tokens say, and its boards are read, in any layout', () => {
    fc.assert(
      fc.property(anyCases(style), anyLayout(), (cases, layout) => {
        const bytes = bytesOf(layout(linesOf(style, cases)));
        const found = findCases(inputFormat, bytes);
        const plain = readPlainly(style, bytes);
        expect(plain.fault).toBeNull();
        expect(found.map(({ start }) => start)).toEqual(plain.cases.map(({ offset }) => offset));
        for (const [i, { start, end, isBad }] of found.entries()) {
          const board = freshBoard();
          expect(isBad).toBe(false);
          expect(inputFormat.parseCase(bytes, start, end, board)).toBeNull();
          expect(board).toMatchObject({ rows: cases[i].rows, cols: cases[i].cols });
          expect(boardCells(style, board)).toEqual(cellsOf(style, cases[i]));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('every case that lies as programs print it is read quickly', () => {
    fc.assert(
      fc.property(anyCases(style, 5, 12), (cases) => {
        const bytes = bytesOf(printInput(style, cases));
        // Behind the last one nothing need follow: it ends before its line does.
        const found = findCases(inputFormat, bytes).slice(0, -1);
        const areRead = found.map(({ start, end }) =>
          inputFormat.parseCanonical(bytes, start, end, freshBoard()),
        );
        expect(areRead).toEqual(cases.slice(1).map(() => true));
      }),
    );
  });

  test('what is read quickly is what is read with care, and takes as many lines as it should', () => {
    let quick = 0;
    const replacement = fc.record({
      kind: fc.constant('replace' as const),
      place: fc.nat({ max: 9999 }).map((part) => part / 10_000),
      byte: fc.constantFrom(...'.#LRXOAS?0 \n\r').map((char) => char.charCodeAt(0)),
      length: fc.constant(1),
    });
    const damagedPrint = fc
      .tuple(anyCases(style), fc.array(replacement, { maxLength: 2 }))
      .map(([cases, damages]) => damages.reduce(inflict, bytesOf(printInput(style, cases))));
    fc.assert(
      fc.property(fc.oneof(anyInput(style, 3), damagedPrint), (bytes) => {
        for (const { start, end } of findCases(inputFormat, bytes)) {
          const board = freshBoard();
          if (!inputFormat.parseCanonical(bytes, start, end, board)) continue;
          quick++;
          const careful = freshBoard();
          expect(inputFormat.parseCase(bytes, start, end, careful)).toBeNull();
          expect(board).toMatchObject({ rows: careful.rows, cols: careful.cols });
          expect(boardCells(style, board)).toEqual(boardCells(style, careful));
          expect(measureSpan(bytes, start, end)).toEqual({ lines: board.rows + 1, tail: 0 });
        }
      }),
      { numRuns: 1500 },
    );
    expect(quick).toBeGreaterThan(300);
  });

  test('a verdict does not depend on how many bytes have arrived', () => {
    fc.assert(
      fc.property(anyInput(style, 2), (bytes) => {
        for (const { start, end, neededEnd, isBad } of findCases(inputFormat, bytes)) {
          for (let arrived = start; arrived <= bytes.length; arrived++) {
            const extent = { end: 0, neededEnd: 0, isBad: false };
            const isTold = inputFormat.findCase(bytes.slice(0, arrived), start, arrived, false, extent);
            if (isTold) expect(extent).toEqual({ end, neededEnd, isBad });
            const isLast = inputFormat.isTerminator(bytes.slice(0, arrived), start, arrived, false);
            expect(isLast).not.toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('a preamble reads the same however many bytes have arrived', () => {
    fc.assert(
      fc.property(anyInput(style, 3), (bytes) => {
        const whole = inputFormat.readPreamble(bytes, bytes.length, true);
        for (let arrived = 0; arrived <= bytes.length; arrived++) {
          const early = inputFormat.readPreamble(bytes.slice(0, arrived), arrived, false);
          if (early === null) continue;
          if ('offset' in early) expect(early).toEqual(whole);
          else expect(early).toMatchObject({ ...whole, length: early.length });
        }
      }),
    );
  });

  test('whatever findCase calls bad is faulted by parseCase, from the bytes it was said to need', () => {
    fc.assert(
      fc.property(anyInput(style, 3), (bytes) => {
        for (const { start, end, neededEnd, isBad } of findCases(inputFormat, bytes)) {
          const whole = inputFormat.parseCase(bytes, start, end, freshBoard());
          if (isBad) expect(whole).not.toBeNull();
          expect(
            inputFormat.parseCase(bytes.slice(0, neededEnd + LOOKAHEAD), start, end, freshBoard()),
          ).toEqual(whole);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a damaged input is answered up to its first fault, and the fault is where tokens say', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput(style, 3), (bytes) => expectPlainReading(style, bytes)),
      { numRuns: 500 },
    );
  });

  test.each(['stop', 'mark'] as const)(
    'a damaged input is read the same in pieces and chunks of any size (%s)',
    async (onError) => {
      await fc.assert(
        fc.asyncProperty(anyInput(style, 4), async (bytes) => {
          const whole = await splitInput(style, inPieces(bytes, 65536), 1e6, onError);
          for (const [pieceBytes, chunkBytes] of [
            [1, 1],
            [7, 64],
            [65536, 1],
            [3, 1e6],
          ]) {
            const parts = await splitInput(style, inPieces(bytes, pieceBytes), chunkBytes, onError);
            expect(parts).toEqual(whole);
          }
          const numbers = whole.cases.map(({ number }) => number);
          expect(numbers).toEqual(numbers.map((_, i) => i + 1));
        }),
        { numRuns: 200 },
      );
    },
  );

  /** Ways to spoil one case without hiding where the next begins. */
  const spoilt: [string, (rows: string[][]) => string[][]][] = [
    [
      'a letter of no board',
      ([header, first, ...rest]) => [header, [`?${first[0].slice(1)}`, ...first.slice(1)], ...rest],
    ],
    ['a row too many', (rows) => [...rows, rows.at(-1)!]],
    ['a row too few', (rows) => rows.slice(0, -1)],
    [
      'a row too long',
      ([header, first, ...rest]) => [header, [first[0].repeat(3), ...first.slice(1)], ...rest],
    ],
    ['a size past the limits', ([[, cols], ...rows]) => [['1000000000', cols], ...rows]],
  ];

  test.each(spoilt)(
    'only the bad case is lost under mark, and it is told under stop: %s',
    async (_, spoil) => {
      await fc.assert(
        fc.asyncProperty(anyCases(style, 4), anyLayout(), fc.nat(), async (cases, layout, choice) => {
          fc.pre(cases.length > 0);
          const index = choice % cases.length;
          const lines = cases.map((one) => linesOf({ ...style, preamble: [], terminated: false }, [one]));
          const frame = linesOf(style, cases);
          const head = style.preamble.length > 0 ? frame.slice(0, 1) : [];
          const tail = style.terminated ? frame.slice(-1) : [];
          const body = lines.flatMap((rows, i) => (i === index ? spoil(rows) : rows));
          const bytes = bytesOf(layout([...head, ...body, ...tail]));
          const { cases: read, end } = await splitInput(style, inPieces(bytes, 11), 20, 'mark');
          expect(end).toBeNull();
          expect(read.map(({ fault }) => fault !== null)).toEqual(cases.map((_, i) => i === index));
          await expectPlainReading(style, bytes);
          const kept = read.filter(({ fault }) => fault === null).map(({ cells }) => cells);
          expect(kept).toEqual(cases.filter((_, i) => i !== index).map((one) => cellsOf(style, one)));
        }),
        { numRuns: 60 },
      );
    },
  );
});
