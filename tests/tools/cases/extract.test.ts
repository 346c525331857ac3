/** Tests that the outputs of `split` and `extract` are well-formed inputs that contain the right cases. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractCases, splitIntoParts } from '../../../src/tools/cases/extract.js';
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
import { runs } from '../../support/random-tests.js';
import { MemorySink, sourceOf } from '../../support/running.js';
import { allowSlowTests } from '../../support/slow-tests.js';

allowSlowTests();

const cellsIn = (reading: Reading) => reading.cases.map(({ cells }) => cells);

/** Returns the cells of each case in a text, and expects the text to be a well-formed input. */
function readGood(style: Style, text: string): string[] {
  const reading = readPlainly(style, Buffer.from(text, 'latin1'));
  // An empty text is a fault if the input format has neither T nor a terminator, but here it stands for no cases.
  if (text !== '') expect(reading.fault).toBeNull();
  expect(text, 'the last line ends with a line end').toMatch(/^$|\n$/);
  return cellsIn(reading);
}

async function splitText(
  style: Style,
  bytes: Uint8Array<ArrayBuffer>,
  casesPerPart: number,
  pieceBytes: number,
) {
  const sinks: MemorySink[] = [];
  const finished: MemorySink[] = [];
  const openPart = async (number: number, maxNumber: number) => {
    expect(number).toBe(sinks.length + 1);
    expect(number).toBeLessThanOrEqual(maxNumber);
    const sink = new MemorySink();
    sink.finish = async () => void finished.push(sink);
    sinks.push(sink);
    return sink;
  };
  const result = await splitIntoParts(
    sourceOf(bytes, pieceBytes),
    style.inputFormat,
    casesPerPart,
    openPart,
  ).catch((error: unknown) => String(error));
  return { result, parts: finished.map(({ text }) => text) };
}

describe.each(STYLES)('$name', (style) => {
  const pieceBytes = fc.constantFrom(1, 7, 65536);

  test('the parts of a split input contain all cases in order, and each part has the wanted number of cases', async () => {
    const anyPartSize = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(
        anyCases(style, 9),
        anyLayout(),
        anyPartSize,
        pieceBytes,
        async (cases, layout, casesPerPart, piece) => {
          const bytes = bytesOf(layout(linesOf(style, cases)));
          const { result, parts } = await splitText(style, bytes, casesPerPart, piece);
          expect(result).toEqual({ parts: Math.ceil(cases.length / casesPerPart), cases: cases.length });
          const cellsOfParts = parts.map((part) => readGood(style, part));
          expect(cellsOfParts.flat()).toEqual(cellsIn(readPlainly(style, bytes)));
          expect(cellsOfParts.slice(0, -1).every(({ length }) => length === casesPerPart)).toBe(true);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test('extract writes exactly the cases of the wanted range', async () => {
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
          await extractCases(sourceOf(bytes, piece), style.inputFormat, { from, to }, sink);
          expect(readGood(style, sink.text)).toEqual(cellsIn(readPlainly(style, bytes)).slice(from - 1, to));
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test('splitting a damaged input keeps the complete parts before the fault, and reports the fault', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput(style, 2), pieceBytes, async (bytes, piece) => {
        const plain = readPlainly(style, bytes);
        const { result, parts } = await splitText(style, bytes, 1, piece);
        expect(parts.flatMap((part) => readGood(style, part))).toEqual(cellsIn(plain));
        if (plain.fault === null) expect(result).toMatchObject({ cases: plain.cases.length });
        else expect(result).toMatch(/test\.in:\d+:\d+: (case \d+: )?expected/);
      }),
      { numRuns: runs(80) },
    );
  });

  test.each([
    ['ends after the last case', 2, 9],
    ['begins after the last case', 8, 9],
  ])('extract reports an error if the wanted range %s', async (_, from, to) => {
    const [cases] = fc.sample(anyCases(style, 4), { seed: 5, numRuns: 1 });
    const source = sourceOf(bytesOf(linesOf(style, cases).flat().join(' ')));
    const extracted = extractCases(source, style.inputFormat, { from, to }, new MemorySink());
    await expect(extracted).rejects.toThrow(/has only \d+ cases?/);
  });
});

test('extract does not read what follows the last wanted case', async () => {
  const darkraft = styleOf('darkraft');
  const sink = new MemorySink();
  const input = '1 1\nL\n1 1\nR\n1 1\n?\n';
  await extractCases(sourceOf(input), darkraft.inputFormat, { from: 2, to: 2 }, sink);
  expect(sink.text).toBe('1 1\nR\n');
});
