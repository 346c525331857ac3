/** Which boards `--profile all` lists: all with exactly one X, which is not in row 1, and exactly two O. */
import type { BoardAutomaton } from '../shared/board-parts.js';

const REDS = 2;

/** The state is 3 times the number of X so far plus the number of O. The values are the letters `.`, `#`, `X`, `O`. */
export const boardAutomaton: BoardAutomaton = {
  states: 2 * (REDS + 1),
  width: () => 4,
  next(state, value, isInRow1) {
    const blacks = Math.floor(state / (REDS + 1));
    if (value === 2) return isInRow1 || blacks > 0 ? -1 : state + REDS + 1;
    if (value === 3) return state % (REDS + 1) === REDS ? -1 : state + 1;
    return state;
  },
  missing: (state) => 1 - Math.floor(state / (REDS + 1)) + REDS - (state % (REDS + 1)),
  count: countBoards,
  write(cells, cell, value) {
    cells[cell] = value;
  },
};

/** Number of boards of a size: the ways to place X, times those to place two O, times those to place obstacles on the rest. */
function countBoards(rows: number, cols: number): bigint {
  const cells = BigInt(rows * cols);
  if (cells < 3n) return 0n;
  const pairs = ((cells - 1n) * (cells - 2n)) / 2n;
  return (cells - BigInt(cols)) * pairs * 2n ** (cells - 3n);
}
