import type { Sample } from '../../problems/sample.js';

/** The samples of the problem statement, as one input. data/link-and-pop/sample has the same texts. */
export const samples: readonly Sample[] = [
  {
    input: `3 3
AD AU CL
HS GU HL
CS FD GS
1 2
BS BL
0 0
`,
    answers: `Case 1
...
...
.F.
Case 2
..
`,
  },
];
