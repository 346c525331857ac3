// Layout `untilEnd`: cases until the end of the input. Each case is one line with any number of words.
//
// Every line lists who came to a meeting. Some people signed twice. Print how many different people came.
import { defineProblem, formats } from 'boardmill';

const { untilEnd, word, words, until, int, lower } = formats;

export default defineProblem({
  name: 'roll-call',
  input: untilEnd([{ first: word(lower), others: words(until('\n'), lower) }]),
  answer: int(1),
  solve: ({ first, others }) => new Set([first, ...others]).size,
});
