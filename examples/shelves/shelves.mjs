// A problem without `solve`: a program solves it (`--exec`), here one in C++.
//
// n books must stay in their order. A shelf has room for w centimetres of books. Print how many shelves they need.
import { defineProblem, formats } from 'boardmill';

const { counted, int, ints } = formats;

export default defineProblem({
  name: 'shelves',
  input: counted({ n: int(1, 1000), w: int(1, 500), books: ints('n', 1, 'w') }, { cases: int(1, 100) }),
  answer: int(1),
});
