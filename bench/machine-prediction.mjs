// @ts-check
/**
 * Predicts how many cases per second a run solves with more workers than were measured. Pure functions: bench/machine-model.mjs
 * gives them what bench/machine.mjs has measured.
 *
 * A run is a closed queue: a fixed number of chunks goes round between the workers and the coordinator. Its throughput is at
 * most what each resource can do alone (the asymptotic bounds of Lazowska et al., "Quantitative System Performance", 1984,
 * chapter 5).
 */

/**
 * What a case costs. All times are processor time in seconds.
 * @typedef {object} Costs
 * @property {number} worker What a case costs the worker that solves it.
 * @property {number} coordinatorPerCase
 * @property {number} coordinatorPerChunk What a chunk costs the coordinator if there is one worker.
 * @property {number} coordinatorPerChunkAndWorker What each further worker adds to the cost of a chunk.
 * @property {number} others What a case costs all other threads of the process, which read files and collect garbage.
 * @property {number} casesPerChunk
 * @property {number} movedBytes Bytes that a case moves through the memory.
 */

/**
 * @typedef {object} Machine
 * @property {number} processors
 * @property {number} slowdown How many times as long a computation takes if all processors compute.
 * @property {number} bytesPerSecond Bytes that the memory moves in a second.
 */

/**
 * Cases per second that each resource allows.
 * @typedef {Record<'workers' | 'processors' | 'coordinator' | 'memory', number>} Limits
 */

/** Number of chunks that a run gives out for each worker (CHUNKS_PER_WORKER of src/engine/local-pool.ts). */
const CHUNKS_PER_WORKER = 2;

/**
 * Predicts the throughput with this number of workers: the limit that each resource sets, the resource with the lowest limit, and
 * the cases per second of the queue, which is never above the lowest limit.
 * @param {Costs} costs
 * @param {Machine} machine
 * @param {number} workers
 */
export function predict(costs, machine, workers) {
  const coordinator = coordinatorSeconds(costs, workers);
  const worker = costs.worker * (workers > 1 ? machine.slowdown : 1);
  /** @type {Limits} */
  const limits = {
    workers: workers / worker,
    processors: machine.processors / (worker + coordinator + costs.others),
    coordinator: 1 / coordinator,
    memory: machine.bytesPerSecond / costs.movedBytes,
  };
  const queue = queueThroughput(workers, worker, coordinator);
  return {
    limits,
    first: lowestOf(limits),
    casesPerSecond: Math.min(queue, limits.processors, limits.memory),
  };
}

/**
 * Returns what a case costs the coordinator, with its share of the cost of its chunk.
 * @param {Costs} costs
 * @param {number} workers
 */
function coordinatorSeconds(costs, workers) {
  const { coordinatorPerCase, coordinatorPerChunk, coordinatorPerChunkAndWorker, casesPerChunk } = costs;
  return (
    coordinatorPerCase + (coordinatorPerChunk + coordinatorPerChunkAndWorker * (workers - 1)) / casesPerChunk
  );
}

/**
 * Returns the throughput of a queue in which chunks go round between `workers` servers, each of which takes `worker` seconds a
 * case, and one server that takes `coordinator` seconds a case. The times of chunks are assumed to vary as much as those of an
 * exponential distribution. They vary less, so the real throughput lies between this value and the lowest limit.
 *
 * If k chunks are at the workers, min(k, workers) of them are being solved. The states k = 0, 1, ..., all chunks are a birth-death
 * chain, whose probabilities are products of ratios of rates.
 * @param {number} workers
 * @param {number} worker
 * @param {number} coordinator
 */
export function queueThroughput(workers, worker, coordinator) {
  const chunks = CHUNKS_PER_WORKER * workers;
  const solved = Array.from({ length: chunks + 1 }, (_, k) => Math.min(k, workers) / worker);
  // The products are too large and too small for floating-point numbers, so they are computed as sums of logarithms.
  const logs = [0];
  for (let k = 1; k <= chunks; k++) logs.push(logs[k - 1] - Math.log(coordinator * solved[k]));
  const largest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - largest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.reduce((total, weight, k) => total + (weight / sum) * solved[k], 0);
}

/**
 * Returns the name of the lowest limit.
 * @param {Limits} limits
 */
function lowestOf(limits) {
  return Object.entries(limits).sort(([, a], [, b]) => a - b)[0][0];
}

/**
 * Returns the smallest number of workers, each with a processor of its own, at which the coordinator or the memory allows less
 * than the workers could solve, and which of the two it is. Returns null if there is no such number up to `maxWorkers`.
 * @param {Costs} costs
 * @param {Omit<Machine, 'processors'>} machine
 * @param {number} maxWorkers
 */
export function firstExhausted(costs, machine, maxWorkers) {
  for (let workers = 1; workers <= maxWorkers; workers++) {
    const { first } = predict(costs, { ...machine, processors: workers }, workers);
    if (first === 'coordinator' || first === 'memory') return { workers, resource: first };
  }
  return null;
}

/**
 * Fits `seconds = perCase * cases + perChunk * chunks` to measured points, so that the squares of the relative errors are least. A
 * cost that would be negative is 0.
 * @param {readonly { cases: number, chunks: number, seconds: number }[]} points
 */
export function fitCosts(points) {
  const relative = points.map(({ cases, chunks, seconds }) => ({ x: cases / seconds, y: chunks / seconds }));
  const sum = (/** @type {(point: { x: number, y: number }) => number} */ term) =>
    relative.reduce((total, point) => total + term(point), 0);
  const [x, y, xx, xy, yy] = [
    sum((point) => point.x),
    sum((point) => point.y),
    sum((point) => point.x ** 2),
    sum((point) => point.x * point.y),
    sum((point) => point.y ** 2),
  ];
  const determinant = xx * yy - xy * xy;
  const perCase = (x * yy - y * xy) / determinant;
  const perChunk = (y * xx - x * xy) / determinant;
  if (perCase < 0) return { perCase: 0, perChunk: y / yy };
  if (perChunk < 0) return { perCase: x / xx, perChunk: 0 };
  return { perCase, perChunk };
}
