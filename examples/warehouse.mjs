// Queries of several kinds: the first word of a line decides what follows it (`either`).
//
// A warehouse has n empty shelves. PUT s b puts b boxes on shelf s, and TAKE s b takes up to b boxes away.
// COUNT f t asks for the number of boxes on the shelves f to t. Print the answer to each COUNT on a line of its own.
import { defineProblem, formats } from 'boardmill';

const { counted, int, list, either, lines } = formats;

export default defineProblem({
  name: 'warehouse',
  input: counted({
    n: int(1, 1000),
    q: int(1, 1000),
    queries: list(
      'q',
      either('kind', {
        'PUT TAKE': { shelf: int(1, 'n'), boxes: int(1, 1e6) },
        COUNT: { from: int(1, 'n'), to: int('from', 'n') },
      }),
    ),
  }),
  // An answer has as many lines as there are queries with the tag COUNT. It may have none.
  answer: lines('count(queries, COUNT)'),
  solve: ({ n, queries }) => {
    const shelves = new Float64Array(n + 1);
    const counts = [];
    for (const query of queries) {
      if (query.kind === 'PUT') shelves[query.shelf] += query.boxes;
      else if (query.kind === 'TAKE') shelves[query.shelf] -= Math.min(query.boxes, shelves[query.shelf]);
      else counts.push(shelves.subarray(query.from, query.to + 1).reduce((sum, boxes) => sum + boxes, 0));
    }
    return counts;
  },
  print: (counts) => counts.join('\n'),
});
