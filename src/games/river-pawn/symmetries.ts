/**
 * Changes of a board that keep its answer. Red moves in all four directions and Black moves left and right alike, so a board
 * and its mirror image with left and right swapped are the same game. Black moves up but not down, and wins in row 1, so no
 * other way to turn or mirror a board keeps the game.
 */
import { TURNS_AND_MIRRORS, turningSymmetries } from '../shared/board-symmetries.js';
import { boardAutomaton } from './listing.js';

const CHANGES = TURNS_AND_MIRRORS.filter(({ swapsSides, reversesRows }) => !swapsSides && !reversesRows);

export const symmetries = {
  ...turningSymmetries('mirroring left and right', CHANGES),
  countClasses: (rows: number, cols: number) =>
    (boardAutomaton.count(rows, cols) + countMirrored(rows, cols)) / 2n,
};

/**
 * Number of boards that are their own mirror images: X is in the middle column, both O are there, too, or opposite each other,
 * and the rest of the left half says what the right half is.
 */
function countMirrored(rows: number, cols: number): bigint {
  if (cols % 2 === 0) return 0n;
  const left = BigInt(rows * ((cols - 1) / 2));
  const middle = BigInt(rows);
  const blacks = middle - 1n;
  const withPair = left === 0n ? 0n : left * 2n ** (left - 1n + middle - 1n);
  const inMiddle = middle < 3n ? 0n : (((middle - 1n) * (middle - 2n)) / 2n) * 2n ** (left + middle - 3n);
  return blacks * (withPair + inMiddle);
}
