import type { Sample } from '../../problems/sample.js';

/** The samples of the problem statement, as one input. data/darkraft/sample has the same texts. */
export const samples: readonly Sample[] = [
  {
    input: `2 2
RL
LR
2 2
RR
RR
`,
    answers: `LOSE
WIN
`,
  },
];
