/**
 * Writes the inputs of the benchmarks. A recipe (see tests/fixtures/problems.mjs) and the seed determine every byte, so
 * all machines measure the same inputs. A recipe draws its cases one after another, so an input with fewer cases is the
 * beginning of an input with more cases.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { PROBLEMS } from '../build/src/problems/registry.js';
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
  const { preamble, terminated, letters } = fixtureOf(problem).statement;
  const preambleTokens = preamble.map((field) => (field === 'T' ? cases : 0));
  if (preambleTokens.length > 0) stream.write(`${preambleTokens.join(' ')}\n`);
  for (let index = 0; index < cases; index++) {
    const rows = board(draw, index);
    const cols = letters.length === 1 ? rows[0].length : rows[0].split(' ').length;
    if (!stream.write(`${rows.length} ${cols}\n${rows.join('\n')}\n`)) await once(stream, 'drain');
  }
  stream.end(terminated ? '0 0\n' : '');
  await once(stream, 'finish');
}
