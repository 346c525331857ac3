/** Parts of an input as inputs of their own: read plainly, they hold the cases that they should. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extract, splitIntoParts } from '../../../src/engine/tools/extract.js';
import {
  anyCases,
  anyInput,
  anyLayout,
  bytesOf,
  linesOf,
  STYLES,
  type Style,
  styleOf,
} from '../../support/inputs.js';
import { type Reading, readPlainly } from '../../support/plain-reader.js';
import { MemorySink, sourceOf } from '../../support/running.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

const cellsIn = (reading: Reading) => reading.cases.map(({ cells }) => cells);

/** The cells of the cases in a text that must be a good input. */
function readGood(style: Style, text: string): string[] {
  const reading = readPlainly(style, Buffer.from(text, 'latin1'));
  // A format without T and terminator has no empty input.
  if (text !== '') expect(reading.fault).toBeNull();
  expect(text, 'the last line is ended').toMatch(/^$|\n$/);
  return cellsIn(reading);
}

async function splitText(style: Style, bytes: Uint8Array<ArrayBuffer>, every: number, pieceBytes: number) {
  const sinks: MemorySink[] = [];
  const finished: MemorySink[] = [];
  const openPart = async (number: number, most: number) => {
    expect(number).toBe(sinks.length + 1);
    expect(number).toBeLessThanOrEqual(most);
    const sink = new MemorySink();
    sink.finish = async () => void finished.push(sink);
    sinks.push(sink);
    return sink;
  };
  const result = await splitIntoParts(sourceOf(bytes, pieceBytes), style.inputFormat, every, openPart).catch(
    (error: unknown) => String(error),
  );
  return { result, parts: finished.map(({ text }) => text) };
}

describe.each(STYLES)('$name', (style) => {
  const pieceBytes = fc.constantFrom(1, 7, 65536);

  test('a split input has all cases in order, so many a part', async () => {
    const every = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(
        anyCases(style, 9),
        anyLayout(),
        every,
        pieceBytes,
        async (cases, layout, n, piece) => {
          const bytes = bytesOf(layout(linesOf(style, cases)));
          const { result, parts } = await splitText(style, bytes, n, piece);
          expect(result).toEqual({ parts: Math.ceil(cases.length / n), cases: cases.length });
          const held = parts.map((part) => readGood(style, part));
          expect(held.flat()).toEqual(cellsIn(readPlainly(style, bytes)));
          expect(held.slice(0, -1).every(({ length }) => length === n)).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('an extract has the cases that were asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyCases(style, 6),
        anyLayout(),
        fc.nat(),
        fc.nat(),
        pieceBytes,
        async (cases, layout, first, more, piece) => {
          fc.pre(cases.length > 0);
          const from = 1 + (first % cases.length);
          const to = from + (more % (cases.length - from + 1));
          const bytes = bytesOf(layout(linesOf(style, cases)));
          const sink = new MemorySink();
          await extract(sourceOf(bytes, piece), style.inputFormat, { from, to }, sink);
          expect(readGood(style, sink.text)).toEqual(cellsIn(readPlainly(style, bytes)).slice(from - 1, to));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('of a damaged input, the whole parts before the fault are kept, and the fault is told', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput(style, 2), pieceBytes, async (bytes, piece) => {
        const plain = readPlainly(style, bytes);
        const { result, parts } = await splitText(style, bytes, 1, piece);
        expect(parts.flatMap((part) => readGood(style, part))).toEqual(cellsIn(plain));
        if (plain.fault === null) expect(result).toMatchObject({ cases: plain.cases.length });
        else expect(result).toMatch(/test\.in:\d+:\d+: (case \d+: )?expected/);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['behind the last case', 2, 9],
    ['wholly behind the last case', 8, 9],
  ])('cases %s are not to be had', async (_, from, to) => {
    const [cases] = fc.sample(anyCases(style, 4), { seed: 5, numRuns: 1 });
    const source = sourceOf(bytesOf(linesOf(style, cases).flat().join(' ')));
    const extracted = extract(source, style.inputFormat, { from, to }, new MemorySink());
    await expect(extracted).rejects.toThrow(/has only \d+ cases?/);
  });
});

test('what follows the last case wanted is not read', async () => {
  const darkraft = styleOf('darkraft');
  const sink = new MemorySink();
  const input = '1 1\nL\n1 1\nR\n1 1\n?\n';
  await extract(sourceOf(input), darkraft.inputFormat, { from: 2, to: 2 }, sink);
  expect(sink.text).toBe('1 1\nR\n');
});
