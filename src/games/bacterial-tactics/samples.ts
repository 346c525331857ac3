import type { Sample } from '../../problems/sample.js';

/** The samples of the problem statement, as one input. data/bacterial-tactics/sample has the same texts. */
export const samples: readonly Sample[] = [
  {
    input: `5
2 2
..
.#
4 4
.#..
..#.
#...
...#
3 4
#.##
....
#.##
1 1
.
1 2
##
`,
    answers: `Case #1: 0
Case #2: 0
Case #3: 7
Case #4: 2
Case #5: 0
`,
  },
];
