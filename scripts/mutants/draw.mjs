/** Finds the files of rooms, and draws mutants from them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mutantsOf } from './places.mjs';

/** Kernels are AssemblyScript, which knows no environment. */
const NOT_MUTATED = /^workers\/kernels\/|\.d\.ts$/;

/**
 * Returns the mutants of all files of a room.
 * @param {string} root
 * @param {string} room a folder or a file, or several of them with `+` between them
 */
export function allMutants(root, room) {
  const files = [...new Set(room.split('+').flatMap((path) => filesOf(root, path)))].sort();
  return files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
}

function filesOf(root, name) {
  const path = join(root, name);
  if (!existsSync(path)) throw new Error(`there is no file or folder ${name}`);
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((inner) => join(name, inner))
    : [name];
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !NOT_MUTATED.test(file));
  if (sources.length === 0) throw new Error(`${name} has no source that can be mutated`);
  return sources;
}

/**
 * Returns `count` of the mutants, or all if there are no more, in the order of their places. Each subset of that size is
 * equally likely.
 * @template T
 * @param {readonly T[]} mutants
 * @param {number} count
 * @param {number} seed
 * @returns {T[]}
 */
export function draw(mutants, count, seed) {
  const generator = xoroshiro128plus(seed);
  const order = mutants.map((_, index) => index);
  const drawn = Math.min(count, order.length);
  for (let i = 0; i < drawn; i++) {
    const other = uniformInt(generator, i, order.length - 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  const chosen = order.slice(0, drawn).sort((a, b) => a - b);
  return chosen.map((index) => mutants[index]);
}

/**
 * Returns the mutants with these ids. A room's path is the part of an id before its line.
 * @param {string} root
 * @param {readonly string[]} ids
 */
export function mutantsWithIds(root, ids) {
  const files = new Set(ids.map((id) => id.replace(/:\d+:\d+:.*$/, '')));
  const all = allMutants(root, [...files].join('+'));
  return ids.map((id) => {
    const mutant = all.find((each) => each.id === id);
    if (mutant === undefined) throw new Error(`there is no mutant ${id}; --list prints the ids`);
    return mutant;
  });
}
