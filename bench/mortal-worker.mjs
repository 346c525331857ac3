/** The worker of the product, but death may come to it with any chunk: before the work, or after it. Seeded a thread. */
import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

const { SOAK_LOG: log, SOAK_SEED: seed, SOAK_DEATHS: deaths } = process.env;
const { default: solveChunk } = await import('../dist/workers/solve-chunk.js');

const FATES = [
  () => process.exit(7),
  () => {
    throw new Error('struck');
  },
];
let state = Number(seed) + threadId * 7919;

/** A number of at least 0 and below 1 (mulberry32). */
function draw() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function mayDie(when) {
  if (draw() >= Number(deaths)) return;
  appendFileSync(log, `${when}\n`);
  FATES[Math.floor(draw() * FATES.length)]();
}

export default async function solveOrDie(task) {
  mayDie('before');
  const result = await solveChunk(task);
  mayDie('after');
  return result;
}
