import { describe, expect, test } from 'vitest';
import {
  growthExponent,
  mean,
  median,
  medianInterval,
  outliers,
  robustDeviation,
  speedRatio,
  standardDeviation,
} from '../../../src/tools/bench/statistics.js';

test('mean, median and standard deviation of a sample are right', () => {
  const values = [4, 1, 2, 9];
  expect(mean(values)).toBe(4);
  expect(median(values)).toBe(3);
  expect(median([5, 1, 3])).toBe(3);
  expect(standardDeviation(values)).toBeCloseTo(Math.sqrt(38 / 3), 12);
  expect(standardDeviation([7])).toBe(0);
});

describe('outliers', () => {
  const undisturbed = [1, 1.01, 0.99, 1.02, 0.98, 1];

  test('one disturbed run hardly changes the spread, and is reported as an outlier', () => {
    expect(robustDeviation([...undisturbed, 5])).toBeLessThan(0.03);
    expect(outliers([...undisturbed, 5])).toEqual([5]);
  });

  test('a sample that is noisy throughout has no outliers', () => {
    expect(outliers([1, 1.3, 0.8, 1.1, 0.9])).toEqual([]);
  });

  test('differences that are smaller than the noise of the clock are not outliers', () => {
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
])(
  'the 95 %% confidence interval of the median of %i values leaves out %i values on each side',
  (count, skipped) => {
    const values = Array.from({ length: count }, (_, i) => i);
    expect(medianInterval(values)).toEqual({ low: skipped, high: count - 1 - skipped });
  },
);

test('a machine that becomes slower for both programs does not change the ratio of their speeds', () => {
  const slowdowns = [1, 1.5, 2, 4, 3, 8];
  const ratio = speedRatio(
    slowdowns.map((seconds) => 2 * seconds),
    slowdowns,
  );
  expect(ratio).toEqual({ ratio: 2, low: 2, high: 2 });
});

test('growthExponent finds the exponent of a power law', () => {
  const points = [1, 2, 3, 5, 10].map((x) => ({ x, y: 0.3 * x ** 2.5 }));
  expect(growthExponent(points)).toBeCloseTo(2.5, 12);
});
