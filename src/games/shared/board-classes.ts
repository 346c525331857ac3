/** Counts boards up to turning and mirroring, without listing them. */
import { type BoardChange, placeOf, TURNS_AND_MIRRORS } from './board-symmetries.js';

/**
 * Returns how many boards of this size there are if boards count once that turning and mirroring makes equal. Each cell has
 * one of `symbols` symbols, whatever the other cells have. Only changes that keep the size count: eight of a square, four of
 * another board.
 *
 * By Burnside's lemma, this is the mean number of boards that a change leaves as they are. Such a board has one symbol in all
 * cells that the change moves to each other's places.
 */
export function countClasses(rows: number, cols: number, symbols: number): bigint {
  const changes = TURNS_AND_MIRRORS.filter(({ swapsSides }) => !swapsSides || rows === cols);
  const unchanged = changes.map((change) => BigInt(symbols) ** BigInt(countCycles(rows, cols, change)));
  return unchanged.reduce((sum, boards) => sum + boards, 0n) / BigInt(changes.length);
}

/** Returns the number of cycles into which a change that keeps the size divides the cells. */
function countCycles(rows: number, cols: number, change: BoardChange): number {
  const isSeen = new Uint8Array(rows * cols);
  let cycles = 0;
  for (let start = 0; start < rows * cols; start++) {
    if (isSeen[start] === 1) continue;
    cycles++;
    for (let cell = start; isSeen[cell] === 0; cell = placeOf(cell, { rows, cols }, change)) isSeen[cell] = 1;
  }
  return cycles;
}
