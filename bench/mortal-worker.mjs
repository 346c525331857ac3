/**
 * The worker of boardmill, except that it may die at random before or after any chunk. bench/soak.mjs uses it. The
 * random numbers depend on a seed and on the number of the thread.
 */
import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const { SOAK_LOG: logPath, SOAK_SEED: seed, SOAK_DEATHS: deathProbability } = process.env;
const { default: solveChunk } = await import('../dist/workers/solve-chunk.js');

/** The ways to die: the thread exits, or it throws an exception. */
const WAYS_TO_DIE = [
  () => process.exit(7),
  () => {
    throw new Error('the worker died on purpose');
  },
];
let state = Number(seed) + threadId * 7919;

/** Returns a random number of at least 0 and less than 1 (algorithm mulberry32). */
function draw() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Dies with the given probability, and writes a line to the log before. */
function mayDie(when) {
  if (draw() >= Number(deathProbability)) return;
  appendFileSync(logPath, `${when}\n`);
  WAYS_TO_DIE[Math.floor(draw() * WAYS_TO_DIE.length)]();
}

export default async function solveOrDie(task) {
  mayDie('before');
  const result = await solveChunk(task);
  mayDie('after');
  return result;
}
