import { describe, expect, test } from 'vitest';
import {
  growthExponent,
  mean,
  median,
  medianInterval,
  outliers,
  speedRatio,
  spread,
  standardDeviation,
} from '../../src/bench/statistics.js';

test('mean, median and deviation of a sample', () => {
  const values = [4, 1, 2, 9];
  expect(mean(values)).toBe(4);
  expect(median(values)).toBe(3);
  expect(median([5, 1, 3])).toBe(3);
  expect(standardDeviation(values)).toBeCloseTo(Math.sqrt(38 / 3), 12);
  expect(standardDeviation([7])).toBe(0);
});

describe('outliers', () => {
  const quiet = [1, 1.01, 0.99, 1.02, 0.98, 1];

  test('one disturbed run neither moves the spread nor goes untold', () => {
    expect(spread([...quiet, 5])).toBeLessThan(0.03);
    expect(outliers([...quiet, 5])).toEqual([5]);
  });

  test('a noisy sample has none', () => {
    expect(outliers([1, 1.3, 0.8, 1.1, 0.9])).toEqual([]);
  });

  test('runs that differ by less than the clock can tell have none', () => {
    expect(outliers([1, 1, 1, 1, 1.02])).toEqual([]);
  });
});

test.each([
  [1, 0],
  [5, 0],
  [6, 0],
  [8, 0],
  [9, 1],
  [20, 5],
])('the median of %i values lies with 95 %% within all but %i on each side', (count, skipped) => {
  const values = Array.from({ length: count }, (_, i) => i);
  expect(medianInterval(values)).toEqual({ low: skipped, high: count - 1 - skipped });
});

test('a machine that slows down under both does not change their ratio', () => {
  const drift = [1, 1.5, 2, 4, 3, 8];
  const ratio = speedRatio(
    drift.map((slow) => 2 * slow),
    drift,
  );
  expect(ratio).toEqual({ ratio: 2, low: 2, high: 2 });
});

test('the exponent of a power law', () => {
  const points = [1, 2, 3, 5, 10].map((x) => ({ x, y: 0.3 * x ** 2.5 }));
  expect(growthExponent(points)).toBeCloseTo(2.5, 12);
});
