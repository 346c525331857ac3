/** Tests that the joined results of two parts of a chunk are the result of the whole chunk. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSolvedChunk, joinChunkResults } from '../../src/engine/chunk-result.js';
import type { Chunk } from '../../src/engine/cut/scan.js';
import { copyHeadToSharedMemory } from '../../src/engine/cut/task-head.js';
import { allocateSharedProgress, type ChunkResult } from '../../src/engine/messages.js';
import { ChunkSolver } from '../../workers/chunk-solver.js';
import { bytesOf } from '../support/inputs.js';
import { boardOf, widthProblem } from '../support/running.js';

const head = copyHeadToSharedMemory(null);
const solver = new ChunkSolver(widthProblem, widthProblem.solvers.createPortable(), false);

/** Solves the cases as one chunk under `--on-error mark`. */
async function solve(cases: readonly string[]): Promise<ChunkResult> {
  const starts = Uint32Array.from({ length: cases.length + 1 }, (_, i) => cases.slice(0, i).join('').length);
  return solver.solve({
    bytes: bytesOf(cases.join('')),
    starts,
    firstCase: 1,
    head,
    settings: { outputFormat: 'text', columns: [], onError: 'mark' },
    origin: null,
    isSolvedOneByOne: false,
    progress: allocateSharedProgress(),
  });
}

/** Returns all of a result that does not depend on the clock. */
function withoutTimes({ times: _, slowest, ...rest }: ChunkResult) {
  return { ...rest, slowCases: slowest.length };
}

const anyCase = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }).map(boardOf) },
  { weight: 1, arbitrary: fc.constantFrom('1 2\nL?\n', '1 99\nL\n', '2 1\nL\n\n\nX \n') },
);

test('joining the results of two parts gives the result of the whole chunk', async () => {
  const parts = fc.tuple(fc.array(anyCase, { minLength: 1 }), fc.array(anyCase, { minLength: 1 }));
  await fc.assert(
    fc.asyncProperty(parts, async ([first, second]) => {
      const joined = joinChunkResults(await solve(first), first.length, await solve(second));
      const whole = await solve([...first, ...second]);
      const { slowCases: _, ...expected } = withoutTimes(whole);
      expect(withoutTimes(joined)).toMatchObject(expected);
    }),
  );
});

test('joining results is associative: (a + b) + c is the same as a + (b + c)', async () => {
  const anyPart = fc.array(anyCase, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyPart, anyPart, anyPart, async (...cases) => {
      const [a, b, c] = [await solve(cases[0]), await solve(cases[1]), await solve(cases[2])];
      const left = joinChunkResults(
        joinChunkResults(a, cases[0].length, b),
        cases[0].length + cases[1].length,
        c,
      );
      const right = joinChunkResults(a, cases[0].length, joinChunkResults(b, cases[1].length, c));
      expect(withoutTimes(left)).toEqual(withoutTimes(right));
      expect(left.slowest).toEqual(right.slowest);
      expect(left.times.solve).toBeCloseTo(right.times.solve);
    }),
  );
});

test('a case that is invalid for the scanner alone has no answer', async () => {
  const chunk = { firstCase: 4, starts: Uint32Array.of(0, 4, 8), isLastInvalid: true } as unknown as Chunk;
  const bad = await solve([boardOf(1), '1 2\nL?\n']);
  expect(createSolvedChunk(chunk, bad)).toMatchObject({ firstCase: 4, cases: 2 });
  const good = await solve([boardOf(1), boardOf(2)]);
  expect(() => createSolvedChunk(chunk, good)).toThrow('case 5 is invalid for the scanner, and valid');
  expect(createSolvedChunk({ ...chunk, isLastInvalid: false }, good)).toMatchObject({ cases: 2 });
  // The first case has ended the run.
  const stopped = { ...bad, answeredCases: 0, faults: bad.faults.map((fault) => ({ ...fault, index: 0 })) };
  expect(createSolvedChunk(chunk, stopped)).toMatchObject({ cases: 2 });
});
