// A program as contestants write it: it reads a whole input and prints all answers.
import { readFileSync } from 'node:fs';

const tokens = readFileSync(0, 'utf8').split(/\s+/).values();
const next = () => tokens.next().value;

for (let cases = Number(next()); cases > 0; cases--) {
  const [n, steps] = [Number(next()), Number(next())];
  const lamps = [...next()].map(Number);
  if (lamps.length !== n) throw new Error(`expected ${n} lamps`);
  for (let step = 0; step < steps; step++) {
    const [, first, last] = [next(), Number(next()), Number(next())];
    for (let i = first - 1; i < last; i++) lamps[i] = 1 - lamps[i];
  }
  console.log(lamps.join(''));
}
