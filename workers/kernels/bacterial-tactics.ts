/**
 * The kernel of bacterial-tactics. It has three parts:
 *
 *   boards.ts       the boards of a batch, and how their cells come from the text of an input into the lanes of a group
 *   bit-lanes.ts    solves a group of up to 128 boards, one board in each bit of a vector
 *   byte-lanes.ts   solves a group of up to 16 boards, one board in each byte of a vector
 *
 * JavaScript chooses the groups, because it alone knows what other solvers cost (src/games/bacterial-tactics/kernel.ts).
 * The rules of the game and its theory are in src/games/bacterial-tactics/README.md.
 */
export {
  addBoard,
  cellsAddress,
  colsWonAddress,
  factsAddress,
  maxBoards,
  maxSide,
  nimbersAddress,
  overflowedAddress,
  rowsWonAddress,
  sortBoards,
  sortedBoardsAddress,
  takeCases,
} from './bacterial-tactics/boards';
export { lineEndsTaken, maxTextBytes, startsAddress, textAddress } from './shared/case-text';
export { bitLanes, findNimbersOfBits, solveBits } from './bacterial-tactics/bit-lanes';
export { findNimbersOfBytes, lanes, solveBytes } from './bacterial-tactics/byte-lanes';
