import { describe, expect, test } from 'vitest';
import {
  NARROW_PLOT,
  needsLogAxis,
  plotThroughput,
  selectTicks,
  WIDE_PLOT,
} from '../../../src/tools/bench/plots.js';

describe('the logarithmic axis of a plot', () => {
  test.each([
    [[1, 10], false],
    [[10.1, 1, 5], true],
    [[3], false],
  ])('whether a plot of the values %j needs a logarithmic axis: %s', (values, isNeeded) => {
    expect(needsLogAxis(values)).toBe(isNeeded);
  });

  const points = [1, 2].map((jobs) => ({
    series: 'boardmill',
    jobs,
    casesPerSecond: 1000 * jobs,
    low: 900 * jobs,
    high: 1100 * jobs,
  }));

  test.each([WIDE_PLOT, NARROW_PLOT])(
    'a logarithmic axis draws a slow program well above the bottom of a plot of $width pixels',
    (size) => {
      const slow = plotThroughput(points, [{ label: './slow', casesPerSecond: 40 }], size);
      expect(slow).toContain('(logarithmic)');
      const [, y] = /<line[^>]*y1="([\d.]+)"/.exec(slow.slice(slow.indexOf('stroke-dasharray="8,4"'))) ?? [];
      const bottom = 340 - 42;
      expect(Number(y)).toBeLessThan(bottom - 20);
    },
  );

  test('a plot of similar speeds has no logarithmic axis', () => {
    const alike = plotThroughput(points, [{ label: './mine', casesPerSecond: 500 }], WIDE_PLOT);
    expect(alike).not.toContain('(logarithmic)');
  });
});

test('an axis labels only every k-th value if there is no room for all labels', () => {
  expect(selectTicks([1, 2, 3, 4, 5], 5)).toEqual([1, 2, 3, 4, 5]);
  expect(selectTicks([1, 2, 3, 4, 5], 4)).toEqual([1, 3, 5]);
});
