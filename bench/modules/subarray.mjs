/** The largest sum of consecutive elements of an array: many small cases, each with a count and a line of integers. */
import { defineProblem, formats } from 'boardmill';

const { counted, int, ints } = formats;

export default defineProblem({
  name: 'subarray',
  input: counted({ n: int(1, 20), a: ints('n', -1000, 1000) }),
  answer: int(),
  solve({ a }) {
    let best = a[0];
    let ending = 0;
    for (const value of a) {
      ending = Math.max(ending, 0) + value;
      best = Math.max(best, ending);
    }
    return best;
  },
});
