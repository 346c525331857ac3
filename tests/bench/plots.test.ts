import { describe, expect, test } from 'vitest';
import { NARROW_PLOT, needsLogAxis, plotThroughput, selectTicks, WIDE_PLOT } from '../../src/bench/plots.js';

describe('a logarithmic axis', () => {
  test.each([
    [[1, 10], false],
    [[10.1, 1, 5], true],
    [[3], false],
  ])('for %j: %s', (values, isWanted) => {
    expect(needsLogAxis(values)).toBe(isWanted);
  });

  const points = [1, 2].map((jobs) => ({
    series: 'boardmill',
    jobs,
    casesPerSecond: 1000 * jobs,
    low: 900 * jobs,
    high: 1100 * jobs,
  }));

  test.each([WIDE_PLOT, NARROW_PLOT])(
    'keeps a slow program off the foot of the plot: $width pixels',
    (size) => {
      const slow = plotThroughput(points, [{ label: './slow', casesPerSecond: 40 }], size);
      expect(slow).toContain('(logarithmic)');
      const [, y] = /<line[^>]*y1="([\d.]+)"/.exec(slow.slice(slow.indexOf('stroke-dasharray="8,4"'))) ?? [];
      const foot = 340 - 42;
      expect(Number(y)).toBeLessThan(foot - 20);
    },
  );

  test('is not there where speeds are alike', () => {
    const alike = plotThroughput(points, [{ label: './mine', casesPerSecond: 500 }], WIDE_PLOT);
    expect(alike).not.toContain('(logarithmic)');
  });
});

test('an axis names every k-th value where there is no room for all', () => {
  expect(selectTicks([1, 2, 3, 4, 5], 5)).toEqual([1, 2, 3, 4, 5]);
  expect(selectTicks([1, 2, 3, 4, 5], 4)).toEqual([1, 3, 5]);
});
