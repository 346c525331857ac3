import { describe, expect, test } from 'vitest';
import { firstExhausted, fitCosts, predict, queueThroughput } from '../../../bench/machine-prediction.mjs';

/** A worker takes 8 us a case. The coordinator takes 1 us, of which half is the share of a case in its chunk. */
const COSTS = {
  worker: 8e-6,
  coordinatorPerCase: 0.5e-6,
  coordinatorPerChunk: 50e-6,
  coordinatorPerChunkAndWorker: 0,
  others: 1e-6,
  casesPerChunk: 100,
  movedBytes: 1000,
};
const MACHINE = { processors: 256, slowdown: 1, bytesPerSecond: 1e12 };
const WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

describe('the limits', () => {
  test('are those of a calculation by hand', () => {
    const { limits, first } = predict(COSTS, { ...MACHINE, processors: 4 }, 4);
    expect(limits.workers).toBeCloseTo(4 / 8e-6, 3);
    expect(limits.processors).toBeCloseTo(4 / 10e-6, 3);
    expect(limits.coordinator).toBeCloseTo(1e6, 3);
    expect(limits.memory).toBeCloseTo(1e9, 3);
    expect(first).toBe('processors');
  });

  test('processors that slow each other down count from the second worker on', () => {
    const shared = { ...MACHINE, slowdown: 1.5 };
    expect(predict(COSTS, shared, 1).limits.workers).toBeCloseTo(1 / 8e-6, 3);
    expect(predict(COSTS, shared, 2).limits.workers).toBeCloseTo(2 / 12e-6, 3);
  });

  test('a chunk that costs more with more workers lowers the limit of the coordinator', () => {
    const { limits } = predict({ ...COSTS, coordinatorPerChunkAndWorker: 10e-6 }, MACHINE, 6);
    expect(limits.coordinator).toBeCloseTo(1 / (0.5e-6 + 100e-6 / 100), 3);
  });

  test('the prediction never exceeds a limit', () => {
    for (const workers of WORKERS) {
      for (const bytesPerSecond of [1e8, 1e12]) {
        const { limits, casesPerSecond } = predict(COSTS, { ...MACHINE, bytesPerSecond }, workers);
        expect(casesPerSecond).toBeLessThanOrEqual(Math.min(...Object.values(limits)) * (1 + 1e-9));
      }
    }
  });
});

describe('the queue', () => {
  test('with one worker has the throughput of a calculation by hand', () => {
    // Two chunks, worker 3 s, coordinator 1 s: 0, 1 or 2 chunks are at the worker with the weights 1, 3 and 9.
    expect(queueThroughput(1, 3, 1)).toBeCloseTo((12 / 13) * (1 / 3), 12);
  });

  test('with two workers has the throughput of a calculation by hand', () => {
    // Four chunks, each worker 2 s, coordinator 1 s: the weights are 1, 2, 2, 2 and 2.
    expect(queueThroughput(2, 2, 1)).toBeCloseTo((2 * 0.5 + 6 * 1) / 9, 12);
  });

  test('becomes faster with each worker, until the coordinator is always busy', () => {
    const speeds = WORKERS.map((workers) => queueThroughput(workers, 8e-6, 1e-6));
    expect(speeds).toEqual([...speeds].sort((a, b) => a - b));
    expect(speeds[0]).toBeGreaterThan(0.9 / 8e-6);
    expect(speeds.at(-1)).toBeCloseTo(1e6, 3);
  });

  test('is finite for costs that are very different', () => {
    expect(queueThroughput(256, 1, 1e-9)).toBeCloseTo(256, 3);
    expect(queueThroughput(256, 1e-9, 1)).toBeCloseTo(1, 9);
  });
});

describe('what is exhausted first', () => {
  test('the coordinator, when the workers could solve more than it gives out', () => {
    // w / 10 us exceeds 1 / 1 us from 11 workers on.
    expect(firstExhausted(COSTS, MACHINE, 256)).toEqual({ workers: 11, resource: 'coordinator' });
  });

  test('the memory, if it is slow', () => {
    const slow = { ...MACHINE, bytesPerSecond: 0.35e9 };
    expect(firstExhausted(COSTS, slow, 256)).toEqual({ workers: 4, resource: 'memory' });
  });

  test('nothing, if there are not enough workers', () => {
    expect(firstExhausted(COSTS, MACHINE, 10)).toBeNull();
  });
});

describe('the fit', () => {
  const pointsOf = (perCase: number, perChunk: number) =>
    [10, 100, 1000].map((chunks) => ({
      cases: 50_000,
      chunks,
      seconds: perCase * 50_000 + perChunk * chunks,
    }));

  test('finds the costs of exact points', () => {
    const { perCase, perChunk } = fitCosts(pointsOf(2e-7, 1e-4));
    expect(perCase).toBeCloseTo(2e-7, 15);
    expect(perChunk).toBeCloseTo(1e-4, 12);
  });

  test('never finds a negative cost', () => {
    const [few, some, many] = pointsOf(2e-7, 0);
    const fitted = fitCosts([few, some, { ...many, seconds: 0.9 * many.seconds }]);
    expect(fitted.perChunk).toBe(0);
    expect(fitted.perCase).toBeGreaterThan(1.8e-7);
  });
});
