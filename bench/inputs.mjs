/**
 * Writes the inputs of the benchmarks. A recipe (see tests/fixtures/problems.mjs) and the seed determine every byte, so
 * all machines measure the same inputs. A recipe draws its cases one after another, so an input with fewer cases is the
 * beginning of an input with more cases.
 */
import { once } from 'node:events';
import { appendFileSync, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { PROBLEMS } from '../build/src/catalog/registry.js';
import { fixtureOf } from '../tests/fixtures/problems.mjs';

const SEED = 20190504;

/** The recipes of all problems, by name. */
export const RECIPES = Object.fromEntries(
  PROBLEMS.flatMap(({ name: problem }) =>
    fixtureOf(problem).recipes.map((recipe) => [recipe.name, { ...recipe, problem }]),
  ),
);

/** Writes the first `cases` cases of a recipe to a file. */
export async function writeInput(name, cases, path) {
  const { problem, board } = RECIPES[name];
  const generator = xoroshiro128plus(SEED);
  const draw = (below) => uniformInt(generator, 0, below - 1);
  const stream = createWriteStream(path);
  stream.write(headOf(problem, cases));
  for (let index = 0; index < cases; index++) {
    if (!stream.write(printCase(problem, board(draw, index)))) await once(stream, 'drain');
  }
  stream.end(tailOf(problem));
  await once(stream, 'finish');
}

/**
 * Writes the first `cases` cases of a recipe `times` times one after another. Drawing a case takes longer than solving it, so
 * this makes a large input in much less time.
 */
export async function writeRepeatedInput(name, cases, times, path) {
  const { problem } = RECIPES[name];
  await writeInput(name, cases, path);
  const input = readFileSync(path);
  const body = input.subarray(headOf(problem, cases).length, input.length - tailOf(problem).length);
  writeFileSync(path, headOf(problem, times * cases));
  for (let time = 0; time < times; time++) appendFileSync(path, body);
  appendFileSync(path, tailOf(problem));
}

/** Returns what an input has before its first case. */
function headOf(problem, cases) {
  const tokens = fixtureOf(problem).statement.preamble.map((field) => (field === 'T' ? cases : 0));
  return tokens.length > 0 ? `${tokens.join(' ')}\n` : '';
}

function printCase(problem, rows) {
  const { letters } = fixtureOf(problem).statement;
  const cols = letters.length === 1 ? rows[0].length : rows[0].split(' ').length;
  return `${rows.length} ${cols}\n${rows.join('\n')}\n`;
}

/** Returns what an input has after its last case. */
function tailOf(problem) {
  return fixtureOf(problem).statement.terminated ? '0 0\n' : '';
}
