// Layout `untilTerminator`: cases until a line with 0. An array has as many numbers as the number before it says.
//
// Houses stand in a row. You look along the row from its left end and see a house if it is higher than all houses
// before it. Print how many houses you see.
import { defineProblem, formats } from 'boardmill';

const { untilTerminator, int, ints } = formats;

export default defineProblem({
  name: 'skyline',
  input: untilTerminator('0', { n: int(1, 100_000), heights: ints('n', 1, 1e9) }, { total: { n: 1e6 } }),
  answer: int(1),
  solve: ({ heights }) => {
    let [seen, highest] = [0, 0];
    for (const height of heights) {
      if (height <= highest) continue;
      highest = height;
      seen++;
    }
    return seen;
  },
});
