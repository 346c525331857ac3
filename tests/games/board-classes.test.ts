/** Tests the number of boards up to turning and mirroring against boards that are listed and compared. */
import { expect, test } from 'vitest';
import { countSymmetryClasses } from '../../src/games/shared/board-classes.js';
import { TURNS_AND_MIRRORS, turningSymmetries } from '../../src/games/shared/board-symmetries.js';

const { variantsOf } = turningSymmetries('turning and mirroring', TURNS_AND_MIRRORS);

/** Counts the boards that come first among their variants of the same size. */
function countFirstOnes(rows: number, cols: number, symbols: number): bigint {
  let count = 0n;
  for (let index = 0; index < symbols ** (rows * cols); index++) {
    const text = index.toString(symbols).padStart(rows * cols, '0');
    const board = { rows, cols, cells: Uint8Array.from(text, Number) };
    const variants = Array.from(variantsOf(board), (variant) =>
      variant.rows === rows && variant.cols === cols ? variant.cells.join('') : text,
    );
    if (variants.every((variant) => text <= variant)) count++;
  }
  return count;
}

test.each([
  [1, 1, 2],
  [1, 5, 2],
  [5, 1, 2],
  [2, 2, 2],
  [2, 3, 2],
  [3, 2, 3],
  [3, 3, 2],
  [2, 2, 5],
  [3, 4, 2],
  [4, 3, 2],
  [1, 4, 4],
])('of %i x %i with %i symbols', (rows, cols, symbols) => {
  expect(countSymmetryClasses(rows, cols, symbols, TURNS_AND_MIRRORS)).toBe(
    countFirstOnes(rows, cols, symbols),
  );
});

test('of large boards', () => {
  // https://oeis.org/A054247: squares with two symbols.
  expect([1, 2, 3, 4, 5].map((side) => countSymmetryClasses(side, side, 2, TURNS_AND_MIRRORS))).toEqual([
    2n,
    6n,
    102n,
    8548n,
    4211744n,
  ]);
  expect(countSymmetryClasses(50, 50, 3, TURNS_AND_MIRRORS)).toBeGreaterThan(3n ** 2500n / 8n);
});
