/** UVa 10055 (Hashmat the Brave Warrior): many tiny cases, so that what a case costs besides `solve` decides. */
import { defineProblem, formats } from 'boardmill';

const { untilEnd, int } = formats;

export default defineProblem({
  name: 'hashmat',
  input: untilEnd({ a: int(0, 2 ** 32), b: int(0, 2 ** 32) }),
  answer: int(),
  solve: ({ a, b }) => Math.abs(a - b),
});
