/** Counts boards up to turning and mirroring, without listing them. */
import { type BoardSymmetry, cellAfterSymmetry } from './board-symmetries.js';

/**
 * Returns how many boards of this size there are if boards count once that these changes make equal. The cells have the codes
 * from 0 to `codes - 1`, each whatever the other cells have. Only changes that keep the size count: eight turns and mirrors
 * of a square, four of another board.
 *
 * By Burnside's lemma, this is the mean number of boards that a change leaves as they are. On such a board, the code of a cell
 * says what the codes of all cells are to whose places the change moves it.
 */
export function countSymmetryClasses(
  rows: number,
  cols: number,
  codes: number,
  changes: readonly BoardSymmetry[],
): bigint {
  const keeping = changes.filter(({ swapsSides }) => !swapsSides || rows === cols);
  const sum = keeping.reduce((total, change) => total + countUnchanged(rows, cols, codes, change), 0n);
  return sum / BigInt(keeping.length);
}

/** Returns the number of boards that a change leaves as they are. */
function countUnchanged(rows: number, cols: number, codes: number, change: BoardSymmetry): bigint {
  const isSeen = new Uint8Array(rows * cols);
  let boards = 1n;
  for (let start = 0; start < rows * cols; start++) {
    if (isSeen[start] === 1) continue;
    let length = 0;
    for (let cell = start; isSeen[cell] === 0; cell = cellAfterSymmetry(cell, { rows, cols }, change)) {
      isSeen[cell] = 1;
      length++;
    }
    boards *= BigInt(countKeptCodes(codes, length, change));
  }
  return boards;
}

/** Returns the number of codes that come back to themselves when the change replaces them `times` times. */
function countKeptCodes(codes: number, times: number, change: BoardSymmetry): number {
  return Array.from({ length: codes }, (_, code) => {
    let replaced = code;
    for (let time = 0; time < times; time++) replaced = change.codes?.[replaced] ?? replaced;
    return replaced === code;
  }).filter(Boolean).length;
}
