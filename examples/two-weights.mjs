// Several right answers: `equal` decides whether an answer is as good as the one of `solve`.
//
// There are n weights. Choose two of them that weigh exactly g grams together. Print "YES" and the numbers of the two
// weights (counted from 1, in any order), or "NO" if no two weights do.
import { defineProblem, formats } from 'boardmill';

const { counted, int, ints, either } = formats;

export default defineProblem({
  name: 'two-weights',
  input: counted({ n: int(2, 2000), g: int(2, 2e6), weights: ints('n', 1, 1e6) }),
  answer: { result: either('found', { YES: { first: int(1, 'n'), second: int(1, 'n') }, NO: {} }) },
  solve: ({ n, g, weights }) => {
    const seen = new Map();
    for (let second = 1; second <= n; second++) {
      const first = seen.get(g - weights[second - 1]);
      if (first !== undefined) return `YES ${first} ${second}`;
      seen.set(weights[second - 1], second);
    }
    return 'NO';
  },
  // Both answers have been read with the format `answer`. A text says why the second one is wrong.
  equal: ({ result: expected }, { result: got }, { g, weights }) => {
    if (expected.found !== got.found) return `there is ${expected.found === 'YES' ? 'a' : 'no'} solution`;
    if (got.found === 'NO') return true;
    if (got.first === got.second) return 'the two weights are the same';
    return weights[got.first - 1] + weights[got.second - 1] === g || 'the two weights do not weigh g grams';
  },
});
