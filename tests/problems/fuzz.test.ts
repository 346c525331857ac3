/** Tests with arbitrary bytes as input: boardmill neither crashes nor hangs, and answers every case exactly once. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CaseError } from '../../src/core/errors.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { InProcess } from '../support/in-process.js';
import {
  anyCases,
  anyInput,
  boardCells,
  bytesOf,
  cellsOf,
  type PlainCase,
  printInput,
  STYLES,
  type Style,
} from '../support/inputs.js';
import { readPlainly } from '../support/plain-reader.js';
import { runs } from '../support/random-tests.js';
import { MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

const SEED = 20_261_120;
const RUNS = 150;

interface Outcome {
  readonly lines: readonly string[];
  readonly failedCases: number;
  readonly cases: number;
  readonly error: CaseError | null;
}

/** Solves the input. An error in the input is returned; any other error is thrown. */
async function solve(
  style: Style,
  input: Uint8Array<ArrayBuffer>,
  onError: ErrorPolicy,
  chunkBytes: number,
  pieceBytes: number,
): Promise<Outcome> {
  const problem = { ...widthProblem, inputFormat: style.inputFormat };
  const sink = new MemorySink();
  const tally = new RunTally();
  const options = runOptions({ problem, onError, chunkBytes });
  let error: CaseError | null = null;
  try {
    await solveInput(sourceOf(input, pieceBytes), sink, new InProcess(problem), options, tally);
  } catch (thrown) {
    if (!(thrown instanceof CaseError) || thrown.kind !== 'input') throw thrown;
    error = thrown;
  }
  return {
    lines: sink.text.split('\n').slice(0, -1),
    failedCases: tally.failedCases,
    cases: tally.cases,
    error,
  };
}

/** Bytes that are similar to an input: letters of boards, numbers and whitespace in any order. */
function anyTokens(style: Style): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const numbersAndWhitespace = [
    '0',
    '1',
    '2',
    '3',
    '99',
    '-1',
    '1e3',
    '999999999999999999999',
    '\0',
    '\ufeff',
    ...' \n\r\t',
  ];
  const rows = style.letters.length === 1 ? [...style.letters[0]] : ['AS', 'BL', 'zU', 'A', 'SS'];
  const token = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...numbersAndWhitespace, ...rows) },
    fc.string({ maxLength: 3 }),
  );
  const separator = fc.constantFrom('', ' ', '\n', '\r\n');
  return fc
    .array(fc.tuple(token, separator), { maxLength: 40 })
    .map((parts) => bytesOf(parts.map(([text, blank]) => text + blank).join('')));
}

const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes));

describe.each(STYLES)('$name', (style) => {
  const anything = fc.oneof(
    { weight: 1, arbitrary: anyBytes },
    { weight: 3, arbitrary: anyTokens(style) },
    { weight: 4, arbitrary: anyInput(style, 4) },
  );

  test('the cases before the first fault are answered, and the plain reader finds the same number of cases', async () => {
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.constantFrom(1, 30, 4096),
        fc.constantFrom(1, 5, 4096),
        async (input, chunk, piece) => {
          const plain = readPlainly(style, input);
          const { lines, cases, error, failedCases } = await solve(style, input, 'stop', chunk, piece);
          expect({ lines: lines.length, cases, failedCases }).toEqual({
            lines: plain.cases.length,
            cases: lines.length,
            failedCases: 0,
          });
          expect(error === null).toBe(plain.fault === null);
        },
      ),
      { numRuns: runs(RUNS), seed: SEED },
    );
  });

  test('under --on-error mark, the output has one line for every case, good or bad', async () => {
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.constantFrom(1, 30, 4096),
        fc.constantFrom(1, 5, 4096),
        async (input, chunk, piece) => {
          const { lines, cases, failedCases } = await solve(style, input, 'mark', chunk, piece);
          const good = lines.filter((line) => line !== 'ERROR').length;
          expect({ cases, failedCases }).toEqual({ cases: lines.length, failedCases: lines.length - good });
          const plain = readPlainly(style, input);
          expect(good).toBeGreaterThanOrEqual(plain.cases.length);
          if (plain.fault === null) expect(failedCases).toBe(0);
        },
      ),
      { numRuns: runs(RUNS), seed: SEED },
    );
  });

  test('parsing a printed board gives the same board: parse(print(x)) = x', () => {
    fc.assert(
      fc.property(anyCases(style, 1, 6), (cases) => {
        const [only] = cases;
        if (only === undefined) return;
        expect(readBack(style, only)).toEqual({
          fault: null,
          rows: only.rows,
          cols: only.cols,
          cells: cellsOf(style, only),
        });
      }),
      { numRuns: runs(RUNS), seed: SEED },
    );
  });
});

function readBack(style: Style, plain: PlainCase) {
  const bytes = bytesOf(printInput(style, [plain]));
  const scanner = style.inputFormat.createScanner();
  const head = scanner.readHead(bytes, bytes.length, true);
  if (head === null || 'offset' in head) throw new Error('a printed head is not read back');
  const extent = { end: 0, neededEnd: 0, isInvalid: false };
  scanner.findCase(bytes, head.length, bytes.length, true, extent);
  const parser = style.inputFormat.createParser();
  const board = parser.parse(bytes, head.length, extent.end, null);
  return {
    fault: parser.fault,
    rows: board?.rows,
    cols: board?.cols,
    cells: board === null ? null : boardCells(style, board),
  };
}
