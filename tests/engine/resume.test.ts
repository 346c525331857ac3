/** Going on from every position that a run makes, over inputs of every format, good, damaged and mended. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoardmillError } from '../../src/core/errors.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import type { RunPosition } from '../../src/engine/position.js';
import { run } from '../../src/engine/run.js';
import { Tally } from '../../src/engine/tally.js';
import { InProcess } from '../support/in-process.js';
import {
  anyCases,
  anyDamage,
  anyInput,
  bytesOf,
  inflict,
  linesOf,
  STYLES,
  type Style,
} from '../support/inputs.js';
import { MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

interface Outcome {
  readonly text: string;
  /** The message that ended the run, if any. */
  readonly error: string | null;
  readonly isRefused: boolean;
  readonly cases: number;
  readonly failedCases: number;
  readonly positions: MemorySink['positions'];
}

interface Way {
  readonly onError: ErrorPolicy;
  readonly chunkBytes: number;
  readonly pieceBytes: number;
}

/** Solves the input, or what `from` has left of it, with the width of each board as its answer. */
async function solve(
  style: Style,
  input: Uint8Array<ArrayBuffer>,
  way: Way,
  from: RunPosition | null,
): Promise<Outcome> {
  const problem = { ...widthProblem, inputFormat: style.inputFormat };
  const sink = new MemorySink(from, true);
  const tally = new Tally();
  const options = runOptions({ problem, onError: way.onError, chunkBytes: way.chunkBytes });
  const source = sourceOf(input, way.pieceBytes);
  const error = await run(source, sink, new InProcess(problem), options, tally).then(
    () => null,
    (thrown: Error) => thrown,
  );
  return {
    text: sink.text,
    error: error?.message ?? null,
    isRefused: error instanceof BoardmillError && error.kind === 'file',
    cases: tally.cases,
    failedCases: tally.failedCases,
    positions: sink.positions,
  };
}

const anyWay = fc.record({
  onError: fc.constantFrom<ErrorPolicy>('stop', 'mark'),
  chunkBytes: fc.constantFrom(1, 20, 64),
  pieceBytes: fc.constantFrom(1, 7, 1 << 16),
});

const result = ({ text, error, cases, failedCases }: Outcome) => ({ text, error, cases, failedCases });

describe.each(STYLES)('$name', (style) => {
  test('a run cut off after any checkpoint comes to the same end', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput(style, 3), anyWay, anyWay, async (input, way, laterWay) => {
        const whole = await solve(style, input, way, null);
        for (const { position, text } of whole.positions) {
          const rest = await solve(style, input, { ...laterWay, onError: way.onError }, position);
          expect(result({ ...rest, text: text + rest.text })).toEqual(result(whole));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('an input changed after the cut is refused, or answered as if it had always been so', async () => {
    const damages = fc.array(anyDamage(), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        anyInput(style, 2),
        damages,
        anyWay,
        fc.boolean(),
        async (input, changes, way, isNear) => {
          const { positions } = await solve(style, input, way, null);
          for (const { position, text } of positions.slice(-3)) {
            const head = input.subarray(0, position.scan.offset);
            // What stands right behind the cut is what the verdict on the last case may hang on.
            const place = (at: number) => (isNear ? 0 : at);
            const tail = changes.reduce(
              (bytes, damage) => inflict(bytes, { ...damage, place: place(damage.place) }),
              input.slice(position.scan.offset),
            );
            const mended = Uint8Array.from([...head, ...tail]);
            const rest = await solve(style, mended, way, position);
            if (rest.isRefused) continue;
            expect(result({ ...rest, text: text + rest.text })).toEqual(
              result(await solve(style, mended, way, null)),
            );
          }
        },
      ),
      { numRuns: 250 },
    );
  });

  test('an input cut short and completed later comes to the same end as one that was whole', async () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(anyCases(style), part, anyWay, async (cases, at, way) => {
        const input = bytesOf(
          linesOf(style, cases)
            .map((line) => `${line.join(' ')}\n`)
            .join(''),
        );
        const { positions } = await solve(style, input.slice(0, Math.floor(at * input.length)), way, null);
        const last = positions.at(-1);
        if (last === undefined) return;
        const rest = await solve(style, input, way, last.position);
        expect(result({ ...rest, text: last.text + rest.text })).toEqual(
          result(await solve(style, input, way, null)),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('an input changed before the cut is refused, with the place up to which it must be the same', async () => {
    await fc.assert(
      fc.asyncProperty(anyCases(style), fc.nat(), anyWay, async (cases, place, way) => {
        const input = bytesOf(
          linesOf(style, cases)
            .map((line) => `${line.join(' ')}\n`)
            .join(''),
        );
        const position = (await solve(style, input, way, null)).positions.at(-1)?.position;
        if (position === undefined) return;
        input[place % position.scan.offset] ^= 1;
        const { isRefused, error, text } = await solve(style, input, way, position);
        expect({ isRefused, text }).toEqual({ isRefused: true, text: '' });
        expect(error).toContain(`differs before line ${position.line}, column ${position.column}`);
      }),
      { numRuns: 60 },
    );
  });
});
