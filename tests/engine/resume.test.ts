/**
 * Tests that a run can be resumed from each of its checkpoints, with good inputs, damaged inputs, and inputs that were
 * changed between the two runs, in every input format.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoardmillError } from '../../src/core/errors.js';
import type { ErrorPolicy } from '../../src/engine/output-settings.js';
import type { RunPosition } from '../../src/engine/position.js';
import { solveInput } from '../../src/engine/run.js';
import { RunTally } from '../../src/engine/tally.js';
import { InProcess } from '../support/in-process.js';
import {
  anyCases,
  anyDamage,
  anyInput,
  anyShare,
  applyDamage,
  bytesOf,
  linesOf,
  STYLES,
  type Style,
} from '../support/inputs.js';
import { runs } from '../support/random-tests.js';
import { MemorySink, runOptions, sourceOf, widthProblem } from '../support/running.js';
import { allowSlowTests } from '../support/slow-tests.js';

allowSlowTests();

interface Outcome {
  readonly text: string;
  /** The message of the error that ended the run, or null. */
  readonly error: string | null;
  /** Whether the run refused to resume. */
  readonly isRefused: boolean;
  readonly cases: number;
  readonly failedCases: number;
  readonly positions: MemorySink['positions'];
}

interface RunSettings {
  readonly onError: ErrorPolicy;
  readonly chunkBytes: number;
  readonly pieceBytes: number;
}

/** Solves the input, from the position `from` on if it is not null. The answer to each board is its width. */
async function solve(
  style: Style,
  input: Uint8Array<ArrayBuffer>,
  settings: RunSettings,
  from: RunPosition | null,
): Promise<Outcome> {
  const problem = { ...widthProblem, inputFormat: style.inputFormat };
  const sink = new MemorySink(from, true);
  const tally = new RunTally();
  const options = runOptions({ problem, onError: settings.onError, chunkBytes: settings.chunkBytes });
  const source = sourceOf(input, settings.pieceBytes);
  const error = await solveInput(source, sink, new InProcess(problem), options, tally).then(
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

const anySettings = fc.record({
  onError: fc.constantFrom<ErrorPolicy>('stop', 'mark'),
  chunkBytes: fc.constantFrom(1, 20, 64),
  pieceBytes: fc.constantFrom(1, 7, 1 << 16),
});

const resultOf = ({ text, error, cases, failedCases }: Outcome) => ({ text, error, cases, failedCases });

describe.each(STYLES)('$name', (style) => {
  test('a run that is interrupted after any checkpoint and resumed gives the same answers as one run', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyInput(style, 3),
        anySettings,
        anySettings,
        async (input, settings, laterSettings) => {
          const whole = await solve(style, input, settings, null);
          for (const { position, text } of whole.positions) {
            const rest = await solve(style, input, { ...laterSettings, onError: settings.onError }, position);
            expect(resultOf({ ...rest, text: text + rest.text })).toEqual(resultOf(whole));
            // Otherwise a run that is resumed twice would count only the cases since the first interruption.
            expect(rest.positions.filter((later) => later.position.scan.shardStart !== undefined)).toEqual(
              [],
            );
          }
        },
      ),
      { numRuns: runs(50) },
    );
  });

  test('an input that was changed after the checkpoint is answered like a new input, or boardmill refuses to resume', async () => {
    const damages = fc.array(anyDamage(), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        anyInput(style, 2),
        damages,
        anySettings,
        fc.boolean(),
        async (input, changes, settings, isNear) => {
          const { positions } = await solve(style, input, settings, null);
          for (const { position, text } of positions.slice(-3)) {
            const head = input.subarray(0, position.scan.offset);
            // The verdict on the last answered case may depend on the bytes right after the checkpoint.
            const place = (at: number) => (isNear ? 0 : at);
            const tail = changes.reduce(
              (bytes, damage) => applyDamage(bytes, { ...damage, place: place(damage.place) }),
              input.slice(position.scan.offset),
            );
            const changed = Uint8Array.from([...head, ...tail]);
            const rest = await solve(style, changed, settings, position);
            if (rest.isRefused) continue;
            expect(resultOf({ ...rest, text: text + rest.text })).toEqual(
              resultOf(await solve(style, changed, settings, null)),
            );
          }
        },
      ),
      { numRuns: runs(80) },
    );
  });

  test.each(['.', ' .', '\n\n.', '\n\n', '', '7', '\n7'])(
    'after text behind the last case was replaced by %j, the run is like a new one, or refuses',
    async (text) => {
      const singles = anyCases(style).filter(({ length }) => length === 1);
      const oneCase = linesOf(style, fc.sample(singles, 1)[0]);
      const lines = (behind: string) =>
        bytesOf(`${oneCase.map((line) => line.join(' ')).join('\n')}\n${behind}`);
      for (const onError of ['stop', 'mark'] as const) {
        const settings = { onError, chunkBytes: 1, pieceBytes: 1 };
        for (const { position, text: before } of (await solve(style, lines('2 1\n.\n.\n'), settings, null))
          .positions) {
          const rest = await solve(style, lines(text), settings, position);
          if (rest.isRefused) continue;
          expect(resultOf({ ...rest, text: before + rest.text })).toEqual(
            resultOf(await solve(style, lines(text), settings, null)),
          );
        }
      }
    },
  );

  test('an input that was cut short and completed before resuming gives the answers of the complete input', async () => {
    await fc.assert(
      fc.asyncProperty(anyCases(style), anyShare(), anySettings, async (cases, share, settings) => {
        const input = bytesOf(
          linesOf(style, cases)
            .map((line) => `${line.join(' ')}\n`)
            .join(''),
        );
        const { positions } = await solve(
          style,
          input.slice(0, Math.floor(share * input.length)),
          settings,
          null,
        );
        const last = positions.at(-1);
        if (last === undefined) return;
        const rest = await solve(style, input, settings, last.position);
        expect(resultOf({ ...rest, text: last.text + rest.text })).toEqual(
          resultOf(await solve(style, input, settings, null)),
        );
      }),
      { numRuns: runs(50) },
    );
  });

  test('an input that was changed before the checkpoint is refused, and the message names the place of the checkpoint', async () => {
    await fc.assert(
      fc.asyncProperty(anyCases(style), fc.nat(), anySettings, async (cases, place, settings) => {
        const input = bytesOf(
          linesOf(style, cases)
            .map((line) => `${line.join(' ')}\n`)
            .join(''),
        );
        const position = (await solve(style, input, settings, null)).positions.at(-1)?.position;
        if (position === undefined) return;
        input[place % position.scan.offset] ^= 1;
        const { isRefused, error, text } = await solve(style, input, settings, position);
        expect({ isRefused, text }).toEqual({ isRefused: true, text: '' });
        expect(error).toContain(`differs before line ${position.line}, column ${position.column}`);
      }),
      { numRuns: runs(25) },
    );
  });
});
