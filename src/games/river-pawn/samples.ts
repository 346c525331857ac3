import type { Sample } from '../../problems/sample.js';

/** The samples of the problem statement, as one input. data/river-pawn/sample has the same texts. */
export const samples: readonly Sample[] = [
  {
    input: `0 5
4 5
...#O
.#..#
#O#..
.#..X
3 3
#.#
O.O
.X.
3 3
O..
.#X
.O.
5 5
.....
.....
..O..
#..#.
O#.X.
9 9
...######
.#.......
.#######.
.#.#.....
.#O#.####
.#.#.....
.#######.
.#X......
.O.......
`,
    answers: `Black 0
Black 2
Black 2
Tie
Red 75
`,
  },
];
