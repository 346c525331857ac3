/** The ways in which the kernel of bacterial-tactics can be made to solve boards. */
import {
  type BoardGroupPlanner,
  FastestBoardGroupPlanner,
  measureBoards,
} from '../../src/games/bacterial-tactics/groups.js';
import type { Board, Solver } from '../../src/problems/problem.js';

export const LANES = { byteLanes: 16, bitLanes: 128 };
export const KERNEL_ALONE = { ...LANES, usesPortable: false };

/** Puts all boards into full groups with the same solver. */
function groupsOf(solver: 'bits' | 'bytes', skipsRectangles = false): BoardGroupPlanner {
  const size = solver === 'bits' ? LANES.bitLanes : LANES.byteLanes;
  return {
    forEachGroup(count, boards, solve) {
      for (let first = 0; first < count; first += size) {
        const end = Math.min(count, first + size);
        solve({
          solver,
          first,
          count: end - first,
          frame: measureBoards(first, end, boards),
          skipsRectangles,
        });
      }
    },
  };
}

/** The ways to put boards into groups, of which each has a name. */
export const WAYS: [string, () => BoardGroupPlanner][] = [
  ['bits', () => groupsOf('bits')],
  ['bits, with rectangles skipped', () => groupsOf('bits', true)],
  ['bytes', () => groupsOf('bytes')],
  ['the groups that take least time', () => new FastestBoardGroupPlanner(KERNEL_ALONE)],
];

export function answersOf(solver: Solver<number>, boards: readonly Board[]): number[] {
  const answers: number[] = [];
  solver.solve(boards, boards.length, answers);
  return answers;
}
