/**
 * The worker of boardmill, except that it may die at random before or after any chunk or range. bench/soak.mjs uses it. The
 * random numbers depend on a seed and on the number of the thread.
 */
import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const { SOAK_LOG: logPath, SOAK_SEED: seed, SOAK_DEATHS: deathProbability } = process.env;
const { default: solveChunk, solveByteRange: solveWholeRange } = await import('../build/workers/run-job.js');

/** The ways in which the worker dies: the thread exits, or it throws an exception. */
const WAYS_TO_DIE = [
  () => process.exit(7),
  () => {
    throw new Error('the worker died on purpose');
  },
];
let randomState = Number(seed) + threadId * 7919;

/** Returns a random number of at least 0 and less than 1 (algorithm mulberry32). */
function draw() {
  randomState = (randomState + 0x6d2b79f5) | 0;
  let mixed = Math.imul(randomState ^ (randomState >>> 15), 1 | randomState);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** Makes the worker die with the probability in SOAK_DEATHS. A dying worker first writes a line to the log. */
function dieAtRandom(when) {
  if (draw() >= Number(deathProbability)) return;
  appendFileSync(logPath, `${when}\n`);
  WAYS_TO_DIE[Math.floor(draw() * WAYS_TO_DIE.length)]();
}

async function solveOrDie(solve, task) {
  dieAtRandom('before');
  const result = await solve(task);
  dieAtRandom('after');
  return result;
}

export default (task) => solveOrDie(solveChunk, task);

export const solveByteRange = (task) => solveOrDie(solveWholeRange, task);
