// Layout `single`: the whole file is one case. A list has records, one per line.
//
// There are n villages and m roads that can be used in both directions. Print the length of a shortest way from
// village 1 to village n, or "none".
import { defineProblem, formats } from 'boardmill';

const { single, int, list } = formats;

export default defineProblem({
  name: 'roads',
  input: single({
    n: int(1, 500),
    m: int(0, 5000),
    roads: list('m', { from: int(1, 'n'), to: int(1, 'n'), length: int(1, 1e6) }),
  }),
  // What the bounds cannot say. `validate`, `generate` and `stress` ask this function.
  valid: ({ roads }) =>
    roads.every(({ from, to }) => from !== to) || 'a road leads from a village to the same village',
  solve: ({ n, roads }) => {
    const distance = new Float64Array(n + 1).fill(Infinity);
    distance[1] = 0;
    for (let shorter = true; shorter; ) {
      shorter = false;
      for (const { from, to, length } of roads) {
        if (distance[from] + length < distance[to]) distance[to] = distance[from] + length;
        else if (distance[to] + length < distance[from]) distance[from] = distance[to] + length;
        else continue;
        shorter = true;
      }
    }
    return distance[n];
  },
  print: (length) => (length === Infinity ? 'none' : String(length)),
});
