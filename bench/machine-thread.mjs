/**
 * A thread that computes or copies memory for some time. bench/machine.mjs starts one or two at once, to see how much they
 * slow each other down. Posts its rate: steps, or bytes read and written, per second of its processor time. So the rate is lower
 * if threads share a core or the memory, but not if other programs take the processor away.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** Much larger than the caches of a processor. */
const COPIED_BYTES = 128 * 2 ** 20;
const STEPS_PER_CALL = 1_000_000;
const WARM_UP_MS = 100;

const TASKS = {
  /** Eight sums that do not wait for one another, so that the units of a processor are busy. */
  compute: () => {
    let [a, b, c, d, e, f, g, h] = [1, 2, 3, 4, 5, 6, 7, 8];
    return () => {
      for (let i = 0; i < STEPS_PER_CALL; i++) {
        a = Math.imul(a, 0x9e3779b1) ^ (a >>> 7);
        b = Math.imul(b, 0x9e3779b1) ^ (b >>> 7);
        c = Math.imul(c, 0x9e3779b1) ^ (c >>> 7);
        d = Math.imul(d, 0x9e3779b1) ^ (d >>> 7);
        e = (e + a) ^ (e << 3);
        f = (f + b) ^ (f << 3);
        g = (g + c) ^ (g << 3);
        h = (h + d) ^ (h << 3);
      }
      return (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h) === 0 ? STEPS_PER_CALL - 1 : STEPS_PER_CALL;
    };
  },
  copy: () => {
    const from = new Uint8Array(COPIED_BYTES).fill(1);
    const to = new Uint8Array(COPIED_BYTES);
    return () => {
      to.set(from);
      return 2 * COPIED_BYTES;
    };
  },
};

const { task, ms } = workerData;
const step = TASKS[task]();
rateFor(WARM_UP_MS);
// All threads begin to measure at the same time.
parentPort.once('message', () => parentPort.postMessage(rateFor(ms)));
parentPort.postMessage('ready');

/** Works for so many milliseconds, and returns the work per second of processor time. */
function rateFor(duration) {
  const [begin, cpuBegin] = [performance.now(), cpuSeconds()];
  let work = 0;
  while (performance.now() - begin < duration) work += step();
  return work / (cpuSeconds() - cpuBegin);
}

/** Returns the processor time of this thread in seconds. */
function cpuSeconds() {
  return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e9;
}
